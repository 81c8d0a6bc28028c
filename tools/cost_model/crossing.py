"""What a network moves over the link between an accelerator and its host, and how long that takes.

    frames   inputs go down and outputs come up, at once: the fuller direction counts
    weights  what does not stay on the chip comes down again for every batch

An Edge TPU fetches what its memory does not hold ("used to store the model's parameter data locally, enabling
faster inference speed compared to fetching the data from external memory", coral.ai/docs/edgetpu/
multiple-edgetpu). A Hailo chip without memory beside it runs a network that is too large in several contexts
and reloads the weights of each; which networks are, its measurements tell (`coefficients/link.json`).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ...hardware_db import Accelerator, MemoryKind
from ...hardware_db.coefficients.link import Residence, load_link_coefficients
from ...hardware_db.derived import accelerator_peak_ops_per_s, shared_ram
from ...hardware_db.links import Link, LinkKind, link_bytes_per_s
from ..core.deployment import Deployment
from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.costs.table import layer_table
from ..graph.layer_table import LayerTable
from .memory_levels import MemoryLevel

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Crossing:
    """Of one batch, in the direction that takes longer."""

    level: MemoryLevel
    frame_bytes: Floats
    """Of each layer: of inputs at the first to read them, or of outputs at those that write them."""
    weight_bytes: Floats
    """Of each layer, as far as they do not stay on the chip."""
    reloads: bool
    """Whether weights come down again for every batch."""
    unsure: bool = False
    """Whether that hangs on how much less a smaller chip of the family holds."""

    @property
    def moved_bytes(self) -> Floats:
        return self.frame_bytes + self.weight_bytes

    @property
    def layer_seconds(self) -> Floats:
        assert self.level.bytes_per_s is not None
        return self.moved_bytes / self.level.bytes_per_s

    @property
    def seconds(self) -> float:
        return float(self.layer_seconds.sum())


def crossing_of(graph: ModelGraph, place: Deployment) -> Crossing | None:
    """None where the accelerator shares its host's memory, or no rate of the link is known."""
    unit = place.accelerator
    level = link_level(unit.link) if unit is not None and unit.link is not None else None
    if level is None:
        return None
    table = layer_table(graph)
    share, unsure = reloaded_share(table, place)
    weights: Floats = table.weight_bytes.astype(np.float64) * share
    down, up = _frames(graph, place.batch)
    if up.sum() > down.sum() + weights.sum():
        return Crossing(level, up, np.zeros(len(up)), share > 0, unsure)
    return Crossing(level, down, weights, share > 0, unsure)


def link_level(link: Link) -> MemoryLevel | None:
    """The link as a memory's path, at the rate that is reached."""
    rate = link_bytes_per_s(link)
    if rate is None:
        return None
    share = load_link_coefficients().pcie_share if link.kind is LinkKind.PCIE else 1.0
    return MemoryLevel(str(link), rate * share, assumed=False)


def reloaded_share(table: LayerTable, place: Deployment) -> tuple[float, bool]:
    """Of the weights, what comes down for every batch; whether a chip as large as the measured keeps them.

    A smaller chip is taken to hold less in proportion to its peak. 0 where nothing tells that they leave.
    """
    whole = float(table.weight_bytes.sum())
    if whole == 0 or place.accelerator is None or _has_memory(place):
        return 0.0, False
    private = [r.size_bytes.value for r in place.target.memories if r.kind is MemoryKind.ACCELERATOR]
    if private:
        return max(whole - sum(private), 0.0) / whole, False
    known = load_link_coefficients().residence.get(place.accelerator.family)
    if known is None:
        return 0.0, False
    size = size_of(place.accelerator, known)
    fills = fills_of(table, known) / size
    unsure = (fills > 1.0) != (fills * size > 1.0) and fills < known.reloads_from
    return float(fills > 1.0), unsure


def size_of(unit: Accelerator, known: Residence) -> float:
    """How much of the measured chip an accelerator is, by its peak."""
    peak = accelerator_peak_ops_per_s(unit, "int8")
    return peak / known.peak_ops_per_s if peak else 1.0


def fills_of(table: LayerTable, known: Residence) -> float:
    """How many times what the measured chip holds a network fills."""
    whole = float(table.weight_bytes.sum())
    return max(layers_with_weights(table) / known.layers, whole / known.weight_bytes)


def layers_with_weights(table: LayerTable) -> int:
    return int(((table.macs > 0) & (table.weight_bytes > 0)).sum())


def _has_memory(place: Deployment) -> bool:
    """Whether a module has memory beside its chip: on a board the memory is the host's."""
    assert place.accelerator is not None
    return not place.accelerator.module and bool(shared_ram(place.target))


def _frames(graph: ModelGraph, batch: int) -> tuple[Floats, Floats]:
    """Bytes that come down and go up, by layer."""
    down, up = (np.zeros(len(graph.ops)) for _ in range(2))
    for index in graph.main.inputs:
        reader = next((op.index for op in graph.ops if index in op.inputs), None)
        if reader is not None:
            down[reader] += (graph.tensors[index].bytes or 0) * batch
    for index in graph.main.outputs:
        writer = next((op.index for op in graph.ops if index in op.outputs), None)
        if writer is not None:
            up[writer] += (graph.tensors[index].bytes or 0) * batch
    return down, up


def factor_of(share: float, factor: float) -> float:
    """The interval's factor of a time whose share went over the link, the rest having that factor."""
    link = math.log(load_link_coefficients().interval_factor)
    return math.exp(math.hypot((1 - share) * math.log(factor), share * link))


def resident_factor_of(factor: float) -> float:
    """Of a board whose module has that factor, where the weights stay on the chip."""
    board = math.log(load_link_coefficients().resident_factor)
    return math.exp(math.hypot(math.log(factor), board))
