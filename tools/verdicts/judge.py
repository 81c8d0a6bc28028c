"""A limit held against a column of demands: one verdict a row. A single check is a table of one row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ..core.records import dataclass
from ..core.units import show, show_apart
from ..cost_model.own_offset import NO_ESTIMATE
from ..cost_model.quantity_column import QuantityColumn
from .verdict import SEVERITY, Verdict

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
VERDICTS = tuple(sorted(Verdict, key=SEVERITY.__getitem__))
"""By how much they weigh."""
PASS, MARGINAL, UNKNOWN, FAIL = range(4)


@dataclass(frozen=True, eq=False)
class Judged:
    """One limit over all rows."""

    name: str
    field: str | None
    """Of `Limits`, where the user set it; None for what the hardware itself bounds."""
    verdict: Ints
    """Positions in `VERDICTS`."""
    demand: QuantityColumn | None
    bound: Floats
    sentence: Callable[[int], str]
    """The verdict of a row in one sentence with its numbers."""
    ceiling: Floats | None = None
    """What the hardware has, however wide the limit; NaN where that is not known."""


WIDE = 5.0
"""An interval this many times as high as low does not tell on which side of a bound in it the figure is."""


def wider_than(demand: QuantityColumn, times: float) -> Bools:
    with np.errstate(invalid="ignore", divide="ignore"):
        wide: Bools = demand.high > times * demand.low
    return wide


def least_bound(demand: QuantityColumn) -> Floats:
    """The tightest bound that does not refuse a row: its figure, or the end of an interval that is wide."""
    least: Floats = np.where(wider_than(demand, WIDE), demand.high, demand.value)
    return least


def judge(demand: QuantityColumn, bound: Floats, headroom: Floats) -> Ints:
    """FAIL above the bound, MARGINAL in the headroom below it or where the interval crosses it.

    UNKNOWN where the bound lies inside a wide interval, on whichever side of it the figure is.
    """
    unknown = np.isnan(demand.value) | np.isnan(bound)
    with np.errstate(invalid="ignore"):
        unknown |= wider_than(demand, WIDE) & (demand.low <= bound) & (bound < demand.high)
        tight = (demand.value > bound * (1 - headroom)) | (demand.high > bound)
        chosen = [unknown, demand.value > bound, tight]
    verdict: Ints = np.select(chosen, [UNKNOWN, FAIL, MARGINAL], PASS).astype(np.int64)
    return verdict


def overall(parts: Sequence[Judged]) -> Ints:
    """The worst verdict, row by row."""
    worst: Ints = np.max([part.verdict for part in parts], axis=0)
    return worst


def misses(parts: Sequence[Judged]) -> Floats:
    """How far rows are from passing: decades beyond limits, one for each that has no measure."""
    missed = np.zeros(len(parts[0].verdict))
    for part in parts:
        beyond = np.ones(len(missed))
        if part.demand is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                beyond = np.nan_to_num(np.log10(part.demand.value / part.bound), nan=1.0, posinf=1.0)
        missed += np.where(part.verdict >= UNKNOWN, np.maximum(beyond, 1e-6), 0.0)
    return missed


def demand_and_bound(
    needs: str,
    demand: QuantityColumn,
    row: int,
    bound: float,
    bound_name: str,
    remedy: Callable[[int], str] | None = None,
) -> str:
    """What is needed, what is there, and the difference.

    Args:
        needs: subject and verb, such as "one inference takes".
        bound: NaN where it is not known.
        bound_name: such as "the limit".
        remedy: what would make a wide interval narrow, for a row.
    """
    unit, value = demand.unit, float(demand.value[row])
    size = show(None if np.isnan(bound) else float(bound), unit)
    if np.isnan(value):
        return f"what {needs} is unknown; {bound_name} is {size}"
    low, high = show(float(demand.low[row]), unit), show(float(demand.high[row]), unit)
    taken = show(value, unit)
    if taken == size:
        taken, size = show_apart(float(value), float(bound), unit)
    needed = f"{needs} {taken}" + ("" if low == high else f" ({low} to {high})")
    if np.isnan(bound):
        return f"{needed}; {bound_name} is unknown"
    if float(demand.low[row]) <= bound < float(demand.high[row]) and wider_than(demand, WIDE)[row]:
        unknown = wider_than(demand, NO_ESTIMATE)[row]
        known = f"what {needs} is unknown, between {low} and {high}" if unknown else needed
        narrower = "" if remedy is None else f": {remedy(row)}"
        return f"{known}, and {bound_name} of {size} lies inside that{narrower}"
    gap = float(bound) - value
    rest = f"{show(gap, unit)} to spare" if gap >= 0 else f"{show(-gap, unit)} too much"
    return f"{needed}, {bound_name} is {size}: {rest}"
