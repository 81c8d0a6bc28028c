"""Figures, units, deployments, errors and processes: what every floor above speaks in."""
