"""How much of a memory a target really offers: single regions, never their sum."""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db import MemoryKind, Target
from ...hardware_db.derived import largest_contiguous_ram

FLASH_KINDS = frozenset({MemoryKind.FLASH, MemoryKind.XIP_FLASH})


@dataclass(frozen=True)
class Room:
    """A bound, what it is called in a sentence, and the share of it that should stay free."""

    name: str
    size: float | None
    headroom: float


def largest_ram_room(target: Target) -> Room:
    """The largest run of RAM that one array can span."""
    run = largest_contiguous_ram(target)
    if run is None:
        return Room(f"the RAM of {target.id}", None, 0.0)
    regions = " + ".join(region.id for region in run.regions)
    return Room(f"the largest contiguous RAM of {target.id} ({regions})", run.size_bytes, 0.0)


def code_and_weights_room(target: Target) -> Room:
    """The largest flash; on machines without any, the memory that programs are loaded into."""
    flashes = [r for r in target.memories if r.kind in FLASH_KINDS]
    if not flashes:
        run = largest_contiguous_ram(target)
        return Room(f"the memory of {target.id}", run.size_bytes if run else None, 0.0)
    largest = max(flashes, key=lambda region: region.size_bytes.value)
    return Room(f"the flash of {target.id} ({largest.id})", largest.size_bytes.value, 0.0)
