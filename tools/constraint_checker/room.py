"""How much of a memory a target really offers: single regions, never their sum."""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db import Region, Target
from ...hardware_db.derived import FLASH_KINDS, contiguous_runs, shared_ram


@dataclass(frozen=True)
class Room:
    """A bound, what it is called in a sentence, and the share of it that should stay free."""

    name: str
    size: float | None
    headroom: float


def largest_ram_room(target: Target) -> Room:
    """The largest run of RAM that one array can span."""
    run = max(contiguous_runs(shared_ram(target)), key=_run_bytes, default=())
    if not run:
        return Room(f"the RAM of {target.id}", None, 0.0)
    regions = " + ".join(region.id for region in run)
    return Room(f"the largest contiguous RAM of {target.id} ({regions})", _run_bytes(run), 0.0)


def code_and_weights_room(target: Target) -> Room:
    """The largest flash; on machines without any, the memory that programs are loaded into."""
    flashes = [r for r in target.memories if r.kind in FLASH_KINDS]
    if not flashes:
        ram = largest_ram_room(target)
        return Room(f"the memory of {target.id}", ram.size, 0.0)
    largest = max(flashes, key=lambda region: region.size_bytes.value)
    return Room(f"the flash of {target.id} ({largest.id})", largest.size_bytes.value, 0.0)


def _run_bytes(run: tuple[Region, ...]) -> int:
    return sum(region.size_bytes.value for region in run)
