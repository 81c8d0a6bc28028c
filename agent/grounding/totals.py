"""What the rows of a result are together: all layers of an operator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .facts import Fact, Kind
from .families import Family

_ROW = re.compile(r"(?P<list>.*\blayers)\[(?P<at>\d+)\]\.(?P<field>\w+)")
_ADDED = frozenset((Family.MACS, Family.TIME, Family.ENERGY, Family.CYCLES, Family.BYTES, Family.PARAMETERS))
_FEWEST = 2


def totals_of(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Of each operator of a list of all layers the sum of each field, and how many there are."""
    lists: dict[tuple[str, str], dict[int, list[tuple[str, Fact]]]] = {}
    for fact in facts:
        row = _ROW.fullmatch(fact.path)
        if row is not None and fact.kind is Kind.FIELD and fact.subject.op and not fact.end:
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
            total = sum(fact.value for fact in added)
            yield added[0]._replace(
                value=total,
                native=total,
                path=f"sum({name}[{op}].{field})",
                kind=Kind.PAIR,
                subject=added[0].subject._replace(layer=None),
            )
