"""Kills, interrupts, bad endpoints, crowds and bombs: `python -m tests.chaos`."""
