"""Files of measurements, each read by its content, joined into what they say together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ....hardware_db.errors import InputError, UsageError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..counters.judging import judged
from ..counters.rules import Rules, rules_of
from ..formats import read_recording
from ..power.cutting import Layers, layers_of
from ..power.energies import energies
from ..power.energy_report import EnergyReport
from ..power.fitting import fitted
from ..recording import Counted, Doing, Recording
from ..run_times import RunTimes, ThermalState, run_times
from .advice import advice_of, advice_of_power
from .checklist import checklist
from .clocks import clocks_of
from .compiled import compiled_of
from .distrust import doubts_of_heat, doubts_of_power, doubts_of_runs
from .occupancy import doing
from .of_times import spans_of
from .spans import by_source, clock_of, joined, lanes_of, occupancy_of, operators_of
from .trace_report import TraceReport, TraceSource

_MOST_FILES = 8
_APART = "no place of the source is in both timelines: they are of two models, or of two compilations"
_MOST_LAYERS = 500
_NO_SUMS = frozenset(("power_mw", "temperature_c", "frequency_mhz"))


def explained(
    paths: Sequence[str | os.PathLike[str]],
    clock_mhz: float | None,
    rules: str | os.PathLike[str] | None,
    supply_v: float | None,
) -> TraceReport:
    if not 1 <= len(paths) <= _MOST_FILES:
        raise UsageError(
            f"{len(paths)} files were given.", hint=f"Give one to {_MOST_FILES} files of one measurement."
        )
    judging = rules_of(rules)
    read = [read_recording(path) for path in paths]
    width = next((one.issue_width for one in read if one.issue_width), None)
    judging = judging._replace(issue_width=width) if width and rules is None else judging
    told = {**_timed(read, clock_mhz), **_counted(read, judging), **_powered(read, supply_v)}
    told["accesses"] = next((one.accesses for one in read if one.accesses is not None), None)
    told["advice"] = (*told.get("advice", ()), *advice_of_power(told.get("energy")))
    told |= compiled_of(read)
    if not any(told.values()) and not any(one.facts and one.basis is not Basis.MEASURED for one in read):
        raise _nothing(paths)
    if not told.get("clocks"):  # runs at several clocks are no series of one
        told |= _doubted(read, told.get("energy"), clock_mhz)
    else:  # unless it is heat that changed it
        told["doubts"] = tuple(doubts_of_heat([row for one in read for row in one.counters if not row.name]))
    return TraceReport(
        sources=tuple(map(_source, paths, read)),
        assumptions=tuple(dict.fromkeys(note for one in read for note in one.notes)),
        warnings=tuple(
            dict.fromkeys([text for one in read for text in one.warnings] + told.pop("apart", []))
        ),
        facts={key: value for one in read for key, value in one.facts.items()},
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
    rows = () if both is None else joined(*both, sources)
    return {
        "occupancy": occupancy,
        "operators": operators_of(main.spans, counted),
        "by_source": by_source(main.spans, sources, counted),
        "lanes": lanes,
        "joined": rows,
        "apart": [_APART] if both is not None and not rows else [],
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
    clocks = clocks_of(whole)
    if clocks and not any("instructions" in row.counts for row in whole):
        return {"clocks": clocks, "energy_fit": fitted(rows)}
    return {
        "clocks": clocks,
        "energy_fit": fitted(rows),
        "counters": judged(whole or [_together(rows)], rules),
        "counted_layers": tuple(judged(members, rules) for members in list(layers.values())[:_MOST_LAYERS]),
    }


def _powered(read: Sequence[Recording], supply_v: float | None) -> dict[str, Any]:
    """A power trace, cut by the times of a log where one was given beside it."""
    samples = next((one.power for one in read if one.power is not None), None)
    if samples is None:
        return {}
    return {"energy": energies(samples, supply_v, _layers(read))}


def _layers(read: Sequence[Recording]) -> Layers | None:
    """Names and times of operators, in the order in which they ran; several runs by their mean."""
    trace = next((one.trace for one in read if one.trace is not None), None)
    if trace is None:
        return None
    runs = [[event for event in segment if event.value is not None] for segment in trace.segments]
    first = next(filter(None, runs), [])
    alike = [run for run in runs if [event.tag for event in run] == [event.tag for event in first]]
    names = [event.tag or f"layer {at}" for at, event in enumerate(first)]
    times = [fmean(float(run[at].value or 0.0) for run in alike) for at in range(len(first))]
    return layers_of(_numbered(names), times) if names else None


def _numbered(names: Sequence[str]) -> list[str]:
    """`CONV_2D 0`, `CONV_2D 2` where one name stands for several layers."""
    return [f"{name} {at}" if names.count(name) > 1 else name for at, name in enumerate(names)]


def _doubted(
    read: Sequence[Recording], energy: EnergyReport | None, clock_mhz: float | None
) -> dict[str, Any]:
    """Doubts, the checklist and the fit: of runs with a row each, and of power."""
    rows = [row for one in read for row in one.counters if not row.name]
    runs = rows if len(rows) > 1 else []
    facts = {key: value for one in read for key, value in one.facts.items()}
    doubts = list(doubts_of_runs(runs, facts, clock_mhz)) if runs else []
    samples = next((one.power for one in read if one.power is not None), None)
    if samples is not None and energy is not None:
        doubts += doubts_of_power(samples, energy)
        doubts += [] if runs else doubts_of_runs((), facts, None)
    if not runs and energy is None:
        return {}
    return {
        "doubts": tuple(doubts),
        "run_times": _times_of(runs),
        "checklist": checklist(runs, energy, facts, doubts),
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
        file=clean_text(Path(path).name or Path(path).resolve().name),
        format=read.format,
        rows=read.lines,
        basis=read.basis,
    )


def _nothing(paths: Sequence[str | os.PathLike[str]]) -> InputError:
    names = ", ".join(clean_text(Path(path).name) for path in paths)
    return InputError(f"{names}: nothing in it was measured.", hint="Name the file with the trace beside it.")


def _times_of(rows: Sequence[Counted]) -> RunTimes | None:
    """None where not every row has a time, or there is one alone."""
    times = [row.counts["time_ms"] for row in rows if "time_ms" in row.counts]
    if not 1 < len(times) == len(rows):
        return None
    return run_times(times[1:], times[0]).model_copy(update={"thermal": _warmth(rows)})


def _warmth(rows: Sequence[Counted]) -> ThermalState | None:
    """As the runs were logged; None where they have neither a temperature nor a clock."""
    degrees = [row.counts["temperature_c"] for row in rows if "temperature_c" in row.counts]
    clocks = [row.counts["frequency_mhz"] for row in rows if "frequency_mhz" in row.counts]
    if not degrees and not clocks:
        return None
    return ThermalState(
        sensor="as logged" if degrees else "", start_c=degrees[0] if degrees else None,
        end_c=degrees[-1] if degrees else None, most_c=max(degrees, default=None),
        least_clock_mhz=min(clocks, default=None), most_clock_mhz=max(clocks, default=None),
    )  # fmt: skip
