"""How much of a memory a target really offers: single regions, never their sum."""

from __future__ import annotations

from ...hardware_db import Target, TargetClass
from ...hardware_db.derived import FLASH_KINDS, shared_ram
from ..core.records import dataclass
from ..core.units import show
from ..memory_planner.region_placement import arena_room


@dataclass(frozen=True)
class Capacity:
    """A bound, what it is called in a sentence, and the share of it that should stay free."""

    name: str
    size: float | None
    headroom: float


def largest_ram_room(target: Target, reserve: int = 0) -> Capacity:
    """The largest run of RAM that one array can span, beside the reserve where that takes least of it."""
    if not shared_ram(target):
        return Capacity(f"the RAM of {target.id}", None, 0.0)
    found = arena_room(target, reserve)
    if found is None:
        return Capacity(f"the RAM of {target.id} beside a reserve that itself is too large", 0.0, 0.0)
    run, size = found
    regions = " + ".join(region.id for region in run)
    left = f", beside {show(reserve, 'bytes')} reserved" if reserve else ""
    return Capacity(f"the largest contiguous RAM of {target.id} ({regions}{left})", size, 0.0)


def largest_internal_ram(target: Target) -> Capacity:
    """The largest run of RAM on a microcontroller itself; no size where it has no other."""
    inside = tuple(region for region in target.memories if not region.external)
    if target.target_class is not TargetClass.MCU or len(inside) == len(target.memories):
        return Capacity(f"the RAM inside {target.id}", None, 0.0)
    return largest_ram_room(target.model_copy(update={"memories": inside}))


def has_flash(target: Target) -> bool:
    return any(region.kind in FLASH_KINDS for region in target.memories)


def code_and_weights_room(target: Target) -> Capacity:
    """The largest flash; on machines without any, the memory that programs are loaded into."""
    flashes = [r for r in target.memories if r.kind in FLASH_KINDS]
    if not flashes:
        ram = largest_ram_room(target)
        return Capacity(f"the memory of {target.id}", ram.size, 0.0)
    largest = max(flashes, key=lambda region: region.size_bytes.value)
    return Capacity(f"the flash of {target.id} ({largest.id})", largest.size_bytes.value, 0.0)


TIGHT = 0.1
"""A figure within this share of a limit that the user set is MARGINAL."""
