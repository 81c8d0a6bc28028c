"""What loads are drawn from, paid by and held against."""

from __future__ import annotations

from typing import TypedDict

from ...hardware_db.errors import UsageError
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from .cell import USABLE_SHARE, Cell

DAYS_A_MONTH = 365.25 / 12


class Terms(TypedDict, total=False):
    """What loads are held against, as the user knows it; what is not known is left out."""

    battery_wh: float | None
    """Energy of the battery, in place of its charge."""
    usable_share: float | None
    """Of the battery's capacity, 0 to 1. Without it 70 to 100 %."""
    life_days: float | None
    """Life wanted of the battery, which tells the average that it allows, and the rate."""
    budget_mw: float | None
    """Average power that is allowed, or harvested."""
    budget_ua: float | None
    """Average current that is allowed."""
    store_uj: float | None
    """Energy stored, for the runs that it holds."""
    headroom: float | None
    """Share of the time to be kept free, 0 to 1."""
    devices: int | None
    """How many alike, for energy and cost."""
    hours_per_day: float | None
    """That they are on, off or asleep the others; without it 24."""
    days_per_month: float | None
    """That they are on; twelve such months are a year. Without it 30.4."""
    price_per_kwh: float | None
    """In any currency, which the cost is in."""
    overhead: float | None
    """What is drawn over what the devices take, such as a data centre's PUE."""


@dataclass(frozen=True)
class Account:
    """What the loads are drawn from, paid by and held against."""

    supply_v: float | None = None
    cell: Cell | None = None
    devices: int = 1
    hours_per_day: float = 24.0
    days_per_month: float = DAYS_A_MONTH
    price_per_kwh: float | None = None
    overhead: float = 1.0
    headroom: float = 0.0
    allowed: Quantity | None = None
    """Average power or current that a budget allows."""
    life_days: float | None = None
    store_uj: float | None = None

    @property
    def volts(self) -> float | None:
        return self.supply_v or (self.cell.nominal_v.value if self.cell else None)


def account_of(terms: Terms, cell: Cell | None, supply_v: float | None) -> Account:
    """
    Raises:
        UsageError: a figure that cannot be, two budgets, or a name that means nothing here.
    """
    given = {name: value for name, value in terms.items() if value is not None}
    if unknown := given.keys() - Terms.__annotations__.keys():
        raise UsageError(f"There is no {', '.join(sorted(unknown))}.", hint=f"Known: {', '.join(_TERMS)}.")
    for name, value in (("supply_v", supply_v), *given.items()):
        if value is not None and name not in _SHARES and not 0 < float(str(value)) < float("inf"):
            raise UsageError(f"{name} {value} must be above zero.")
    headroom, hours = terms.get("headroom") or 0.0, terms.get("hours_per_day") or 24.0
    days = terms.get("days_per_month") or DAYS_A_MONTH
    if not 0 <= headroom < 1:
        raise UsageError(f"headroom {headroom:g} is no share, 0 to 1.", hint="Write 20 % as 0.2.")
    if hours > 24 or days > 31:
        raise UsageError(f"{hours:g} hours on {days:g} days is no month.")
    return Account(
        supply_v=supply_v,
        cell=usable(cell, terms.get("usable_share")),
        devices=terms.get("devices") or 1,
        hours_per_day=hours,
        days_per_month=days,
        price_per_kwh=terms.get("price_per_kwh"),
        overhead=terms.get("overhead") or 1.0,
        headroom=headroom,
        allowed=_allowed(terms.get("budget_mw"), terms.get("budget_ua")),
        life_days=terms.get("life_days"),
        store_uj=terms.get("store_uj"),
    )


_TERMS, _SHARES = tuple(Terms.__annotations__), frozenset(("headroom", "usable_share"))


def _allowed(budget_mw: float | None, budget_ua: float | None) -> Quantity | None:
    if budget_mw is not None and budget_ua is not None:
        raise UsageError("Both a power and a current are allowed.", hint="Drop one of them.")
    if budget_mw is not None:
        return Quantity.exact(budget_mw, "mW", Basis.MEASURED)
    return None if budget_ua is None else Quantity.exact(budget_ua, "uA", Basis.MEASURED)


def usable(cell: Cell | None, share: float | None) -> Cell | None:
    """The cell with only this share of its capacity, exactly; as it is without one.

    Raises:
        UsageError: a share that is none, 0 to 1.
    """
    if share is None or cell is None or cell.capacity_mah.value is None:
        return cell
    if not 0 < share <= 1:
        raise UsageError(f"usable_share {share:g} is no share, 0 to 1.", hint="Write 80 % as 0.8.")
    capacity = Quantity.exact(cell.capacity_mah.value * share, "mAh", Basis.MEASURED)
    kept = tuple(
        note for note in cell.assumptions if not note.startswith(f"at least {100 * USABLE_SHARE:.0f} %")
    )
    return replace(cell, capacity_mah=capacity, assumptions=kept)
