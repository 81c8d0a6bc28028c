"""A figure with its unit, its 90 % interval and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, model_validator


class Basis(StrEnum):
    """What a figure rests on, strongest first."""

    MEASURED = "measured"
    PUBLISHED = "published"
    FITTED = "fitted"
    SIMULATED = "simulated"
    DATASHEET = "datasheet"
    DERIVED = "derived"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"


_STRENGTH = {basis: rank for rank, basis in enumerate(Basis)}


def weakest(bases: Iterable[Basis]) -> Basis:
    """A result's basis is its weakest input's; of no input at all, derived."""
    return max(bases, key=_STRENGTH.__getitem__, default=Basis.DERIVED)


class Result(BaseModel):
    """Base of everything a tool returns: frozen, and closed to fields nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Quantity(Result):
    """`value` in `unit`; `low` to `high` is the 90 % interval. Unknown is None, never 0."""

    value: float | None
    low: float | None
    high: float | None
    unit: str
    basis: Basis

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
        return cls(value=None, low=None, high=None, unit=unit, basis=Basis.UNKNOWN)

    @classmethod
    def exact(cls, value: float, unit: str, basis: Basis = Basis.DERIVED) -> Quantity:
        return cls(value=value, low=value, high=value, unit=unit, basis=basis)

    @classmethod
    def within_factor(cls, value: float, factor: float, unit: str, basis: Basis) -> Quantity:
        """`value`, between a `factor`-th of it and `factor` times it."""
        return cls(value=value, low=value / factor, high=value * factor, unit=unit, basis=basis)

    def scaled(self, by: float, unit: str) -> Quantity:
        """The same figure in another unit, or times an exact factor."""
        if self.value is None or self.low is None or self.high is None:
            return Quantity.unknown(unit)
        return Quantity(
            value=self.value * by, low=self.low * by, high=self.high * by, unit=unit, basis=self.basis
        )
