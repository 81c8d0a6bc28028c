"""How sure a comparison is: whether intervals overlap, what each stands on, how far off such figures were."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import NamedTuple

from ..bench import Answering, Call, Record, call_of
from ..query import Query, Role
from ..want import Want
from . import trust
from .axes import kinds_of, several, shown
from .deployment import deployment
from .passages import APT, search
from .phrases import apart, figure, joined, lines, table

_OF_TRUST = frozenset((Want.INTERVAL, Want.EVIDENCE, Want.ERROR))
_MEASURED = ("measured", "published")
_ONE = re.compile(
    r"\b(?:that|this|the|your)(?: \w+)? (?:number|figure|estimate|value|one)\b|"
    r"\b(?:is|was|about|trust|of|in) (?:that|this|it)\b(?! (?:difference|order|ranking|comparison|clear))",
    re.IGNORECASE,
)
"""Words that mean one figure."""
_NAMED = (Role.TARGET, Role.MODEL, Role.RUNTIME, Role.DTYPE, Role.BATCH, Role.THREADS, Role.CLOCK_MHZ)
_FEWEST, _MOST_ROWS = 2, 6
_OF_TWO = "Comparing two intervals"


class _Row(NamedTuple):
    name: str
    record: Record
    value: float
    basis: str


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is asked how sure several figures are: of what is named, or of the table shown last."""
    if not query.has(Role.MODEL) or len(_of(query)) < _FEWEST:
        return False
    page = next(iter(search(query.question, 1, APT)), None)
    if page and page.section == _OF_TWO:
        return True
    return bool(set(wants[:1]) & _OF_TRUST)


def compared(query: Query, wants: Sequence[Want]) -> Answering:
    """Whether one is ahead of the others for sure, what each stands on, how far off such figures were."""
    function, path = trust.spoken_of(query)
    rows = yield from _rows(_of(query), function, path)
    if len(rows) < _FEWEST:
        return (yield from deployment(query, wants))
    ahead, measured = _ahead(rows, path), _measured(rows, path)
    first, second = (measured, ahead) if wants[0] is Want.EVIDENCE else (ahead, measured)
    name, errors = trust.NAMES.get(path, path), (yield from trust.figures(_of_one_class(query)))
    cells = [(r.name, figure(r.record, path, basis=False), r.basis, trust.stands_on(r.record)) for r in rows]
    return lines(
        first,
        table(("", name, "basis", "stands on"), cells),
        second,
        errors.partition("\n")[0],
        trust.advice(query),
    )  # fmt: skip


def _of(query: Query) -> list[tuple[str, Query]]:
    """What is named more than once; else the rows of the table that was shown last, unless one is meant."""
    named = [slot.text for slot in query.slots if slot.role in _NAMED and not slot.inherited and slot.text]
    if any(text in query.question for text in named) or _ONE.search(query.question) or not query.shown:
        return kinds_of(query, ())[0] if several(query) else []
    found = []
    for row in query.shown:
        one = query
        for slot in row.slots:
            one = one.put(slot.role, slot.value)
        values = [
            shown(s.role, s.value) for s in row.slots if any(s not in other.slots for other in query.shown)
        ]
        found.append((", ".join(values), one))
    return found


def _rows(
    kinds: Sequence[tuple[str, Query]], function: str, path: str
) -> Generator[Call, Record, list[_Row]]:
    """Those of which the figure is known, the least first."""
    found = []
    for name, one in kinds[:_MOST_ROWS]:
        record = yield call_of(function, one)
        if (value := record.number(path)) is not None:
            found.append(_Row(name, record, value, record.ref(f"{path}.basis")))
    return sorted(found, key=lambda row: row.value)


def _ahead(rows: Sequence[_Row], path: str) -> str:
    """Whether the interval of the best overlaps with those of the others."""
    best, *others = rows
    ends = best.record.ends(path)
    level = [row.name for row in others if not apart(ends, row.record.ends(path))]
    clear = [row.name for row in others if row.name not in level]
    least = (
        f"{best.name} has the least {trust.NAMES.get(path, path)}, {figure(best.record, path, basis=False)}"
    )
    deployed = [row.record["deployment"] or {} for row in rows]
    if level and len({(each.get("target"), each.get("runtime")) for each in deployed}) == 1:
        return f"Clear as an order: {least}; all are of one board and kernels, and share their error."
    if not level:
        return f"Clear: {least}, and its interval overlaps with none of {joined(clear)}."
    beside = f"; clear is it only of {joined(clear)}" if clear else ""
    return f"Not clear: {least}, but its interval overlaps with {joined(level)}{beside}."


def _measured(rows: Sequence[_Row], path: str) -> str:
    """Which of them was measured."""
    found = [row.name for row in rows if (row.record[path] or {}).get("basis") in _MEASURED]
    others = [row.name for row in rows if row.name not in found]
    if not found:
        return f"None of them is measured: {joined(others)} are estimates."
    rest = f"; {joined(others)} {'are estimates' if len(others) > 1 else 'is an estimate'}" if others else ""
    return f"Measured, and published for this very case: {joined(found)}{rest}."


def _of_one_class(query: Query) -> Query:
    """For the errors of the class of all of them, or of every class."""
    targets = {str(one.text(Role.TARGET)) for _, one in _of(query)}
    classes = {str(query.targets[name].target_class) for name in targets if name in query.targets}
    general = query.without([Role.TARGET, Role.RUNTIME, Role.TARGET_CLASS])
    return general.put(Role.TARGET_CLASS, *classes) if len(classes) == 1 else general


__all__ = ["asks", "compared"]
