"""What a user says of their own board: its price, its power while it computes, its current asleep."""

from __future__ import annotations

import datetime

from ...hardware_db import Target
from ...hardware_db.cited import ClaimKind, Leaf, Source
from ...hardware_db.errors import UsageError
from ...hardware_db.schema import PowerMode, Price

GIVEN = "given"
"""Source, and mode of power, of what the user gave."""


def with_own_figures(
    target: Target, *, price_usd: float | None, active_mw: float | None, sleep_ua: float | None
) -> tuple[Target, tuple[str, ...]]:
    """The target with these figures in place of the database's, and a sentence for each.

    Raises:
        UsageError: a figure that is not above zero.
    """
    units = {
        "price": (price_usd, "USD"),
        "active power": (active_mw, "mW"),
        "sleep current": (sleep_ua, "µA"),
    }
    given = {name: (value, unit) for name, (value, unit) in units.items() if value is not None}
    for name, (value, unit) in given.items():
        if not 0 < value < float("inf"):
            raise UsageError(f"A {name} of {value:g} {unit} is none.", hint="Give a figure above zero.")
    if not given:
        return target, ()
    today = datetime.datetime.now(tz=datetime.UTC).date()
    source = Source(title="the user", where="given with the call", date=today, kind=ClaimKind.MEASURED)
    changes: dict[str, object] = {"sources": {**target.sources, GIVEN: source}}
    if price_usd is not None:
        changes["price_usd"] = Price(value=price_usd, unit="USD", source=GIVEN, locator=GIVEN)
    if active_mw is not None or sleep_ua is not None:
        changes["power"] = (_mode(active_mw, sleep_ua), *target.power)
    notes = tuple(f"{name} as given: {value:g} {unit}" for name, (value, unit) in given.items())
    return target.model_copy(update=changes), notes


def _mode(active_mw: float | None, sleep_ua: float | None) -> PowerMode:
    return PowerMode(id=GIVEN, active_mw=_leaf(active_mw, "mW"), sleep_ua=_leaf(sleep_ua, "µA"))


def _leaf(value: float | None, unit: str) -> Leaf[float] | None:
    return None if value is None else Leaf[float](value=value, unit=unit, source=GIVEN, locator=GIVEN)


def given_active_mw(target: Target) -> float | None:
    """Of the whole board while it computes, at the clock that it is asked about."""
    mode = next((mode for mode in target.power if mode.id == GIVEN), None)
    return None if mode is None or mode.active_mw is None else mode.active_mw.value


def described_mode(target: Target) -> PowerMode | None:
    """The first mode that a source describes; one of a stated load on the chip stands before others."""
    described = [mode for mode in target.power if mode.id != GIVEN]
    return next((mode for mode in described if mode.of_a_load), next(iter(described), None))
