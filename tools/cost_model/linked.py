"""Times of a network whose accelerator stands behind a link.

    resident   max(computing, frames over the link)
    reloaded   computing + weights over the link: a context is loaded before it computes

What a module took was measured behind a link of its own. On a board only what the board's link is slower
counts beside it; a module that nobody measured takes after others of its family, whose chips may keep what it
reloads.
"""

from __future__ import annotations

import math

import numpy as np

from ...hardware_db.coefficients import load_coefficients
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity, weakest
from ..core.records import dataclass, replace
from ..graph import ModelGraph
from .alone import alone_of, silicon_of
from .crossing import Crossing, crossing_of, factor_of, resident_factor_of
from .hierarchy import ProcessorKind, class_of, processor_of
from .times import LayerTimes


@dataclass(frozen=True, eq=False)
class Linked:
    """What crosses the link of a deployment, and that of its module by itself."""

    here: Crossing
    alone: Crossing | None
    """Of the module that the board carries; None of a module itself."""
    measured: bool
    """Whether measurements of the module are part of the fit, and its own link with them."""

    def module_s(self, computing_s: float) -> float:
        """Of the module by itself, from what the fit makes of its computing."""
        link = self.alone or self.here
        if link.reloads and not self.measured:
            return computing_s + link.seconds
        return max(computing_s, link.seconds)

    def board_s(self, module_s: float, *, stays: bool = False) -> float:
        """Of the board, from the module's; `stays` where that is too little for the weights to have come."""
        if self.alone is None:
            return module_s
        if stays:
            return self.resident_s(module_s)
        if self.here.reloads:
            return module_s + max(self.here.seconds - self.alone.seconds, 0.0)
        return max(module_s, self.here.seconds)

    def resident_s(self, module_s: float) -> float:
        """As if the weights stayed on the chip."""
        frames_s = self.here.frame_bytes.sum() / (self.here.level.bytes_per_s or math.inf)
        return max(module_s, float(frames_s))

    def stays_at(self, module_s: float) -> bool:
        """Whether a module that was measured cannot have reloaded the weights."""
        link = self.alone
        return link is not None and module_s < link.weight_bytes.sum() / (link.level.bytes_per_s or math.inf)

    def whole_s(self, computing_s: float) -> float:
        return self.board_s(self.module_s(computing_s))

    @property
    def sentence(self) -> str:
        """What is assumed of the link, for the user."""
        megabytes, rate = self.here.moved_bytes.sum() / 1e6, (self.here.level.bytes_per_s or 0.0) / 1e6
        what = "frames, and weights that do not stay on the chip" if self.here.reloads else "frames"
        return f"{what}: {megabytes:.3g} MB a batch over {self.here.level.region} at {rate:.3g} MB/s"


def linked_of(graph: ModelGraph, place: Deployment) -> Linked | None:
    """None where no link is known."""
    here = crossing_of(graph, place)
    if here is None:
        return None
    module = alone_of(place)
    alone = crossing_of(graph, module) if module is not None else None
    kind, processor = processor_of(place)
    node = f"board:{class_of(kind, processor)}/{silicon_of(place).measured_as}"
    return Linked(here, alone, node in load_coefficients().evidence)


def is_linked(place: Deployment) -> bool:
    return place.accelerator is not None and place.accelerator.link is not None


def times_behind_link(graph: ModelGraph, place: Deployment, computing: LayerTimes) -> LayerTimes:
    """The times with what the link adds, shared out by the bytes of each layer."""
    linked = linked_of(graph, place)
    if linked is None or processor_of(place)[0] is not ProcessorKind.UNIT:
        return computing
    alone_s = float(computing.total_s.sum())
    crossing_s = linked.here.layer_seconds
    times = replace(computing, memory_roof_s=crossing_s, alone_s=alone_s, crossing=linked.here)
    added = linked.whole_s(alone_s) - alone_s
    if math.isnan(alone_s) or added <= 0:
        return times
    each = added * crossing_s / crossing_s.sum()
    frames = linked.here.frame_bytes / np.maximum(linked.here.moved_bytes, 1.0)
    factor = factor_of(added / (alone_s + added), times.interval_factor)
    low_s = linked.resident_s(alone_s) / times.interval_factor if linked.here.unsure else None
    return replace(
        times,
        activation_s=times.activation_s + each * frames,
        weight_s=times.weight_s + each * (1 - frames),
        total_s=times.total_s + each,
        interval_factor=factor,
        low_s=low_s,
        basis=weakest((times.basis, Basis.FITTED)),
        evidence=(*times.evidence, linked.sentence),
    )


def latency_behind_link(linked: Linked, latency: Quantity, *, of_module: bool) -> Quantity:
    """A latency that measurements give of the module's computing, or of the module as it was measured."""
    if latency.value is None or latency.low is None or latency.high is None:
        return latency
    before = latency.value / 1e3
    stays = of_module and linked.stays_at(before)
    after = linked.board_s(before, stays=stays) if of_module else linked.whole_s(before)
    own = max(latency.high / latency.value, latency.value / latency.low)
    if stays or not linked.here.reloads:
        factor = resident_factor_of(own) if linked.alone is not None else own
    else:
        factor = factor_of(1 - before / after, own)
    spread = Quantity.within_factor(after * 1e3, factor, "ms", Basis.SCALED)
    if not linked.here.unsure or stays or spread.low is None:
        return spread
    resident_ms = linked.resident_s(before) * 1e3 / own
    return spread.model_copy(update={"low": min(spread.low, resident_ms)})
