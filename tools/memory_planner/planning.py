"""What a graph takes on a deployment, and where it lies there."""

from __future__ import annotations

from collections.abc import Hashable

from ...hardware_db import Planner
from ..core.deployment import Deployment
from ..core.deployment_table import Machine
from ..core.quantity import Quantity
from ..core.records import dataclass, replace
from ..graph import ModelGraph
from ..graph.memoize import memoized
from ..graph.shapes.change import with_batch
from .arena import Arena, Demand, demand_of, plain_liveness, plan_arena, sharing_demand
from .flash.flash import Flash, flash_of
from .kernels.kernel_call import UnplannableError
from .region_placement import Layout, Placement, place
from .terms import ArenaTerms, FlashTerms, arena_terms, flash_terms
from .tflm.arena import tflm_liveness

_AS_WRITTEN = (Planner.TFLM_GREEDY, Planner.LITERT_ARENA)
"""Interpreters, which store every tensor. Others may fold operators and let them write over their inputs."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What could be found out about the arena."""

    arena: Arena | None
    demand: Demand | None
    reason: str


@dataclass(frozen=True, eq=False)
class Planned:
    """What a model takes on a deployment and where it lies."""

    graph: ModelGraph
    """At the deployment's batch."""
    deployment: Deployment
    outcome: Outcome
    flash: Flash
    placement: Placement
    reserve: int


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
