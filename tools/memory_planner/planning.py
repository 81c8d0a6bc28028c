"""From a graph and a deployment to the plan that the user reads."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property

from ...hardware_db import Planner
from ..core.deployment import Deployment
from ..core.deployment_table import Machine
from ..core.quantity import Quantity
from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.memoize import memoized
from .arena import Arena, Demand, demand_of, plain_liveness, plan_arena, sharing_demand
from .arrangements import planned_arrangement
from .flash.flash import Flash, flash_of
from .kernels.kernel_call import UnplannableError
from .linking import linker_hints
from .liveness import Buffer, Ints
from .plan import LayerMemory, LayerRef, MemoryPlan, PlannedTensor
from .region_placement import Layout, Placement, place
from .terms import ArenaTerms, FlashTerms, arena_terms, flash_terms
from .tflm.arena import tflm_liveness

_AS_WRITTEN = (Planner.TFLM_GREEDY, Planner.LITERT_ARENA)
"""Interpreters, which store every tensor. Others may fold operators and let them write over their inputs."""


@dataclass(frozen=True)
class Outcome:
    """What could be found out about the arena."""

    arena: Arena | None
    demand: Demand | None
    reason: str


@dataclass(frozen=True, eq=False)
class Planned:
    """What a model takes on a deployment and where it lies; `report` tells it in full."""

    graph: ModelGraph
    """At the deployment's batch."""
    deployment: Deployment
    outcome: Outcome
    flash: Flash
    placement: Placement
    reserve: int

    @cached_property
    def report(self) -> MemoryPlan:
        return _with_linker_hints(_told(self), self.deployment)


def plan(graph: ModelGraph, deployment: Deployment, *, reserve_bytes: int = 0) -> MemoryPlan:
    return planned(graph, deployment, reserve_bytes=reserve_bytes).report


def planned(graph: ModelGraph, deployment: Deployment, *, reserve_bytes: int = 0) -> Planned:
    """Arena and flash, worked out once a graph for equal terms, before they become a `MemoryPlan`."""
    batched = at_batch(graph, deployment.batch)
    outcome, flash = needs(batched, deployment, arena_terms(deployment), flash_terms(deployment))
    found = placed(outcome, flash, deployment, reserve=reserve_bytes)
    return Planned(batched, deployment, outcome, flash, found, reserve_bytes)


def at_batch(graph: ModelGraph, batch: int) -> ModelGraph:
    """
    Raises:
        EdgewrightError: an operator cannot follow the change.
    """
    if batch == 1:
        return graph
    from ..graph.shapes.change import with_batch

    return memoized(graph, "at batch", batch, lambda: with_batch(graph, batch))


def needs(
    graph: ModelGraph, deployment: Deployment, of_arena: ArenaTerms, of_flash: FlashTerms
) -> tuple[Outcome, Flash]:
    """What a graph at its batch takes: once for equal terms, but for what an accelerator's compiler made."""
    outcome = memoized(graph, "arena", of_arena, lambda: _arena_outcome(graph, of_arena))
    flash = memoized(graph, "flash", of_flash, lambda: flash_of(graph, of_flash))
    if deployment.accelerator is not None:
        from .vela import compiled_memory

        if of_vela := compiled_memory(graph, deployment):
            return replace(outcome, arena=of_vela.arena), of_vela.flash
    return outcome, flash


def needs_key(deployment: Deployment) -> Hashable:
    """Equal where `needs` gives equal figures: a compiler for an accelerator may decide by anything."""
    compiled = id(deployment) if deployment.accelerator is not None else None
    return arena_terms(deployment), flash_terms(deployment), deployment.batch, compiled


def placed(
    outcome: Outcome, flash: Flash, machine: Machine, *, reserve: int = 0, layout: Layout | None = None
) -> Placement:
    """Where all of it lies; `layout` is that of the machine, if it is at hand."""
    size = outcome.arena.size if outcome.arena else Quantity.unknown("B")
    floor = outcome.demand.floor if outcome.demand else 0
    return place(
        machine.target,
        machine.clock_mhz,
        size,
        flash.model,
        flash.code,
        at_least=floor,
        reserve=reserve,
        layout=layout,
    )


def layout_of(machine: Machine) -> Layout:
    return Layout(machine.target, machine.clock_mhz)


def _with_linker_hints(given: MemoryPlan, deployment: Deployment) -> MemoryPlan:
    hinted = planned_arrangement(given, deployment.target)
    if hinted is None:
        return given
    return given.model_copy(update={"linker": linker_hints(deployment.target, hinted)})


def _arena_outcome(graph: ModelGraph, terms: ArenaTerms) -> Outcome:
    demand = None
    try:
        demand = demand_of(graph, plain_liveness(graph), in_place=terms.planner not in _AS_WRITTEN)
        if terms.planner is Planner.LITERT_ARENA:
            demand = sharing_demand(graph, demand.lives)
        if terms.interpreter is not None:
            demand = demand_of(graph, tflm_liveness(graph, terms.interpreter), in_place=False)
        return Outcome(plan_arena(graph, terms, demand), demand, "")
    except UnplannableError as unknown:
        return Outcome(None, demand, str(unknown))


def _told(found: Planned) -> MemoryPlan:
    graph, where, flash = found.graph, found.deployment, found.flash
    arena, demand = found.outcome.arena, found.outcome.demand
    size = arena.size if arena else Quantity.unknown("B")
    total = flash.total
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
        regions=found.placement.regions,
        fits=found.placement.fits,
        why_not=found.placement.why_not,
        reserve_bytes=found.reserve,
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
