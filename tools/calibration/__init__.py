"""Measurements as the cost model sees them."""
