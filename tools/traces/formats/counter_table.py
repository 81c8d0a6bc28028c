"""Counters in a CSV: a row a run or a layer, as firmware prints them over a serial line.

With a header each column goes by its name (`counters.toml`). Without one it is the form of the documents' own
firmware: run, cycles, misses, accesses, milliseconds, millijoules.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from ..counters.names import in_base_units, known
from ..grid import facts_of, folded
from ..recording import Counted, Recording
from ..trace_file import number

_HEADLESS = ("run", "cycles", "l1_misses", "l1_accesses", "time_ms", "energy_mj")
_CELL = re.compile(r"\s*-?\d{1,15}(?:\.\d{1,9})?\s*")
NAMES = ("layer", "name", "op", "operator", "tag", "layer_name", "opcode", "node", "kernel")
RUNS = ("run", "iteration", "i", "index", "inference", "sample", "n")
_LEAST_ROWS, _HEADER_LINES = 3, 60
_COUNTS = frozenset(
    ("instructions", "l1_misses", "l2_misses", "llc_misses", "cache_misses", "branch_misses", "mac_cycles",
     "npu_idle", "npu_active", "stalled_backend", "dma_cycles", "simd_instructions")
)  # fmt: skip
"""What makes a table of counters of a table of times."""
_ENERGIES = frozenset(("energy_mj", "energy_uj", "power_mw"))
_TIMES = frozenset(("time_ms", "time_us", "time_s"))


class Header(NamedTuple):
    line: int
    """That it is."""
    mark: str
    columns: tuple[str, ...]
    """By the names of `counters.toml`; what is none of them, folded."""


def read(lines: Sequence[str]) -> Recording | None:
    header = header_of(lines)
    if header is None:
        return _headless(lines)
    return _table(lines[header.line :], header.line + 1, header.columns, header.mark, facts_of(lines))


def header_of(lines: Sequence[str]) -> Header | None:
    for at, line in enumerate(lines[:_HEADER_LINES], 1):
        for mark in (",", ";", "\t"):
            columns = tuple(known(cell) or folded(cell) for cell in line.split(mark))
            if not line.startswith("#") and _is_counted(set(columns)):
                return Header(at, mark, columns)
    return None


def _is_counted(columns: set[str]) -> bool:
    """Two counters, or one beside cycles; or runs with their clock and what they took of energy or power."""
    counts = _COUNTS & columns
    if counts and ("cycles" in columns or len(counts) > 1):
        return True
    return "frequency_mhz" in columns and bool(_ENERGIES & columns) and bool(_TIMES & columns)


def _table(
    lines: Sequence[str], first: int, columns: Sequence[str], mark: str, facts: Mapping[str, str]
) -> Recording | None:
    named = next((at for at, title in enumerate(columns) if title in NAMES), None)
    rows = []
    for at, cells in _cells(lines, first, mark):
        if len(cells) < len(columns):
            raise _cut(at, len(cells), len(columns))
        counts = {
            title: number(_point(cell, mark), at)
            for title, cell in zip(columns, cells, strict=False)
            if known(title) and cell.strip() and title not in RUNS
        }
        name = clean_text(cells[named]) if named is not None else ""
        rows.append(Counted(name, in_base_units(counts), at))
    return _recording("counters as CSV", rows, facts)


def _headless(lines: Sequence[str]) -> Recording | None:
    kept = [(at, line) for at, line in enumerate(lines, 1) if line.strip()]
    table = [(at, line.split(",")) for at, line in kept if line.count(",") == len(_HEADLESS) - 1]
    table = [(at, cells) for at, cells in table if all(map(_CELL.fullmatch, cells))]
    if len(table) < _LEAST_ROWS or len(table) < 0.5 * len(kept):
        return None
    if len(table) < len(kept) and kept[-1][0] > table[-1][0] and kept[-1][1][:1].isdigit():
        raise _cut(kept[-1][0], kept[-1][1].count(",") + 1, len(_HEADLESS))
    rows = [
        Counted("", {name: number(cell, at) for name, cell in zip(_HEADLESS[1:], cells[1:], strict=True)}, at)
        for at, cells in table
    ]
    return _recording("counters over a serial line", rows, facts_of(lines))


def _recording(name: str, rows: Sequence[Counted], facts: Mapping[str, str]) -> Recording | None:
    return Recording(name, counters=tuple(rows), facts=facts, lines=len(rows)) if rows else None


def _cells(lines: Sequence[str], first: int, mark: str) -> Iterator[tuple[int, list[str]]]:
    for at, line in enumerate(lines, first):
        if line.strip() and not line.startswith("#"):
            yield at, next(csv.reader([line], delimiter=mark), [])


def _point(cell: str, mark: str) -> str:
    text = cell.strip()
    return text.replace(",", ".") if mark != "," and text.count(",") == 1 else text


def _cut(line: int, cells: int, columns: int) -> InputError:
    return InputError(
        f"Line {line}: {cells} cells where {columns} belong.",
        hint="The file is cut off or mixed with another; nothing of it was imported.",
    )
