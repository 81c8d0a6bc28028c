"""What an operating system or a radio stack takes of the memory beside a network."""

from __future__ import annotations

from ...hardware_db import resolve_target
from ...hardware_db.cited import Leaf
from ...hardware_db.systems import load_systems, resolve_system
from ..core.quantity import Result


class SystemShare(Result):
    """What one takes by itself, or leaves free; it is the least that has to be reckoned with."""

    schema_version: str = "1.0"
    system: str
    """Its name."""
    target: str = ""
    ram_bytes: int | None
    """Taken at least; null where only what it leaves is known."""
    flash_bytes: int | None
    """Taken at least; null where that is not known."""
    leaves_bytes: int | None
    """RAM that stays free on the target while it runs; null where that is not known."""
    what: str
    """Of which program these are."""
    on_top: str
    """What comes on top."""
    source: str
    """Where it was read."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.system}: {self.what}"


def system_share(system: str, target: str | None = None) -> SystemShare:
    """What an operating system or a radio stack takes of RAM and flash, as published.

    Args:
        system: its name, such as freertos, zephyr or esp-wifi.
        target: where it runs; some are known of each chip apart.

    Raises:
        UnknownNameError: no such system, or no such target.

    Example:
        >>> system_share("esp-wifi", "esp32-s3").leaves_bytes
        279552
    """
    place = resolve_target(target).id if target else ""
    found = resolve_system(system, place)
    left = found.left_on(place)
    leaf = left or found.ram_bytes
    source = load_systems().sources.get(leaf.source) if leaf else None
    return SystemShare(
        system=found.name,
        target=place,
        ram_bytes=_bytes(found.ram_bytes),
        flash_bytes=_bytes(found.flash_bytes),
        leaves_bytes=_bytes(left),
        what=found.what,
        on_top=found.on_top,
        source=source.where if source else "",
    )


def _bytes(leaf: Leaf[float] | None) -> int | None:
    return None if leaf is None else int(leaf.value)
