"""Time of a model that an accelerator and a CPU share: each layer where it runs, and what moves between."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...hardware_db import MemoryKind
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity, weakest
from ..core.records import dataclass, replace
from ..graph import ModelGraph
from ..placement.host import cpu_side
from ..placement.segments import Crossings, crossings, on_cpu
from .crossing import link_level
from .deployment_path import deployment_path
from .features import COLUMN, WorkFeatures, work_features
from .kernels import kernels_on
from .linked import is_linked, times_behind_link
from .memory_levels import DataLevels, levels_in
from .peaks import COMPUTED_AS
from .times import LayerTimes, layer_times
from .vela import times_by_vela

if TYPE_CHECKING:
    from ..placement.operators import Placed

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

PASSES = 2
"""A tensor that changes sides is written back from one cache and read into another."""
MOST_PASSES = 4
"""Where the driver copies it into a buffer of its own besides; caches that are coherent need none."""


_COLUMNS = ("compute_s", "activation_s", "weight_s", "overhead_s", "total_s")
_ROOFS = ("compute_roof_s", "memory_roof_s")


@dataclass(frozen=True, eq=False)
class PlacedTimes:
    times: LayerTimes
    """As placed, with what moves counted to the layer that reads it."""
    accelerated: LayerTimes
    """If the accelerator took every operator."""
    moved: Crossings
    transfer_ms: Quantity
    deployment: Deployment
    on_cpu: Bools
    """Layers that the CPU computes for sure."""
    cpu_factor: float
    """Interval of what the CPU computes."""
    comparable: bool
    """Whether the accelerator computes numbers of the model's type at all."""
    worst_s: float
    """As placed, if the CPU computed every operator of which no source tells where it runs."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not known of the time, and what is known of the rest."""
        where, notes = self.deployment, []
        family = where.accelerator.family if where.accelerator else where.core.isa.value
        if self.accelerated.basis is Basis.UNKNOWN and not self.on_cpu.all():
            notes.append(f"no measurement akin to {where.runtime.id} on {family}: time unknown")
        lost = self.on_cpu & np.isnan(self.times.total_s) & ~np.isnan(self.accelerated.total_s)
        if lost.any():
            rest_ms = float(np.nansum(self.accelerated.total_s[~self.on_cpu])) * 1e3
            whose = f"on a host that is not part of {where.target.id}"
            if not where.target.needs_host:
                whose = f"on {where.core.id} with kernels of which no time is known"
            notes.append(f"no time for {int(lost.sum())} operators {whose}: the rest takes {rest_ms:.3g} ms")
        if self.moved.bytes_by_reader and self.transfer_ms.value is None:
            moved = self.moved.total_bytes
            size = "an unknown number of" if moved is None else f"{moved:,}"
            notes.append(f"moving {size} bytes between processors is left out of the time: unknown bandwidth")
        return tuple(notes)

    @property
    def latency_ms(self) -> Quantity:
        return self.times.latency_ms

    @property
    def accelerated_latency_ms(self) -> Quantity:
        return self.accelerated.latency_ms if self.comparable else Quantity.unknown("ms")

    @property
    def fallback_cost(self) -> Quantity:
        """How many times as long the model takes as if the accelerator took every operator.

        The interval holds what is not known, what moves, and the errors of the two processors' fits as far as
        they do not cancel: what the accelerator computes in both cases errs together.
        """
        whole, placed = float(self.accelerated.total_s.sum()), float(self.times.total_s.sum())
        if not self.comparable or not whole or math.isnan(whole) or math.isnan(placed):
            return Quantity.unknown("x")
        moved = self.transfer_ms
        middle, low, high = ((q or 0.0) / 1e3 for q in (moved.value, moved.low, moved.high))
        worst = placed if math.isnan(self.worst_s) else max(self.worst_s, placed)
        factor = self._error_factor(whole, placed)
        return Quantity(
            value=placed / whole,
            low=max(placed - middle + low, 0.0) / whole / factor,
            high=(worst - middle + high) / whole * factor,
            unit="x",
            basis=self.times.basis,
        )

    def _error_factor(self, whole: float, placed: float) -> float:
        """By which the ratio may err: each fit's factor, for the share of the time that hangs on it alone."""
        there = float(self.times.total_s[self.on_cpu].sum()) / placed if placed else 0.0
        left = float(self.accelerated.total_s[self.on_cpu].sum()) / whole
        here = math.log(self.accelerated.interval_factor)
        return math.exp(math.hypot(there * math.log(self.cpu_factor), left * here))


def times_as_placed(
    graph: ModelGraph, deployment: Deployment, levels: DataLevels, placed: Sequence[Placed]
) -> PlacedTimes:
    """Cost each layer on the processor that computes it; NaN on one of which nothing is known."""
    work = work_features(graph)
    computing = times_by_vela(graph, deployment, layer_times(work, deployment, levels))
    whole = times_behind_link(graph, deployment, computing)
    surely = np.array([on_cpu(p) for p in placed], dtype=np.bool_)
    at_worst = np.array([on_cpu(p, untold_on_cpu=True) for p in placed], dtype=np.bool_)
    moved = crossings(graph, placed, deployment.runtime.partition)
    if not at_worst.any():
        none = Quantity.exact(0.0, "ms")
        return PlacedTimes(whole, whole, moved, none, deployment, surely, 1.0, True, math.nan)
    there = _on_cpu(work, deployment, levels)
    transfer_ms, seconds = _transfer(moved, deployment, levels, graph)
    worst = crossings(graph, placed, deployment.runtime.partition, untold_on_cpu=True)
    worst_s = (
        _merged(whole, there, at_worst).total_s.sum() + _transfer(worst, deployment, levels, graph)[1].sum()
    )
    times = _with_transfers(_merged(whole, there, surely), seconds)
    factor = there.interval_factor if there else 1.0
    comparable = _computes(deployment, graph)
    return PlacedTimes(
        times, whole, moved, transfer_ms, deployment, surely, factor, comparable, float(worst_s)
    )


def _computes(deployment: Deployment, graph: ModelGraph) -> bool:
    accelerator = deployment.accelerator
    has = {*accelerator.macs_per_cycle, *accelerator.peak} if accelerator is not None else set()
    dtype = graph.dtype.value
    return not has or COMPUTED_AS.get(dtype, dtype) in has


def _on_cpu(work: WorkFeatures, deployment: Deployment, levels: DataLevels) -> LayerTimes | None:
    """The layers on the core with the kernels that the runtime leaves them to."""
    side = cpu_side(deployment)
    if side is None or deployment.target.needs_host:
        return None
    return layer_times(work, side, levels_in(None, None, side) if is_linked(deployment) else levels)


def _merged(whole: LayerTimes, there: LayerTimes | None, rows: Bools) -> LayerTimes:
    if not rows.any():
        return whole
    if there is None:
        gap = np.where(rows, np.nan, 0.0)
        names = (*_COLUMNS, *_ROOFS)
        return replace(whole, basis=Basis.UNKNOWN, **{name: getattr(whole, name) + gap for name in names})
    here_s, there_s = float(np.nansum(whole.total_s[~rows])), float(np.nansum(there.total_s[rows]))
    return LayerTimes(
        **{name: np.where(rows, getattr(there, name), getattr(whole, name)) for name in (*_COLUMNS, *_ROOFS)},
        interval_factor=(there if there_s > here_s else whole).interval_factor,
        basis=weakest((whole.basis, there.basis)) if here_s else there.basis,
        evidence=tuple(dict.fromkeys((*whole.evidence, *there.evidence))),
        crossing=whole.crossing,
    )


def _with_transfers(times: LayerTimes, seconds: Floats) -> LayerTimes:
    moved = times.activation_s + seconds
    return replace(times, activation_s=moved, total_s=times.total_s + seconds, link_s=seconds)


def _transfer(
    moved: Crossings, deployment: Deployment, levels: DataLevels, graph: ModelGraph
) -> tuple[Quantity, Floats]:
    """Time of one batch to move what changes sides, in all and by the layer that reads it.

    Bytes over the bandwidth of the memory that both processors reach, and for each start of the accelerator
    beyond the first the coefficient for starting an operator. Unknown, and no seconds, without them.
    """
    seconds = np.zeros(len(graph.ops))
    if not moved.bytes_by_reader:
        return Quantity.exact(0.0, "ms"), seconds
    rate, start_s = _bytes_per_s(deployment, levels), _start_s(deployment, graph)
    if rate is None or start_s is None or moved.total_bytes is None:
        return Quantity.unknown("ms"), seconds
    for reader, size in moved.bytes_by_reader.items():
        seconds[reader] = PASSES * size * deployment.batch / rate
    once, more = moved.total_bytes * deployment.batch / rate, max(moved.starts - 1, 0) * start_s
    seconds[min(moved.bytes_by_reader)] += more
    value, high = PASSES * once + more, MOST_PASSES * once + more
    return Quantity(
        value=value * 1e3, low=more * 1e3, high=high * 1e3, unit="ms", basis=Basis.ASSUMED
    ), seconds


def _bytes_per_s(deployment: Deployment, levels: DataLevels) -> float | None:
    """Of the link, or of the memory that activations live in; of a module's own, where it has no other."""
    link = deployment.accelerator.link if deployment.accelerator else None
    over_link = link_level(link) if link is not None else None
    if over_link is not None:
        return over_link.bytes_per_s
    if levels.activations.bytes_per_s is not None:
        return levels.activations.bytes_per_s
    private = [r for r in deployment.target.memories if r.kind is MemoryKind.ACCELERATOR]
    alone = deployment.target.needs_host and len(private) == len(deployment.target.memories) == 1
    known = private[0].bandwidth_bytes_per_s if alone else None
    return known.value if known is not None else None


def _start_s(deployment: Deployment, graph: ModelGraph) -> float | None:
    kernels = kernels_on(deployment_path(deployment, graph.dtype.value))
    return None if kernels is None else float(kernels.cost[COLUMN["op"]]) * 1e-6
