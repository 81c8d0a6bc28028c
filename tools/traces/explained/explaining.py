"""Files of measurements, each read by its content, joined into what they say together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ....hardware_db.errors import InputError, UsageError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..counters.judging import judged
from ..counters.rules import Rules, rules_of
from ..formats import read_recording
from ..recording import Counted, Doing, Recording
from .advice import advice_of
from .occupancy import doing
from .of_times import spans_of
from .spans import by_source, clock_of, joined, lanes_of, occupancy_of, operators_of
from .trace_report import TraceReport, TraceSource

_MOST_FILES = 8
_MOST_LAYERS = 500
_NO_SUMS = frozenset(("power_mw", "temperature_c", "frequency_mhz"))


def explained(
    paths: Sequence[str | os.PathLike[str]],
    clock_mhz: float | None,
    rules: str | os.PathLike[str] | None,
) -> TraceReport:
    if not 1 <= len(paths) <= _MOST_FILES:
        raise UsageError(
            f"{len(paths)} files were given.", hint=f"Give one to {_MOST_FILES} files of one measurement."
        )
    judging = rules_of(rules)
    read = [read_recording(path) for path in paths]
    told = {**_timed(read, clock_mhz), **_counted(read, judging)}
    if not told:
        raise _nothing(paths)
    return TraceReport(
        sources=tuple(map(_source, paths, read)),
        assumptions=tuple(dict.fromkeys(note for one in read for note in one.notes)),
        warnings=tuple(dict.fromkeys(text for one in read for text in one.warnings)),
        **told,
    )


def _timed(read: Sequence[Recording], clock_mhz: float | None) -> dict[str, Any]:
    """What begins and ends: units, operators, and compile time beside run time."""
    timelines = [one for one in map(spans_of, read) if one.spans]
    if not timelines:
        return {}
    sources = {line: name for one in read for line, name in one.sources.items()}
    main = next((one for one in timelines if one.basis is Basis.MEASURED), timelines[0])
    counted = clock_of(main.unit, clock_mhz or main.clock_mhz)
    units = next((one for one in (main, *timelines) if doing(one.spans, Doing.TRANSFER)), main)
    occupancy = occupancy_of(units.spans, clock_of(units.unit, clock_mhz or units.clock_mhz))
    lanes = lanes_of(units.spans)
    both = _both(timelines)
    return {
        "occupancy": occupancy,
        "operators": operators_of(main.spans, counted),
        "by_source": by_source(main.spans, sources, counted),
        "lanes": lanes,
        "joined": () if both is None else joined(*both, sources),
        "advice": advice_of(occupancy, lanes),
    }


def _counted(read: Sequence[Recording], rules: Rules) -> dict[str, Any]:
    """Counters of the whole, which are those of the layers together where only layers were counted."""
    rows = [row for one in read for row in one.counters]
    whole = [row for row in rows if not row.name]
    layers: dict[str, list[Counted]] = {}
    for row in rows:
        if row.name:
            layers.setdefault(row.name, []).append(row)
    if not rows:
        return {}
    return {
        "counters": judged(whole or [_together(rows)], rules),
        "counted_layers": tuple(judged(members, rules) for members in list(layers.values())[:_MOST_LAYERS]),
    }


def _together(rows: Sequence[Counted]) -> Counted:
    names = dict.fromkeys(name for row in rows for name in row.counts if name not in _NO_SUMS)
    return Counted("", {name: sum(row.counts.get(name, 0.0) for row in rows) for name in names})


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
