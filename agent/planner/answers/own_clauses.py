"""What can be told of a user's own figures once they are added up: a clause for each thing asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .own_view import YEARS_FROM, View
from .phrases import joined


def _life(view: View) -> str:
    record, battery = view.record, view.record["battery"]
    if battery is None:
        return ""
    if not record.knows("battery.life_days"):
        view.lacks = "how long it lasts"
        return ""
    days = record.number("battery.life_days") or 0.0
    unit = "years" if days >= YEARS_FROM else "days" if days >= 2 else "h"
    shown = f"about {record.ref('battery.life_days', f'{unit}~')}"
    verdict = ""
    if (wanted := view.figures.life_days) is not None and view.figures.consumers:
        ends = record.ends("battery.life_days") or (0.0, 0.0)
        word = "yes, " if ends[0] >= wanted else "no, " if ends[1] < wanted else "likely, not surely: "
        verdict = word
    of = f" on {record.ref('battery.capacity_mah')}" if record.knows("battery.capacity_mah") else ""
    if view.figures.battery_wh:
        of = ""
    return f"{verdict}{shown}{of}, at {view.average} on average{_shares(view)}"


def _shares(view: View) -> str:
    """Who takes how much of it, where several do."""
    if len(view.names) < 2:
        return ""
    rows = [
        f"{name} {view.ref(f'loads[#{at}].share', '%')}"
        for at, name in enumerate(view.names)
        if view.record.knows(f"loads[#{at}].share")
    ]
    return f" ({', '.join(rows)})" if rows else ""


def _cost(view: View) -> str:
    record, currency = view.record, view.figures.currency
    price = view.figures.price
    if not price:
        return ""
    million = _MILLION.search(view.query.question)
    if million and record.knows("loads[#0].energy_uj"):
        cost = f"{{{{{price:.9g}*1000000*{record.id}.loads[#0].energy_uj/1000Wh|count}}}}"
        return f"{cost} {currency} a million {million['what'] or 'of them'}".strip()
    if view.figures.pieces and record.knows("loads[#0].energy_uj"):
        cost = f"{{{{{price:.9g}*{view.figures.pieces:.0f}*{record.id}.loads[#0].energy_uj/1000Wh|count}}}}"
        return f"{cost} {currency} for {view.figures.pieces:,.0f}, at {price:g} {currency}/kWh"
    unit = view.period()
    if not record.knows(f"cost_{unit}"):
        return ""
    if above := _above_idle(view):
        return above
    per = f"{{{{{record.id}.cost_{unit}}}}} {currency} a {unit}".replace("  ", " ")
    energy = record.ref(f"energy_{unit}_wh")
    many = f" for {record.ref('devices')} devices" if (view.figures.devices or 1) > 1 else ""
    year = "" if unit == "year" else f", {{{{{record.id}.cost_year}}}} {currency} a year"
    return f"{per}{many}: {energy} at {price:g} {currency}/kWh{year}"


def _above_idle(view: View) -> str:
    """What running costs beyond what is drawn without it, where both are told of the same device."""
    i, price, currency, unit = view.record.id, view.figures.price, view.figures.currency, view.period()
    one, without = next(iter(view.figures.consumers), None), view.figures.asleep
    if (
        one is None
        or without is None
        or one.each_ms
        or one.share_percent
        or {one.unit, without.unit} != {"mW"}
    ):
        return ""
    rest = f"({i}.loads[#0].power_mw-{without.drawn:.9g}mW)/{i}.loads[#0].power_mw"
    energy = f"{{{{{rest}*{i}.energy_{unit}_wh|kWh}}}}"
    return (
        f"{{{{{rest}*{i}.cost_{unit}|count}}}} {currency} a {unit} for what it draws beyond the "
        f"{without.words[0]} without, {energy} at {price:g} {currency}/kWh"
    )


_MILLION = re.compile(
    r"\b(?:per|a|each|for a|of a) million"
    r"(?: (?P<what>tokens|images|inferences|requests|frames|runs|pictures))?",
    re.I,
)


def _rate(view: View) -> str:
    """What a budget allows, else what the time does."""
    record, name = view.record, view.names[0] if view.names else "inference"
    if record["allowance"] is not None and record.knows("allowance.rate_hz"):
        if record.number("allowance.rate_hz") == 0:
            return f"not at all: {record.ref('statement')}"
        allowed = _within(view)
        return f"at most {_often(view, 'allowance.rate_hz')}, within {allowed}"
    if record.knows("store_runs"):
        return f"{record.ref('store_runs', 'count')} of {record.ref('loads[#0].energy_uj')} each"
    if not record.knows("highest_rate_hz") or not view.figures.consumers[0].each_ms:
        return ""
    free = f" with {view.figures.headroom * 100:g} % kept free" if view.figures.headroom else ""
    whole = f"{record.ref('highest_rate_hz')} at {record.ref('loads[#0].each_ms')} each{free}"
    if streams := view.figures.streams:
        one = f"{{{{{record.id}.highest_rate_hz/{streams}|fps}}}}"
        return f"up to {one} for each of {streams}, {whole} in all"
    rate = view.figures.consumers[0].rate_hz
    if rate and (view.figures.consumers[0].nonstop or _STREAMS_ASKED.search(view.query.question)):
        count = int((record.number("highest_rate_hz") or 0.0) / rate)
        return f"up to {whole}: {count} at {rate:g} /s each"
    return f"up to {whole} (one {name} after the other)"


_STREAMS_ASKED = re.compile(
    r"\bhow many\b.{0,24}\b(?:cameras?|cams?|streams?|channels?|feeds?|videos?)\b", re.I
)


def _within(view: View) -> str:
    path = "allowance.power_mw" if view.record.knows("allowance.power_mw") else "allowance.current_ua"
    what = "current" if view.figures.budget_ua and view.record.knows("allowance.current_ua") else ""
    path = "allowance.current_ua" if what else path
    return f"{view.ref(path, '~')} on average{_standing(view)}"


def _standing(view: View) -> str:
    others = [
        f"{name} {view.ref(f'loads[#{at}].power_mw')}"
        for at, name in enumerate(view.names)
        if at >= len(view.figures.consumers) and view.record.knows(f"loads[#{at}].power_mw")
    ]
    return f" less {joined(others)}" if others else ""


_PER = {"second": ("/s", 1.0), "minute": ("/min", 60.0), "hour": ("/h", 3600.0), "day": ("a day", 86_400.0)}


def _often(view: View, path: str) -> str:
    """As the question counts; with the time between two."""
    hertz = view.record.number(path) or 0.0
    question = view.query.question.casefold()
    named = next((unit for unit in _PER if re.search(rf"\b(?:per|an?|each) {unit}\b", question)), "")
    unit = named or next((u for u, (_, seconds) in _PER.items() if hertz * seconds >= 1), "day")
    shown, seconds = _PER[unit]
    value = (
        f"{{{{24h*{view.record.id}.{path}|count~}}}} a day"
        if unit == "day"
        else f"{{{{{view.record.id}.{path}|{shown}~}}}}"
    )
    between = f", one every {view.ref('allowance.period_s')}" if hertz * seconds else ""
    return f"{value}{between}"


def _allowed(view: View) -> str:
    if view.record["allowance"] is None:
        return ""
    paths = [path for path in ("allowance.current_ua", "allowance.power_mw") if view.record.knows(path)]
    if re.search(r"\bpower\b", view.query.question, re.I):
        paths.reverse()
    shown = " or ".join(view.ref(path, "~") for path in paths)
    return f"on average {shown}" if shown else ""


def _size(view: View) -> str:
    """The charge or energy that the life wanted takes."""
    days = view.figures.life_days or _days_asked(view.query.question)
    if not days or not view.record.knows("average_power_mw"):
        return ""
    i, hours = view.record.id, days * 24
    volts = view.figures.battery_v or view.figures.supply_v
    energy = f"{{{{{i}.average_power_mw*{hours:.6g}h|Wh}}}}"
    if not volts:
        return f"{energy} for {days:g} days, at {view.average} on average"
    charge = f"{{{{{i}.average_power_mw*{hours:.6g}h/{volts:g}V|mAh}}}}"
    return f"{charge} at {volts:g} V ({energy}) for {days:g} days, before what no cell gives up"


def _days_asked(question: str) -> float:
    match = re.search(r"\b(?:one|a|1) (week|month|year)\b", question, re.I)
    return {"week": 7.0, "month": 30.44, "year": 365.25}[match[1].lower()] if match else 0.0


def _each(view: View) -> str:
    record, known = (
        view.record,
        [i for i, _ in enumerate(view.figures.consumers) if view.record.knows(f"loads[#{i}].energy_uj")],
    )
    if not known:
        if any(one.each_ms or one.rate_hz for one in view.figures.consumers):
            view.lacks = "the energy"
        return ""
    if (
        "on_top" in view.asked
        and view.figures.asleep
        and record.knows(f"loads[#{len(view.names) - 1}].power_mw")
    ):
        i, idle = record.id, f"{record.id}.loads[#{len(view.names) - 1}].power_mw"
        above = f"{{{{({i}.loads[#0].power_mw-{idle})*{i}.loads[#0].each_ms|~}}}}"
        return f"{above} on top of idle, {record.ref('loads[#0].energy_uj')} in all"
    if len(known) > 1:
        return _of_several(view, known)
    shown = record.ref("loads[#0].energy_uj")
    what = _piece(view)
    one = view.figures.consumers[0]
    made = f": {view.product(0)}" if one.each_ms and one.unit != "uJ" else _divided(view)
    return f"{_of_pieces(view)}{shown} {'an' if what[:1] in 'aeiou' else 'a'} {what}{made}"


def _of_pieces(view: View) -> str:
    """Of the tokens or images that are counted, and the part of the battery that they take."""
    pieces, stored = view.figures.pieces, view.figures.battery_wh
    if not pieces:
        return ""
    energy = f"{pieces:.0f}*{view.record.id}.loads[#0].energy_uj"
    part = f", {{{{{energy}/{stored:g}Wh|%}}}} of {stored:g} Wh" if stored else ""
    return f"{{{{{energy}|J}}}} for {pieces:,.0f}{part}; "


def _divided(view: View) -> str:
    one = view.figures.consumers[0]
    if one.unit == "uJ" or one.each_ms or not one.rate_hz:
        return ""
    return f": {view.ref('loads[#0].power_mw')} / {view.ref('loads[#0].rate_hz')}"


def _piece(view: View) -> str:
    words = " ".join((view.query.question, *view.figures.words)).casefold()
    found = re.search(r"\b(token|tok|image|frame|request|detection|picture)s?\b", words)
    return {"tok": "token"}.get(found[1], found[1]) if found else view.names[0]


def _of_several(view: View, known: Sequence[int]) -> str:
    """Each of them, the thriftiest first, and by how much."""
    order = sorted(known, key=lambda at: view.record.number(f"loads[#{at}].energy_uj") or 0.0)
    rows = [f"{view.names[at]} {view.ref(f'loads[#{at}].energy_uj')}" for at in order]
    i, best, worst = view.record.id, order[0], order[-1]
    ratio = f"{{{{{i}.loads[#{worst}].energy_uj/{i}.loads[#{best}].energy_uj|x}}}}"
    return f"{view.names[best]} takes least: {joined(rows)} each, a ratio of {ratio}"


def _share(view: View) -> str:
    shares = _shares(view).strip(" ()")
    return f"of the average: {shares}" if shares else ""


def _period(view: View) -> str:
    unit = view.period()
    if not view.record.knows(f"energy_{unit}_wh"):
        if view.figures.consumers:
            view.lacks = "energy over time"
        return ""
    many = f" for {view.ref('devices')} devices" if (view.figures.devices or 1) > 1 else ""
    charge = (
        f", {view.ref('charge_day_mah')}" if unit == "day" and view.record.knows("charge_day_mah") else ""
    )
    if (view.record.number(f"energy_{unit}_wh") or 0) < 0.1:
        joules = f"{{{{{view.record.id}.average_power_mw*24h|J}}}}" if unit == "day" else ""
        return f"{joules or view.ref(f'energy_{unit}_wh')} a {unit}{many}{charge}, {view.average} on average"
    return f"{view.ref(f'energy_{unit}_wh')} a {unit}{many}{charge}, {view.average} on average"


def _average(view: View) -> str:
    if not view.average:
        view.lacks = "the average"
        return ""
    both = [
        view.ref(path, "~") for path in ("average_current_ua", "average_power_mw") if view.record.knows(path)
    ]
    return f"on average {' or '.join(both)}{_shares(view)}"


def _fits(view: View) -> str:
    """Whether the runs find their time."""
    share = view.record.number("active_share")
    if not share or not any(one.each_ms and one.rate_hz for one in view.figures.consumers):
        return ""
    word = "no" if share > 1 - (view.figures.headroom or 0.0) else "yes"
    busy = view.ref("active_share", "%")
    if len(view.figures.consumers) > 1:
        return f"{word}: busy {busy} of the time, one after the other"
    most = f"{view.ref('highest_rate_hz')} can be reached, for {view.ref('loads[#0].rate_hz')}"
    free = f", {view.figures.headroom * 100:g} % kept free" if view.figures.headroom else ""
    return f"{word}: busy {busy} of the time{free}; {most}"


_SAYS = {
    "cost": ("period",),
    "share": ("each", "period", "average"),
    "life": ("average",),
    "rate": ("fits", "allowed", "each"),
    "period": ("each",),
}
"""What the first says already."""
CLAUSES: dict[str, Callable[[View], str]] = {
    "life": _life, "cost": _cost, "rate": _rate, "size": _size, "allowed": _allowed,
    "period": _period, "each": _each, "average": _average, "share": _share, "fits": _fits,
}  # fmt: skip


def order_of(view: View) -> list[str]:
    """What was asked; else what the figures are good for, the furthest first."""
    asked = [name for name in view.asked if name in CLAUSES]
    paced = (
        any(one.each_ms and one.rate_hz for one in view.figures.consumers)
        and view.record["allowance"] is None
    )
    left_out = {name for over, names in _SAYS.items() if over in asked for name in names}
    left_out -= {"fits"} if paced else set()
    asked = [name for name in asked if name not in left_out]
    if view.figures.price and "cost" not in asked:
        asked = ["cost" if name == "period" else name for name in asked]
    if "cost" in asked and not view.figures.price:
        asked = [name for name in asked if name != "cost"]
    usual = ["life", "cost", "each", "rate", "average", "fits"]
    usual = ["rate", *usual] if view.record["allowance"] is not None else usual
    usual = ["each", *usual] if view.figures.pieces else usual
    told = [name for name in asked if CLAUSES[name](view)]
    lacks = view.lacks
    order = asked if told else [name for name in usual if CLAUSES[name](view)][:1]
    view.lacks = lacks
    return order


__all__ = ["CLAUSES", "order_of"]
