"""From what was planned to the plan that the user reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core.deployment import Deployment
from ..core.quantity import Quantity
from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.memoize import memoized
from .arena import Arena, Demand
from .arrangements import planned_arrangement
from .linking import linker_hints
from .liveness import Buffer
from .memory_plan import LayerMemory, LayerRef, MemoryPlan, PlannedTensor
from .planning import Planned, planned

_Offsets = Mapping[Buffer, int]


@dataclass(frozen=True, eq=False)
class _Rows:
    """What a plan tells of each tensor and operator."""

    tensors: tuple[PlannedTensor, ...]
    at_peak: tuple[PlannedTensor, ...]
    timeline: tuple[LayerMemory, ...]


def plan(graph: ModelGraph, deployment: Deployment, *, reserve_bytes: int = 0) -> MemoryPlan:
    return plan_of(planned(graph, deployment, reserve_bytes=reserve_bytes))


def plan_of(found: Planned) -> MemoryPlan:
    """With how a toolchain places the parts."""
    return _with_linker_hints(_unhinted(found), found.deployment)


def _with_linker_hints(given: MemoryPlan, deployment: Deployment) -> MemoryPlan:
    hinted = planned_arrangement(given, deployment.target)
    if hinted is None:
        return given
    return given.model_copy(update={"linker": linker_hints(deployment.target, hinted)})


def _unhinted(found: Planned) -> MemoryPlan:
    graph, where, flash = found.graph, found.deployment, found.flash
    arena, demand = found.outcome.arena, found.outcome.demand
    size = arena.size if arena else Quantity.unknown("B")
    total, rows = flash.total, _rows(found)
    warnings = arena.warnings if arena else (f"arena not known: {found.outcome.reason}",)
    return MemoryPlan(
        model=graph.name,
        deployment=where.ref,
        planner=where.runtime.planner.value,
        arena_bytes=arena.total if arena else None,
        arena_nonpersistent_bytes=arena.nonpersistent if arena else None,
        arena_persistent_bytes=arena.persistent if arena else None,
        arena_basis=size.basis,
        arena=size,
        arena_set_up_bytes=arena.set_up if arena else None,
        arena_persistent_parts=arena.persistent_parts if arena else (),
        lower_bound_bytes=_lower_bound(demand, arena),
        peak_layer=_peak_layer(graph, demand),
        peak_tensors=rows.at_peak,
        flash_bytes=None if total.value is None else round(total.value),
        flash=total,
        model_bytes=round(flash.model.value or 0),
        code_bytes=None if flash.code.value is None else round(flash.code.value),
        parameter_bytes=graph.parameter_bytes,
        file_bytes=graph.file_bytes,
        code_parts=flash.parts,
        regions=found.placement.regions,
        fits=found.placement.fits,
        why_not=found.placement.why_not,
        reserve_bytes=found.reserve,
        timeline=rows.timeline,
        tensors=rows.tensors,
        assumptions=(*where.assumptions, *(arena.assumptions if arena else ()), *flash.assumptions),
        warnings=warnings,
    )


def _rows(found: Planned) -> _Rows:
    """Once for an outcome, unless an accelerator's compiler made it, of which there is another each time."""
    graph, demand, arena = found.graph, found.outcome.demand, found.outcome.arena

    def made() -> _Rows:
        offsets = _offsets(arena)
        at_peak = _peak_tensors(graph, demand, offsets)
        return _Rows(_tensors(graph, demand, offsets), at_peak, _timeline(graph, demand))

    return made() if found.deployment.accelerator else memoized(graph, "plan rows", found.outcome, made)


def _lower_bound(demand: Demand | None, arena: Arena | None) -> int | None:
    """What must be held at once; a compiler need not hold what it folds or leaves out."""
    if demand is None or arena is None or arena.offsets is not None:
        return demand.floor if demand else None
    return min(demand.floor, arena.total)


def _peak_op(demand: Demand | None) -> int | None:
    return None if demand is None or not len(demand.live_by_op) else int(demand.live_by_op.argmax())


def _peak_layer(graph: ModelGraph, demand: Demand | None) -> LayerRef | None:
    peak = _peak_op(demand)
    return None if peak is None else LayerRef(index=peak, op=graph.ops[peak].label)


def _peak_tensors(graph: ModelGraph, demand: Demand | None, offsets: _Offsets) -> tuple[PlannedTensor, ...]:
    """What is alive at the fullest step of the fullest operator."""
    peak = _peak_op(demand)
    if demand is None or peak is None:
        return ()
    by_step = demand.lives.live_bytes()
    steps = [s for s, op in enumerate(demand.lives.op_of_step) if op == peak]
    fullest = max(steps, key=lambda step: int(by_step[step]))
    alive = demand.lives.alive_at(fullest)
    return tuple(sorted(_named(graph, demand, offsets, alive), key=lambda tensor: -tensor.bytes))


def _tensors(graph: ModelGraph, demand: Demand | None, offsets: _Offsets) -> tuple[PlannedTensor, ...]:
    if demand is None:
        return ()
    return tuple(_named(graph, demand, offsets, [b for b in demand.lives.buffers if b.is_used]))


def _named(
    graph: ModelGraph, demand: Demand, offsets: _Offsets, buffers: Sequence[Buffer]
) -> list[PlannedTensor]:
    return [
        PlannedTensor(
            tensor=b.tensor,
            name_untrusted=""
            if b.tensor is None
            else graph.subgraphs[b.subgraph].tensors[b.tensor].name_untrusted,
            bytes=b.bytes,
            offset=offsets.get(b),
            first_op=demand.lives.op_at(b.first),
            last_op=demand.lives.op_at(b.last),
            subgraph=b.subgraph,
        )
        for b in buffers
    ]


def _offsets(arena: Arena | None) -> _Offsets:
    if arena is None or arena.offsets is None:
        return {}
    return dict(zip(arena.buffers, arena.offsets.tolist(), strict=True))


def _timeline(graph: ModelGraph, demand: Demand | None) -> tuple[LayerMemory, ...]:
    if demand is None:
        return ()
    return tuple(
        LayerMemory(index=op.index, op=op.label, live_bytes=int(live))
        for op, live in zip(graph.ops, demand.live_by_op, strict=True)
    )
