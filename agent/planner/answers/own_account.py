"""What the user's own figures tell, added up: energy, life, rate, cost; what is missing is named."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

from ....hardware_db.batteries import resolve_battery
from ....hardware_db.errors import EdgewrightError
from ..bench import Answering, Call, Record, call_of, needed
from ..own_figures import OwnFigures, asked_of
from ..query import Query, Role
from ..want import Want
from .own_clauses import CLAUSES, View, order_of
from .phrases import joined, lines

_OF_OTHERS = frozenset(
    (Want.RECOMMEND, Want.RECOMMEND_MODEL, Want.CODE, Want.CALIBRATE, Want.IMPORT, Want.IMPROVE,
     Want.CHEAPEST, Want.LIST_TARGETS, Want.LIST_MODELS, Want.HELP, Want.THANKS, Want.SUMMARY,
     Want.COMPATIBILITY)
)  # fmt: skip
_OF_NO_NAME = frozenset((Want.HELP, Want.THANKS, Want.SUMMARY, Want.CODE, Want.CALIBRATE))
_BRIEFLY = {"at least": "70 to 100 % of the charge usable", "self-dis": "no self-discharge"}
"""What a note of the tool begins with, and what it comes to."""
_MOST = 3
_LIPO_V = 3.7
_NEEDED = "what draws how much, for how long and how often"


def is_own(query: Query) -> bool:
    """Whether figures of the conversation are the user's own, and not demands on a network that is named."""
    if not query.has(Role.MODEL):
        return True
    return query.measured


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether this message brings figures of its own, or asks on about those before, that answer it."""
    figures, asked, told = query.figures, set(query.asked), query.told
    if figures is None or not is_own(query) or set(wants[:1]) & _of_others(query):
        return False
    if told is None and not (query.measured_before and asked_of(query.question, None)):
        return False
    if told is not None and not (told.words or told.consumers):
        return False
    timed = any(one.each_ms for one in figures.consumers)
    deployed = query.has(Role.MODEL) and query.has(Role.TARGET)
    if deployed and not timed:
        return False
    if any(one.drawn and one.whole for one in figures.consumers):
        return True
    sink = figures.battery_mah or figures.battery_wh or figures.battery or figures.price
    standing = any(one.drawn and not one.each_ms for one in figures.drawing)
    if standing and (sink or {"period", "average", "cost", "life"} & asked):
        return not deployed
    if figures.life_days and sink and {"allowed", "average", "rate"} & asked:
        return not query.has(Role.MODEL)
    paced = figures.streams or "rate" in asked or any(one.rate_hz for one in figures.consumers)
    return timed and bool(paced) and not deployed and Want.PLAUSIBLE not in wants[:1]


def _of_others(query: Query) -> frozenset[Want]:
    """What no sum of figures answers; without a name a message cannot want most of it, whatever its words."""
    return _OF_OTHERS if query.has(Role.MODEL, Role.TARGET) else _OF_NO_NAME


def account(query: Query, _wants: Sequence[Want]) -> Answering:
    """What is asked first, then how it comes about, then what was assumed or is missing."""
    figures = query.figures or OwnFigures()
    record, names = yield from added_up(query, figures)
    view = View(query, figures, record, names, query.asked)
    order = order_of(view)
    clauses = list(dict.fromkeys(text for name in order if (text := CLAUSES[name](view))))[:_MOST]
    missing = joined(str(note) for note in record["missing"])
    if not clauses:
        return f"That is not known yet: tell me {missing or _NEEDED}."
    if waiting := [name for name, one in zip(names, figures.consumers, strict=False) if one.lacks_time]:
        always = f"were it on all the time, {clauses[0]}"
        clauses[0] = f"{always}; tell me how long one {waiting[0]} takes"
    untold = [name for name in _UNTOLD if name in query.asked and name not in order]
    lacks = next((_UNTOLD[name] for name in untold if name != "life" or record["battery"]), "")
    energy = record.ref("loads[#0].energy_uj")
    shown = not view.first.each_ms or view.first.unit == "uJ" or any(energy in text for text in clauses)
    return lines(
        *(f"{text[:1].upper()}{text[1:]}." for text in clauses),
        ""
        if shown
        else view.put(f"Each {{name}}: {{product}} = {energy}.", name=names[0], product=view.product()),
        f"To know {lacks}, tell me {missing}." if missing and lacks else "",
        _assumed(record) if {"life", "rate", "allowed"} & set(order) else "",
    )


_UNTOLD = {
    "life": "how long it lasts", "each": "the energy", "period": "energy over time", "average": "the average",
}  # fmt: skip
"""What is asked where no clause can tell it."""


def _assumed(record: Record) -> str:
    """What the tool assumed of the battery, where a battery counts."""
    notes = [_BRIEFLY.get(str(note)[:8], str(note)) for note in record["assumptions"]]
    return f"Assumed: {'; '.join(notes)}." if notes and record["battery"] is not None else ""


def added_up(query: Query, figures: OwnFigures) -> Generator[Call, Record, tuple[Record, list[str]]]:
    """The sum of what draws, drawn from and paid by what was told; and the names of the loads in order."""
    loads, names = _specs(figures)
    more = {name: value for name in _ARGUMENTS if (value := getattr(figures, name)) is not None}
    if "size" in query.asked and not (figures.battery_mah or figures.battery_wh):
        more.pop("life_days", None)
    more |= {"price_per_kwh": figures.price} if figures.price else {}
    plain = query.without(_BATTERY_ROLES)
    record = needed((yield call_of("add_up_loads", plain, loads=loads, **more, **_battery(figures))))
    return record, names


_BATTERY_ROLES = (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_V, Role.HEADROOM_PERCENT, Role.SUPPLY_V)
_ARGUMENTS = (
    "supply_v", "battery_mah", "battery_v", "battery_wh", "usable_share", "life_days", "budget_mw",
    "budget_ua", "store_uj", "headroom", "devices", "hours_per_day", "days_per_month", "overhead",
)  # fmt: skip


def _battery(figures: OwnFigures) -> dict[str, Any]:
    """A charge alone, beside powers without a voltage, is taken to be a LiPo's."""
    known = False
    with contextlib.suppress(EdgewrightError):
        known = bool(figures.battery and resolve_battery(re.sub(r"^\dx ", "", figures.battery)))
    if figures.battery and (known or not figures.battery_mah):
        return {"battery": figures.battery}
    in_power = any(one.unit in ("mW", "uJ") for one in figures.drawing)
    volts = figures.battery_v or figures.supply_v
    return {"battery_v": _LIPO_V} if figures.battery_mah and in_power and not volts else {}


def _specs(figures: OwnFigures) -> tuple[list[str], list[str]]:
    names: list[str] = []
    loads: list[str] = []
    several = len(figures.consumers) > 1
    streams = figures.streams or 1
    for at, one in enumerate(figures.consumers):
        name = _unique(
            (one.name if several else "") or (f"number {at + 1}" if several else "inference"), names
        )
        each = replace(one, rate_hz=one.rate_hz * streams) if one.each_ms else one
        names.append(name)
        loads.append(each.spec(name))
    either = all(not one.each_ms and not one.share_percent and one.drawn for one in figures.consumers)
    asleep = () if either and figures.consumers and figures.consumers[0].unit != "uJ" else (figures.asleep,)
    for one in (*figures.beside, *filter(None, asleep)):
        names.append(_unique(one.name or "extra", names))
        loads.append(one.spec(names[-1]))
    return loads, names


def _unique(name: str, taken: Sequence[str]) -> str:
    clean = re.sub(r"[^\w -]", "", name)[:24] or "load"
    return clean if clean not in taken else f"{clean} {len(taken) + 1}"


__all__ = ["account", "added_up", "asks", "is_own"]
