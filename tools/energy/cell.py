"""The battery that a budget is drawn from, by its name or by the user's own figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from ...hardware_db.batteries import load_batteries, resolve_battery, without_charge
from ...hardware_db.cited import Leaf
from ...hardware_db.errors import UnknownNameError, UsageError
from ...hardware_db.names import folded
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass, replace
from .ageing import YEAR_DAYS

USABLE_SHARE = 0.7
"""Least share of the rated capacity that can be used: load, cut-off voltage and cold take the rest."""
MONTHS = 12
LONGEST_NAME = 60


@dataclass(frozen=True)
class Cell:
    name: str
    capacity_mah: Quantity
    nominal_v: Quantity
    self_discharge_share: Quantity
    """Of the capacity, in a year."""
    pulse_ma: Quantity = Quantity.unknown("mA")
    shelf_days: Quantity = Quantity.unknown("days")
    sources: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = field(default=())


def cell(
    battery: str | None,
    battery_mah: float | None,
    battery_v: float | None,
    self_discharge_per_month: float | None = None,
    battery_wh: float | None = None,
    supply_v: float | None = None,
) -> Cell | None:
    """The battery asked for; None where none is. The user's own figures win over those known of the name.

    An energy counts as its charge at the battery's own voltage, else at the supply's or a LiPo's.

    Raises:
        UnknownNameError: no battery of that name, and not both figures given.
        UsageError: neither a name nor both figures; a figure that is not above zero; a self-discharge that
            is no share.
    """
    if battery_wh is None:
        found = _asked(battery, battery_mah, battery_v)
    else:
        found = _of_energy(battery, battery_mah, battery_v or supply_v, battery_wh)
    leak = self_discharge_per_month
    if leak is None:
        return found
    if not 0 <= leak < 1:
        raise UsageError(f"self_discharge_per_month {leak:g} is no share, 0 to 1.", hint="Write 2 % as 0.02.")
    if found is None:
        raise UsageError("A self-discharge is of a battery.", hint="Name the battery.")
    return replace(
        found,
        self_discharge_share=Quantity.exact(leak * MONTHS, "1", Basis.ASSUMED),
        assumptions=tuple(note for note in found.assumptions if not note.startswith("self-discharge")),
    )


def _of_energy(name: str | None, mah: float | None, volts: float | None, watt_hours: float) -> Cell:
    if mah is not None:
        raise UsageError("Both a charge and an energy of the battery are given.", hint="Drop one of them.")
    if not 0 < watt_hours < float("inf"):
        raise UsageError(f"battery_wh {watt_hours:g} must be above zero.")
    at = volts or resolve_battery("lipo")[0].nominal_v.value
    found = _own(name or "battery", watt_hours * 1e3 / at, at)
    note = () if volts else ("the battery taken to have a LiPo's voltage",)
    return replace(found, assumptions=(*note, *found.assumptions))


def _asked(battery: str | None, battery_mah: float | None, battery_v: float | None) -> Cell | None:
    for name, value in (("battery_mah", battery_mah), ("battery_v", battery_v)):
        if value is not None and value <= 0:
            raise UsageError(f"{name} {value:g} must be above zero.")
    battery = battery and battery.strip()[:LONGEST_NAME]
    if battery is None and battery_mah is None:
        return None
    if battery is None or (battery_mah is not None and battery_v is not None):
        return _own(battery or "battery", battery_mah, battery_v)
    return _known(battery, battery_mah, battery_v)


def _own(name: str, mah: float | None, volts: float | None) -> Cell:
    capacity, nominal = _given(mah, "mAh"), _given(volts, "V")
    return Cell(
        name=name,
        capacity_mah=_usable(capacity),
        nominal_v=nominal,
        self_discharge_share=Quantity.unknown("1"),
        assumptions=(_usable_note(capacity), "self-discharge of the battery not known: left out"),
    )


_COUNTS = {"two": 2, "three": 3, "four": 4}
_SEVERAL = re.compile(
    r"(?:(?P<count>\d)\s*[x×*]\s*|(?P<cells>\d|two|three|four)\s+(?=[a-z])|(?P<series>\d)s\s+)(?P<rest>.+?)",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"\s*(?:cells|batteries)$|(?<=[a-z]{2})s$", re.IGNORECASE)


def _in_series(name: str) -> tuple[int, str]:
    """(2, "AA") of "2x AA", "two AA cells" and the like; 4S is four cells of lithium in series."""
    match = _SEVERAL.fullmatch(name.strip())
    if match is None:
        return 1, name
    number = match["count"] or match["cells"] or match["series"]
    rest = _PLURAL.sub("", match["rest"])
    return _COUNTS.get(number.lower()) or int(number), f"lipo {rest}" if match[
        "series"
    ] and "li" not in rest.lower() else rest


_VOLTAGE = re.compile(r"(?<![\w.])(?<!\d,)(\d{1,3}(?:[.,]\d+)?) ?V\b", re.IGNORECASE)
_BETWEEN = " ,;/"


def _without_voltage(name: str) -> tuple[str, float | None]:
    """("LiPo 500 mAh", 3.7) of "LiPo 3.7 V 500 mAh"."""
    found = _VOLTAGE.search(name)
    if found is None:
        return name, None
    volts = float(found[1].replace(",", "."))
    if volts == 0:
        raise UsageError(f"A battery of {name!r} has no voltage.", hint="Give its voltage above zero.")
    return _VOLTAGE.sub("", name).strip(_BETWEEN), volts


def _is_called(name: str) -> bool:
    """Whether the volts are part of what it is called: a 9 V block."""
    bare = without_charge(name)[0].strip(_BETWEEN)
    return folded(bare) in {
        folded(text) for each in load_batteries().batteries for text in (each.id, *each.aliases)
    }


def _known(name: str, mah: float | None, volts: float | None) -> Cell:
    called, stated_v = _is_called(name), None
    count, rest = (1, name) if called else _in_series(name)
    if not called and not _is_called(rest):
        bare, stated_v = _without_voltage(name)
        count, rest = _in_series(bare)
    name = rest
    try:
        battery, stated_mah = resolve_battery(name)
    except UnknownNameError:
        bare, stated_mah = without_charge(name)
        mah, volts = mah or stated_mah, volts or (stated_v and stated_v * count)
        if mah is None or volts is None:
            raise
        own = _own(bare.strip(_BETWEEN) or "battery", mah, volts)
        return replace(own, assumptions=(*own.assumptions, *_series_note(count)))
    if stated_v and abs(stated_v - battery.nominal_v.value) < abs(stated_v - count * battery.nominal_v.value):
        stated_v *= count
    mah, volts = mah or stated_mah, volts or stated_v
    if mah is None and battery.capacity_mah is None:
        raise UsageError(
            f"A {battery.name} comes in every size.",
            hint=f"Give its capacity: {battery.id} 1000 mAh, or battery_mah.",
        )
    capacity = _given(mah, "mAh") if mah else _cited(battery.capacity_mah, 1.0, "mAh")
    leak = battery.self_discharge_per_month
    rated = None if mah else battery.capacity_mah
    cited = (rated, battery.nominal_v, leak, battery.pulse_ma, battery.shelf_life_years)
    notes = [_usable_note(capacity)]
    notes += [] if leak else [f"self-discharge of a {battery.name} not known: left out"]
    notes += _series_note(count)
    return Cell(
        name=battery.id if count == 1 else f"{count}x {battery.id}",
        capacity_mah=_usable(capacity),
        nominal_v=_given(volts, "V") if volts else _cited(battery.nominal_v, count, "V"),
        self_discharge_share=_cited(leak, MONTHS, "1"),
        pulse_ma=_cited(battery.pulse_ma, 1.0, "mA"),
        shelf_days=_cited(battery.shelf_life_years, YEAR_DAYS, "days"),
        sources=_sources([leaf for leaf in cited if leaf]),
        assumptions=tuple(notes),
    )


def _series_note(count: int) -> tuple[str, ...]:
    said = f"{count} cells taken as in series: their voltages add up, their capacity does not"
    return (said,) if count > 1 else ()


def _given(value: float | None, unit: str) -> Quantity:
    return Quantity.unknown(unit) if value is None else Quantity.exact(value, unit, Basis.ASSUMED)


def _cited(leaf: Leaf[float] | None, by: float, unit: str) -> Quantity:
    if leaf is None:
        return Quantity.unknown(unit)
    values = [claim.value * by for claim in (leaf, *leaf.others)]
    return Quantity(
        value=leaf.value * by, low=min(values), high=max(values), unit=unit, basis=Basis.PUBLISHED
    )


def _usable(rated: Quantity) -> Quantity:
    if rated.value is None or rated.low is None:
        return rated
    return rated.model_copy(update={"low": rated.low * USABLE_SHARE})


def _usable_note(capacity: Quantity) -> str:
    return f"at least {100 * USABLE_SHARE:.0f} % of the battery's {capacity.value:g} mAh taken to be usable"


def _sources(used: Sequence[Leaf[float]]) -> tuple[str, ...]:
    """Each source once, with the places in it."""
    known = load_batteries().sources
    places: dict[str, list[str]] = {}
    for leaf in used:
        places.setdefault(leaf.source, []).append(leaf.locator)
    return tuple(
        f"{source.title} ({source.where}, {_short(source.version)}): {'; '.join(dict.fromkeys(text))}"
        for source, text in ((known[key], text) for key, text in places.items())
    )


def _short(version: str) -> str:
    """A commit's first digits; other words as they are."""
    return version[:12] if re.fullmatch(r"[0-9a-f]{40}", version) else version
