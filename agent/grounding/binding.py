"""Which fact a printed number is a rounding of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from .facts import Fact
from .families import Family, Reading
from .figures import Figure, tolerance
from .report import USER

_COUNTS = (
    Family.BARE, Family.OPERATORS, Family.PARAMETERS, Family.MACS, Family.CYCLES, Family.PIECES, Family.RATIO,
)  # fmt: skip
"""What a number without a unit may be; the index of a layer only where the text says so."""
_DIGITS_TO_STAND_ALONE = 3


class Known:
    """Facts by family, those that stand highest in a result first."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._by_family: dict[Family, list[Fact]] = {}
        self._all = sorted(facts, key=lambda fact: (fact.kind, fact.path.count("."), fact.path.count("[")))
        for fact in self._all:
            self._by_family.setdefault(fact.family, []).append(fact)

    def find(self, figure: Figure, near: Sequence[Reading] = (), scope: Scope | None = None) -> Fact | None:
        """The fact that `figure` prints: in its own unit, or in one from near by or as a count."""
        allows = (scope or Scope()).allows
        for reading in figure.readings or (*near, *(Reading(family, 1.0) for family in _COUNTS)):
            for fact in self._by_family.get(reading.family, ()):
                if _prints(figure, fact.value / reading.factor, fact.call == USER) and allows(fact):
                    return fact
        if not figure.readings and _significant(figure) >= _DIGITS_TO_STAND_ALONE:
            return next(
                (f for f in self._all if _prints(figure, f.native, f.call == USER) and allows(f)), None
            )
        return None


class Scope:
    """What a sentence speaks of: where it names one target or one layer, another's figures don't count."""

    def __init__(self, target: str = "", layer: int | None = None) -> None:
        self.target, self.layer = target, layer

    def allows(self, fact: Fact) -> bool:
        if self.target and fact.target and fact.target != self.target:
            return False
        return (
            self.layer is None
            or fact.layer is None
            or fact.layer == self.layer
            or fact.family is Family.INDEX
        )


def _prints(figure: Figure, value: float, exactly: bool) -> bool:
    """What the user wrote is quoted, not rounded."""
    allowed = 1e-6 * abs(value) if exactly else tolerance(figure)
    return math.isfinite(value) and abs(figure.value - value) <= allowed


def _significant(figure: Figure) -> int:
    digits = f"{figure.value / figure.step:.0f}" if figure.step else ""
    return len(digits.lstrip("0"))
