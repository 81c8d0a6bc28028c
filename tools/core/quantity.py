"""A figure with its unit, its 90 % interval and what it rests on."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from enum import StrEnum

from pydantic import model_validator

from ...hardware_db.errors import UnknownFigureError
from .result import Result
from .units import digits, factor_between, scale_for

__all__ = ["Basis", "Quantity", "Result", "weakest"]


class Basis(StrEnum):
    """What a figure rests on, strongest first."""

    MEASURED = "measured"
    """By the user, on this very deployment."""
    PUBLISHED = "published"
    """By others, of this very case."""
    SCALED = "scaled"
    """From a published figure of a near case."""
    FITTED = "fitted"
    """By coefficients fitted to published measurements."""
    SIMULATED = "simulated"
    """By a vendor's compiler or simulator."""
    DATASHEET = "datasheet"
    DERIVED = "derived"
    """Calculated, exactly, from the model or the hardware."""
    ASSUMED = "assumed"
    UNKNOWN = "unknown"


_STRENGTH = {basis: rank for rank, basis in enumerate(Basis)}


def weakest(bases: Iterable[Basis]) -> Basis:
    """A result's basis is its weakest input's; of no input at all, derived."""
    return max(bases, key=_STRENGTH.__getitem__, default=Basis.DERIVED)


class Quantity(Result):
    """`value` in `unit`; `low` to `high` is the 90 % interval. Unknown is None, never 0.

    `<`, `<=`, `>` and `>=` compare values, with a number in the quantity's own unit or with a quantity of the
    same dimension. An unknown quantity is neither less nor more than anything: comparing it raises, so ask
    `known` first. `==` compares value, interval, unit and basis.

    >>> latency = Quantity(value=14.0, low=9.0, high=21.6, unit="ms", basis=Basis.FITTED)
    >>> print(latency)
    14 ms [9–21.6] fitted
    >>> f"{latency:.2f}"
    '14.00 ms'
    >>> float(latency.to("us"))
    14000.0
    >>> latency < 50, latency < Quantity.exact(0.05, "s"), 20 in latency
    (True, True, True)
    """

    value: float | None
    """In `unit`; null where it is unknown."""
    low: float | None
    """Lower end of the 90 % interval."""
    high: float | None
    """Upper end of the 90 % interval."""
    unit: str
    """Unit of value, low and high."""
    basis: Basis
    """What the figure rests on; a sum's is its weakest part's."""

    @model_validator(mode="after")
    def _ordered(self) -> Quantity:
        if self.value is None:
            if self.basis is not Basis.UNKNOWN or self.low is not None or self.high is not None:
                raise ValueError("a quantity without a value has basis unknown and no interval")
        elif self.low is None or self.high is None or not self.low <= self.value <= self.high:
            raise ValueError(f"interval {self.low}..{self.high} does not hold {self.value}")
        return self

    @classmethod
    def unknown(cls, unit: str) -> Quantity:
        return _unknown(unit)

    @classmethod
    def exact(cls, value: float, unit: str, basis: Basis = Basis.DERIVED) -> Quantity:
        return cls(value=value, low=value, high=value, unit=unit, basis=basis)

    @classmethod
    def within_factor(cls, value: float, factor: float, unit: str, basis: Basis) -> Quantity:
        """`value`, between a `factor`-th of it and `factor` times it."""
        return cls(value=value, low=value / factor, high=value * factor, unit=unit, basis=basis)

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    def scaled(self, by: float, unit: str) -> Quantity:
        """The same figure in another unit, or times an exact factor."""
        if self.value is None or self.low is None or self.high is None:
            return Quantity.unknown(unit)
        return Quantity(
            value=self.value * by, low=self.low * by, high=self.high * by, unit=unit, basis=self.basis
        )

    def to(self, unit: str) -> Quantity:
        """The same figure in another unit of its dimension, such as us for ms or KiB for bytes.

        Raises:
            UsageError: a unit that does not exist, or of another dimension.
        """
        return self.scaled(factor_between(self.unit, unit), unit)

    def headline(self) -> str:
        """The value in the unit that reads best, and its interval: 14 ms [9–21.6]."""
        if self.value is None or self.low is None or self.high is None:
            return "unknown"
        factor, unit = scale_for(self.value, self.unit)
        low, value, high = (digits(figure / factor) for figure in (self.low, self.value, self.high))
        interval = "" if low == high else f" [{low}–{high}]"
        return f"{value} {'' if unit == '1' else unit}".rstrip() + interval

    def __str__(self) -> str:
        return self.headline() if self.value is None else f"{self.headline()} {self.basis}"

    def __format__(self, form: str) -> str:
        """A number's format, such as .1f, is for the value, and the unit follows; others are for the text."""
        if not (form.endswith(tuple("eEfFgGn,")) or "." in form):
            return format(str(self), form)
        if self.value is None:
            return str(self)
        return f"{self.value:{form}} {'' if self.unit == '1' else self.unit}".rstrip()

    def __float__(self) -> float:
        return self._number()

    def __contains__(self, value: float | Quantity) -> bool:
        """Whether the 90 % interval holds a value."""
        self._number()
        assert self.low is not None
        assert self.high is not None
        return self.low <= self._in_my_unit(value) <= self.high

    def __lt__(self, other: float | Quantity) -> bool:
        return self._number() < self._in_my_unit(other)

    def __le__(self, other: float | Quantity) -> bool:
        return self._number() <= self._in_my_unit(other)

    def __gt__(self, other: float | Quantity) -> bool:
        return self._number() > self._in_my_unit(other)

    def __ge__(self, other: float | Quantity) -> bool:
        return self._number() >= self._in_my_unit(other)

    def _in_my_unit(self, other: float | Quantity) -> float:
        return other.to(self.unit)._number() if isinstance(other, Quantity) else other

    def _number(self) -> float:
        if self.value is None:
            raise UnknownFigureError(
                f"This quantity (in {self.unit}) is unknown, so it is no number and has no order.",
                hint="Ask its `known` first; the result's `warnings` say why.",
            )
        return self.value


@functools.lru_cache(maxsize=256)
def _unknown(unit: str) -> Quantity:
    """One for each unit: it says nothing else."""
    return Quantity(value=None, low=None, high=None, unit=unit, basis=Basis.UNKNOWN)
