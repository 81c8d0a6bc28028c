"""Arm's Ethos-U: what Vela makes of a model for it, and the rules that answer where Vela is not installed."""
