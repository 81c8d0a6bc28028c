"""Fitting the cost model's coefficients to measurements; a developer's tool, not installed."""
