"""Several models, and steps that are no network, at their rates on one core."""
