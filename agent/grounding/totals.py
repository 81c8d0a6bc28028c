"""What the rows of a result are together: all layers of an operator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from .facts import Fact, Kind
from .families import Family
from .number_words import WORD_VALUES

_ROW = re.compile(r"(?P<list>.*\blayers)\[(?P<at>\d+)\]\.(?P<field>\w+)")
_ADDED = frozenset((Family.MACS, Family.TIME, Family.ENERGY, Family.CYCLES, Family.BYTES, Family.PARAMETERS))
_FEWEST = 2
_LARGEST = re.compile(
    r"(?<!\w)(?:top (?P<after>\w+)|(?P<before>\w+) (?:slowest|costliest|heaviest|largest|biggest|"
    r"most expensive|longest|"
    r"most costly))(?!\w)[^.;]{0,20}?(?<!\w)(?:layers|operators|ops|ones|convolutions)(?!\w)",
    re.IGNORECASE,
)
_MOST_LARGEST = 20


def largest_of(facts: Iterable[Fact], text: str) -> Iterator[Fact]:
    """The sum of each field over so many rows that have most of it: the three slowest layers."""
    counts = {_count(match["after"] or match["before"]) for match in _LARGEST.finditer(text)} - {0}
    if not counts:
        return
    columns: dict[tuple[str, str, str], list[Fact]] = {}
    for fact in facts:
        if fact.subject.layer is None or fact.kind is not Kind.FIELD or fact.end or fact.family not in _ADDED:
            continue
        if row := _ROW.fullmatch(fact.path):
            columns.setdefault((fact.call, row["list"], row["field"]), []).append(fact)
    for (_, name, field), column in columns.items():
        column.sort(key=lambda fact: -fact.value)
        for count in counts:
            if len(column) >= count:
                yield _sum(column[:count], f"sum(largest {count} of {name}.{field})")


def _count(word: str) -> int:
    value = float(word) if word.isdigit() else WORD_VALUES.get(word.casefold(), 0)
    return int(value) if _FEWEST <= value <= _MOST_LARGEST else 0


def totals_of(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Of each operator of a list of all layers the sum of each field, and how many there are."""
    lists: dict[tuple[str, str], dict[int, list[tuple[str, Fact]]]] = {}
    for fact in facts:
        if not fact.subject.op or fact.kind is not Kind.FIELD or fact.end or fact.family not in _ADDED:
            continue
        if row := _ROW.fullmatch(fact.path):
            rows = lists.setdefault((fact.call, row["list"]), {})
            rows.setdefault(int(row["at"]), []).append((row["field"], fact))
    for (_, name), rows in lists.items():
        if _is_whole(rows):
            yield from _sums(name, rows)


def _is_whole(rows: dict[int, list[tuple[str, Fact]]]) -> bool:
    """A list that was cut to its largest rows skips layers."""
    layers = sorted(those[0][1].subject.layer or 0 for those in rows.values())
    return layers == list(range(len(layers)))


def _sums(name: str, rows: dict[int, list[tuple[str, Fact]]]) -> Iterator[Fact]:
    parts: dict[tuple[str, str, Family], list[Fact]] = {}
    for those in rows.values():
        for field, fact in those:
            if fact.family in _ADDED:
                parts.setdefault((fact.subject.op, field, fact.family), []).append(fact)
    for (op, field, _), added in parts.items():
        if len(added) >= _FEWEST:
            yield _sum(added, f"sum({name}[{op}].{field})")


def _sum(added: Sequence[Fact], path: str) -> Fact:
    total = sum(fact.value for fact in added)
    subject = added[0].subject._replace(layer=None)
    return added[0]._replace(value=total, native=total, path=path, kind=Kind.PAIR, subject=subject)
