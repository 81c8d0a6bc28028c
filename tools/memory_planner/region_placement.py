"""Which memory region holds arena, weights, code and the user's reserve, and whether they fit.

One array lies in one region, or in several that follow each other without a gap; regions apart are
never added up. Internal memory comes before external, fast before slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ...hardware_db import Region, Target
from ...hardware_db.derived import FLASH_KINDS, shared_ram
from ..core.quantity import Quantity
from ..core.records import dataclass
from .board import Board, Layout, Part
from .plan_parts import RegionUse

__all__ = ["Layout", "Part", "Placement", "arena_room", "place"]


@dataclass(frozen=True, eq=False)
class Placement:
    board: Board
    """As it is filled."""
    fits: bool | None
    why_not: str = ""

    @cached_property
    def regions(self) -> tuple[RegionUse, ...]:
        return self.board.uses()


@dataclass(frozen=True)
class _Wanted:
    part: Part
    size: Quantity
    regions: Sequence[Region]
    at_least: int = 0


def place(
    target: Target,
    clock_mhz: float,
    arena: Quantity,
    model: Quantity,
    code: Quantity,
    *,
    at_least: int = 0,
    reserve: int = 0,
    layout: Layout | None = None,
) -> Placement:
    """Put each part where it belongs and say what does not fit.

    Fits is True where even the upper ends of the intervals do, False where not even a lower end does,
    None where that is not known. `at_least` bounds an arena of unknown size; `reserve` is what stack,
    heap and the application take, as one piece of RAM. `layout` is that of target and clock,
    if it is at hand.
    """
    layout = layout or Layout(target, clock_mhz)
    ram, storage = layout.ram, layout.storage
    if not ram:
        text = f"no source gives the RAM of {target.id}"
        return Placement(Board(target, clock_mhz, layout=layout), None, text)
    in_ram = [_Wanted(Part.ARENA, arena, ram, at_least)]
    if reserve:
        in_ram.append(_Wanted(Part.RESERVE, Quantity.exact(reserve, "B"), ram))
    stored = [
        _Wanted(part, size, storage or ram)
        for part, size in ((Part.WEIGHTS, model), (Part.CODE, code))
        if storage or size.value is not None
    ]
    orders = [[*in_ram, *stored], [*reversed(in_ram), *stored]] if reserve else [[*in_ram, *stored]]
    outcomes = [_placed(Board(target, clock_mhz, layout=layout), order) for order in orders]
    return min(outcomes, key=lambda outcome: (True, None, False).index(outcome.fits))


def arena_room(target: Target, reserve: int = 0) -> tuple[tuple[Region, ...], int] | None:
    """The most bytes that an arena may have beside the reserve, and the run of regions they are in.

    None where no RAM is known or the reserve itself finds no place.
    """
    ram = shared_ram(target)
    clock_mhz = target.cores[0].clock_max_mhz.value if target.cores else 0.0
    rooms = []
    for run in Board(target, clock_mhz).runs_holding(reserve, ram) if reserve else [()]:
        board = Board(target, clock_mhz)
        board.put(Part.RESERVE, reserve, run)
        if ram:
            left = board.largest(ram)
            rooms.append((left, board.room(left)))
    return max(rooms, key=lambda room: room[1], default=None)


def _placed(board: Board, wanted: Sequence[_Wanted]) -> Placement:
    outcomes = [_put(board, each) for each in wanted]
    notes = [why for fits, why in outcomes if fits is not True]
    worst = False if any(f is False for f, _ in outcomes) else None if notes else True
    return Placement(board, worst, "; ".join(notes))


def _put(board: Board, wanted: _Wanted) -> tuple[bool | None, str]:
    part, size, regions = wanted.part, wanted.size, wanted.regions
    if size.value is None or size.low is None or size.high is None:
        if board.find(wanted.at_least, regions) is None:
            least = Quantity.exact(wanted.at_least, "B")
            return False, f"at least {_shortage(board, part, least, regions)}"
        return None, f"the size of the {part.value} is not known"
    roomy = board.find(size.high, regions)
    tight = roomy or board.find(size.low, regions)
    text = "" if roomy is not None else _shortage(board, part, size, regions)
    usually = roomy if size.value == size.high else board.find(size.value, regions)
    if usually is not None:
        board.put(part, round(size.value), usually)
    if roomy is not None:
        return True, ""
    return (False, text) if tight is None else (None, text)


def _shortage(board: Board, part: Part, size: Quantity, regions: Sequence[Region]) -> str:
    largest = board.largest(regions)
    room, free = sum(r.size_bytes.value for r in largest), board.room(largest)
    names = " + ".join(r.id for r in largest)
    memory = "flash" if all(r.kind in FLASH_KINDS for r in largest) else "RAM"
    left = "" if free == room else f", {_kib(free)} of it free"
    missing = (size.high or 0) - free
    gap = f": {_kib(missing)} too little" if missing > 0 else ""
    return (
        f"{_spread(size)} of {part.value}: the largest contiguous {memory} is {names} with "
        f"{_kib(room)}{left}{gap}"
    )


def _kib(size: float) -> str:
    return f"{size / 1024:.0f} KiB" if size >= 10 * 1024 or size % 1024 == 0 else f"{size / 1024:.1f} KiB"


def _spread(size: Quantity) -> str:
    low, high = _kib(size.low or 0), _kib(size.high or 0)
    return high if low == high else f"{low.removesuffix(' KiB')} to {high}"
