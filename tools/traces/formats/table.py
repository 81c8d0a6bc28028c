"""A CSV with a row for each operator: its index or its name, and a time whose unit the column's name says."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import NamedTuple

from ...core.sanitize import clean_text
from ..trace import Event, Trace, Unit
from ..trace_file import number

_NAMES = (
    "opcode", "op code", "op", "operator", "op type", "tag", "type", "kind", "node type", "layer type",
    "name", "layer name", "layer", "node",
)  # fmt: skip
_INDICES = ("index", "idx", "layer index", "op index", "layer", "layer id", "id", "#", "no")
_TIMES = frozenset(
    ("time", "latency", "duration", "dur", "elapsed", "measured", "avg", "mean", "median", "runtime")
)
_UNITS = {
    "ns": Unit.NANOSECONDS, "nanoseconds": Unit.NANOSECONDS, "us": Unit.MICROSECONDS, "µs": Unit.MICROSECONDS,
    "μs": Unit.MICROSECONDS, "microseconds": Unit.MICROSECONDS, "ms": Unit.MILLISECONDS,
    "msec": Unit.MILLISECONDS, "milliseconds": Unit.MILLISECONDS, "s": Unit.SECONDS, "sec": Unit.SECONDS,
    "seconds": Unit.SECONDS, "cycles": Unit.CYCLES, "ticks": Unit.TICKS,
}  # fmt: skip
_OF_ANOTHER = frozenset(
    ("acc", "npu", "sram", "dram", "start", "end", "begin", "total", "cumulative", "std", "min", "max")
)
"""Words of columns that hold no whole time of an operator."""
_PREFIXES = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9}
_PREFIXED = re.compile(r"([-+]?\d[\d.]*)\s?([numkMGµ])")
_SUMS = frozenset(("total", "sum", "all", "overall"))
_RANK = {Unit.CYCLES: 1, Unit.TICKS: 2, Unit.UNSTATED: 3}
"""Of several columns, a time in a unit goes before all others."""
_HEADER_LINES = 2_000
"""Lines of noise before a header; in a longer log it is hardly a table."""


class Columns(NamedTuple):
    time: int
    unit: Unit
    name: int | None
    layer: int | None
    delimiter: str


class Header(NamedTuple):
    line: int
    """That it is."""
    columns: Columns


def read(lines: Sequence[str]) -> Trace | None:
    header = header_of(lines)
    return None if header is None else _table(lines, header.line, header.columns)


def header_of(lines: Sequence[str]) -> Header | None:
    for at, line in enumerate(lines[:_HEADER_LINES], 1):
        columns = _columns(line)
        if columns is not None:
            return Header(at, columns)
    return None


def _table(lines: Sequence[str], first: int, columns: Columns) -> Trace:
    segments: list[list[Event]] = [[]]
    last = -1
    for at, line in enumerate(lines[first:], first + 1):
        event = event_of(cells_of(line, columns.delimiter), columns, at)
        if event is None:
            continue
        if event.layer is not None:
            if event.layer <= last:
                segments.append([])
            last = event.layer
        segments[-1].append(event)
    found = tuple(map(tuple, filter(None, segments)))
    return Trace("CSV table", columns.unit, found, repeats=columns.layer is None, fuses=True)


def cells_of(line: str, delimiter: str) -> list[str]:
    if '"' not in line:
        return [cell.strip() for cell in line.split(delimiter)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _columns(header: str) -> Columns | None:
    delimiter = next((mark for mark in (",", ";", "\t") if mark in header), "")
    if not delimiter:
        return None
    named = [_words(cell) for cell in cells_of(header, delimiter)]
    times = [(at, unit) for at, words in enumerate(named) if (unit := _unit(words)) is not None]
    if not times:
        return None
    time, unit = min(times, key=lambda pair: _RANK.get(pair[1], 0))
    plain = [" ".join(words) for words in named]
    name = next((plain.index(word) for word in _NAMES if word in plain), None)
    index = next((plain.index(word) for word in _INDICES if word in plain), None)
    return None if name is None and index is None else Columns(time, unit, name, index, delimiter)


def _words(cell: str) -> list[str]:
    return re.findall(r"[a-zµμ]+|[#%]", cell.casefold())


def _unit(words: Sequence[str]) -> Unit | None:
    if not words or _OF_ANOTHER & {*words} or "%" in words:
        return None
    unit = next((_UNITS[word] for word in reversed(words) if word in _UNITS), None)
    if {*words} <= _TIMES:
        return Unit.UNSTATED
    counts = unit in (Unit.CYCLES, Unit.TICKS) or len(words) == 1
    return unit if counts or _TIMES & {*words} else None


def event_of(cells: Sequence[str], columns: Columns, line: int) -> Event | None:
    time = _cell(cells, columns.time)
    if not time:
        return None
    index, name = _cell(cells, columns.layer), _cell(cells, columns.name)
    layer = int(index) if index.isascii() and index.isdigit() and len(index) < 7 else None
    if layer is None and (not name or name.casefold() in _SUMS):
        return None
    if columns.delimiter != "," and time.count(",") == 1:
        time = time.replace(",", ".")
    return Event("" if name.isdigit() else clean_text(name), _value(time, line), layer=layer)


def _cell(cells: Sequence[str], at: int | None) -> str:
    return cells[at] if at is not None and at < len(cells) else ""


def _value(text: str, line: int) -> float:
    """With the prefix of a unit, as in 6.3M, where there is one."""
    if (found := _PREFIXED.fullmatch(text)) is not None and found[1].count(".") < 2:
        return number(str(float(found[1]) * _PREFIXES[found[2]]), line)
    return number(text, line)
