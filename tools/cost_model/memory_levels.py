"""Where a deployment's data lives, and how fast it comes from there."""

from __future__ import annotations

from collections.abc import Sequence

from ...hardware_db import MemoryKind, Region
from ...hardware_db.derived import region_bytes_per_s
from ..core.deployment_table import Machine
from ..core.records import dataclass
from ..memory_planner.board import Part
from ..memory_planner.memory_plan import MemoryPlan
from ..memory_planner.region_placement import Placement

UNKNOWN_REGION = "unknown"
"""Where no region of the target can hold the data, as on a module with only its accelerator's own."""
ASSUMED_BYTES_PER_CYCLE = {
    MemoryKind.ITCM: 8.0,
    MemoryKind.DTCM: 8.0,
    MemoryKind.SRAM: 4.0,
    MemoryKind.FLASH: 4.0,
}
"""One bus word a core cycle, taken where the database has no figure: 64-bit tightly coupled memory, 32-bit
system bus, and a flash whose prefetch buffer hides its wait states in sequential reads."""


@dataclass(frozen=True)
class MemoryLevel:
    """A region with its bandwidth at the deployment's clock."""

    region: str
    bytes_per_s: float | None
    """None where neither a source nor a safe assumption gives it."""
    assumed: bool


@dataclass(frozen=True)
class DataLevels:
    """The levels that activations and weights are read from."""

    activations: MemoryLevel
    weights: MemoryLevel

    @property
    def assumptions(self) -> tuple[str, ...]:
        levels = {level.region: level for level in (self.activations, self.weights)}
        return tuple(
            f"bandwidth of {level.region} assumed: one bus word a cycle"
            for level in levels.values()
            if level.assumed
        )


def data_levels(plan: MemoryPlan, where: Machine) -> DataLevels:
    """The regions that `plan` puts the arena and the weights into, with their bandwidths."""
    return levels_in(_region_holding(plan, where, "arena"), _region_holding(plan, where, "weights"), where)


def levels_of(placement: Placement, where: Machine) -> DataLevels:
    """As `data_levels`, before the plan is reported."""
    board = placement.board
    return levels_in(board.holding(Part.ARENA), board.holding(Part.WEIGHTS), where)


def levels_in(arena: Region | None, weights: Region | None, where: Machine) -> DataLevels:
    """The same by the regions themselves; None for what finds no place.

    Behind a link layers move their data within the chip, of which no source gives the bandwidth.
    """
    if where.accelerator is not None and where.accelerator.link is not None:
        inside = MemoryLevel(UNKNOWN_REGION, None, assumed=False)
        return DataLevels(activations=inside, weights=inside)
    return DataLevels(
        activations=_level(arena or _roomiest(where, flash=False), where),
        weights=_level(weights or _roomiest(where, flash=True), where),
    )


def level_of(run: Sequence[Region], where: Machine) -> MemoryLevel:
    """The slowest region of a run, of which an array may use all."""
    levels = [_level(region, where) for region in run]
    return min(levels, key=lambda level: level.bytes_per_s or 0.0)


def _region_holding(plan: MemoryPlan, where: Machine, what: str) -> Region | None:
    used = next((use.region for use in plan.regions if what in use.holds), None)
    return next((region for region in where.target.memories if region.id == used), None)


def _roomiest(where: Machine, *, flash: bool) -> Region | None:
    return _largest(where, flash=flash) or _largest(where, flash=False)


def _largest(where: Machine, *, flash: bool) -> Region | None:
    """Where the data would have to go if it does not fit: the largest region of its kind.

    An accelerator's own memory is no such place. What is published of it is what comes in from outside:
    layers move more within, such as 6.8 GB/s on a Coral USB behind a link of 0.5 GB/s (MobileNet v2).
    """
    kinds = {MemoryKind.FLASH, MemoryKind.XIP_FLASH}
    barred = {MemoryKind.ACCELERATOR, MemoryKind.BACKUP}
    fitting = [r for r in where.target.memories if (r.kind in kinds) == flash and r.kind not in barred]
    return max(fitting, key=lambda region: region.size_bytes.value, default=None)


def _level(region: Region | None, where: Machine) -> MemoryLevel:
    if region is None:
        return MemoryLevel(UNKNOWN_REGION, None, assumed=False)
    core_mhz = min(where.clock_mhz, where.core.clock_max_mhz.value)
    known = region_bytes_per_s(region, core_mhz)
    if known is not None:
        return MemoryLevel(region.id, known, assumed=False)
    width = ASSUMED_BYTES_PER_CYCLE.get(region.kind)
    return MemoryLevel(
        region.id, None if width is None else width * core_mhz * 1e6, assumed=width is not None
    )
