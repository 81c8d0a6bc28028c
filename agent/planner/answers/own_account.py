"""What the user's own figures tell, added up: energy, life, rate, cost; what is missing is named."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....hardware_db.batteries import resolve_battery
from ....hardware_db.errors import EdgewrightError
from ..bench import Answering, Call, Record, call_of, needed
from ..own_figures import Consumer, OwnFigures, asked_of
from ..query import Query, Role
from ..want import Want
from .own_clauses import CLAUSES, order_of
from .own_view import View
from .phrases import joined, lines

_OF_OTHERS = frozenset(
    (Want.RECOMMEND, Want.RECOMMEND_MODEL, Want.CODE, Want.CALIBRATE, Want.IMPORT, Want.IMPROVE,
     Want.CHEAPEST, Want.LIST_TARGETS, Want.LIST_MODELS, Want.HELP, Want.THANKS, Want.SUMMARY,
     Want.COMPATIBILITY)
)  # fmt: skip
"""What no sum of figures answers."""
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
    figures, asked = query.figures, query.asked
    if figures is None or not is_own(query) or set(wants[:1]) & _OF_OTHERS - _spoken_over(query):
        return False
    if not query.told and not (query.measured_before and asked_of(query.question, None)):
        return False
    if query.told and not _tells(query):
        return False
    drawn = any(one.drawn for one in _all(figures))
    timed = any(one.each_ms for one in figures.consumers)
    if query.has(Role.MODEL) and query.has(Role.TARGET) and not timed:
        return False
    if drawn and any(one.whole for one in figures.consumers):
        return True
    standing = any(one.drawn and not one.each_ms for one in _all(figures))
    sink = figures.battery_mah or figures.battery_wh or figures.battery or figures.price
    if standing and (sink or {"period", "average", "cost", "life"} & set(asked)):
        return not (query.has(Role.MODEL) and query.has(Role.TARGET))
    if figures.life_days and sink and {"allowed", "average", "rate"} & set(asked):
        return not query.has(Role.MODEL)
    paced = any(one.rate_hz for one in figures.consumers) or figures.streams
    return timed and bool(paced or {"rate"} & set(asked)) and Want.PLAUSIBLE not in wants[:1]


def _spoken_over(query: Query) -> frozenset[Want]:
    """Wants that a message without any name cannot have, whatever its words are like."""
    named = query.has(Role.MODEL, Role.TARGET)
    return (
        frozenset()
        if named
        else _OF_OTHERS - {Want.HELP, Want.THANKS, Want.SUMMARY, Want.CODE, Want.CALIBRATE}
    )


def _tells(query: Query) -> bool:
    """Whether what this message adds is more than a name."""
    return bool(query.told and (query.told.words or query.told.consumers))


def _all(figures: OwnFigures) -> tuple[Consumer, ...]:
    return (*figures.consumers, *figures.beside, *filter(None, (figures.asleep,)))


def account(query: Query, _wants: Sequence[Want]) -> Answering:
    """What is asked first, then how it comes about, then what was assumed or is missing."""
    figures = query.figures or OwnFigures()
    record, names = yield from added_up(query, figures)
    return composed(query, figures, record, names)


def composed(query: Query, figures: OwnFigures, record: Record, names: Sequence[str], first: str = "") -> str:
    """The answer out of the sum; `first` says what it rests on beside the figures told."""
    view = View(query, figures, record, names, query.asked)
    order = order_of(view)
    clauses = list(dict.fromkeys(text for name in order if (text := CLAUSES[name](view))))[:_MOST]
    lacks_time = next(
        (name for name, one in zip(names, figures.consumers, strict=False) if one.lacks_time), ""
    )
    if lacks_time and clauses:
        clauses[0] = f"were it on all the time, {clauses[0]}; tell me how long one {lacks_time} takes"
    unknown = "" if clauses else "That is not known yet"
    missing = joined(str(note) for note in record["missing"])
    wants_more = not clauses or view.lacks
    return lines(
        f"{clauses[0][:1].upper()}{clauses[0][1:]}."
        if clauses
        else f"{unknown}: tell me {missing or _NEEDED}.",
        *(f"{text[:1].upper()}{text[1:]}." for text in clauses[1:]),
        first or view.how(clauses),
        f"To know {view.lacks or 'more'}, tell me {missing}." if missing and wants_more and clauses else "",
        view.assumed(order),
    )


def added_up(query: Query, figures: OwnFigures) -> Generator[Call, Record, tuple[Record, list[str]]]:
    """The sum, and the names of its loads in their order."""
    specs, names = _specs(figures)
    return (yield from summed(query, figures, specs)), names


def summed(query: Query, figures: OwnFigures, loads: Sequence[str]) -> Generator[Call, Record, Record]:
    """These loads, drawn from and paid by what was told."""
    more: dict[str, Any] = {
        name: value for name in _ARGUMENTS if (value := getattr(figures, name)) is not None
    }
    battery = _battery(figures)
    if "size" in query.asked and not (figures.battery_mah or figures.battery_wh):
        more.pop("life_days", None)
    call = call_of("add_up_loads", query.without(_BATTERY_ROLES), loads=list(loads), **more, **battery)
    return needed((yield call))


_BATTERY_ROLES = (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_V, Role.HEADROOM_PERCENT, Role.SUPPLY_V)
_ARGUMENTS = (
    "supply_v", "battery_mah", "battery_v", "battery_wh", "usable_share", "life_days", "budget_mw",
    "budget_ua", "store_uj", "headroom", "devices", "hours_per_day", "days_per_month", "overhead",
)  # fmt: skip


def _battery(figures: OwnFigures) -> Mapping[str, Any]:
    """A price too; a charge alone, beside powers without a voltage, is taken to be a LiPo's."""
    found: dict[str, Any] = {"price_per_kwh": figures.price} if figures.price else {}
    known = bool(figures.battery) and _is_known(figures.battery)
    if figures.battery and (known or not figures.battery_mah):
        found["battery"] = figures.battery
    elif figures.battery_mah and not (figures.battery_v or figures.supply_v) and _in_power(figures):
        found["battery_v"] = _LIPO_V
    return found


def _in_power(figures: OwnFigures) -> bool:
    return any(one.unit in ("mW", "uJ") for one in _all(figures))


def _is_known(battery: str) -> bool:
    with contextlib.suppress(EdgewrightError):
        return bool(resolve_battery(re.sub(r"^\dx ", "", battery)))
    return False


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
