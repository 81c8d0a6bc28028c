"""How long a battery lasts, and what a life that is wanted leaves for all that is not counted."""

from __future__ import annotations

from ..core.intervals import share_of, total
from ..core.quantity import Quantity
from .ageing import AGED_DAYS, YEAR_DAYS
from .cell import Cell
from .draw import HOURS, Draw, days, leak_of
from .energy_budget import BatteryLife

_UA_A_DAY = 1e3 / HOURS
"""From mAh a day."""


def life_of(
    cell: Cell,
    drawn: Draw,
    nonstop_mah: Quantity,
    deep_mah: Quantity,
    wanted_days: float | None = None,
) -> BatteryLife:
    life, current = days(cell, drawn.charge_mah), drawn.charge_mah.scaled(_UA_A_DAY, "uA")
    held = wanted_days or _held(cell, life)
    allowed = allowed_ua(cell, held) if held else Quantity.unknown("uA")
    return BatteryLife(
        battery=cell.name,
        capacity_mah=cell.capacity_mah,
        nominal_v=cell.nominal_v,
        self_discharge_share=cell.self_discharge_share,
        life_days=life,
        most_days=days(cell, drawn.compute_charge_mah),
        resting_days=days(cell, drawn.resting_mah),
        nonstop_days=days(cell, nonstop_mah),
        leak_share=share_of(leak_of(cell), drawn.charge_mah),
        drawn_ua=current,
        held_days=held,
        allowed_ua=allowed,
        spare_ua=left_of(allowed, current),
        deep_days=days(cell, deep_mah),
        shelf_days=cell.shelf_days,
        pulse_ma=cell.pulse_ma,
        peak_ma=nonstop_mah.scaled(1 / HOURS, "mA"),
        sources=cell.sources,
    )


def _held(cell: Cell, life: Quantity) -> float | None:
    """Half of the life, or all that its age leaves of it where that is less."""
    if not life.value:
        return None
    aged = cell.shelf_days.value or AGED_DAYS
    return aged if life.value > aged else life.value / 2


def allowed_ua(cell: Cell, life_days: float) -> Quantity:
    """The average current that empties a battery in so many days, its own discharge counted where known."""
    lost = (cell.self_discharge_share.value or 0.0) / YEAR_DAYS * life_days
    return cell.capacity_mah.scaled(max(0.0, 1 - lost) * _UA_A_DAY / life_days, "uA")


def left_of(allowed: Quantity, drawn: Quantity) -> Quantity:
    """What is left of an allowance; 0 where nothing is."""
    if allowed.value is None or drawn.value is None:
        return Quantity.unknown(allowed.unit)
    assert allowed.low is not None
    assert allowed.high is not None
    assert drawn.low is not None
    assert drawn.high is not None
    return Quantity(
        value=max(0.0, allowed.value - drawn.value),
        low=max(0.0, allowed.low - drawn.high),
        high=max(0.0, allowed.high - drawn.low),
        unit=allowed.unit,
        basis=total(allowed.unit, allowed, drawn).basis,
    )
