"""Why one setting does not bring its proportion: the parts of both times, and what they follow."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ..bench import Call, Record, call_of
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import entries
from . import blamed
from .columns import ESTIMATE, LIFE
from .phrases import joined, ratio
from .rows import Row

_PARTS = {"compute_ms": "arithmetic", "memory_ms": "moving data", "overhead_ms": "starting operators"}
_NEARLY, _SHOWN = 1.03, 0.02
"""Ratios this near are in proportion; shares of a time from which on a part is told."""
_ESTIMATE = "estimate_performance"
SETTABLE = (
    Role.BATCH, Role.THREADS, Role.CLOCK_MHZ, Role.DTYPE, Role.RUNTIME, Role.SIDE, Role.WIDTH, Role.SEQUENCE,
)  # fmt: skip
_EXPECTED = {Role.CLOCK_MHZ: -1, Role.THREADS: -1, Role.BATCH: 1}
"""The power of a setting that its time follows in proportion."""


def explained(role: Role | None, before: Query, after: Query) -> Generator[Call, Record, str]:
    """Whether the time follows the setting in proportion, its parts before and after, and why."""
    old, new = (yield call_of("analyze_roofline", before)), (yield call_of("analyze_roofline", after))
    if not old.number("latency_ms") or not new.number("latency_ms") or old.id == new.id:
        return ""
    parts = joined(_part(old, new, field) for field in _PARTS)
    peak = (
        f"it reaches {new.ref('compute_utilization', '%')} of its peak instead of "
        f"{old.ref('compute_utilization', '%')}"
        if old.knows("compute_utilization") and new.knows("compute_utilization") else ""
    )  # fmt: skip
    even = role in _EXPECTED and _is_even(role, before, after, old, new)
    first = "Why: " if role not in _EXPECTED else "In proportion: "
    if abs(math.log((new.number("latency_ms") or 1.0) / (old.number("latency_ms") or 1.0))) < math.log(
        _NEARLY
    ):
        return "The time stays as it is."
    if role in _EXPECTED and not even:
        first = f"Not in proportion, the time is {ratio(new, old, 'latency_ms')} as long: "
    because = entries("evenly" if even else "because").get(role, "") if role else ""
    if role is None:
        one, other = (yield call_of(_ESTIMATE, before)), (yield call_of(_ESTIMATE, after))
        because = " → ".join(f"{{{{sum({each.id}.layers[*].macs)|M}}}}" for each in (one, other)) + " MACs"
    told = "; ".join(filter(None, [because, peak if role is not Role.CLOCK_MHZ else "", parts]))
    return f"{first}{told}." if told else ""


def _is_even(role: Role, before: Query, after: Query, old: Record, new: Record) -> bool:
    """Whether the time follows the setting in proportion."""
    usual = (old.number("deployment.clock_mhz") if role is Role.CLOCK_MHZ else None) or 1.0
    was, now = before.number(role) or usual, after.number(role) or usual
    times = (new.number("latency_ms") or 1.0) / (old.number("latency_ms") or 1.0)
    return abs(math.log(times / (now / was) ** _EXPECTED[role])) <= math.log(_NEARLY)


def _sum(record: Record, field: str) -> float:
    return sum(layer.get(field) or 0.0 for layer in record["layers"] or ())


def _part(old: Record, new: Record, field: str) -> str:
    """What one part takes in both; empty where it hardly counts."""
    sums = [_sum(each, field) for each in (old, new)]
    shares = [one / (each.number("latency_ms") or 1.0) for one, each in zip(sums, (old, new), strict=True)]
    if max(shares) < _SHOWN:
        return ""
    shown = [f"{{{{sum({each.id}.layers[*].{field})}}}}" for each in (old, new)]
    return f"{_PARTS[field]} {shown[0]} → {shown[1]}"


def _factors(query: Query, record: Record, order: Sequence[Row]) -> str:
    """What makes the one slower, as a person would tell it, then what speaks for it."""
    cause = next(iter(record["causes"] or ()), None)
    if cause is None or not record.knows("causes[#0].slower_by"):
        return ""
    whole = f"{record.ref('causes[#0].slower_by')}x"
    verdict = blamed.of_factors(query, record, cause["factors"], whole)
    plain = [(at, one) for at, one in enumerate(cause["plain"]) if abs(math.log(one["factor"])) > _NEGLIGIBLE]
    slower, faster = ([(at, one) for at, one in plain if (one["factor"] > 1) is way] for way in (True, False))
    if not slower:
        return verdict
    told = joined(_factor(record, at, one) for at, one in slower)
    for_it = joined(_factor(record, at, one) for at, one in faster)
    less = f"; in its favour {for_it}" if faster else ""
    slow, fast = order[cause["deployment"]].name, order[cause["against"]].name
    return f"{verdict} Why: {slow} takes {whole} as long as {fast}: {told}{less}.".strip()


def _factor(record: Record, at: int, one: Mapping[str, Any]) -> str:
    """How many times longer or shorter, by what, as an engineer calls it, the figures behind it."""
    path = f"causes[#0].plain[#{at}]"
    what = f" ({record.ref(f'{path}.what')})" if one["what"] else ""
    times = f"{path}.factor" if one["factor"] > 1 else f"1/{record.id}.{path}.factor"
    shown = f"{record.ref(times)}x" if one["factor"] > 1 else f"{{{{{times}|x}}}}"
    return f"{shown} by {entries('factors_called')[one['cause']]}{what}"


_NEGLIGIBLE = 0.05
"""Logarithm of a factor below which nobody cares."""


def cause(query: Query, wants: Sequence[Want], order: Sequence[Row]) -> Generator[Call, Record, str]:
    """What makes the difference of two boards; of two of anything else, where it is asked for."""
    targets = list(dict.fromkeys(query.all(Role.TARGET)))
    told = not query.has(*LIMITS) or "why" in query.asks
    if len(order) != 2 or not told or any(row.verdict == "FAIL" or row.copies > 1 for row in order):
        return ""
    why = Want.WHY_SLOWER in wants or "why" in query.asks
    if len(targets) == 2 and not _set_apart(query) and (why or not query.has(Role.BATCH, Role.THREADS)):
        places = [(row.query.text(Role.TARGET), row.query.text(Role.RUNTIME)) for row in order]
        ranked = [f"{target}/{runtime}" if runtime else target for target, runtime in places]
        own = [Role.RUNTIME, *([Role.CLOCK_MHZ] if len(set(query.numbers(Role.CLOCK_MHZ))) > 1 else [])]
        record = yield call_of("compare_deployments", query.without(own), targets=ranked)
        if record.result is None:
            return ""
        return _factors(query, record, order)
    if not why or (len(targets) == 2 and len(set(query.numbers(Role.CLOCK_MHZ))) > 1):
        return ""
    role = next((r for r in SETTABLE if len({row.query.all(r) for row in order}) > 1), None)
    before, after = order[::-1]
    if role in _EXPECTED:
        before, after = sorted(order, key=lambda row: row.query.number(role) or 0.0)
    said = yield from explained(role, before.query, after.query)
    return said.replace("Why: ", f"Why, from {before.name} to {after.name}: ", 1)


def spent(order: Sequence[Row]) -> str:
    """Of two at a rate, why one draws more: asleep or computing, its power then, and its time."""
    if len(order) != 2 or any(LIFE not in row.records or ESTIMATE not in row.records for row in order):
        return ""
    less, more = sorted(order, key=lambda row: row.records[LIFE].number("average_power_mw") or math.inf)
    own, other = less.records[LIFE], more.records[LIFE]
    if not (whole := ratio(other, own, "average_power_mw")):
        return ""
    means, told = [record.number("average_power_mw") or 0.0 for record in (own, other)], list[str]()
    for path, what in (("power.power_mw", "power while computing"), ("latency_ms", "time of a run")):
        way = (other.number(path) or 0.0) >= (own.number(path) or 0.0)
        times = ratio(other, own, path) if way else ratio(own, other, path)
        figures = f"{other.ref(path)} against {own.ref(path)}"
        told += [f"{'' if way else 'in its favour '}{times} by the {what} ({figures})"] if times else []
    asleep = [
        (record.number("sleep_share") or 0.0) * mean for record, mean in zip((own, other), means, strict=True)
    ]
    rests = asleep[1] - asleep[0] > _HALF * (means[1] - means[0])
    shares = f"{other.ref('sleep_share', '%')} against {own.ref('sleep_share', '%')} of all"
    told.append(f"asleep {other.ref('sleep_power_mw')} against {own.ref('sleep_power_mw')}, {shares}")
    told = told[::-1] if rests else told
    word = "Mostly asleep" if rests else "Mostly while computing"
    return f"{word}: {more.name} draws {whole} as much on average; {'; '.join(told)}."


_HALF = 0.5


def _set_apart(query: Query) -> bool:
    """Whether one of two targets has a setting that the other has not, its full clock aside."""
    clocks = set(query.numbers(Role.CLOCK_MHZ))
    highest = {found.clock_max_mhz for name in query.all(Role.TARGET) if (found := query.targets.get(name))}
    return len(clocks) > 1 and clocks != highest
