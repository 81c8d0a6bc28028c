"""Every number that tools returned, with what it measures and where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from .families import BARE, Family, Reading
from .fields import NAMES_OF_OURS, NOT_RESULTS, OPERATOR_LISTS, PAIRS, is_ours, measure_of, untrusted_in
from .figures import find_figures
from .units import readings_of

_INHERIT_NAME = frozenset(("value", "low", "high", "dense", "sparse"))
_INHERITED_BY_ALL = frozenset(("gain", "bound_shares"))


class Kind(IntEnum):
    """How directly a result tells a fact, the most direct first."""

    FIELD = 0
    TEXT = 1
    PAIR = 2
    USER = 3


@dataclass(frozen=True)
class Fact:
    """A number in base units of its family."""

    family: Family
    value: float
    native: float
    """As the field holds it, without its sign."""
    call: str
    path: str
    target: str = ""
    """The target whose result it stands in."""
    layer: int | None = None
    """The layer whose row it stands in."""
    kind: Kind = Kind.FIELD


@dataclass(frozen=True)
class _Place:
    """Where in a result one stands; `field` is the name that tells what numbers measure there."""

    call: str
    target: str
    untrusted: tuple[str, ...]
    layer: int | None = None
    path: str = ""
    field: str = ""
    kind: Kind = Kind.FIELD

    def under(self, key: str) -> _Place:
        inherits = key in _INHERIT_NAME or (self.field in _INHERITED_BY_ALL and measure_of(key) is None)
        named = self.field if inherits and self.field else key
        return replace(self, path=f"{self.path}.{key}" if self.path else key, field=named)

    def fact(self, reading: Reading, native: float) -> Fact:
        native = abs(native)
        value = native * reading.factor
        return Fact(reading.family, value, native, self.call, self.path, self.target, self.layer, self.kind)


def facts_of(tool_results: Iterable[Mapping[str, Any]]) -> list[Fact]:
    """Facts of results as the conversation keeps them: [{"id", "name", "arguments", "result"}]."""
    facts: list[Fact] = []
    for position, record in enumerate(tool_results, 1):
        failed = record.get("result") is None
        result = _document(record.get("error") if failed else record["result"])
        foreign = untrusted_in(result)
        if failed:  # an error repeats what it was asked with
            foreign |= {text for text in (record.get("arguments") or {}).values() if isinstance(text, str)}
        place = _Place(str(record.get("id") or f"t{position}"), _target_of(result), tuple(foreign))
        if isinstance(result, str):
            facts.extend(_told(result, place.under("error")))
        else:
            facts.extend(_walk(result, place, {}))
    return facts


def _document(result: Any) -> Any:
    if not isinstance(result, str):
        return result
    try:
        return json.loads(result)
    except ValueError:
        return result


def _target_of(result: Any) -> str:
    inner = result.get("result", result) if isinstance(result, Mapping) else None
    if not isinstance(inner, Mapping):
        return ""
    place = inner.get("deployment")
    return str(place.get("target", "")) if isinstance(place, Mapping) else str(inner.get("id", ""))


def _walk(value: Any, place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    match value:
        case bool() | None:
            return
        case int() | float():
            yield from _number(value, place, around)
        case str():
            if is_ours(place.field, around):
                yield from _told(value, place)
        case Mapping():
            yield from _pairs(value, place)
            skipped = NOT_RESULTS if not place.path and "result" in value else ()
            for key, part in value.items():
                if key not in skipped and not str(key).endswith("_untrusted"):
                    yield from _walk(part, place.under(str(key)), value)
        case Sequence():
            yield from _items(value, place, around)


def _items(values: Sequence[Any], place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    rows = place.field in OPERATOR_LISTS
    count = Reading(Family.OPERATORS if rows else Family.PIECES, 1.0)
    yield replace(place, path=f"len({place.path})").fact(count, len(values))
    for position, item in enumerate(values):
        inner = replace(place, path=f"{place.path}[{position}]")
        if rows and isinstance(item, Mapping) and isinstance(item.get("index"), int):
            inner = replace(inner, layer=int(item["index"]))
        yield from _walk(item, inner, around)


def _number(value: float, place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    """In the unit that stands beside it, else in the one that its field's name tells."""
    own, unit = measure_of(place.field), around.get("unit")
    beside = readings_of(unit) if isinstance(unit, str) and unit != "1" else ()
    for reading in beside or ((own,) if own else (BARE,)):
        yield place.fact(reading, value)


def _pairs(value: Mapping[str, Any], place: _Place) -> Iterator[Fact]:
    for one, other in PAIRS:
        told = replace(place.under(one), path=f"{place.path}({one}, {other})", kind=Kind.PAIR)
        yield from _pair(value.get(one), value.get(other), told, value)


def _pair(one: Any, other: Any, place: _Place, around: Mapping[str, Any]) -> Iterator[Fact]:
    """Ratio, relative change and difference of two numbers, or of all that two objects both have."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in sorted(one.keys() & other.keys()):
            yield from _pair(one[key], other[key], place.under(key), one)
    elif _is_number(one) and _is_number(other):
        for ratio in (one / other, other / one, abs(other / one - 1), abs(one / other - 1)):
            yield place.fact(Reading(Family.RATIO, 1.0), ratio)
        yield from _number(one - other, place, around)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value != 0


def _told(text: str, place: _Place) -> Iterator[Fact]:
    place = replace(place, kind=Kind.TEXT)
    parts = [text, *re.split(r"[-@]", text)] if place.field in NAMES_OF_OURS else [text]
    names = [name for name in place.untrusted if name and name in text]
    bare = (BARE, Reading(Family.RATIO, 0.01)) if place.field in ("technique", "change") else (BARE,)
    for figure in (figure for part in parts for figure in find_figures(part, names)):
        for reading in figure.readings or bare:
            yield place.fact(reading, figure.value)
