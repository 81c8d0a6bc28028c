"""From a study of a deployment to its timeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..core.deployment import Deployment
from ..cost_model.estimate import estimate_of
from ..cost_model.performance_estimate import LayerEstimate
from ..cost_model.study import Study, study
from ..graph import ModelGraph
from ..memory_planner.memory_plan import MemoryPlan, PlannedTensor
from ..optimization_simulator.memory import order_options
from ..optimization_simulator.optimization_report import Option
from ..optimization_simulator.search.options import simulate_options
from .double_buffer import shared_ms, unit_spans
from .timeline import Timeline, TimelineOp, TimelinePeak, UnitSpan
from .use import compute_use, dma_use, memory_use, uses

_LISTED_AT_MOST = 1_000_000
_TOO_MANY = (
    "which buffers are alive at each operator is not listed, as they are too many: see each buffer's span"
)
_NOT_OF_MEMORY = ("runtime-", "clock-", "threads-")


def trace(
    graph: ModelGraph, deployment: Deployment, *, levers: bool = True, order_time_limit_s: float = 2.0
) -> Timeline:
    case = study(graph, deployment)
    plan = case.plan
    peak = _peak(plan)
    alive = _alive(plan.tensors, len(case.graph.ops))
    options = _levers(case, order_time_limit_s) if levers and plan.arena_bytes is not None else ()
    layers = estimate_of(case).layers
    units = unit_spans(case, layers)
    ops = tuple(_ops(case, layers, alive, units))
    savings = sorted(filter(_saves, options), key=_arena_after)
    return Timeline(
        model=graph.name,
        deployment=plan.deployment,
        planner=plan.planner,
        arena_bytes=plan.arena_bytes,
        arena_nonpersistent_bytes=plan.arena_nonpersistent_bytes,
        arena_persistent_bytes=plan.arena_persistent_bytes,
        arena_basis=plan.arena_basis,
        peak=peak,
        gap_bytes=_gap(plan, peak),
        fits=plan.fits,
        why_not=plan.why_not,
        latency_ms=case.latency_ms,
        ops=ops,
        buffers=plan.tensors,
        savings=tuple(savings),
        without_effect=tuple(
            o for o in options if not _saves(o) and not o.technique.startswith(_NOT_OF_MEMORY)
        ),
        units=units,
        uses=uses(ops),
        shared_ms=shared_ms(units) if units else None,
        assumptions=tuple(
            dict.fromkeys((*case.assumptions, *plan.assumptions, *((_TOO_MANY,) if alive is None else ())))
        ),
        warnings=tuple(dict.fromkeys((*case.warnings, *plan.warnings))),
    )


def _saves(each: Option) -> bool:
    """A hundredth at least."""
    return each.after is not None and each.gain.get("ram", 0.0) < -0.01


def _arena_after(each: Option) -> tuple[int, str]:
    return (each.after.arena_bytes or 0) if each.after else 0, each.technique


def _levers(case: Study, order_time_limit_s: float) -> tuple[Option, ...]:
    changed = simulate_options(case.graph, case.deployment)
    return (*changed, *order_options(case.graph, case.deployment, order_time_limit_s))


def _peak(plan: MemoryPlan) -> TimelinePeak | None:
    if plan.peak_layer is None:
        return None
    return TimelinePeak(
        index=plan.peak_layer.index,
        op=plan.peak_layer.op,
        live_bytes=plan.timeline[plan.peak_layer.index].live_bytes,
        buffers=plan.peak_tensors,
        scratch_bytes=sum(b.bytes for b in plan.peak_tensors if b.tensor is None),
    )


def _gap(plan: MemoryPlan, peak: TimelinePeak | None) -> int | None:
    """None where the runtime's own placement is not modelled, so that what it adds is not known."""
    placed = any(b.offset is not None for b in plan.tensors)
    if peak is None or plan.arena_nonpersistent_bytes is None or not placed:
        return None
    return plan.arena_nonpersistent_bytes - peak.live_bytes


def _ops(
    case: Study,
    layers: Sequence[LayerEstimate],
    alive: Sequence[Sequence[int]] | None,
    units: Sequence[UnitSpan],
) -> Iterator[TimelineOp]:
    columns = (compute_use(case, layers), memory_use(case), dma_use(case, units))
    used = [[None if np.isnan(use) else float(use) for use in column] for column in columns]
    live = [layer.live_bytes for layer in case.plan.timeline]
    begins: float | None = 0.0
    for layer, compute, memory, dma in zip(layers, *used, strict=True):
        yield TimelineOp(
            index=layer.index,
            op=layer.op,
            live_bytes=live[layer.index] if live else None,
            buffers=() if alive is None else tuple(alive[layer.index]),
            latency_ms=layer.latency_ms,
            begins_ms=begins,
            compute_utilization=compute,
            memory_utilization=memory,
            dma_utilization=dma,
        )
        begins = None if begins is None or layer.latency_ms is None else begins + layer.latency_ms


def _alive(buffers: Sequence[PlannedTensor], ops: int) -> list[list[int]] | None:
    """Positions of the buffers alive at each operator; None where they are too many to list."""
    if sum(len(_span(buffer, ops)) for buffer in buffers) > _LISTED_AT_MOST:
        return None
    alive: list[list[int]] = [[] for _ in range(ops)]
    for position, buffer in enumerate(buffers):
        for index in _span(buffer, ops):
            alive[index].append(position)
    return alive


def _span(buffer: PlannedTensor, ops: int) -> range:
    return range(max(0, buffer.first_op), min(ops, buffer.last_op + 1))
