"""A decision between several, and why one of two is worse: by the figures and verdicts of their rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..wants import QUANTITIES
from ..words import spoken
from . import cases, causes, decoding
from .best_of import rank, refused
from .breakdown import cause
from .columns import COLUMNS, Column
from .doubted import least_sure, watched
from .phrases import apart, joined, language_models, lines
from .rows import Row, row_of
from .side_by_side import kinds_of, same_in_all, several, side_by_side

_OF_BOTH = (Want.LATENCY, Want.ENERGY)
_WEIGHED = QUANTITIES - {Want.FITS, Want.MEETS} | {Want.PRICE}
_NONE = re.compile(r"none|neither|i cannot", re.IGNORECASE)


def asks(query: Query) -> bool:
    """Whether one of several that are meant is to be chosen."""
    return bool(query.has(Role.MODEL) and spoken("decides", query.question)) and _several(query)


def asks_why(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is asked what makes one of two worse, or by how much it is."""
    pair = len(set(query.all(Role.TARGET))) == 2 and len(set(query.all(Role.MODEL))) == 1
    why = Want.WHY_SLOWER in wants and "why" in query.asks
    named = any(slot.text and not slot.inherited for slot in query.slots)
    by_how_much = Want.COMPARE in wants and "shrink" in query.asks and not named
    return pair and (why or by_how_much) and not causes.asks(query)


def _several(query: Query) -> bool:
    return len(cases.kinds(query)) > 1 if language_models(query) else several(query)


def decided(query: Query, wants: Sequence[Want]) -> Answering:
    """Which to take and why, in a sentence; then the table."""
    asked = tuple(want for want in (*wants, *query.topic) if want in _WEIGHED)
    asked = (Want.COMPARE, *dict.fromkeys(asked or (Want.LATENCY,)))
    frame = decoding.generation if language_models(query) else side_by_side
    seen: dict[str, Record] = {}
    text = yield from watched(frame(query, asked), seen)
    doubted = least_sure(text, seen) if spoken("unsure", query.question) else ""
    first, _, rest = text.partition("\n")
    names = re.findall(r"^\| ([^|]*?) \|", rest, re.MULTILINE)[1:]
    if not names or _NONE.match(first):
        return text
    name = max((name for name in names if first.startswith(name)), key=len, default=names[0])
    why = f"it{first[len(name) :]}" if first.startswith(f"{name} ") else f"{first[:1].lower()}{first[1:]}"
    why = why.replace(f"only {name} ", "only it ", 1)
    return lines(f"I would take {name}: {why}", doubted, rest)


def told_apart(query: Query, wants: Sequence[Want]) -> Answering:
    """In what the first of two is worse and better, each by how much, and what makes the difference."""
    if language_models(query):
        return (yield from _writers_apart(query))
    usual = _OF_BOTH[:1] if query.text(Role.GOAL) == "latency" else _OF_BOTH
    columns = [COLUMNS[want] for want in dict.fromkeys((*usual, *wants)) if want in COLUMNS]
    rows: list[Row] = []
    for name, of_one in kinds_of(query, wants)[0]:
        rows.append((yield from row_of(name, of_one, columns)))
    if len(rows) != 2 or any(row.error for row in rows):
        return (yield from side_by_side(query, wants))
    one, other = rows
    known = [column for column in columns if one.number(column) and other.number(column) and not column.ratio]
    worse = [column for column in known if _is_worse(one, other, column)]
    told = [_difference(one, other, column) for column in known]
    first = f"{one.name} is not worse than {other.name} in any figure that I know"
    if worse:
        in_these = worse == known[: len(worse)]
        first = f"{one.name} is worse than {other.name} in {joined(column.head for column in worse)}"
        first = first if in_these else f"{one.name} against {other.name}"
    order = sorted(rows, key=lambda row: rank(row, columns[0]))
    return lines(
        f"{'; '.join([first, *told])}: {same_in_all(query)}.",
        (yield from cause(query, wants, order)),
        *refused(rows),
    )


def _is_worse(one: Row, other: Row, column: Column) -> bool:
    a, b = one.number(column) or 0.0, other.number(column) or 0.0
    return a < b if column.largest else a > b


def _difference(one: Row, other: Row, column: Column) -> str:
    """Both figures, and how many times as much the first is."""
    top, bottom = sorted((one, other), key=lambda row: -(row.number(column) or 0.0))
    high, low = top.records[column.function], bottom.records[column.function]
    times = f"{{{{{high.id}.{column.path}/{low.id}.{column.path}|x}}}} {'more' if top is one else 'less'}"
    ends = high.ends(column.path), low.ends(column.path)
    unsure = "" if apart(*ends) or None in ends else ", though their intervals overlap"
    return f"{column.head} {one.cell(column)} instead of {other.cell(column)}, {times}{unsure}"


def _writers_apart(query: Query) -> Answering:
    records = []
    for name in dict.fromkeys(query.all(Role.TARGET)):
        one = query.put(Role.TARGET, name)
        records.append(needed((yield call_of("estimate_generation", one, **cases.asked(one)))))
    return causes.against(records[0], records[1], query)


__all__ = ["asks", "asks_why", "decided", "told_apart"]
