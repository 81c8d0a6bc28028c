"""Files of measurements, each read by its content, joined into what they say together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ....hardware_db.errors import InputError, UsageError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..formats import read_recording
from ..recording import Doing, Recording
from .advice import advice_of
from .occupancy import doing
from .of_times import spans_of
from .spans import by_source, clock_of, joined, lanes_of, occupancy_of, operators_of
from .trace_report import TraceReport, TraceSource

_MOST_FILES = 8


def explained(paths: Sequence[str | os.PathLike[str]], clock_mhz: float | None) -> TraceReport:
    if not 1 <= len(paths) <= _MOST_FILES:
        raise UsageError(
            f"{len(paths)} files were given.", hint=f"Give one to {_MOST_FILES} files of one measurement."
        )
    read = [read_recording(path) for path in paths]
    sources = {line: name for one in read for line, name in one.sources.items()}
    timelines = [one for one in map(spans_of, read) if one.spans]
    main = next(
        (one for one in timelines if one.basis is Basis.MEASURED), timelines[0] if timelines else None
    )
    found = tuple(map(_source, paths, read))
    notes = tuple(dict.fromkeys(note for one in read for note in one.notes))
    warnings = tuple(dict.fromkeys(text for one in read for text in one.warnings))
    if main is None:
        raise _nothing(paths)
    counted = clock_of(main.unit, clock_mhz or main.clock_mhz)
    units = next((one for one in (main, *timelines) if doing(one.spans, Doing.TRANSFER)), main)
    occupancy = occupancy_of(units.spans, clock_of(units.unit, clock_mhz or units.clock_mhz))
    lanes = lanes_of(units.spans)
    both = _both(timelines)
    return TraceReport(
        sources=found,
        occupancy=occupancy,
        operators=operators_of(main.spans, counted),
        by_source=by_source(main.spans, sources, counted),
        lanes=lanes,
        joined=() if both is None else joined(*both, sources),
        advice=advice_of(occupancy, lanes),
        assumptions=notes,
        warnings=warnings,
    )


def _both(timelines: Sequence[Recording]) -> tuple[Recording, Recording] | None:
    """What was expected in cycles, and what ran in a unit of time."""
    expected = next((one for one in timelines if clock_of(one.unit, None).ms is None), None)
    ran = next((one for one in timelines if clock_of(one.unit, None).ms is not None), None)
    return None if expected is None or ran is None else (expected, ran)


def _source(path: str | os.PathLike[str], read: Recording) -> TraceSource:
    return TraceSource(
        file=clean_text(Path(path).name), format=read.format, rows=read.lines, basis=read.basis
    )


def _nothing(paths: Sequence[str | os.PathLike[str]]) -> InputError:
    names = ", ".join(clean_text(Path(path).name) for path in paths)
    return InputError(f"{names}: nothing in it was measured.", hint="Name the file with the trace beside it.")
