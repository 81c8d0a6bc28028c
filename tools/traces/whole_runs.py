"""Rows of counters against an estimate: of layers they are a trace, of runs they are how long each took."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from .recording import Counted, Recording
from .trace import Event, Trace, Unit


class WholeRuns(NamedTuple):
    times_ms: tuple[float, ...]
    clock_mhz: float | None
    """As cycles and times beside each other tell it, or the file states it."""


def layers_of(found: Recording) -> Trace | None:
    """A trace of the operators that rows of counters name; None where they name none or say no times."""
    if found.trace is not None:
        return found.trace
    rows = found.counters
    for name, unit in (("time_ms", Unit.MILLISECONDS), ("cycles", Unit.CYCLES)):
        if rows and all(row.name and name in row.counts for row in rows):
            events = tuple(Event(row.name, row.counts[name]) for row in rows)
            return Trace(
                found.format, unit, (events,), repeats=True, fuses=True, basis=found.basis,
                written_by=found.written_by, clock_mhz=_clock(rows), notes=found.notes,
            )  # fmt: skip
    return None


def runs_of(found: Recording, clock_mhz: float) -> WholeRuns | None:
    """
    Args:
        found: a file with a row a run.
        clock_mhz: of the core, by which cycles without a time beside them are taken.
    """
    rows = found.counters
    if not rows or any(row.name for row in rows):
        return None
    times = [row.counts["time_ms"] for row in rows if "time_ms" in row.counts]
    if len(times) < len(rows):
        times = [row.counts["cycles"] / clock_mhz / 1e3 for row in rows if "cycles" in row.counts]
    return WholeRuns(tuple(times), _clock(rows)) if len(times) == len(rows) and min(times) > 0 else None


def _clock(rows: Sequence[Counted]) -> float | None:
    """In MHz; None where no row has it."""
    stated = [row.counts["frequency_mhz"] for row in rows if row.counts.get("frequency_mhz")]
    counted = [
        row.counts["cycles"] / row.counts["time_ms"] / 1e3
        for row in rows
        if row.counts.get("cycles") and row.counts.get("time_ms")
    ]
    return median(stated or counted) if stated or counted else None
