"""The per-layer CSV that Vela writes: cycles that the compiler expects, not measured ones.

Columns as in ethosu/vela/stats_writer.py and npu_performance.py; a header stands before each subgraph.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..trace import Event, Trace, Unit
from ..trace_file import number

_SOURCES = ("original operator", "tflite_operator")
_CYCLES, _NAME = "op cycles", "name"


def read(lines: Sequence[str]) -> Trace | None:
    events: list[Event] = []
    columns: list[str] = []
    for at, line in enumerate(lines, 1):
        if "NNG Operator" in line and "Op Cycles" in line and "," in line:
            columns = [cell.strip().casefold() for cell in line.split(",")]
        elif columns and line.count(",") >= len(columns) - 1:
            cells = next(csv.reader([line]))
            row = dict(zip(reversed(columns), reversed(cells), strict=False))
            source = next((row[name] for name in _SOURCES if name in row), "")
            events.append(
                Event(clean_text(source), number(row[_CYCLES], at), output=clean_text(row.get(_NAME, "")))
            )
    if not columns:
        return None
    return Trace(
        "Vela's per-layer performance",
        Unit.CYCLES,
        (tuple(events),),
        fuses=True,
        splits=True,
        written_by="ethos-u",
        basis=Basis.SIMULATED,
        notes=("the cycles are what Vela expects: nothing in this file was measured",),
    )
