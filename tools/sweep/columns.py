"""What a row of the results holds, in order, and how it is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ..core.render.csv_lines import number
from ..cost_model.quantity_column import BASES, QuantityColumn
from .budgets import Threshold

FIGURES = ("latency_ms", "energy_uj", "power_mw", "arena_bytes", "flash_bytes", "model_bytes")


class Kind(StrEnum):
    TEXT = "text"
    INTEGER = "integer"
    FLOAT = "float"
    FLAG = "flag"


Column = tuple[str, Kind]


def columns_of(thresholds: Sequence[Threshold]) -> tuple[Column, ...]:
    """Name and kind of every column; an empty cell is a figure that is not known."""
    figures = (
        (f"{name}{part}", Kind.TEXT if part == "_basis" else Kind.FLOAT)
        for name in FIGURES
        for part in ("", "_low", "_high", "_basis")
    )
    return (
        ("model", Kind.TEXT), ("transform", Kind.TEXT), ("model_sha256", Kind.TEXT), ("precision", Kind.TEXT),
        ("macs", Kind.INTEGER), ("parameter_bytes", Kind.INTEGER), ("peak_activation_bytes", Kind.INTEGER),
        ("target", Kind.TEXT), ("class", Kind.TEXT), ("runtime", Kind.TEXT), ("processor", Kind.TEXT),
        ("clock_mhz", Kind.FLOAT), ("batch", Kind.INTEGER), ("price_usd", Kind.FLOAT),
        *figures,
        ("inferences_per_second", Kind.FLOAT), ("bound", Kind.TEXT), ("accelerated_share", Kind.FLOAT),
        ("fits", Kind.FLAG), ("runs", Kind.FLAG),
        ("verdict", Kind.TEXT), ("accepted", Kind.FLAG),
        *((each.column, Kind.FLAG) for each in thresholds),
        ("reasons", Kind.TEXT),
    )  # fmt: skip


def numbers(values: npt.NDArray[np.float64]) -> list[str]:
    return [number(value) for value in values.tolist()]


def quantity_cells(column: QuantityColumn) -> Iterable[list[str]]:
    """Value, low, high and basis."""
    yield numbers(column.value)
    yield numbers(column.low)
    yield numbers(column.high)
    yield [BASES[at].value for at in column.basis.tolist()]


def flags(states: npt.NDArray[np.int64]) -> list[str]:
    """1 true, 0 false, -1 not known."""
    return [("false", "true", "")[state] for state in states.tolist()]
