"""What a kWh, an hour and a device cost: as the user pays, or as the database has it listed in US dollars."""

from __future__ import annotations

from ...hardware_db import Target
from ...hardware_db.schema import Rent
from ..core.intervals import product
from ..core.quantity import Basis, Quantity, weakest
from ..core.records import dataclass
from .demand import Number, Terms

MONEY, _H = "", "h"


@dataclass(frozen=True)
class Prices:
    """Each unknown where neither the user nor, if asked for it, the database tells."""

    of_kwh: Quantity
    of_hour: Quantity
    of_device: Quantity
    offer: str = ""
    """Whose list price of an hour it is, of what and of which day."""
    stands_on: tuple[str, ...] = ()
    """Where a listed price was read."""
    missing: tuple[str, ...] = ()


def prices_of(target: Target, terms: Terms) -> Prices:
    """The user's own price goes before a listed one."""
    of_hour, of_device = _given(terms.get("price_per_hour")), _given(terms.get("device_price"))
    notes, missing, offer = list[str](), list[str](), ""
    leaf = target.price_usd
    if terms.get("buys") and leaf is not None and not of_device.known:
        of_device = _listed(leaf.value)
        notes.append(f"price: {target.stands_in(leaf)}")
    rent = target.rent_usd_per_hour
    if terms.get("rents") and not of_hour.known:
        if rent is None:
            missing.append(f"the price of an hour: no list price of a cloud with {target.id} was read")
        else:
            of_hour, offer = _listed(rent.value), _offer(target, rent)
            notes.append(f"rent: {rent.value:g} USD an hour, {offer}: {target.stands_in(rent)}")
    return Prices(_given(terms.get("price_per_kwh")), of_hour, of_device, offer, tuple(notes), tuple(missing))


def _offer(target: Target, rent: Rent) -> str:
    """AWS g4dn.xlarge in us-east-1, 2026-07-20."""
    where = f" in {rent.region}" if rent.region else ""
    many = f", one of its {rent.cards}" if rent.cards > 1 else ""
    date = target.sources[rent.source].date
    return f"{rent.provider} {rent.instance}{where}{many}, {date}"


def priced(amount: Quantity, price: Quantity) -> Quantity:
    if price.value is None:
        return no_money()
    if price.basis is Basis.DATASHEET:
        return product(MONEY, (amount, 1), (price, 1))
    return amount.scaled(price.value, MONEY)


def no_money() -> Quantity:
    return Quantity.unknown(MONEY)


def pays_off(paid: Prices, terms: Terms, power: Quantity) -> Quantity:
    """price / (rent of an hour - electricity of an hour)."""
    rent, kwh, price = paid.of_hour.value, paid.of_kwh.value, paid.of_device
    if not rent or not price.value:
        return Quantity.unknown(_H)
    if not kwh:
        return price.scaled(1 / rent, _H)
    spent = power.scaled(kwh / 1e6 * (terms.get("overhead") or 1.0), MONEY)
    if spent.value is None or spent.low is None or spent.high is None or spent.high >= rent:
        return Quantity.unknown(_H)
    value, low, high = (price.value / (rent - each) for each in (spent.value, spent.low, spent.high))
    return Quantity(value=value, low=low, high=high, unit=_H, basis=weakest((price.basis, spent.basis)))


def _given(price: Number) -> Quantity:
    return no_money() if price is None else Quantity.exact(price, MONEY)


def _listed(price: float) -> Quantity:
    return Quantity.exact(price, MONEY, Basis.DATASHEET)
