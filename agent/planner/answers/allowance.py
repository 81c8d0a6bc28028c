"""What a budget of power, current, energy or a battery allows: how often it may run, how many times."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ....tools.core.records import dataclass
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..query import CELLS, IN_USE, Query, Role
from ..want import Want
from ..wants import YES_OR_NO
from ..words import spoken
from . import energies, packs
from .deployment import STAND_IN, stand_ins
from .phrases import figure, joined, lines, said, subject, table
from .templates import INTERVAL, how_often, put

_COUNTS = frozenset((Want.THROUGHPUT, Want.HOW_MANY, Want.LIMIT))
_PROBE_HZ = 1 / 3600
"""A rate at which what is asleep counts, to ask for what it takes then."""
_USUAL_V = 3.0
_DAY_MS = 8.64e7


@dataclass(frozen=True)
class _Found:
    """How often, or how many times, on one target."""

    record: Record
    shown: str
    why: str
    notes: Sequence[str] = ()
    number: float = 0.0


def solves(query: Query) -> bool:
    """Whether it is asked how far apart it may run for a battery to last as long as is said."""
    paced = INTERVAL.search(query.question) and not query.says(Role.RATE_HZ)
    return bool(paced) and query.has(Role.MODEL) and query.has(*CELLS) and query.says(Role.LIFE_MS)


def reckons_back(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a budget is given and how often it may run is what is asked."""
    if query.says(Role.RATE_HZ) or not query.has(Role.MODEL) or Want.RECOMMEND in wants:
        return False
    if query.has(Role.TARGET) and query.has(Role.POWER_MW) and spoken("together", query.question):
        return False
    asked = bool(_COUNTS & set(wants)) or "rate" in query.all(Role.VARIABLE)
    battery = query.has(*CELLS)
    if battery and query.says(Role.LIFE_MS):
        used = query.has(Role.RATE_HZ, *IN_USE) or "fits" in query.asks
        return asked or (Want.BATTERY_LIFE in wants and not used)
    return asked and (battery or query.says(Role.POWER_MW, Role.CURRENT_UA, Role.ENERGY_UJ))


def allowance(query: Query, _wants: Sequence[Want]) -> Answering:
    """The rate that keeps to the budget, or the inferences that it holds; several targets in a table."""
    query, note = query.without([Role.RATE_HZ]), ""
    if not query.has(Role.TARGET):
        query, note = query.put(Role.TARGET, *(yield from stand_ins(query))), STAND_IN
    found: list[_Found] = []
    for target in dict.fromkeys(query.all(Role.TARGET)):
        found.append((yield from on(query.put(Role.TARGET, target))))
    known = [each for each in found if each.number] or found[:1]
    if len(known) == 1:
        one = known[0]
        query = query.put(Role.TARGET, one.record["deployment"]["target"])
        note = _without_power(found, one) or note
        return lines(
            f"{one.shown}: {subject(query, one.record)}, {one.why}.",
            " ".join(f"{note}." for note in one.notes),
            note,
        )
    order = sorted(known, key=lambda each: -each.number)
    best = order[0]
    rows = [
        (each.record.ref("deployment.target"), each.record.ref("energy_uj"), each.shown) for each in order
    ]
    return lines(
        f"{best.record.ref('deployment.target')} allows most, {best.shown}: {best.why}.",
        table(("board", "energy each", "allowed"), rows),
        " ".join(f"{note}." for note in dict.fromkeys(n for each in order for n in each.notes)),
        _without_power(found, *known),
        note,
    )


def _without_power(found: Sequence[_Found], *known: _Found) -> str:
    names = joined(each.record.ref("deployment.target") for each in found if each not in known)
    return f"Of {names} no source gives the power." if names else ""


def on(query: Query) -> Generator[Call, Record, _Found]:
    query, note = packs.sized(query)
    record = needed((yield call_of("estimate_energy_budget", query, rate_hz=_PROBE_HZ)))
    notes = [note] if note else []
    if not record.knows("energy_uj"):
        mean, _, of = _allowed(query, record)
        shown = (
            put(f"{{{mean}}} on average, {{of}}; how often that is, is {NOT_KNOWN}", record, of=of)
            if mean
            else ""
        )
        return _Found(record, shown or NOT_KNOWN, f"as no source gives its power; {energies.TELL}", notes)
    if query.says(Role.POWER_MW, Role.CURRENT_UA) or query.says(Role.LIFE_MS):
        return _rate(query, record, notes)
    return _count(query, record, notes)


def _count(query: Query, record: Record, notes: Sequence[str]) -> _Found:
    """Energy over energy."""
    energy = query.number(Role.ENERGY_UJ)
    if not energy and not record.knows("battery.capacity_mah", "battery.nominal_v"):
        return _Found(record, NOT_KNOWN, "as the charge of that battery is not known", notes)
    holds = f"{energy:.3f}uJ" if energy else _BATTERY
    of = said(query, *((Role.ENERGY_UJ,) if energy else (Role.BATTERY, Role.CHARGE_MAH)))
    shown = put(f"About {{{holds}/energy_uj|count~}} inferences from {{of}}", record, of=of)
    asleep = "" if energy else ", computing alone: what it takes between them goes off"
    each = f"{figure(record, 'energy_uj')}, each{asleep}"
    return _Found(record, shown, each, notes, 1 / (record.number("energy_uj") or 1))


_BATTERY = "battery.capacity_mah*battery.nominal_v"
"""Its energy."""


def _rate(query: Query, record: Record, notes: Sequence[str]) -> _Found:
    """What is allowed on average, or of a battery in a day, less what is asleep, over one more inference."""
    allowed, most, of = _allowed(query, record)
    if not allowed:
        return _Found(record, NOT_KNOWN, of, notes)
    number, sleeps = record.number, record.knows("sleep_power_mw", "charge_mah")
    if query.has(Role.LIFE_MS) and not query.says(Role.POWER_MW, Role.CURRENT_UA):
        shown, rests, each = "charge_mah", "(charge_mah-compute_charge_mah)", "(compute_charge_mah*1h)"
        one, rate = number("compute_charge_mah") or 0.0, _PROBE_HZ
        rest = (number("charge_mah") or 0.0) - one if sleeps else 0.0
    else:
        shown, rests, each = "sleep_power_mw", "sleep_power_mw", "(energy_uj-sleep_power_mw*latency_ms)"
        rest, rate = number("sleep_power_mw") or 0.0, 1e3
        one = (number("energy_uj") or 0.0) - rest * (number("latency_ms") or 0.0)
    if rest >= most:
        a_day = " a day" if shown == "charge_mah" else ""
        why = put(f"asleep alone it takes {{{shown}}}{a_day}, against {{of}}", record, of=of)
        return _Found(record, "Not at all", why, notes)
    hertz, fastest = rate * (most - rest) / one, number("inferences_per_second") or 0.0
    if hertz >= fastest:
        nonstop = f"As often as it can, {figure(record, 'inferences_per_second', 'fps')}"
        return _Found(record, nonstop, f"which keeps to {of} even nonstop", notes, fastest)
    spare = f"({allowed}-{rests})/{each}" if sleeps else f"{allowed}/{each.partition('-')[0].lstrip('(')}"
    if not sleeps:
        notes = [*notes, "Computing alone: what it takes asleep is not known and goes off"]
    shown = put(f"{'' if sleeps else 'At most '}{how_often(query.question, hertz, spare)}", record)
    shown = shown.replace("~}}", "}}") if rest > most / 2 else shown
    if YES_OR_NO.match(query.question):
        shown = f"Not nonstop: {shown[:1].lower()}{shown[1:]}"
    return _Found(
        record, shown, put("with {of} on average and {energy_uj} each", record, of=of), notes, hertz
    )


def _allowed(query: Query, record: Record) -> tuple[str, float, str]:
    """The average power, or of a battery the charge of a day: an expression, in mW or mAh, in words."""
    if watts := query.number(Role.POWER_MW):
        return f"{watts:.6f}mW", watts, said(query, Role.POWER_MW)
    if current := query.number(Role.CURRENT_UA):
        volts = query.number(Role.SUPPLY_V) or record.number("battery.nominal_v") or _USUAL_V
        at = said(query, Role.SUPPLY_V) or f"an assumed {volts:g} V"
        return f"{current:.6f}uA*{volts:g}V", current * volts / 1e3, f"{said(query, Role.CURRENT_UA)} at {at}"
    charge, days = record.number("battery.capacity_mah"), (query.number(Role.LIFE_MS) or 0.0) / _DAY_MS
    if not charge or not days or not record.number("compute_charge_mah"):
        return "", 0.0, "as the charge of that battery, or its voltage, is not known: say it"
    lost = record.number("battery.self_discharge_share") or 0.0
    less = "-battery.capacity_mah*battery.self_discharge_share/365.25" if lost else ""
    of = f"{said(query, Role.BATTERY, Role.CHARGE_MAH)} over {said(query, Role.LIFE_MS)}"
    return f"(battery.capacity_mah/{days:.6g}{less})", charge / days - charge * lost / 365.25, of
