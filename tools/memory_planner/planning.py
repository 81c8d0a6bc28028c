"""From a graph and a deployment to the plan that the user reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...hardware_db import Planner
from ..deployments import Deployment
from ..graph import ModelGraph
from ..graph.kept import kept
from ..quantity import Quantity
from .arena import Arena, Demand, demand_of, plain_liveness, plan_arena
from .arrangements import planned_arrangement
from .flash import Flash, flash_of
from .kernel_call import UnplannableError
from .linking import linker_hints
from .liveness import Buffer, Ints
from .placement import place
from .plan import LayerMemory, LayerRef, MemoryPlan, PlannedTensor
from .terms import ArenaTerms, arena_terms, flash_terms
from .tflm_arena import tflm_liveness

_FOLDING = (Planner.IN_PLACE, Planner.COMPILED)
"""Compilers: they may let operators write over their inputs, and never store what they fold."""


@dataclass(frozen=True)
class _Outcome:
    """What could be found out about the arena."""

    arena: Arena | None
    demand: Demand | None
    reason: str


def plan(graph: ModelGraph, where: Deployment, *, reserve_bytes: int = 0) -> MemoryPlan:
    if where.batch > 1:
        from ..graph.shapes import with_batch

        graph = with_batch(graph, where.batch)
    from ..ethos_u.memory import compiled_memory

    of_arena, of_flash = arena_terms(where), flash_terms(where)
    outcome = kept(graph, "arena", of_arena, lambda: _arena_outcome(graph, of_arena))
    flash = kept(graph, "flash", of_flash, lambda: flash_of(graph, of_flash))
    if of_vela := compiled_memory(graph, where):
        outcome, flash = replace(outcome, arena=of_vela.arena), of_vela.flash
    return _with_linker_hints(_told(graph, where, outcome, flash, reserve_bytes), where)


def _with_linker_hints(told: MemoryPlan, where: Deployment) -> MemoryPlan:
    planned = planned_arrangement(told, where.target)
    if planned is None:
        return told
    return told.model_copy(update={"linker": linker_hints(where.target, planned)})


def _arena_outcome(graph: ModelGraph, terms: ArenaTerms) -> _Outcome:
    demand = None
    try:
        demand = demand_of(graph, plain_liveness(graph), in_place=terms.planner in _FOLDING)
        if terms.interpreter is not None:
            demand = demand_of(graph, tflm_liveness(graph, terms.interpreter), in_place=False)
        return _Outcome(plan_arena(graph, terms, demand), demand, "")
    except UnplannableError as unknown:
        return _Outcome(None, demand, str(unknown))


def _told(graph: ModelGraph, where: Deployment, outcome: _Outcome, flash: Flash, reserve: int) -> MemoryPlan:
    arena, demand = outcome.arena, outcome.demand
    size = arena.size if arena else Quantity.unknown("B")
    floor = demand.floor if demand else 0
    placed = place(
        where.target, where.clock_mhz, size, flash.model, flash.code, at_least=floor, reserve=reserve
    )
    total = flash.total
    warnings = arena.warnings if arena else (f"arena not known: {outcome.reason}",)
    return MemoryPlan(
        deployment=where.ref,
        planner=where.runtime.planner.value,
        arena_bytes=arena.total if arena else None,
        arena_nonpersistent_bytes=arena.nonpersistent if arena else None,
        arena_persistent_bytes=arena.persistent if arena else None,
        arena_basis=size.basis,
        arena=size,
        arena_set_up_bytes=arena.set_up if arena else None,
        arena_persistent_parts=arena.persistent_parts if arena else (),
        lower_bound_bytes=demand.floor if demand else None,
        peak_layer=_peak_layer(graph, demand),
        peak_tensors=_peak_tensors(graph, demand, arena),
        flash_bytes=None if total.value is None else round(total.value),
        flash=total,
        model_bytes=round(flash.model.value or 0),
        code_bytes=None if flash.code.value is None else round(flash.code.value),
        parameter_bytes=graph.parameter_bytes,
        file_bytes=graph.file_bytes,
        code_parts=flash.parts,
        regions=placed.regions,
        fits=placed.fits,
        why_not=placed.why_not,
        reserve_bytes=reserve,
        timeline=_timeline(graph, demand),
        tensors=_tensors(graph, demand, arena),
        assumptions=(*where.assumptions, *(arena.assumptions if arena else ()), *flash.assumptions),
        warnings=warnings,
    )


def _peak_op(demand: Demand | None) -> int | None:
    return None if demand is None or not len(demand.live_by_op) else int(demand.live_by_op.argmax())


def _peak_layer(graph: ModelGraph, demand: Demand | None) -> LayerRef | None:
    peak = _peak_op(demand)
    return None if peak is None else LayerRef(index=peak, op=graph.ops[peak].label)


def _peak_tensors(graph: ModelGraph, demand: Demand | None, arena: Arena | None) -> tuple[PlannedTensor, ...]:
    """What is alive at the fullest step of the fullest operator."""
    peak = _peak_op(demand)
    if demand is None or peak is None:
        return ()
    by_step = demand.lives.live_bytes()
    steps = [s for s, op in enumerate(demand.lives.op_of_step) if op == peak]
    fullest = max(steps, key=lambda step: int(by_step[step]))
    alive = demand.lives.alive_at(fullest)
    return tuple(sorted(_named(graph, demand, arena, alive), key=lambda tensor: -tensor.bytes))


def _tensors(graph: ModelGraph, demand: Demand | None, arena: Arena | None) -> tuple[PlannedTensor, ...]:
    if demand is None:
        return ()
    return tuple(_named(graph, demand, arena, [b for b in demand.lives.buffers if b.is_used]))


def _named(
    graph: ModelGraph, demand: Demand, arena: Arena | None, buffers: Sequence[Buffer]
) -> list[PlannedTensor]:
    offsets = _offsets(arena)
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


def _offsets(arena: Arena | None) -> dict[Buffer, int]:
    if arena is None or arena.offsets is None:
        return {}
    offsets: Ints = arena.offsets
    return {b: int(o) for b, o in zip(arena.buffers, offsets, strict=True)}


def _timeline(graph: ModelGraph, demand: Demand | None) -> tuple[LayerMemory, ...]:
    if demand is None:
        return ()
    return tuple(
        LayerMemory(index=op.index, op=op.label, live_bytes=int(live))
        for op, live in zip(graph.ops, demand.live_by_op, strict=True)
    )
