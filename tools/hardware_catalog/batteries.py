"""Batteries that are known by name."""

from __future__ import annotations

from ...hardware_db.batteries import Battery, load_batteries
from ..core.quantity import Result


class BatteryEntry(Result):
    """A battery or a kind of cell."""

    id: str
    """What it is asked for by."""
    name: str
    """In full."""
    capacity_mah: float | None
    """Rated; None for a kind of cell that comes in every size."""
    nominal_v: float
    """Nominal voltage."""
    also: tuple[str, ...]
    """Other names that it goes by."""


class BatteryList(Result):
    """Batteries that are known by name."""

    schema_version: str = "1.0"
    batteries: tuple[BatteryEntry, ...]
    """One row a battery."""

    def headline(self) -> str:
        return f"{len(self.batteries)} batteries"


def list_batteries() -> BatteryList:
    """Every battery that is known by name; of any other, capacity and voltage are given.

    Example:
        >>> next(row.capacity_mah for row in list_batteries().batteries if row.id == "cr2032")
        220.0
    """
    return BatteryList(batteries=tuple(map(_entry, load_batteries().batteries)))


def _entry(battery: Battery) -> BatteryEntry:
    capacity = battery.capacity_mah
    return BatteryEntry(
        id=battery.id,
        name=battery.name,
        capacity_mah=None if capacity is None else capacity.value,
        nominal_v=battery.nominal_v.value,
        also=battery.aliases,
    )
