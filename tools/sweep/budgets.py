"""Hard and soft thresholds: which evaluations overstep them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from ...hardware_db.errors import LimitsError, nearest
from ..core.deployment_table import DeploymentTable
from ..core.records import dataclass
from ..core.units import Dimension, parse_measure, show
from ..cost_model.estimate_table import EstimateTable
from ..verdicts.flags import FLAGS
from ..verdicts.judge import Judged, judge
from ..verdicts.limits import Limits, limits_from_text
from ..verdicts.rules import prices
from .plan import SweepPlan

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
THRESHOLDS: Mapping[str, Dimension] = {
    name: dimension for name, (_, dimension) in FLAGS.items() if name != "reserve"
} | {"model": Dimension.BYTES}
"""What may be budgeted; `model` is the model's own bytes."""


@dataclass(frozen=True)
class Threshold:
    name: str
    text: str
    bound: float
    hard: bool

    @property
    def column(self) -> str:
        return f"violates_{self.name}_{self.text}"


def limits_of(plan: SweepPlan) -> Limits:
    """The hard limits, but for that of the model's size, which is the sweep's own.

    Raises:
        LimitsError: an unknown limit, or a figure without its unit.
    """
    more = {"headroom": plan.headroom, "dtype": plan.dtype}
    of_hardware = {name: text for name, text in plan.limits.items() if name != "model"}
    return limits_from_text(of_hardware, **{key: value for key, value in more.items() if value is not None})


def thresholds_of(plan: SweepPlan) -> tuple[Threshold, ...]:
    """Every hard and soft budget, in the plan's order.

    Raises:
        LimitsError: as `limits_of`.
    """
    hard = [_threshold(name, text, hard=True) for name, text in plan.limits.items() if name != "reserve"]
    soft = [_threshold(name, text, hard=False) for name, texts in plan.soft.items() for text in texts]
    return tuple(
        {each.column: each for each in (*soft, *hard)}[key]
        for key in dict.fromkeys(t.column for t in (*hard, *soft))
    )


def _threshold(name: str, text: str, *, hard: bool) -> Threshold:
    if name not in THRESHOLDS:
        close = ", ".join(nearest(name, THRESHOLDS)) or ", ".join(THRESHOLDS)
        raise LimitsError(f"There is no limit {name!r}.", hint=f"Known: {close}.")
    try:
        bound = parse_measure(text, THRESHOLDS[name])
    except LimitsError as error:
        error.message = f"{name}: {error.message}"
        raise
    return Threshold(name, "".join(text.split()), 1e3 / bound if name == "rate" else bound, hard)


def violations(
    thresholds: tuple[Threshold, ...], table: EstimateTable, places: DeploymentTable, reserve_bytes: int
) -> list[tuple[Bools, Bools]]:
    """(oversteps, known) for each threshold: strictly above the bound, and whether the figure is known."""
    batches = np.array([place.batch for place in places], dtype=np.float64)
    demands: Mapping[str, Callable[[Threshold], Floats]] = {
        "latency": lambda _: table.latency_ms.value / batches,
        "rate": lambda _: table.latency_ms.value / batches,
        "energy": lambda _: table.energy_uj.value / batches,
        "power": lambda _: table.power_mw.value,
        "price": lambda _: prices(places).value,
        "ram": lambda _: table.arena_bytes.value + reserve_bytes,
        "flash": lambda budget: _flash(table, budget.bound),
        "model": lambda _: table.model_bytes.value,
    }
    found = []
    for budget in thresholds:
        demand = demands[budget.name](budget)
        with np.errstate(invalid="ignore"):
            found.append((demand > budget.bound, ~np.isnan(demand)))
    return found


def judged_models(thresholds: tuple[Threshold, ...], table: EstimateTable) -> list[Judged]:
    """The hard limits of the model's own size, as limits of hardware are judged."""
    size = table.model_bytes
    found = []
    for budget in thresholds:
        if budget.hard and budget.name == "model":
            bound = np.full(len(size), budget.bound)
            verdict = judge(size, bound, np.zeros(len(size)))
            sentence = functools.partial(_of_model, table, budget.bound)
            found.append(Judged("model", None, verdict, size, bound, sentence))
    return found


def _of_model(table: EstimateTable, bound: float, row: int) -> str:
    size = show(float(table.model_bytes.value[row]), "bytes")
    return f"the model takes {size}, the limit is {show(bound, 'bytes')}"


def _flash(table: EstimateTable, bound: float) -> Floats:
    """The model alone, where the code is not known and the model is too large without it."""
    flash, model = table.flash_bytes.value, table.model_bytes.value
    with np.errstate(invalid="ignore"):
        return np.where(np.isnan(flash) & (model > bound), model, flash)
