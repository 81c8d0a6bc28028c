"""Limits, capacities and verdicts over tables of estimates."""
