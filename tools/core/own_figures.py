"""What a user says of their own board: price, power while it computes, current asleep, external RAM."""

from __future__ import annotations

import datetime

from ...hardware_db import MemoryKind, Region, Target, load_target
from ...hardware_db.cited import ClaimKind, Leaf, Source
from ...hardware_db.errors import UsageError
from ...hardware_db.index import read_index
from ...hardware_db.schema import PowerMode, Price

GIVEN = "given"
"""Source, and mode of power, of what the user gave."""


def with_own_figures(
    target: Target,
    *,
    price_usd: float | None,
    active_mw: float | None,
    sleep_ua: float | None,
    external_ram_bytes: float | None = None,
) -> tuple[Target, tuple[str, ...]]:
    """The target with these figures in place of the database's, and a sentence for each.

    Raises:
        UsageError: a figure that is not above zero.
    """
    units = {
        "price": (price_usd, "USD"),
        "active power": (active_mw, "mW"),
        "sleep current": (sleep_ua, "µA"),
        "external RAM": (external_ram_bytes, "B"),
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
    if external_ram_bytes is not None:
        changes["memories"], like = _with_external(target, int(external_ram_bytes))
        changes["sources"] = {**like.sources, **target.sources, GIVEN: source}
    notes = tuple(f"{name} as given: {value:g} {unit}" for name, (value, unit) in given.items())
    return target.model_copy(update=changes), notes


def _with_external(target: Target, size: int) -> tuple[tuple[Region, ...], Target]:
    """The memories with so much external RAM, in place of the board's where it has some, and what it is like.

    As fast as on the target's variant that has most nearly as much; else its bandwidth is not known.
    """
    leaf = Leaf[int](value=size, unit="B", source=GIVEN, locator=GIVEN)
    variants = (load_target(s.id) for s in read_index(()).targets if s.id.startswith(f"{target.id}-"))
    known = [(region, each) for each in (target, *variants) for region in _external(each)]
    if not known:
        region = Region(id="external-ram", kind=MemoryKind.PSRAM, size_bytes=leaf, external=True)
        return (*target.memories, region), target
    region, like = min(known, key=lambda pair: (pair[1] is not target, abs(pair[0].size_bytes.value - size)))
    rest = tuple(each for each in target.memories if each is not region)
    return (*rest, region.model_copy(update={"size_bytes": leaf})), like


def _external(target: Target) -> list[Region]:
    return [r for r in target.memories if r.external and r.kind in (MemoryKind.PSRAM, MemoryKind.DRAM)]


def _mode(active_mw: float | None, sleep_ua: float | None) -> PowerMode:
    return PowerMode(id=GIVEN, active_mw=_leaf(active_mw, "mW"), sleep_ua=_leaf(sleep_ua, "µA"))


def _leaf(value: float | None, unit: str) -> Leaf[float] | None:
    return None if value is None else Leaf[float](value=value, unit=unit, source=GIVEN, locator=GIVEN)


def given_active_mw(target: Target) -> float | None:
    """Of the whole board while it computes, at the clock that it is asked about."""
    mode = next((mode for mode in target.power if mode.id == GIVEN), None)
    return None if mode is None or mode.active_mw is None else mode.active_mw.value


def described_mode(target: Target, processor: str = "") -> PowerMode | None:
    """The first mode that a source describes; one of a stated load on the chip stands before others.

    Args:
        processor: id of what works; without it any does.
    """
    described = [
        mode
        for mode in target.power
        if mode.id != GIVEN and (not processor or mode.processor in ("", processor))
    ]
    return next((mode for mode in described if mode.of_a_load), next(iter(described), None))
