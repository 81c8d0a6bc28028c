"""How fast, how much energy, and whether a figure of the user's is plausible."""

from __future__ import annotations

from collections.abc import Sequence

from ....hardware_db.index import read_index
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from .phrases import (
    ask_model,
    ask_target,
    assumed,
    is_known,
    joined,
    lines,
    model_shown,
    quantity,
    subject,
    value,
)

_CLAIMS = (Role.CLAIMED_MS, Role.CLAIMED_HZ)
_MOST_KERNELS = 4
_REAL_TIME_HZ = 30


def latency(query: Query) -> Answering:
    """One inference, as time or as rate; many of them; or a time that the user has seen."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    if query.says(*_CLAIMS):
        return (yield from plausible(query))
    record = needed((yield call_of("estimate_performance", query)))
    first = _rate(query, record) if "throughput" in query.asks else _time(query, record)
    return lines(f"{first}: {subject(query, record)}.", *_more(query, record), assumed(query, record))


def _time(query: Query, record: Record) -> str:
    if (query.number(Role.BATCH) or 1) > 1:
        each = f"{{{{{record.id}.latency_ms/{record.id}.deployment.batch|ms}}}}"
        return f"{quantity(record, 'latency_ms')} a batch, {each} an image"
    return quantity(record, "latency_ms")


def _rate(query: Query, record: Record) -> str:
    images = "images" if (query.number(Role.BATCH) or 1) > 1 else "inferences"
    return (
        f"{quantity(record, 'inferences_per_second')} ({images} a second), "
        f"{record.ref('latency_ms')} each run"
    )


def _more(query: Query, record: Record) -> Sequence[str]:
    said = []
    runs = query.number(Role.RUNS)
    if runs and runs > 1:
        said.append(f"{runs:g} runs take {{{{{runs:g}*{record.id}.latency_ms}}}}.")
    if "realtime" in query.asks:
        said.append("Whether that is real time depends on what must keep up: the time of one run has "
            "to be shorter "
                    "than the time between two.")  # fmt: skip
    return said


def plausible(query: Query) -> Answering:
    """The user's own figure against the interval of every kernel library that may be running."""
    seen = query.number(Role.CLAIMED_MS) or 1e3 / (query.number(Role.CLAIMED_HZ) or 1.0)
    said = next(slot.text for slot in query.slots if slot.role in _CLAIMS)
    records: list[Record] = []
    kernels = query.all(Role.RUNTIME) or _kernels(query.text(Role.TARGET))
    for runtime in kernels:
        record = yield call_of("estimate_performance", query, runtime=runtime)
        if record.result is not None and is_known(record, "latency_ms"):
            records.append(record)
    if not records:
        return (
            f"I have no estimate to hold {said} against: nothing that I know runs {model_shown(query)} there."
        )
    inside = [r for r in records if _low(r) <= seen <= _high(r)]
    usual = [r for r in inside if r is records[0]]
    best = min(usual or inside or records, key=lambda r: abs((value(r, "latency_ms") or seen) - seen))
    shown = f"{quantity(best, 'latency_ms')} with {best.ref('deployment.runtime')}"
    if inside:
        verdict = f"Yes, {said} is plausible: I estimate {shown}"
    elif seen > max(map(_high, records)):
        verdict = f"No, {said} is slower than I expect: I estimate {shown}"
    else:
        verdict = f"No, {said} is faster than I expect: I estimate {shown}"
    others = [f"{r.ref('latency_ms')} with {r.ref('deployment.runtime')}" for r in records if r is not best][
        :2
    ]
    return lines(
        f"{verdict}, for {subject(query.without([Role.RUNTIME]), best)}.",
        f"Others would take {joined(others)}." if others else "",
        ""
        if inside
        else "Check which kernels are linked, the clock, the build (-O2 or higher) and what is timed.",
    )


def _low(record: Record) -> float:
    return float(record["latency_ms"]["low"])


def _high(record: Record) -> float:
    return float(record["latency_ms"]["high"])


def _kernels(target: str) -> Sequence[str]:
    found = next((summary for summary in read_index().targets if summary.id == target), None)
    return found.runtimes[:_MOST_KERNELS] if found else ()


def energy(query: Query) -> Answering:
    """Energy of one inference and the power while it computes, from the user's own figures where given."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    record = needed((yield call_of("estimate_performance", query)))
    if own := own_power(query):
        spent = f"{{{{{own}*{record.id}.latency_ms|mJ}}}}"
        first = f"{spent} an inference, from your {own_words(query)} and {quantity(record, 'latency_ms')}"
        return lines(f"{first}: {subject(query, record)}.", assumed(query, record))
    if not is_known(record, "energy_uj"):
        return lines(
            f"Its energy is unknown: no source gives the power of {record.ref('deployment.target')}; "
            "one inference of "
            f"{model_shown(query)} takes {quantity(record, 'latency_ms')}.",
            "Tell me what it draws, as in *it draws 20 mA at 3.3 V*, and I compute the energy.",
            assumed(query, record),
        )
    both = f"{quantity(record, 'energy_uj')}, an inference; {quantity(record, 'power_mw')}, while it computes"
    if "power" in query.asks and "energy" not in query.asks:
        both = (
            f"{quantity(record, 'power_mw')}, while it computes; {quantity(record, 'energy_uj')}, "
            "an inference"
        )
    return lines(f"{both}: {subject(query, record)}.", _average(query, record), assumed(query, record))


def _average(query: Query, record: Record) -> str:
    rate = query.number(Role.RATE_HZ)
    if not rate:
        return ""
    return (
        f"At {_said(query, Role.RATE_HZ)} the computing alone averages "
        f"{{{{{record.id}.energy_uj*{rate:.6g}/1s|mW}}}}; sleep comes on top."
    )


def own_power(query: Query) -> str:
    """The user's own power as an expression; empty where it is not given whole."""
    if milliwatts := query.number(Role.ACTIVE_MW):
        return f"{milliwatts:.6g}mW"
    current, volts = query.number(Role.ACTIVE_UA), query.number(Role.SUPPLY_V)
    return f"{current * volts / 1e3:.6g}mW" if current and volts else ""


def own_words(query: Query) -> str:
    said = (_said(query, role) for role in (Role.ACTIVE_MW, Role.ACTIVE_UA, Role.SUPPLY_V))
    return " at ".join(filter(None, said))


def _said(query: Query, role: Role) -> str:
    return next((slot.text for slot in query.slots if slot.role is role), "")


__all__ = ["Call", "energy", "latency", "own_power", "own_words", "plausible"]
