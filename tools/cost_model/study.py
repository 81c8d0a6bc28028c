"""A model on a deployment, costed once: what the roofline and the estimate both read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...hardware_db.derived import shared_ram
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.costs.table import layer_table
from ..graph.layer_table import LayerTable
from ..memory_planner.planning import Planned, planned
from ..placement.flags import operator_flags
from ..placement.operators import place_operators
from .anchor import Anchor, MeasuredCase
from .energy import energy, energy_of, given_pj_per_mac, power_of
from .features import work_features
from .measured import Modelled, anchors
from .memory_levels import UNKNOWN_REGION, DataLevels, levels_of
from .placed_times import PlacedTimes, times_as_placed
from .power import Power, active_power
from .times import LayerTimes, layer_times, least_seconds
from .work import Floats

if TYPE_CHECKING:
    from ..memory_planner.memory_plan import MemoryPlan
    from ..placement.flags import OperatorFlags
    from ..placement.operators import Placed


@dataclass(frozen=True, eq=False)
class Study:
    graph: ModelGraph
    deployment: Deployment
    table: LayerTable
    planned: Planned
    levels: DataLevels
    times: LayerTimes
    power: Power
    flags: OperatorFlags
    """How each operator runs."""
    given: tuple[Placed, ...] | None = None
    """Where each operator runs, if that was decided for the times."""
    shared: PlacedTimes | None = None
    """The times where an accelerator and a CPU share the work, by the cost model alone."""
    anchor: Anchor | None = None
    """What was measured, which `times` are stretched to."""

    @cached_property
    def plan(self) -> MemoryPlan:
        """What is planned, in full; whoever needs no more than where things lie saves it."""
        from ..memory_planner.reporting import plan_of

        return plan_of(self.planned)

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """Where each operator runs, with the reasons."""
        return place_operators(self.graph, self.deployment) if self.given is None else self.given

    @property
    def processors(self) -> tuple[str, ...]:
        """Where each operator runs, by the processor's id; empty where it does not."""
        if self.given is not None:
            return tuple([placed.processor for placed in self.given])
        return tuple([self.deployment.core.id if runs else "" for runs in self.flags.supported])

    @property
    def optimized(self) -> list[bool]:
        """Whether each operator runs on a kernel written for its processor."""
        if self.given is not None:
            return [placed.optimized for placed in self.given]
        optimized: list[bool] = self.flags.optimized.tolist()
        return optimized

    @property
    def latency_ms(self) -> Quantity:
        """Of one batch: as measured, else unknown as soon as one layer's time is."""
        return self.times.latency_ms if self.anchor is None else self.anchor.latency_ms

    @property
    def pj_per_mac(self) -> float | None:
        """What the user's own file says that a MAC takes."""
        return given_pj_per_mac(self.deployment.target)

    @property
    def energy_uj(self) -> Quantity:
        """Of one batch: power × time, but where a figure for a MAC is given."""
        macs = int(self.table.macs.sum()) * self.deployment.batch
        given = energy_of(self.deployment.target, macs)
        return energy(self.power.milliwatts, self.latency_ms) if given is None else given

    @property
    def measured(self) -> MeasuredCase | None:
        """The measurement that the latency starts from."""
        return None if self.anchor is None else self.anchor.case

    @property
    def assumptions(self) -> tuple[str, ...]:
        notes = [] if self.anchor is None else [self.anchor.note]
        notes += [*self.deployment.assumptions, *self.levels.assumptions]
        notes += [s for s in self.times.evidence if self.times.basis is Basis.ASSUMED]
        return tuple(dict.fromkeys(notes))

    @property
    def warnings(self) -> tuple[str, ...]:
        notes = [f"operator {index} not counted: {why}" for index, why in self.table.uncounted]
        if self.shared is not None:
            notes += self.shared.warnings
        elif self.times.basis is Basis.UNKNOWN and self.anchor is None:
            runtime, core = self.deployment.runtime.id, self.deployment.core.isa.value
            notes.append(f"no measurement akin to {runtime} on {core}: time unknown")
        inside = self.deployment.accelerator.id if self.deployment.accelerator else "memory"
        notes += [
            f"bandwidth of {level.region} unknown: its traffic is left out of the time"
            if level.region != UNKNOWN_REGION
            else f"bandwidth inside {inside} unknown: what layers move is left out of the time"
            for level in {self.levels.activations, self.levels.weights}
            if level.bytes_per_s is None
        ]
        notes += [
            f"the arena lies outside internal RAM, in {use.region}: the memory plan tells what that adds"
            for use in self.planned.placement.regions
            if use.external and "arena" in use.holds and _has_internal_ram(self.deployment)
        ]
        return tuple(sorted(set(notes)))


def _has_internal_ram(deployment: Deployment) -> bool:
    return any(not region.external for region in shared_ram(deployment.target))


def study(graph: ModelGraph, deployment: Deployment, placed: tuple[Placed, ...] | None = None) -> Study:
    """Plan, place and cost `graph` on `where`; `placed` is where its operators run, if that is known."""
    found = planned(graph, deployment)
    levels = levels_of(found.placement, deployment)
    shared = None
    if deployment.accelerator is not None:
        placed = place_operators(graph, deployment) if placed is None else placed
        shared = times_as_placed(graph, deployment, levels, placed)
    times = shared.times if shared else layer_times(work_features(graph), deployment, levels)
    anchor = _anchor(graph, deployment, times)
    table, times = layer_table(graph), _stretched(times, anchor, graph, deployment)
    latency = times.latency_ms if anchor is None else anchor.latency_ms
    macs = int(table.macs.sum()) * deployment.batch
    return Study(
        graph=graph,
        deployment=deployment,
        table=table,
        planned=found,
        levels=levels,
        times=times,
        power=power_of(active_power(deployment), deployment.target, macs, latency),
        flags=operator_flags(graph, deployment),
        given=placed,
        shared=shared,
        anchor=anchor,
    )


def _stretched(
    times: LayerTimes, anchor: Anchor | None, graph: ModelGraph, deployment: Deployment
) -> LayerTimes:
    if anchor is None or math.isnan(anchor.ratio):
        return times
    return times.stretched(anchor.ratio, least_seconds(work_features(graph), deployment))


def _anchor(graph: ModelGraph, deployment: Deployment, times: LayerTimes) -> Anchor | None:
    alone = times.latency_ms.value
    before_link = {} if times.alone_s is None else {0: times.alone_s * 1e3}
    figures = np.array([np.nan if alone is None else alone]), np.array([times.interval_factor])
    modelled = Modelled(*figures, before_link)
    return anchors(graph, [deployment], modelled, lambda places: _alone(graph, places)).get(0)


def _alone(graph: ModelGraph, places: Sequence[Deployment]) -> Floats:
    figures = [study(graph, place).latency_ms.value for place in places]
    return np.array([np.nan if ms is None else ms for ms in figures])
