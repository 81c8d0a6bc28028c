"""One quantity of many deployments, as columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..core.quantity import Basis, Quantity
from ..core.records import dataclass

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Item = TypeVar("Item")
BASES = tuple(Basis)
"""Strongest first."""


@dataclass(frozen=True, eq=False, repr=False)
class QuantityColumn:
    """A quantity of every deployment; NaN where it is unknown."""

    unit: str
    value: Floats
    low: Floats
    high: Floats
    basis: Ints
    """Positions in `Basis`, strongest first."""

    @classmethod
    def of(cls, unit: str, quantities: Sequence[Quantity]) -> QuantityColumn:
        rows = [(q.value, q.low, q.high, BASES.index(q.basis)) for q in quantities]
        figures = np.array(rows, dtype=np.float64).reshape(-1, 4).T
        return cls(unit, figures[0], figures[1], figures[2], figures[3].astype(np.int64))

    @classmethod
    def gathered(
        cls, unit: str, items: Sequence[Item], quantity: Callable[[Item], Quantity]
    ) -> QuantityColumn:
        """Of items many of which are one object, each of which is asked once."""
        numbers: dict[int, int] = {}
        distinct: list[Item] = []
        rows = []
        for item in items:
            number = numbers.setdefault(id(item), len(numbers))
            if number == len(distinct):
                distinct.append(item)
            rows.append(number)
        return cls.of(unit, [quantity(item) for item in distinct]).take(np.array(rows, dtype=np.int64))

    @classmethod
    def known_where(
        cls, unit: str, known: npt.NDArray[np.bool_], figures: Sequence[Floats], basis: Ints
    ) -> QuantityColumn:
        value, low, high = (np.where(known, column, np.nan) for column in figures)
        return cls(unit, value, low, high, np.where(known, basis, BASES.index(Basis.UNKNOWN)))

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<QuantityColumn of {len(self)} in {self.unit}>"

    def to_dict(self, name: str) -> dict[str, npt.NDArray[Any]]:
        """Columns for value, low, high and basis: latency_ms, latency_ms_low, latency_ms_high, …"""
        bases = np.array([basis.value for basis in BASES])[self.basis]
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high, f"{name}_basis": bases}

    def __getitem__(self, row: int) -> Quantity:
        value, low, high = self.value.item(row), self.low.item(row), self.high.item(row)
        if math.isnan(value):
            return Quantity.unknown(self.unit)
        return Quantity(value=value, low=low, high=high, unit=self.unit, basis=BASES[self.basis.item(row)])

    def take(self, rows: Ints) -> QuantityColumn:
        return QuantityColumn(self.unit, self.value[rows], self.low[rows], self.high[rows], self.basis[rows])

    @classmethod
    def joined(cls, columns: Sequence[QuantityColumn]) -> QuantityColumn:
        parts = (
            np.concatenate([getattr(c, name) for c in columns]) for name in ("value", "low", "high", "basis")
        )
        return cls(columns[0].unit, *parts)
