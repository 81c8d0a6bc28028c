"""A target's regions while they are being filled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import StrEnum
from functools import cached_property

from ...hardware_db import MemoryKind, Region, Target
from ...hardware_db.derived import FLASH_KINDS, contiguous_runs, region_bytes_per_s, shared_ram
from ..core.records import dataclass
from .plan_parts import RegionUse

_FAST_FIRST = (
    MemoryKind.DTCM,
    MemoryKind.SRAM,
    MemoryKind.FLASH,
    MemoryKind.HBM,
    MemoryKind.ITCM,
    MemoryKind.DRAM,
    MemoryKind.PSRAM,
    MemoryKind.XIP_FLASH,
)
Run = tuple[Region, ...]


class Part(StrEnum):
    ARENA = "arena"
    PERSISTENT = "persistent arena"
    RESERVE = "reserve"
    WEIGHTS = "weights"
    CODE = "code"


@dataclass(frozen=True, eq=False)
class Layout:
    """A target's regions at a clock, and in which order arrays are put into them: good for every model."""

    target: Target
    clock_mhz: float
    _known: dict[tuple[int, ...], tuple[tuple[Run, ...], tuple[Run, ...]]] = field(default_factory=dict)
    """By the identities of regions, their runs in order of address and best first."""

    @cached_property
    def ram(self) -> tuple[Region, ...]:
        return shared_ram(self.target)

    @cached_property
    def storage(self) -> tuple[Region, ...]:
        return tuple(r for r in self.target.memories if r.kind in FLASH_KINDS)

    def best_first(self, regions: Sequence[Region]) -> tuple[Run, ...]:
        """Runs of the target's `regions`; each comes after every part of it, which is shorter."""
        return self._runs(regions)[1]

    def runs(self, regions: Sequence[Region]) -> tuple[Run, ...]:
        """The same in order of address."""
        return self._runs(regions)[0]

    def _runs(self, regions: Sequence[Region]) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
        key = tuple(map(id, regions))
        if key not in self._known:
            runs = tuple(_runs(regions))
            self._known[key] = runs, tuple(sorted(runs, key=self._preference))
        return self._known[key]

    def _preference(self, run: Run) -> tuple[bool, int, float, int]:
        slowest = min(region_bytes_per_s(r, self.clock_mhz) or 0.0 for r in run)
        kind = max(_FAST_FIRST.index(r.kind) for r in run)
        return any(r.external for r in run), len(run), -slowest, kind


@dataclass
class Board:
    """Bytes taken in each region so far."""

    target: Target
    clock_mhz: float
    used: dict[str, int] = field(default_factory=dict)
    holds: dict[str, list[Part]] = field(default_factory=dict)
    layout: Layout | None = None

    def __post_init__(self) -> None:
        self._layout = self.layout or Layout(self.target, self.clock_mhz)

    def free(self, region: Region) -> int:
        return region.size_bytes.value - self.used.get(region.id, 0)

    def room(self, run: Run) -> int:
        """Free bytes in one piece: what lies in the first region stands before them, in the last behind."""
        if len(run) == 1:
            return self.free(run[0])
        if any(self.used.get(region.id) for region in run[1:-1]):
            return 0
        return sum(map(self.free, run))

    def put(self, part: Part, size: int, run: Run) -> None:
        for region in run:
            share = min(size, self.free(region))
            self.used[region.id] = self.used.get(region.id, 0) + share
            self.holds.setdefault(region.id, []).append(part)
            size -= share

    def find(self, size: float, regions: Sequence[Region]) -> Run | None:
        """The best run that holds `size` bytes."""
        for run in self._layout.best_first(regions):
            if self.room(run) >= size:
                return run
        return None

    def runs_holding(self, size: float, regions: Sequence[Region]) -> list[Run]:
        """Runs that hold `size` bytes and of which no part alone would, best first."""
        fitting = [run for run in self._layout.best_first(regions) if self.room(run) >= size]
        return [run for run in fitting if not any(_is_within(other, run) for other in fitting)]

    def largest(self, regions: Sequence[Region]) -> Run:
        return max(self._layout.runs(regions), key=self.room)

    def holding(self, part: Part) -> Region | None:
        """The first region that holds of it."""
        return next((r for r in self.target.memories if part in self.holds.get(r.id, ())), None)

    def uses(self) -> tuple[RegionUse, ...]:
        return tuple(
            RegionUse(
                region=region.id,
                kind=region.kind.value,
                size_bytes=region.size_bytes.value,
                used_bytes=self.used.get(region.id, 0),
                holds=tuple(part.value for part in self.holds.get(region.id, [])),
                external=region.external,
            )
            for region in self.target.memories
        )


def _runs(regions: Sequence[Region]) -> Iterator[Run]:
    """Every run of neighbours that one array may span."""
    for run in contiguous_runs(regions):
        for begin in range(len(run)):
            for end in range(begin + 1, len(run) + 1):
                yield run[begin:end]


def _is_within(part: Run, run: Run) -> bool:
    return len(part) < len(run) and all(region in run for region in part)
