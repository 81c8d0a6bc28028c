"""Energy of an inference, power at a rate, life on a battery; the user's own figures go first."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ....tools.energy.ageing import AGED_DAYS
from ...patterns import compiled
from ..bench import NOT_KNOWN, Answering, Record, call_of, needed
from ..query import CELLS, Query, Role
from .packs import sized
from .phrases import figure, joined, said
from .sensed import always_on, lives, named

_DAY_MS = 8.64e7
_CURRENT = compiled(r"\bcurrents?\b|\b[mµu]a\b|\bmilliamp\w*|\bamp(?:ere)?s?\b", re.IGNORECASE)
_PEAK = compiled(r"\b(?:max\w*|highest|inrush|worst.case)\b|\bldo\b|\bregulator\b|\bfuse\b", re.IGNORECASE)
TELL = "say what it draws, such as *20 mA at 3.3 V*, and I compute it"


def energy(query: Query) -> Answering:
    """Of one inference; at a rate also of a day, as charge."""
    record = needed((yield call_of("estimate_performance", query)))
    if not record.knows("energy_uj"):
        return f"{NOT_KNOWN}, as no source gives the power of {record.ref('deployment.target')}; {TELL}"
    parts = [f"{figure(record, 'energy_uj')}, an inference"]
    if (runs := query.number(Role.RUNS)) and runs > 1:
        parts.append(f"{{{{{runs:.0f}*{record.id}.energy_uj}}}} for {said(query, Role.RUNS)}")
    rate = query.number(Role.RATE_HZ)
    if (
        rate
        and rate < _OFTEN_HZ
        and (budget := (yield call_of("estimate_energy_budget", query))).knows(averaged_in(budget))
    ):
        a_day = f"{{{{{budget.id}.{averaged_in(budget)}*24h|J}}}} a day"
        parts.append(f"{mean(budget)} on average {_pace(query)}{_beyond(budget)}, {a_day}")
    return ", ".join(parts)


_OFTEN_HZ = 5.0
"""A lower rate is how often it runs; of a higher one what it draws while computing tells nearly all."""


def power(query: Query) -> Answering:
    """While it computes; at a rate or a duty the average, and the current where a voltage is known."""
    record = needed((yield call_of("estimate_performance", query)))
    if not record.knows("power_mw"):
        return f"{NOT_KNOWN}, as no source gives the power of {record.ref('deployment.target')}; {TELL}"
    parts = [f"{figure(record, 'power_mw')}, while computing"]
    volts, asks_current = query.number(Role.SUPPLY_V), _CURRENT.search(query.question)
    if asks_current and not query.has(Role.RATE_HZ, Role.DUTY_PERCENT):
        return f"{(yield from _current(query, record))}, {parts[0]}"
    if duty := query.number(Role.DUTY_PERCENT):
        parts.append(
            f"{{{{{duty / 100:.6g}*{record.id}.power_mw}}}} on average at {said(query, Role.DUTY_PERCENT)}"
        )
    elif query.has(Role.RATE_HZ):
        budget = yield call_of("estimate_energy_budget", sized(query)[0])
        path = averaged_in(budget)
        if budget.knows(path):
            parts.append(f"{mean(budget)} on average at {said(query, Role.RATE_HZ)}{_beyond(budget)}")
            if volts:
                parts.append(f"{{{{{budget.id}.{path}/{volts:g}V|mA}}}} at {said(query, Role.SUPPLY_V)}")
            elif asks_current and budget.knows("power.supply_v"):
                supply = f"{budget.id}.power.supply_v"
                parts.append(f"{{{{{budget.id}.{path}/{supply}|mA~}}}} at {budget.ref('power.supply_v')}")
            parts = parts[::-1] if asks_current else parts
        elif budget["verdict"] == "FAIL":
            parts.append(f"but {budget.ref('statement')}")
    elif volts:
        parts.append(f"{{{{{record.id}.power_mw/{volts:g}V|mA}}}} at {said(query, Role.SUPPLY_V)}")
    return ", ".join(parts)


def averaged_in(budget: Record) -> str:
    """The average over time, or what of it computing alone takes."""
    return "average_power_mw" if budget.knows("average_power_mw") else "compute_power_mw"


def mean(budget: Record) -> str:
    """An average that leaves out what is drawn in between is the least that it can be."""
    path = averaged_in(budget)
    return f"{'' if path == 'average_power_mw' else 'at least '}{figure(budget, path, basis=False)}"


def _beyond(budget: Record) -> str:
    """What of the average goes into being idle, or that this is not known and comes on top."""
    hosted = f", {hosted_by(budget)}" if hosted_by(budget) else ""
    if not budget.knows("average_power_mw"):
        return f"{hosted}, {not_counted(budget)}"
    if budget["rests"] != "idle" or not budget.knows("sleep_share"):
        return hosted
    return f"{hosted}, {budget.ref('sleep_share', '%')} of it idle"


def hosted_by(budget: Record) -> str:
    """What the board draws that an accelerator is plugged into."""
    if not budget.number("host_power_mw"):
        return ""
    return f"{budget.ref('host_power_mw')} of it for {budget.arguments['host']} itself, idle"


def not_counted(budget: Record) -> str:
    return f"{' and '.join(_missing_of(budget))} not counted"


def _missing_of(budget: Record) -> list[str]:
    return [text.partition(":")[0] for text in budget["missing"]]


def _current(query: Query, record: Record) -> Answering:
    """At the supply that is named, or that the power is known at; a mean, which is no peak."""
    volts, at = (
        f"{query.number(Role.SUPPLY_V):g}V" if query.has(Role.SUPPLY_V) else "",
        said(query, Role.SUPPLY_V),
    )
    if not volts:
        budget = yield call_of("estimate_energy_budget", query)
        if not budget.knows("power.supply_v"):
            return f"the current is {NOT_KNOWN}, as no source gives its supply"
        volts, at = f"{budget.id}.power.supply_v", budget.ref("power.supply_v")
    mean = f"{{{{{record.id}.power_mw/{volts}|mA~}}}} at {at}"
    peak = "peak" in query.asks or _PEAK.search(query.question)
    return f"no source gives the peak current: {mean} is the mean" if peak else mean


def battery(query: Query) -> Answering:
    """Life on a battery at a rate, against the life that is wanted; without a battery, the charge."""
    if "which_battery" in query.asks and query.has(Role.LIFE_MS):
        query = query.without([*CELLS, Role.BATTERY_V, Role.CELLS, Role.SERIES])
    query, note = sized(query)
    record = needed((yield call_of("estimate_energy_budget", query)))
    if record["battery"] is None:
        if record["verdict"] == "FAIL":
            nonstop = query.without([Role.RATE_HZ])
            most = needed((yield call_of("estimate_energy_budget", nonstop)))
            return f"{record.ref('statement')}; nonstop, as fast as it can: {_charge(nonstop, most)}"
        return f"{_charge(query, record)}{'; ' + note if note else ''}"
    cell = f" on {cell_words(query)}"
    if record["verdict"] == "FAIL":
        shown = f"{whether_it_lasts(query, record, _NONSTOP)}{life(record, _NONSTOP)}{cell}, nonstop"
        return f"{shown}; {record.ref('statement')}" if record.knows(_NONSTOP) else record.ref("statement")
    path = known_life(record)
    if not path:
        return _unknown(record)
    bound = f"{hosted_by(record) or 'computing alone'}; {_missing(record)} is not known"
    sensed, each, with_it = (yield from lives(query, record)) if path == _LIFE else ("", "", None)
    on, why = "", [", ".join(filter(None, [sensed, each]))]
    if with_it is not None and named(query):
        on, why = f", {always_on(with_it)}", [each, f"the chip alone {life(record, path)}"]
        record, with_it = with_it, None
    why += [_costs(record), _shares(record) if path == _LIFE else bound, _capacity(record), note]
    shown = lasts(record).replace(NOT_KNOWN, f"{life(record, path)} by the computing alone")
    if path == _LIFE and ages_first(record):
        shown = f"{record.ref(_SHELF, 'years~')} by its shelf life"
    beyond, sure = _too_much(record)
    why += [_alone(query, record, sensed=bool(sensed)), deep(record), "" if sure else beyond]
    verdict = whether_it_lasts(query, record, path)
    holds = verdict.startswith("yes") or (verdict.startswith("probably") and " not " not in verdict[:14])
    if holds and with_it is not None and _falls_short(query, with_it):
        verdict = f"the chip alone {verdict}"
    first = f"{verdict or _span(query, record, path)}{shown}{cell}, {_pace(query)}{on}"
    first = (
        f"not from that cell alone: {beyond}, which takes a larger cell or a capacitor; by its charge {first}"
        if sure
        else first
    )
    return "; ".join([first[:1].upper() + first[1:], *(each for each in why if each)])


_LIFE, _MOST, _NONSTOP = "battery.life_days", "battery.most_days", "battery.nonstop_days"
_SHELF = "battery.shelf_days"


def cell_words(query: Query) -> str:
    """The battery as it is said: `an 18650 with 2500 mAh`, `20 Ah at 24 V`."""
    name, holds = said(query, Role.BATTERY), said(query, Role.CHARGE_MAH, Role.BATTERY_WH)
    volts = said(query, Role.BATTERY_V) if holds and not name else ""
    words = " of ".join(each for each in (name, holds if holds not in name else "") if each)
    return f"{words} at {volts}" if volts else words


def _pace(query: Query) -> str:
    """How often it runs, for how long a day, with what beside it."""
    rate, hours = said(query, Role.RATE_HZ), said(query, Role.HOURS_A_DAY)
    hours += " a day" if hours and not re.search(r"day|night|week|time|24", hours) else ""
    beside = said(query, Role.SENSOR_UA, Role.SENSOR_MW)
    words = [f"at {rate}" if rate[:1].isdigit() else rate or "nonstop", hours]
    words += [f"with {beside} beside the chip{' while in use' if hours else ''}"] if beside else []
    return ", ".join(word for word in words if word)


def known_life(record: Record) -> str:
    """The life, or what it is at most where the sleep current is not known; empty where neither is known."""
    return next((path for path in (_LIFE, _MOST) if record.knows(path)), "")


def lasts(record: Record) -> str:
    """How long, or at most how long; a bound beyond ten years says nothing."""
    path = known_life(record)
    if not path or (path == _MOST and (record.number(path) or 0.0) > AGED_DAYS):
        return NOT_KNOWN
    return f"{'at most ' if path == _MOST else ''}{life(record, path)}"


def _capacity(record: Record) -> str:
    """What the battery was taken to give, and what of it goes without being used."""
    if not record.knows("battery.capacity_mah", "battery.nominal_v"):
        return ""
    capacity = record.ref("battery.capacity_mah", "~")
    lifted = ", through an ideal converter" if record["regulator_efficiency"] == 1 else ""
    leak = record.number("battery.leak_share") or 0.0
    lost = f", {record.ref('battery.leak_share', '%')} of it to its own self-discharge" if leak > 0.1 else ""
    return f"the battery gives {capacity} at {record.ref('battery.nominal_v')}{lifted}{lost}"


def _missing(record: Record) -> str:
    if record.knows("average_power_mw", "battery.capacity_mah") and not record.knows("battery.nominal_v"):
        return "the voltage of that battery"
    return " and ".join(_missing_of(record)) or "its power"


def _unknown(record: Record) -> str:
    """What is missing, and what is known without it."""
    share = (
        f"; it computes {record.ref('active_share', '%')} of the time, {record.ref('latency_ms', '~')} each"
    )
    return (
        f"{NOT_KNOWN}, as no source gives "
        f"{(missing := _missing(record))}{share if record.knows('active_share') else ''}; "
        f"{'say it, such as *3.7 V*' if 'voltage' in missing else TELL}"
    )


def ages_first(record: Record) -> bool:
    """Whether the shelf life is over before the load has emptied it, and that is told in years."""
    aged = record.number(_SHELF) or math.inf
    return aged < min(record.number(_LIFE) or 0.0, AGED_DAYS)


def life(record: Record, path: str) -> str:
    days = record.number(path) or 0
    if days > AGED_DAYS:
        low = (record.ends(path) or (days,))[0]
        least = f", {record.ref(f'{path}.low', 'years')} at the least" if low < AGED_DAYS else ""
        return f"ten years and more{least}"
    return figure(record, path, "h" if days < 1 else "days" if days < 730 else "years")


_MOSTLY, _HOURS = 0.5, 0.125
"""Share of what is drawn that others draw, and days of a life below which minutes are told."""


def _costs(record: Record) -> str:
    """What the computing takes of a life that others use up, as motors do; empty where they draw little."""
    days, mean, beside = (record.number(p) or 0.0 for p in (_LIFE, "average_power_mw", "sensor_power_mw"))
    if not days or beside < _MOSTLY * mean:
        return ""
    unit = "min" if days < _HOURS else "h" if days < 1 else "days"
    alone = f"{record.id}.{_LIFE}.value*{record.id}.average_power_mw.value/{record.id}.sensor_power_mw.value"
    less = f"{{{{{alone}-{record.id}.{_LIFE}.value|{unit}}}}}"
    return f"without it {{{{{alone}|{unit}}}}}, so it costs {less}"


def _shares(record: Record) -> str:
    if not record.knows("average_power_mw", "sleep_share"):
        return ""
    sensors = record.number("sensor_power_mw")
    beside = f"{record.ref('sensor_power_mw')} of it beside the chip, " if sensors else ""
    return (
        f"on average {record.ref('average_power_mw')}{_drawn(record)}, {beside}"
        f"{record.ref('sleep_share', '%')} of it {record['rests'] or 'asleep'}, "
        f"computing {record.ref('active_share', '%')} of the time"
    )


def _falls_short(query: Query, record: Record) -> bool:
    """Of the life that is wanted, with a sensor on all the time."""
    wanted, ends = query.number(Role.LIFE_MS), record.ends(_LIFE)
    return wanted is not None and ends is not None and ends[0] < wanted / _DAY_MS


def _alone(query: Query, record: Record, *, sensed: bool = False) -> str:
    """What is left for all beside the chip, where nothing is said of it: of the life wanted, else of half."""
    chip = query.targets.get(str(record.arguments["target"]))
    if chip is None or chip.target_class != "mcu" or record.number("sensor_power_mw"):
        return ""
    spare, words = record.number("battery.spare_ua"), said(query, Role.LIFE_MS)
    uncounted = f"no {'' if sensed else 'sensor, '}radio or time to record is counted"
    if spare is None:
        return uncounted
    if not spare:
        return f"for {words} all together may draw {record.ref('battery.allowed_ua')} on average"
    power = f"{{{{{record.id}.battery.spare_ua*{record.id}.battery.nominal_v}}}}"
    draw = f"{record.ref('battery.spare_ua')}{f' ({power})' if record.knows('battery.nominal_v') else ''}"
    if words:
        return f"{uncounted}: for {words} they may draw {draw} on average"
    if math.isclose(record.number(_LIFE) or 0.0, 2 * (record.number("battery.held_days") or 0.0)):
        return f"{uncounted}: with {draw} of them on average it lasts half as long"
    ends = f"its shelf life, {record.ref(_SHELF, 'years~')}," if record.knows(_SHELF) else "its age"
    emptied = record.number(_LIFE) or 0.0
    by_load = "in more than ten years" if emptied > AGED_DAYS else f"in {record.ref(_LIFE, 'years~')}"
    first = f"the load alone empties it {by_load}" if ages_first(record) else f"{ends} ends it first"
    return f"{first}; {uncounted}: they may draw {draw} for {record.ref('battery.held_days', 'years')}"


def deep(record: Record) -> str:
    """What the mode that loses RAM makes of it, where that is much."""
    deep, usual = record.number("battery.deep_days"), record.number(_LIFE)
    if not deep or not usual or deep < _MUCH_LONGER * usual or usual > AGED_DAYS:
        return ""
    return f"in deep sleep, from which it starts anew, at most {life(record, 'battery.deep_days')}"


def _too_much(record: Record) -> tuple[str, bool]:
    """That the cell does not give what computing draws, and whether no such cell does."""
    gives, peak = record.ends("battery.pulse_ma"), record.number("battery.peak_ma")
    if gives is None or not peak or peak <= gives[0]:
        return "", False
    ends = [record.ref(f"battery.pulse_ma.{end}", "mA") for end in ("low", "high")]
    most = " to ".join(ends) if gives[0] != gives[1] else ends[0]
    return f"computing draws {record.ref('battery.peak_ma')}, where it gives {most} in pulses", peak > gives[
        1
    ]


_MUCH_LONGER = 1.5


def _drawn(record: Record) -> str:
    """The current that empties the battery, where a linear regulator or none leaves it as it is."""
    if record["regulator_efficiency"] is not None or not record.knows("power.supply_v"):
        return ""
    supply = f"{record.id}.power.supply_v"
    return f" ({{{{{record.id}.average_power_mw/{supply}}}}} at {record.ref('power.supply_v')})"


def whether_it_lasts(query: Query, record: Record, path: str) -> str:
    """Yes or no, where a life is asked for; surely only where the interval is on one side."""
    wanted, ends = query.number(Role.LIFE_MS), record.ends(path)
    if wanted is None or ends is None:
        return ""
    if aged := record.ends(_SHELF) if ages_first(record) else None:
        ends = (min(ends[0], aged[0]), min(ends[1], aged[1]))
    days, words = wanted / _DAY_MS, said(query, Role.LIFE_MS)
    if ends[1] < days:
        return f"no, not {words}: "
    if path in (_LIFE, _NONSTOP) and ends[0] >= days:
        return f"yes, longer than {words}: "
    if not path.endswith("life_days"):
        return f"not sure whether {words}: "
    middle = (record.number(_SHELF) if ages_first(record) else record.number(path)) or 0.0
    return f"probably {'' if middle >= days else 'not '}{words}, though not surely: "


_SPANS = (("hours", 1.0), ("days", 14.0), ("weeks", 61.0), ("months", 730.0), ("years", math.inf))


def _span(query: Query, record: Record, path: str) -> str:
    """Weeks or months, where it is asked so."""
    asked = [unit for unit, _ in _SPANS if re.search(rf"\b{unit}\b", query.question, re.IGNORECASE)]
    span = next(unit for unit, most in _SPANS if (record.number(path) or 0.0) < most)
    return f"{span if span in asked else f'rather {span}'}: ".capitalize() if len(asked) > 1 else ""


def _charge(query: Query, record: Record) -> str:
    """The energy that a lifetime takes; without one, of a day."""
    path = averaged_in(record)
    if not record.knows(path):
        return _unknown(record)
    wanted, words = query.number(Role.LIFE_MS), said(query, Role.LIFE_MS) or "a day"
    spent = f"{{{{{record.id}.{path}*{(wanted or _DAY_MS) / 3.6e6:.6g}h|Wh}}}}"
    charge = f", {{{{{record.id}.{path}*{(wanted or _DAY_MS) / 3.6e6:.6g}h/3V|mAh}}}} at 3 V"
    least = "" if path == "average_power_mw" else "at least "
    words = f"{words[:1].upper()}{words[1:]}"
    return f"{words} takes {least}{spent}{charge}, at {mean(record)} on average{_beyond(record)}"


def budget(query: Query, budgets: Sequence[Record], names: Sequence[str]) -> str:
    """What a battery that has to last so long allows on average to those whose power is not known.

    Args:
        budgets: of whatever runs on the same battery.
    """
    hours = (query.number(Role.LIFE_MS) or 0.0) / _HOUR_MS
    of = next((one for one in budgets if one.knows("battery.capacity_mah", "battery.nominal_v")), None)
    if not names or not hours or of is None:
        return ""
    holds = f"{of.id}.battery.capacity_mah*{of.id}.battery.nominal_v"
    return (
        f"Of {joined(names)} no source gives the power: {said(query, *_HOLDS)} for "
        f"{said(query, Role.LIFE_MS)} allow {{{{{holds}/{hours:.6f}h|mW}}}} on average, all that draws; "
        f"{TELL}."
    )


_HOLDS, _HOUR_MS = (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_WH), 3.6e6
