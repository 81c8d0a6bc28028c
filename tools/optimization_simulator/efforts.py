"""What changes ask of people, as an order: a step more for each class of effort."""

from __future__ import annotations

from collections.abc import Iterable

STEPS = {"minutes": 1, "retraining": 2, "redesign": 3}
"""An order, no measure of hours: used to rank, to break ties, and shown beside every rank."""


def steps_of(efforts: Iterable[str]) -> int:
    """Of several changes together."""
    return sum(STEPS.get(effort, max(STEPS.values())) for effort in efforts)


def hardest(efforts: Iterable[str]) -> str:
    """The class of several changes together."""
    return max(efforts, key=lambda effort: STEPS.get(effort, max(STEPS.values())), default="none")
