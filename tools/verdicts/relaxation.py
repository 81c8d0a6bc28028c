"""By how much demands would have to give way."""

from __future__ import annotations

from ..core.quantity import Result


class Relaxation(Result):
    """The least by which one limit would have to give way, all others kept."""

    limit: str
    """Name of the limit."""
    demanded: float
    """The limit as it is."""
    needed: float
    """The limit that would be met."""
    unit: str
    percent: float
    """How much more, or less for a rate, than was demanded."""
    admits: tuple[str, ...]
    """What the new limit admits: targets, changes or sizes."""


class RelaxedPair(Result):
    """Two limits that would have to give way together, where no single one suffices."""

    relaxations: tuple[Relaxation, Relaxation]
    """The two, each with what it would have to become."""
    admits: tuple[str, ...]
    """What both together admit."""
