"""Reads the numbers out of tool results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .facts import THRESHOLD, Fact, Form, Kind
from .families import BARE, Family, Reading
from .fields import NOT_RESULTS, OPERATOR_LISTS, PAIRS, is_ours, measure_of, untrusted_in
from .kept import Named, kept_facts
from .places import LABELS, Place, inside, is_number, side_of, subject_of
from .quantities import with_tags
from .relations import ratios_of
from .texts import facts_told
from .units import readings_of

_ALWAYS_READ = 5
"""Rows of a ranking that are read whether or not the answer names them."""
_OF_LABEL = frozenset(("before", "after", "change", "value", "demand", "bound", "gap"))
"""What measures as the label beside it says."""
_VERDICTS = ("passing", "failing", "unknown")
"""Into which all that was looked at is counted."""
_WITHIN = re.compile(r"within_(\d+)")
_NOT_IN_UNIT = frozenset(("tried", "rank", "index", "deployment"))
"""Counts that stand beside a unit of something else."""
_PUBLISHED = frozenset(("measurements", "networks"))
"""They were taken of other models than the one that is asked about."""
_SIGNED = frozenset(("gap", "gap_ms", "gap_bytes", "change"))


def facts_of(tool_results: Iterable[Mapping[str, Any]], named: Named = bool) -> list[Fact]:
    """Facts of results as the conversation keeps them: [{"id", "name", "arguments", "result"}].

    Of a long list of targets, only the first rows and those whose target is `named` are read.
    """
    facts: list[Fact] = []
    for position, record in enumerate(tool_results, 1):
        facts.extend(kept_facts(record, position, named, _facts_in))
    return facts


def _facts_in(record: Mapping[str, Any], position: int, named: Named) -> list[Fact]:
    failed = record.get("result") is None
    result = _document(record.get("error") if failed else record["result"])
    arguments = record.get("arguments") or {}
    foreign = untrusted_in(result)
    if failed:  # an error repeats what it was asked with
        foreign |= {text for text in arguments.values() if isinstance(text, str)}
    subject = subject_of(result, arguments)
    call, earlier = str(record.get("id") or f"t{position}"), str(arguments.get("before") or "")
    place = Place(call, subject, tuple(foreign), named, earlier=earlier)
    if isinstance(result, str):
        return list(facts_told(result, place.under("error")))
    return list(_walk(result, place, {}))


def _document(result: Any) -> Any:
    if not isinstance(result, str):
        return result
    try:
        return json.loads(result)
    except (ValueError, RecursionError):
        return result


def _walk(value: Any, place: Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield from _number(value, place, around)
    elif isinstance(value, str):
        if is_ours(place.field, around):
            yield from facts_told(value, place)
    elif isinstance(value, Mapping):
        yield from _mapping(value, place)
    elif isinstance(value, Sequence):
        yield from _items(value, place, around)


def _mapping(value: Mapping[str, Any], place: Place) -> Iterator[Fact]:
    place = inside(value, place)
    for earlier, later in PAIRS:
        if earlier in value and later in value:
            told = place.under(later)._replace(path=f"{place.path}({later}, {earlier})", kind=Kind.PAIR)
            yield from _pair(value[earlier], value[later], told, value)
    if all(isinstance(value.get(verdict), int) for verdict in _VERDICTS):
        every = place.under("deployments")._replace(path=" + ".join(_VERDICTS))
        yield every.fact(BARE, sum(value[verdict] for verdict in _VERDICTS))
    skipped = NOT_RESULTS if not place.path and "result" in value else ()
    for key, part in value.items():
        if threshold := _WITHIN.fullmatch(str(key)):
            told = place.under(str(key))._replace(tags=with_tags(place.tags, f"{key} {THRESHOLD}"))
            yield told.fact(Reading(Family.RATIO, 0.01), float(threshold[1]))
        if key not in skipped and not str(key).endswith("_untrusted"):
            yield from _walk(part, side_of(str(key), place.under(str(key))), value)


def _items(values: Sequence[Any], place: Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    rows = place.field in OPERATOR_LISTS
    count = Reading(Family.OPERATORS if rows else Family.PIECES, 1.0)
    yield place._replace(path=f"len({place.path})").fact(count, len(values))
    each = place.sides if place.field == "values" and len(place.sides) == len(values) else ()
    slowest = _slowest(values) if rows else None
    for position, item in enumerate(values):
        if position >= _ALWAYS_READ and isinstance(item, Mapping) and not _is_read(item, place):
            continue
        inner = place._replace(path=f"{place.path}[{position}]")
        if each:
            inner = inner._replace(subject=each[position])
        if position == slowest:
            inner = inner._replace(tags=with_tags(inner.tags, "slowest"))
        yield from _walk(item, inner, around)


def _slowest(rows: Sequence[Any]) -> int | None:
    """Position of the row that takes longest."""
    times = [row.get("latency_ms") if isinstance(row, Mapping) else None for row in rows]
    known = [(time, position) for position, time in enumerate(times) if is_number(time)]
    return max(known)[1] if known else None


def _is_read(row: Mapping[str, Any], place: Place) -> bool:
    target = row.get("target", row.get("id") if place.field == "targets" else None)
    return not isinstance(target, str) or place.named(target)


def _number(value: float, place: Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    """In the unit that stands beside it, else in the one that its field's name tells."""
    own, unit = measure_of(place.field), around.get("unit")
    if place.field == "value" and isinstance(around.get("question"), str):
        place = place._replace(tags=with_tags(place.tags, around["question"]))
    if place.field in _PUBLISHED:
        place = place._replace(subject=place.subject._replace(model=""))
    if place.field == "largest_region_bytes" and isinstance(around.get("largest_region"), str):
        place = place._replace(subject=place.subject._replace(region=around["largest_region"]))
    has_unit = isinstance(unit, str) and unit != "1" and place.field not in _NOT_IN_UNIT
    beside = readings_of(str(unit)) if has_unit else ()
    if unit == "1" and own is None:
        beside = (BARE, Reading(Family.RATIO, 1.0))
    relative = ".gain" in place.path or place.field == "percent"
    signed = relative or place.field in _SIGNED
    sign = (value > 0) - (value < 0) if signed else 0
    form = Form.CHANGE if relative else Form.DIFFERENCE if signed else Form.NONE
    if place.field == "percent":
        beside = ()
    if (
        "slower_by" in around and place.field != "deployment"
    ):  # of a deployment against the first: a ratio whatever the name says
        is_clock = place.field == "clock"  # so many times lower
        beside, form = (Reading(Family.RATIO, 1.0),), Form.FACTOR if is_clock else Form.REST
        sign = (value < 1) - (value > 1) if is_clock else (value > 1) - (value < 1)
        yield from _seen_from_first(value, sign, form, place)
    if not beside and own is None and place.field in _OF_LABEL:
        own = next((found for key in LABELS if (found := measure_of(str(around.get(key, ""))))), None)
    for reading in beside or ((own,) if own else (BARE,)):
        yield place.fact(reading, value, sign, form)


def _seen_from_first(value: float, sign: int, form: Form, place: Place) -> Iterator[Fact]:
    """What the second has more, the first has less."""
    if place.sides:
        mirrored = place._replace(subject=place.sides[0]._replace(versus=place.subject.target))
        inverse = Form.FACTOR if form is Form.REST else Form.REST
        yield mirrored.fact(Reading(Family.RATIO, 1.0), value, -sign, inverse)


def _pair(earlier: Any, later: Any, place: Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    """Ratio, relative change and difference of two numbers, or of all that two objects both have."""
    if isinstance(earlier, Mapping) and isinstance(later, Mapping):
        keys = ("value",) if "value" in later else sorted(earlier.keys() & later.keys())
        for key in keys:
            yield from _pair(earlier.get(key), later.get(key), place.under(key), earlier)
    elif is_number(earlier) and is_number(later):
        sign = (later > earlier) - (later < earlier)
        measured = next(iter(_number(1.0, place, around))).family
        for form, ratio, way in ratios_of(later, earlier):
            fact = place.fact(Reading(Family.RATIO, 1.0), ratio, way, form)
            yield fact._replace(of=measured, end="")
        for fact in _number(later - earlier, place, around):
            yield fact._replace(sign=sign, form=Form.DIFFERENCE, end="")
