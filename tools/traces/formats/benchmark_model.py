"""Operator profiling of TFLite's benchmark_model, as text or CSV.

The tables are written by tensorflow/core/util/stats_calculator.cc: "Run Order" has a row for each node. Nodes
that an XNNPACK delegate runs are summed up under one name, with how often each was called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...core.sanitize import clean_text
from ..trace import Event, Trace, Unit
from ..trace_file import number

_TITLE = re.compile(r"(?<!=)={10,} (.{1,60}?) ={10,}")
_REGULAR = re.compile(r"Operator-wise Profiling Info for Regular Benchmark Runs", re.IGNORECASE)
_INITIAL = re.compile(r"Profiling Info for Benchmark Initialization", re.IGNORECASE)
_INTERNAL = re.compile(r"Delegate internal:", re.IGNORECASE)
_DELEGATE = re.compile(r"delegate$", re.IGNORECASE)
_RUNS = re.compile(r"Timings \(microseconds\): count=(\d{1,9})")
_SET_UP = frozenset(("allocatetensors", "modifygraphwithdelegate"))


class _Row(NamedTuple):
    event: Event
    calls: int


class _Table(NamedTuple):
    rows: list[_Row]
    internal: bool


def read(lines: Sequence[str]) -> Trace | None:
    if not any("node type" in line.casefold() for line in lines):
        return None
    tables = [table for table in _tables(lines) if table.rows]
    if not tables:
        return None
    rows = _with_internals(tables)
    summed = any(row.calls > 1 for row in rows)
    return Trace(
        "operator profiling of benchmark_model",
        Unit.MILLISECONDS,
        (tuple(row.event for row in rows),),
        by_kind=summed,
        fuses=True,
        written_by="litert",
        averaged_runs=_runs(lines),
        notes=("the delegate sums up operators that it runs by one kernel",) if summed else (),
    )


def _runs(lines: Sequence[str]) -> int:
    counts = [int(found[1]) for line in lines if (found := _RUNS.search(line))]
    return max(1, *counts) if counts else 1


def _with_internals(tables: list[_Table]) -> list[_Row]:
    """What a delegate did inside stands for the delegate."""
    outer = next((t.rows for t in reversed(tables) if not t.internal), [])
    inner = next((t.rows for t in reversed(tables) if t.internal), [])
    stated_inside = inner or any(row.event.tag.casefold().startswith("delegate/") for row in outer)
    rows: list[_Row] = []
    for row in outer:
        if stated_inside and _DELEGATE.search(row.event.tag):
            rows += inner
            inner = []
        else:
            rows.append(row)
    return [*rows, *inner]


def _tables(lines: Sequence[str]) -> Iterator[_Table]:
    """The tables in run order, without those of setting up."""
    rows: list[_Row] | None = None
    header: list[str] = []
    setting_up = internal = False
    for at, line in enumerate(lines, 1):
        if _REGULAR.search(line) or _INITIAL.search(line):
            setting_up, internal = _INITIAL.search(line) is not None, False
        internal = internal or _INTERNAL.search(line) is not None
        if (title := _TITLE.search(line)) is not None:
            if rows is not None:
                yield _Table(rows, internal)
            rows = [] if title[1] == "Run Order" and not setting_up else None
        elif rows is not None and "node type" in line.casefold():
            header = [_column(cell) for cell in _cells(line)]
        elif rows is not None and header:
            rows += _row(dict(zip(header, _cells(line), strict=False)), at)
    if rows is not None:
        yield _Table(rows, internal)


def _cells(line: str) -> list[str]:
    """Fields are set apart by commas, by tabs or by wide gaps."""
    if line.count(",") >= 6 and "\t" not in line.split(",", 1)[0]:
        return [cell.strip() for cell in line.split(",")]
    return [cell.strip() for cell in re.split(r"\t+|\s{2,}", line.strip()) if cell.strip()]


def _column(cell: str) -> str:
    return cell.strip("[] ").casefold().replace("_", " ")


def _row(cells: dict[str, str], line: int) -> Iterator[_Row]:
    tag, value = cells.get("node type", ""), cells.get("avg ms", "")
    if not tag or not value or tag.casefold() in _SET_UP:
        return
    calls = cells.get("times called", "1")
    called = int(calls) if calls.isascii() and calls.isdigit() and len(calls) < 7 else 1
    name = cells.get("name", "")
    by_delegate = name.casefold().startswith("delegate/")
    inside = by_delegate and not tag.casefold().startswith("delegate/")
    tensors, _, node = name.rpartition(":")
    known = not by_delegate and node.isascii() and node.isdigit() and len(node) < 7
    yield _Row(
        Event(
            clean_text(f"Delegate/{tag}" if inside else tag),
            number(value, line) * max(1, called),
            layer=int(node) if known else None,
            output=clean_text(tensors.strip("[]").rpartition(", ")[2]) if known else "",
        ),
        called,
    )
