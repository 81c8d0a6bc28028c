"""Reads the numbers out of tool results."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .claims import direction_of
from .facts import FIELD_OF_BOTH, SEVERAL, Fact, Form, Kind, Subject
from .families import BARE, Family, Reading
from .fields import (
    NAMES_OF_OURS,
    NOT_RESULTS,
    OPERATOR_LISTS,
    PAIRS,
    is_ours,
    measure_of,
    untrusted_in,
)
from .figures import Figure, find_figures
from .intervals import interval_ends
from .kept import Named, kept_facts
from .quantities import with_tags
from .relations import ratios_of
from .units import readings_of

_INHERIT_NAME = frozenset(("value", "low", "high", "dense", "sparse"))
_INHERITED_BY_ALL = frozenset(("gain", "bound_shares"))
_PART = re.compile(r"[;.](?=\s)|\n")
_QUOTED = 14
"""Characters on either side that make a quotation."""
_ALWAYS_READ = 5
"""Rows of a ranking that are read whether or not the answer names them."""
_LABELS = ("name", "what", "region", "figure", "quantity", "field", "of")
_OF_LABEL = frozenset(("before", "after", "change", "value", "demand", "bound", "gap"))
"""What measures as the label beside it says."""
_CORE = re.compile(r"^cores\.\w+\.")
_CPUS = ("cm", "ca", "cpu", "lx", "hifi", "rv", "x86")
"""How the names of processors begin that run what no accelerator takes."""
_WITHIN = re.compile(r"within_(\d+)")
_SIGNED = frozenset(("gap", "gap_ms", "gap_bytes", "change"))


class _Place(NamedTuple):
    """Where in a result one stands; `field` is the name that tells what numbers measure there."""

    call: str
    subject: Subject
    untrusted: tuple[str, ...]
    named: Named
    path: str = ""
    field: str = ""
    kind: Kind = Kind.FIELD
    tags: frozenset[str] = frozenset()
    earlier: str = ""
    """The model that another one is compared with."""
    sides: tuple[Subject, ...] = ()
    """Deployments told side by side: lists of the same length have one value for each."""

    def under(self, key: str) -> _Place:
        inherits = key in _INHERIT_NAME or (self.field in _INHERITED_BY_ALL and measure_of(key) is None)
        named = self.field if inherits and self.field else key
        path = f"{self.path}.{key}" if self.path else key
        subject = self.subject
        if key == "after" and subject.technique:
            subject = _changed(subject)
        tags = with_tags(self.tags, key)
        if key in ("before", "peak_before"):
            tags = with_tags(tags, "baseline") if "runtime" in subject.technique else tags
            subject = _unchanged(subject, self.earlier)
        return self._replace(path=path, field=named, tags=tags, subject=subject)

    def fact(self, reading: Reading, native: float, sign: int = 0, form: Form = Form.NONE) -> Fact:
        last = self.path.rpartition(".")[2]
        end = "low" if last.endswith("low") else "high" if last.endswith("high") else ""
        value = abs(native) * reading.factor
        return Fact(
            reading.family, value, abs(native), self.call, self.path, self.subject, self.kind, self.tags,
            end, sign, form,
        )  # fmt: skip


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
    place = _Place(call, subject, tuple(foreign), named, earlier=earlier)
    if isinstance(result, str):
        return list(_told(result, place.under("error")))
    return list(_walk(result, place, {}))


def _document(result: Any) -> Any:
    if not isinstance(result, str):
        return result
    try:
        return json.loads(result)
    except (ValueError, RecursionError):
        return result


def subject_of(result: Any, arguments: Mapping[str, Any]) -> Subject:
    """What a whole result holds for: its deployment, and the model that was asked about."""
    inner = result.get("result", result) if isinstance(result, Mapping) else None
    if not isinstance(inner, Mapping):
        return Subject()
    model = str(arguments.get("model") or arguments.get("after") or inner.get("model") or "")
    place = inner.get("deployment")
    if isinstance(place, Mapping):
        target, runtime = str(place.get("target", "")), str(place.get("runtime", ""))
        return Subject(target, runtime, model, clock=_clock_in(place))
    return Subject(str(inner.get("id", "")), "", model)


def _walk(value: Any, place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield from _number(value, place, around)
    elif isinstance(value, str):
        if is_ours(place.field, around):
            yield from _told(value, place)
    elif isinstance(value, Mapping):
        yield from _mapping(value, place)
    elif isinstance(value, Sequence):
        yield from _items(value, place, around)


def _mapping(value: Mapping[str, Any], place: _Place) -> Iterator[Fact]:
    place = _inside(value, place)
    for earlier, later in PAIRS:
        if earlier in value and later in value:
            told = place.under(later)._replace(path=f"{place.path}({later}, {earlier})", kind=Kind.PAIR)
            yield from _pair(value[earlier], value[later], told, value)
    skipped = NOT_RESULTS if not place.path and "result" in value else ()
    for key, part in value.items():
        if threshold := _WITHIN.fullmatch(str(key)):
            yield place.under(str(key)).fact(Reading(Family.RATIO, 0.01), float(threshold[1]))
        if key not in skipped and not str(key).endswith("_untrusted"):
            yield from _walk(part, _side(str(key), place.under(str(key))), value)


def _inside(value: Mapping[str, Any], place: _Place) -> _Place:
    """A row may speak of a target, a runtime or a layer of its own."""
    subject = place.subject
    target, runtime = value.get("target"), value.get("runtime")
    if isinstance(target, str):
        subject = subject._replace(target=target)
    if isinstance(runtime, str) and isinstance(target, str):
        subject = subject._replace(runtime=runtime)
    if isinstance(value.get("network"), str):  # a measurement, of another network or on another board
        subject = Subject(runtime=str(runtime or ""), clock=_clock_in(value))
    change = value.get("change")
    if isinstance(change, str) and change.startswith("use "):
        subject = subject._replace(runtime=change.removeprefix("use "))
    technique = value.get("technique") or _steps(value.get("changes")) or value.get("change")
    if isinstance(technique, str) and ("before" in value or "after" in value or "gain" in value):
        subject = subject._replace(technique=technique)
    if isinstance(value.get("index"), int) and "op" in value:
        subject = subject._replace(layer=int(value["index"]), op=str(value["op"]))
    if place.path.endswith("]") and place.path.rpartition(".")[2].startswith("targets["):
        subject = subject._replace(target=str(value.get("id", "")))
    position = value.get("deployment")
    if isinstance(position, int) and 0 <= position < len(place.sides):
        subject = place.sides[position]
    if sides := _sides(value, subject):
        place, subject = place._replace(sides=sides), subject._replace(target=SEVERAL)
    return place._replace(subject=_place_of_row(value, subject), tags=_labelled(value, place.tags))


def _labelled(value: Mapping[str, Any], tags: frozenset[str]) -> frozenset[str]:
    """An object may say in a text what its numbers are about."""
    if "size_bytes" in value:
        kind = str(value.get("kind"))
        tags = with_tags(tags, "size flash" if "flash" in kind else "size ram")
    if isinstance(value.get("field"), str) and "one" in value:
        tags |= {FIELD_OF_BOTH + _CORE.sub("", value["field"])}
    if "macs_share" in value and str(value.get("processor", "")).startswith(_CPUS):
        tags = with_tags(tags, "oncpu")
    if isinstance(value.get("scheme"), str):
        tags = with_tags(tags, value["scheme"].replace("-", ""))
    for key in _LABELS:
        label = value.get(key)
        if isinstance(label, str) and not (key == "name" and "sha256" in value):
            tags = with_tags(tags, label)
    return tags


def _changed(subject: Subject) -> Subject:
    """What a change to the runtime or the clock leaves open."""
    if "runtime" in subject.technique:
        name = subject.technique.rpartition("runtime")[2].lstrip("- ").split(" ")[0]
        subject = subject._replace(runtime="" if "+" in subject.technique else name)
    return subject._replace(clock=None) if "clock" in subject.technique else subject


def _unchanged(subject: Subject, model: str) -> Subject:
    """What a change starts from is not of the change."""
    runtime = "" if "runtime" in subject.technique else subject.runtime
    return subject._replace(technique="", runtime=runtime, model=model or subject.model)


def _clock_in(value: Mapping[str, Any]) -> float | None:
    clock = value.get("clock_mhz")
    return clock * 1e6 if isinstance(clock, int | float) and not isinstance(clock, bool) else None


def _place_of_row(value: Mapping[str, Any], subject: Subject) -> Subject:
    """A row may hold for a clock, and speak of a region of memory, of its own."""
    if (clock := _clock_in(value)) is not None:
        subject = subject._replace(clock=clock)
    told = value.get("told")
    if isinstance(told, str) and told.endswith("Hz") and _is_number(value.get("value")):
        subject = subject._replace(clock=float(value["value"]) * 1e6)
    region, field = value.get("region", value.get("largest_region")), value.get("field")
    if isinstance(field, str) and field.startswith("memories."):
        region = field.split(".")[1]
    part = value.get("what")
    if isinstance(part, str) and part.startswith("kernel "):
        subject = subject._replace(op=part.removeprefix("kernel "))
    return subject._replace(region=region) if isinstance(region, str) else subject


def _steps(changes: Any) -> str:
    if not isinstance(changes, list | tuple):
        return ""
    return " + ".join(str(step.get("technique", "")) for step in changes if isinstance(step, Mapping))


def _sides(value: Mapping[str, Any], subject: Subject) -> tuple[Subject, ...]:
    places = value.get("deployments")
    if isinstance(places, list | tuple) and all(isinstance(p, Mapping) for p in places):
        return tuple(
            subject._replace(target=str(p.get("target", "")), runtime=str(p.get("runtime", "")))
            for p in places
        )
    one, other = value.get("one"), value.get("other")
    if isinstance(one, str) and isinstance(other, str) and "differences" in value:
        return tuple(subject._replace(target=target) for target in (one, other))
    return ()


def _side(key: str, place: _Place) -> _Place:
    """Of two targets that are told apart field by field."""
    if len(place.sides) == 2 and key in ("one", "other") and "]" in place.path:
        side = place.sides[key == "other"]
        return place._replace(subject=place.subject._replace(target=side.target, runtime=side.runtime))
    return place


def _items(values: Sequence[Any], place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
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
    known = [(time, position) for position, time in enumerate(times) if _is_number(time)]
    return max(known)[1] if known else None


def _is_read(row: Mapping[str, Any], place: _Place) -> bool:
    target = row.get("target", row.get("id") if place.field == "targets" else None)
    return not isinstance(target, str) or place.named(target)


def _number(value: float, place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    """In the unit that stands beside it, else in the one that its field's name tells."""
    own, unit = measure_of(place.field), around.get("unit")
    if place.field == "value" and isinstance(around.get("question"), str):
        place = place._replace(tags=with_tags(place.tags, around["question"]))
    beside = readings_of(unit) if isinstance(unit, str) and unit != "1" else ()
    if unit == "1" and own is None:
        beside = (BARE, Reading(Family.RATIO, 1.0))
    relative = ".gain" in place.path or place.field == "percent"
    signed = relative or place.field in _SIGNED
    sign = (value > 0) - (value < 0) if signed else 0
    form = Form.CHANGE if relative else Form.DIFFERENCE if signed else Form.NONE
    if place.field == "percent":
        beside = ()
    if "slower_by" in around:  # of a deployment against the first: a ratio whatever the name says
        beside, form = (Reading(Family.RATIO, 1.0),), Form.NONE if place.field == "clock" else Form.REST
        sign = 0 if place.field == "clock" else (value > 1) - (value < 1)
        yield from _seen_from_first(value, sign, form, place)
    if not beside and own is None and place.field in _OF_LABEL:
        own = next((found for key in _LABELS if (found := measure_of(str(around.get(key, ""))))), None)
    for reading in beside or ((own,) if own else (BARE,)):
        yield place.fact(reading, value, sign, form)


def _seen_from_first(value: float, sign: int, form: Form, place: _Place) -> Iterator[Fact]:
    """What the second has more, the first has less."""
    if form is Form.REST and place.sides:
        mirrored = place._replace(subject=place.sides[0]._replace(versus=place.subject.target))
        yield mirrored.fact(Reading(Family.RATIO, 1.0), value, -sign, Form.FACTOR)


def _pair(earlier: Any, later: Any, place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    """Ratio, relative change and difference of two numbers, or of all that two objects both have."""
    if isinstance(earlier, Mapping) and isinstance(later, Mapping):
        keys = ("value",) if "value" in later else sorted(earlier.keys() & later.keys())
        for key in keys:
            yield from _pair(earlier.get(key), later.get(key), place.under(key), earlier)
    elif _is_number(earlier) and _is_number(later):
        sign = (later > earlier) - (later < earlier)
        measured = next(iter(_number(1.0, place, around))).family
        for form, ratio, way in ratios_of(later, earlier):
            fact = place.fact(Reading(Family.RATIO, 1.0), ratio, way, form)
            yield fact._replace(of=measured, end="")
        for fact in _number(later - earlier, place, around):
            yield fact._replace(sign=sign, form=Form.DIFFERENCE, end="")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value != 0


def _told(text: str, place: _Place) -> Iterator[Fact]:
    place = place._replace(kind=Kind.TEXT)
    names = tuple(name for name in place.untrusted if name and name in text)
    bare = (BARE, Reading(Family.RATIO, 0.01)) if place.field in ("technique", "change") else (BARE,)
    for figure, sign, end, around in figures_told(text, names, place.field in NAMES_OF_OURS):
        tags = with_tags(place.tags, around)
        quote = _quote(text, figure)
        for reading in figure.readings or bare:
            yield place.fact(reading, figure.value, sign)._replace(end=end, tags=tags, quote=quote)


@lru_cache(maxsize=4096)
def figures_told(
    text: str, names: Collection[str], is_name: bool
) -> tuple[tuple[Figure, int, str, str], ...]:
    """Figures of a text of ours: how they differ, which end of a range they are, and the words around them.

    A name is also read in its parts.
    """
    parts = [text, *re.split(r"[-@]", text)] if is_name else [text]
    found = []
    for part in parts:
        figures = find_figures(part, names)
        ends = interval_ends(part, figures, bracketed=True)
        found += [
            (f, direction_of(part, figures, at), ends.get(at, ""), _around(part, f))
            for at, f in enumerate(figures)
        ]
    return tuple(found)


def _quote(text: str, figure: Figure) -> str:
    """With so many words around it that it can be known again; of a name, nothing."""
    quote = text[max(0, figure.start - _QUOTED) : figure.end + _QUOTED]
    return quote if figure.text in quote and len(quote) >= len(figure.text) + _QUOTED else ""


def _around(text: str, figure: Figure) -> str:
    """Its part of the text."""
    starts = [match.end() for match in _PART.finditer(text, 0, figure.start)]
    end = _PART.search(text, figure.end)
    return text[starts[-1] if starts else 0 : end.start() if end else len(text)]
