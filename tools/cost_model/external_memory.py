"""What it costs to keep arena or weights in another memory than the plan does.

A byte that has to come from a region takes 1 / bandwidth of it. Between two placements a layer's time
differs by what its bytes take from one region and from the other:

    usual  each byte crosses once and the core waits for it; an accelerator fetches while it computes
    least  the transfers hide behind the arithmetic, as far as the roofline lets them
    most   nothing caches: each window reads its rows again

"When accessing large chunks of data (> 32 KB), the cache can be insufficient, and speeds will fall back to
the access speed of the external RAM" (espressif/esp-idf docs/en/api-guides/external-ram.rst at 002cd296).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ...hardware_db import Target
from ...hardware_db.derived import FLASH_KINDS, SHARED_RAM_KINDS, shared_ram
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity, weakest
from ..core.records import dataclass, replace
from ..graph import ModelGraph
from ..graph.layer_table import OpClass
from ..memory_planner.arrangements import Arrangement, arrangements, planned_arrangement
from ..memory_planner.linking import linker_hints
from ..memory_planner.memory_plan import MemoryPlan, PlacementOption
from .hierarchy import ProcessorKind, processor_of
from .memory_levels import MemoryLevel, level_of
from .study import Study, study

Floats = npt.NDArray[np.float64]
_WINDOWED = frozenset({OpClass.CONV, OpClass.DEPTHWISE, OpClass.POOL})


@dataclass(frozen=True)
class _Traffic:
    """Seconds of each layer to move its data from the levels that hold it."""

    once: Floats
    most: Floats
    assumed: bool


@dataclass(frozen=True)
class _Span:
    """Milliseconds."""

    value: float
    low: float
    high: float

    def quantity(self, basis: Basis) -> Quantity:
        low, high = min(self.low, self.value), max(self.high, self.value)
        return Quantity(value=self.value, low=low, high=high, unit="ms", basis=basis)


def with_placements(graph: ModelGraph, deployment: Deployment, plan: MemoryPlan) -> MemoryPlan:
    """The plan with everywhere that its arena and weights could lie, and the time of each, fastest first.

    Times are those of the estimate, which is fitted to measurements as they were placed, plus or minus
    what the bytes take longer or shorter.
    """
    found = arrangements(plan, deployment)
    planned = planned_arrangement(plan, deployment.target)
    inside = _inside(planned, deployment.target)
    is_only_plan = planned is not None and len(found) < 2
    if not found or (is_only_plan and inside is None):
        return plan
    case = study(graph, deployment)
    options = sorted((_option(case, each, planned) for each in found), key=_order)
    spilled = None if planned is None or inside is None else _costed(case, planned, inside)[1]
    why_not = _with_advice(plan, options) if planned is None else plan.why_not
    return plan.model_copy(
        update={
            "placements": () if is_only_plan else tuple(options),
            "spill_ms": spilled,
            "why_not": why_not,
        }
    )


def _with_advice(plan: MemoryPlan, options: Sequence[PlacementOption]) -> str:
    """Why it does not fit, and that two arenas would where one does not."""
    apart = next((option for option in options if option.persistent), None)
    if apart is None or any(not option.persistent for option in options):
        return plan.why_not
    places = " + ".join(apart.arena), " + ".join(apart.persistent)
    sentence = "two arenas would fit, planned tensors in {} and the interpreter's data in {}".format(*places)
    return f"{plan.why_not}; {sentence}"


def _inside(planned: Arrangement | None, target: Target) -> Arrangement | None:
    """The same with the arena in the largest internal RAM, however small; None where it is inside already."""
    if planned is None or not any(region.external for region in planned.arena):
        return None
    internal = [region for region in shared_ram(target) if not region.external]
    largest = max(internal, key=lambda region: region.size_bytes.value, default=None)
    return None if largest is None else replace(planned, arena=(largest,))


def _order(option: PlacementOption) -> tuple[bool, float, bool, bool]:
    latency = option.latency_ms.value
    return latency is None, latency or 0.0, option.external, not option.is_planned


def _option(case: Study, each: Arrangement, planned: Arrangement | None) -> PlacementOption:
    latency, added, reason = _costed(case, each, planned)
    return PlacementOption(
        arena=tuple(region.id for region in each.arena),
        persistent=tuple(region.id for region in each.persistent),
        weights=tuple(region.id for region in each.weights),
        is_planned=each == planned,
        external=each.external,
        latency_ms=latency,
        added_ms=added,
        reason="; ".join(part for part in (*_asks_for(each, planned), reason) if part),
        linker=linker_hints(case.deployment.target, each),
    )


def _asks_for(each: Arrangement, planned: Arrangement | None) -> Iterator[str]:
    if each.persistent:
        yield "two arenas, handed to MicroAllocator::Create"
    stored = planned is not None and planned.weights[0].kind in FLASH_KINDS
    if stored and each.weights and each.weights[0].kind in SHARED_RAM_KINDS:
        yield "the model is copied to RAM at start-up"


def _costed(case: Study, each: Arrangement, planned: Arrangement | None) -> tuple[Quantity, Quantity, str]:
    unknown = Quantity.unknown("ms")
    base = case.latency_ms
    if base.value is None or base.low is None or base.high is None:
        return unknown, unknown, "the time of the model is not known"
    if each == planned or planned is None:
        if planned is not None:
            return base, Quantity.exact(0.0, "ms"), ""
        return base, unknown, ""
    here, there = _traffic(case, planned, each), _traffic(case, each, planned)
    for side in (here, there):
        if isinstance(side, str):
            return unknown, unknown, side
    assert isinstance(here, _Traffic)
    assert isinstance(there, _Traffic)
    added = _added(case, here, there)
    basis = weakest([base.basis, Basis.ASSUMED if here.assumed or there.assumed else Basis.DERIVED])
    total = _Span(
        value=base.value + added.value,
        low=(base.value + added.low) * base.low / base.value if base.value else 0.0,
        high=(base.value + added.high) * base.high / base.value if base.value else added.high,
    )
    return total.quantity(basis), added.quantity(basis), ""


def _added(case: Study, here: _Traffic, there: _Traffic) -> _Span:
    """Milliseconds that `there` takes more than `here`, summed over the layers.

    No layer gets faster by more than it takes; in the usual case by no more than the estimate's share of
    memory in it.
    """
    total = np.nan_to_num(case.times.total_s)
    arithmetic = np.nan_to_num(case.times.compute_s + case.times.overhead_s)
    once, most = there.once - here.once, there.most - here.most
    hidden = np.maximum(total, there.once) - np.maximum(total, here.once)
    overlaps = processor_of(case.deployment)[0] is ProcessorKind.UNIT
    usual = np.maximum(hidden if overlaps else once, np.minimum(arithmetic - total, 0.0))
    low = np.maximum(np.minimum(np.minimum(hidden, once), most), -total)
    high = np.maximum(np.maximum(hidden, once), most)
    value = float(usual.sum()) * 1e3
    least, greatest = float(np.where(once < 0, low, np.minimum(hidden, 0)).sum()), float(high.sum())
    return _Span(value, min(value, least * 1e3), max(value, 0.0, greatest * 1e3))


def _traffic(case: Study, each: Arrangement, other: Arrangement) -> _Traffic | str:
    """Of what lies elsewhere in the other arrangement; or the reason why it is not known."""
    activations = level_of(each.arena, case.deployment) if each.arena != other.arena else None
    weights = level_of(each.weights, case.deployment) if each.weights != other.weights else None
    for level in (activations, weights):
        if level is not None and level.bytes_per_s is None:
            return f"no source gives the bandwidth of {level.region}"
    table, batch = case.table, float(case.deployment.batch)
    moves = np.array([kind is not OpClass.VIEW for kind in table.classes], dtype=np.bool_)
    read, written = table.input_bytes * moves * batch, table.output_bytes * moves * batch
    held = _seconds(table.weight_bytes.astype(np.float64), weights)
    return _Traffic(
        once=_seconds(read + written, activations) + held,
        most=_seconds(read * _window_overlap(case) + written, activations) + held,
        assumed=any(level is not None and level.assumed for level in (activations, weights)),
    )


def _seconds(moved: Floats, level: MemoryLevel | None) -> Floats:
    if level is None or level.bytes_per_s is None:
        return np.zeros_like(moved)
    return moved / level.bytes_per_s


def _window_overlap(case: Study) -> Floats:
    """How often the windows of each layer touch an input element."""
    tensors, factors = case.graph.main.tensors, np.ones(len(case.table))
    for op, kind in zip(case.graph.ops, case.table.classes, strict=True):
        if kind not in _WINDOWED or not op.inputs or not op.outputs or op.inputs[0] < 0:
            continue
        height, width = _window(case, op.index)
        data, made = tensors[op.inputs[0]].shape, tensors[op.outputs[0]].shape
        if len(data) == len(made) == 4 and data[1] * data[2] > 0:
            factors[op.index] = max(1.0, height * width * made[1] * made[2] / (data[1] * data[2]))
    return factors


def _window(case: Study, index: int) -> tuple[int, int]:
    op = case.graph.ops[index]
    if "filter_height" in op.options:
        return op.option_int("filter_height", 1), op.option_int("filter_width", 1)
    shape = case.graph.tensors[op.inputs[1]].shape if len(op.inputs) > 1 and op.inputs[1] >= 0 else ()
    return (shape[1], shape[2]) if len(shape) == 4 else (1, 1)
