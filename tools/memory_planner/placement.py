"""Which memory region holds arena, weights and code, and whether they fit.

One array lies in one region, or in several that follow each other without a gap; regions apart are
never added up. Internal memory comes before external, fast before slow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ...hardware_db import MemoryKind, Region, Target
from ...hardware_db.derived import FLASH_KINDS, contiguous_runs, region_bytes_per_s, shared_ram
from ..quantity import Quantity
from .plan import RegionUse

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
    WEIGHTS = "weights"
    CODE = "code"


@dataclass(frozen=True)
class Placement:
    regions: tuple[RegionUse, ...]
    fits: bool | None
    why_not: str = ""


@dataclass
class _Board:
    """Bytes taken in each region so far."""

    target: Target
    clock_mhz: float
    used: dict[str, int] = field(default_factory=dict)
    holds: dict[str, list[Part]] = field(default_factory=dict)

    def free(self, region: Region) -> int:
        return region.size_bytes.value - self.used.get(region.id, 0)

    def put(self, part: Part, size: int, run: Run) -> None:
        for region in run:
            share = min(size, self.free(region))
            self.used[region.id] = self.used.get(region.id, 0) + share
            self.holds.setdefault(region.id, []).append(part)
            size -= share

    def find(self, size: float, regions: Sequence[Region]) -> Run | None:
        """The best run that holds `size` bytes."""
        fitting = [run for run in _runs(regions) if sum(map(self.free, run)) >= size]
        return min(fitting, key=self._preference, default=None)

    def largest(self, regions: Sequence[Region]) -> Run:
        return max(_runs(regions), key=lambda run: sum(map(self.free, run)))

    def _preference(self, run: Run) -> tuple[bool, int, float, int]:
        slowest = min(region_bytes_per_s(r, self.clock_mhz) or 0.0 for r in run)
        kind = max(_FAST_FIRST.index(r.kind) for r in run)
        return any(r.external for r in run), len(run), -slowest, kind

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


def place(
    target: Target, clock_mhz: float, arena: Quantity, model: Quantity, code: Quantity, *, at_least: int = 0
) -> Placement:
    """Put each part where it belongs and say what does not fit.

    Fits is True where even the upper ends of the intervals do, False where not even a lower end does,
    None where that cannot be told. `at_least` bounds an arena of unknown size.
    """
    board = _Board(target, clock_mhz)
    ram = shared_ram(target)
    storage = tuple(r for r in target.memories if r.kind in FLASH_KINDS)
    if not ram:
        return Placement(board.uses(), None, f"no source gives the RAM of {target.id}")
    outcomes = [_put(board, Part.ARENA, arena, ram, at_least)]
    for part, size in ((Part.WEIGHTS, model), (Part.CODE, code)):
        if storage or size.value is not None:
            outcomes.append(_put(board, part, size, storage or ram))
    told = [why for fits, why in outcomes if fits is not True]
    worst = False if any(f is False for f, _ in outcomes) else None if told else True
    return Placement(board.uses(), worst, "; ".join(told))


def _put(
    board: _Board, part: Part, size: Quantity, regions: Sequence[Region], at_least: int = 0
) -> tuple[bool | None, str]:
    if size.value is None or size.low is None or size.high is None:
        if board.find(at_least, regions) is None:
            return False, f"at least {_shortage(board, part, Quantity.exact(at_least, 'B'), regions)}"
        return None, f"the size of the {part.value} is not known"
    told = _shortage(board, part, size, regions)
    roomy, tight = board.find(size.high, regions), board.find(size.low, regions)
    usually = board.find(size.value, regions)
    if usually is not None:
        board.put(part, round(size.value), usually)
    if roomy is not None:
        return True, ""
    return (False, told) if tight is None else (None, told)


def _shortage(board: _Board, part: Part, size: Quantity, regions: Sequence[Region]) -> str:
    largest = board.largest(regions)
    room, free = sum(r.size_bytes.value for r in largest), sum(map(board.free, largest))
    names = " + ".join(r.id for r in largest)
    memory = "flash" if all(r.kind in FLASH_KINDS for r in largest) else "RAM"
    left = "" if free == room else f", {_kib(free)} of it free"
    return (
        f"{_spread(size)} of {part.value}: the largest contiguous {memory} is {names} with {_kib(room)}{left}"
    )


def _kib(size: float) -> str:
    return f"{size / 1024:.0f} KiB"


def _spread(size: Quantity) -> str:
    low, high = _kib(size.low or 0), _kib(size.high or 0)
    return high if low == high else f"{low.removesuffix(' KiB')} to {high}"


def _runs(regions: Sequence[Region]) -> Iterator[Run]:
    """Every run of neighbours that one array may span."""
    for run in contiguous_runs(regions):
        for begin in range(len(run)):
            for end in range(begin + 1, len(run) + 1):
                yield run[begin:end]
