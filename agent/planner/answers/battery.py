"""How long a battery lasts, and which one a lifetime needs."""

from __future__ import annotations

import re

from ....hardware_db.batteries import resolve_battery
from ....hardware_db.errors import EdgewrightError
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from .estimates import own_power, own_words
from .phrases import ask_model, ask_target, assumed, is_known, lines, model_shown, quantity, subject, value

_DAY_MS = 8.64e7
_CELLS = re.compile(r"(?<=A)[- ](?:cells?|batter\w+|alkalines?|lithium)\b", re.IGNORECASE)


def battery(query: Query) -> Answering:
    """Life on a battery at a rate, against the life that is wanted."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    query, note = with_battery(query)
    record = needed((yield call_of("estimate_energy_budget", query)))
    if record["verdict"] == "FAIL":
        return lines(
            f"No battery helps: {record.ref('statement')} ({subject(query, record)}).", assumed(query, record)
        )
    if own_power(query):
        return lines(_own(query, record), note, assumed(query, record))
    cell = record["battery"]
    if cell is None:
        return lines(_needed(query, record), note, assumed(query, record))
    if is_known(record, "battery.life_days"):
        first = f"{_verdict(query, record, 'life_days')}{quantity(record, 'battery.life_days', 'days')}"
        return lines(f"{first}: {_duty(query, record)}.", _average(record), note, assumed(query, record))
    if is_known(record, "battery.most_days"):
        first = (
            f"{_verdict(query, record, 'most_days')}At most {quantity(record, 'battery.most_days', 'days')}"
        )
        why = f"That is the computing alone; unknown is {record.ref('missing')}."
        return lines(f"{first}: {_duty(query, record)}.", why, note, assumed(query, record))
    return lines(
        f"Unknown: {record.ref('missing')}. One inference takes {quantity(record, 'latency_ms')}: "
        f"{subject(query, record)}.",
        "Tell me what it draws, as in *3.3 mA at 3 V when computing and 2 µA asleep*, and I compute "
        "the life.",
        note,
        assumed(query, record),
    )


def with_battery(query: Query) -> tuple[Query, str]:
    """The battery as the tools take it: cells in series add volts, those side by side add capacity."""
    name, series = query.text(Role.BATTERY), query.number(Role.SERIES)
    if series and not name:
        query, name = query.put(Role.BATTERY, "lipo"), "lipo"
    if not name:
        return query, ""
    try:
        cell, _ = resolve_battery(_CELLS.sub("", name).strip().removesuffix("s"))
    except EdgewrightError:
        if query.has(Role.CHARGE_MAH):
            return query.without([Role.BATTERY]), ""
        return query.without([Role.BATTERY]), f"I have no cited capacity of {name}: give it in mAh."
    query = query.put(Role.BATTERY, cell.id)
    if cell.capacity_mah is None and not query.has(Role.CHARGE_MAH):
        return query.without([Role.BATTERY]), f"A {cell.name} comes in every size: give its capacity in mAh."
    if series:
        query = query.put(Role.BATTERY_V, series * cell.nominal_v.value)
    cells = query.number(Role.CELLS)
    if cells and cells > 1 and cell.capacity_mah is not None and not query.has(Role.CHARGE_MAH):
        query = query.put(Role.CHARGE_MAH, cells * cell.capacity_mah.value)
    return query, ""


def _duty(query: Query, record: Record) -> str:
    pace = f"at {record.ref('rate_hz', '/s')}" if query.has(Role.RATE_HZ) else "nonstop"
    if (query.number(Role.RATE_HZ) or 1) < 1:
        pace = f"one inference every {record.ref('period_s')}"
    return f"{subject(query, record)}, {pace}"


def _average(record: Record) -> str:
    if not is_known(record, "average_power_mw"):
        return ""
    return (
        f"It averages {record.ref('average_power_mw')}: computing {record.ref('active_share', '%')} "
        "of the time, "
        f"{record.ref('sleep_share', '%')} of the energy goes to sleep."
    )


def _verdict(query: Query, record: Record, field: str) -> str:
    """Yes or no, where a life is asked for; surely only where the interval is on one side."""
    wanted = query.number(Role.LIFE_MS)
    if wanted is None:
        return ""
    days = wanted / _DAY_MS
    figure = record["battery"][field]
    said = next(slot.text for slot in query.slots if slot.role is Role.LIFE_MS)
    if figure["high"] < days:
        return f"Not {said}: "
    if field == "most_days" or figure["low"] < days:
        return f"Not surely {said}: "
    return f"Yes, longer than {said}: "


def _needed(query: Query, record: Record) -> str:
    """The charge that a lifetime takes; without one, the charge of a day."""
    figure = "average_power_mw" if is_known(record, "average_power_mw") else "compute_power_mw"
    if not is_known(record, figure):
        return (
            f"Unknown: {record.ref('missing')}. Tell me what {record.ref('deployment.target')} draws, "
            "as in *3.3 mA at "
            "3 V when computing and 2 µA asleep*, and I compute it."
        )
    wanted = query.number(Role.LIFE_MS)
    said = next((slot.text for slot in query.slots if slot.role is Role.LIFE_MS), "a day")
    energy = f"{record.id}.{figure}*{(wanted or _DAY_MS) / 3.6e6:.6g}h"
    only = "" if figure == "average_power_mw" else ", for the computing alone; the sleep current is unknown"
    return f"For {said} it takes {{{{{energy}|Wh}}}}{only}: {_duty(query, record)}."


def _own(query: Query, record: Record) -> str:
    """From the user's own power; the database's is not needed."""
    rate = record["rate_hz"] or 0
    power, sleep = own_power(query), query.number(Role.SLEEP_UA) or 0
    volts = query.number(Role.SUPPLY_V) or query.number(Role.BATTERY_V) or 3.0
    charge = query.number(Role.CHARGE_MAH) or value(record, "battery.capacity_mah")
    cell_v = query.number(Role.SUPPLY_V) or value(record, "battery.nominal_v") or volts
    duty = f"{rate:.6g}*{record.id}.latency_ms/1s"
    average = f"({duty}*{power}+{sleep * volts / 1e3:.6g}mW)" if sleep else f"({duty}*{power})"
    pace = f"{subject(query, record)} at {record.ref('rate_hz', '/s')}" if rate else model_shown(query)
    if not charge:
        return f"It averages {{{{{average}|mW}}}} with your {own_words(query)}: {pace}."
    days = f"{{{{{charge * cell_v:.6g}*3.6J/{average}|days}}}}"
    asleep = "" if sleep else " without its sleep current, which you did not give"
    return (
        f"About {days} with your {own_words(query)}{asleep}: {pace}, which takes "
        f"{record.ref('latency_ms', '~')} each."
    )
