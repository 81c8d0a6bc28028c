"""A recording as one run: layers in their order, the whole, and what of the whole is outside of layers."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from ..explained.occupancy import covered, doing, edges_of, overlap, own_times, timed
from ..formats import read_recording
from ..names import kind_of
from ..power.energies import energies
from ..recording import Counted, Doing, Recording
from ..trace import MS_PER, Event, Trace, Unit

_COLD = 1.2
"""First run over the median, beyond which it is a cold start."""
_MHZ = re.compile(r"(\d+(?:\.\d+)?)\s*(k|M|G)?Hz", re.IGNORECASE)
_PREFIX = {"k": 1e-3, "m": 1.0, "g": 1e3, "": 1e-6}


class Layer(NamedTuple):
    name: str
    """As the trace has it; with its position where several have that name."""
    kind: str
    elements: int | None
    time: float
    """In the run's unit, mean of its runs."""
    counts: Mapping[str, float] = {}
    tag: str = ""
    """Without a position."""


class Run(NamedTuple):
    file: str
    format: str
    unit: str
    """ms, cycles or ticks."""
    layers: tuple[Layer, ...]
    whole: float
    totals: tuple[float, ...]
    """Of single runs, where they are known."""
    runs: int
    counts: Mapping[str, float]
    clock_mhz: float | None
    outside: Mapping[str, float]
    """What the whole has beside the layers, by name; below zero where units work at once."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, str] = {}
    """What the file says about itself: compiler, flags, board."""


class _Timed(NamedTuple):
    unit: str
    layers: tuple[Layer, ...]
    totals: tuple[float, ...]
    whole: float
    outside: Mapping[str, float] = {}
    counts: Mapping[str, float] = {}
    runs: int = 0
    notes: tuple[str, ...] = ()


def run_of(path: str | os.PathLike[str], clock_mhz: float | None, supply_v: float | None = None) -> Run:
    """
    Raises:
        InputError: a file in no form that is known, or without times.
    """
    read = read_recording(path)
    found = _of_counters(read) or _of_trace(read) or _of_spans(read) or _of_power(read, supply_v)
    if found is None:
        raise InputError(
            f"{clean_text(Path(path).name)} ({read.format}) holds no times of a run.",
            hint="Compare two files with times, cycles or counters of layers or of runs.",
        )
    stated = clock_mhz or _clock(read, found.counts)
    unit, factor = found.unit, 1.0
    if unit in ("cycles", "ticks") and clock_mhz is not None:
        unit, factor = "ms", 1e-3 / clock_mhz
    return Run(
        file=clean_text(Path(path).name),
        format=read.format,
        unit=unit,
        layers=tuple(layer._replace(time=layer.time * factor) for layer in found.layers),
        whole=found.whole * factor,
        totals=tuple(total * factor for total in found.totals),
        runs=found.runs or max(1, len(found.totals)),
        counts=found.counts,
        clock_mhz=stated,
        outside={name: value * factor for name, value in found.outside.items()},
        notes=(*read.notes, *found.notes),
        warnings=read.warnings,
        facts=read.facts,
    )


def _clock(read: Recording, counts: Mapping[str, float]) -> float | None:
    """Measured by cycles over time first; what the file states after that."""
    if counts.get("cycles") and counts.get("time_ms"):
        return counts["cycles"] / counts["time_ms"] / 1e3
    if counts.get("frequency_mhz") or read.clock_mhz:
        return counts.get("frequency_mhz") or read.clock_mhz
    words = ("clock", "freq")
    stated = next((text for key, text in read.facts.items() if any(word in key for word in words)), "")
    found = _MHZ.search(stated)
    return None if found is None else float(found[1]) * _PREFIX[(found[2] or "").casefold()]


def _of_counters(read: Recording) -> _Timed | None:
    """Rows of layers, one run or several behind each other; else a row a run."""
    if not read.counters:
        return None
    named = [row for row in read.counters if row.name]
    whole = [row for row in read.counters if not row.name]
    rows = named or whole
    unit = next((name for name in ("time_ms", "cycles") if all(row.counts.get(name) for row in rows)), "")
    if not unit:
        return None
    if not named:
        return _of_whole_runs(whole, unit)
    passes = _passes([row.name for row in named])
    split = [named[at : at + passes] for at in range(0, len(named), passes)]
    layers = _layers(
        [row.name for row in split[0]], [None] * passes,
        [_means([part[at] for part in split]) for at in range(passes)], unit,
    )  # fmt: skip
    totals = tuple(sum(row.counts[unit] for row in part) for part in split)
    counts = _means(whole) if whole else _sums([layer.counts for layer in layers])
    inside = sum(layer.time for layer in layers)
    total = counts.get(unit, inside)
    outside = {"outside of layers": total - inside} if whole and total != inside else {}
    return _Timed(_unit(unit), layers, totals, total, outside, counts, len(split))


def _of_whole_runs(rows: Sequence[Counted], unit: str) -> _Timed:
    times = [row.counts[unit] for row in rows]
    cold = len(times) > 4 and times[0] > _COLD * median(times)
    kept = rows[1:] if cold else rows
    counts = _means(kept)
    notes = ("a first, cold run is left out",) if cold else ()
    return _Timed(_unit(unit), (), tuple(times[cold:]), counts[unit], {}, counts, len(kept), notes)


def _unit(column: str) -> str:
    return "ms" if column == "time_ms" else "cycles"


def _of_trace(read: Recording) -> _Timed | None:
    trace = read.trace
    segments: list[Sequence[Event]] = [] if trace is None else [_ended(segment) for segment in trace.segments]
    if trace is not None and trace.repeats:
        segments = [part for segment in segments for part in _split(segment)]
    segments = [segment for segment in segments if segment]
    if trace is None or not segments:
        return None
    first = [(event.tag, event.layer) for event in segments[0]]
    alike = [part for part in segments if [(event.tag, event.layer) for event in part] == first]
    names = [event.tag or f"layer {event.layer}" for event in segments[0]]
    times = [fmean(float(part[at].value or 0.0) for part in alike) for at in range(len(first))]
    unit, factor = _trace_unit(trace)
    sizes = [event.elements for event in segments[0]]
    layers = _layers(names, sizes, [{"time": time * factor} for time in times], "time")
    if trace.totals and len(trace.totals) == len(segments):
        totals = tuple(total * factor for total in trace.totals)
        whole = fmean(totals)
        outside = {"outside of layers": whole - sum(layer.time for layer in layers)}
    else:
        totals = tuple(sum(float(event.value or 0.0) for event in part) * factor for part in alike)
        whole, outside = sum(layer.time for layer in layers), {}
    left = len(segments) - len(alike)
    notes = (f"{left} runs with other layers are left out",) if left else ()
    return _Timed(unit, layers, totals, whole, outside, {}, max(len(alike), trace.averaged_runs), notes)


def _trace_unit(trace: Trace) -> tuple[str, float]:
    if trace.unit in MS_PER:
        return "ms", MS_PER[trace.unit]
    return ("cycles" if trace.unit is Unit.CYCLES else "ticks"), 1.0


def _ended(segment: Sequence[Event]) -> Sequence[Event]:
    return [event for event in segment if event.value is not None]


def _split(events: Sequence[Event]) -> list[Sequence[Event]]:
    """Runs behind each other in one piece."""
    if not events:
        return []
    size = _passes([f"{event.tag} {event.layer}" for event in events])
    return [events[at : at + size] for at in range(0, len(events), size)]


def _passes(names: Sequence[str]) -> int:
    """Rows until all repeats itself: the length of one run."""
    first = names[0]
    for size in (at for at in range(1, len(names) // 2 + 1) if names[at] == first and len(names) % at == 0):
        if len(set(names)) > 1 and all(names[at] == names[at - size] for at in range(size, len(names))):
            return size
    return len(names)


def _layers(
    names: Sequence[str], sizes: Sequence[int | None], counts: Sequence[Mapping[str, float]], unit: str
) -> tuple[Layer, ...]:
    often = Counter(names)
    counted = unit != "time"
    return tuple(
        Layer(
            f"{name} {at}" if often[name] > 1 else name,
            kind_of(name),
            size,
            row[unit],
            row if counted else {},
            name,
        )
        for at, (name, size, row) in enumerate(zip(names, sizes, counts, strict=True))
    )


def _of_spans(read: Recording) -> _Timed | None:
    """By name, and what the whole has beside: transfers alone, idle time, less what runs at once."""
    every = timed(read.spans)
    edges = edges_of(every)
    if not len(edges):
        return None
    whole = float(edges[:, 1].max() - edges[:, 0].min())
    worked = doing(read.spans, Doing.COMPUTE, Doing.HOST)
    sums: dict[str, float] = {}
    for span, own in zip(worked, own_times(worked), strict=True):
        sums[span.name] = sums.get(span.name, 0.0) + own
    computed = covered(edges_of(worked))
    moved = edges_of(doing(read.spans, Doing.TRANSFER))
    alone = covered(moved) - overlap(edges_of(worked), moved)
    outside = {
        "transfers alone": alone, "idle": whole - computed - alone,
        "units at once": computed - sum(sums.values()),
    }  # fmt: skip
    unit, factor = ("ms", MS_PER[read.unit]) if read.unit in MS_PER else ("cycles", 1.0)
    outside = {name: value * factor for name, value in outside.items() if abs(value) > 1e-9 * whole}
    times = [{"time": value * factor} for value in sums.values()]
    layers = _layers([*sums], [None] * len(sums), times, "time")
    return _Timed(unit, layers, (), whole * factor, outside, runs=1)


def _of_power(read: Recording, supply_v: float | None) -> _Timed | None:
    """Of a power trace with markers: time and energy of each layer."""
    found = None if read.power is None else energies(read.power, supply_v, None)
    if found is None or not found.layers:
        return None
    rows = [{"time_ms": row.time_ms, "energy_mj": row.energy_uj / 1e3} for row in found.layers]
    names = [row.name_untrusted for row in found.layers]
    layers = _layers(names, [None] * len(rows), rows, "time_ms")
    whole = sum(layer.time for layer in layers)
    return _Timed("ms", layers, (), whole, {}, _sums(rows), found.inferences)


def _means(rows: Sequence[Counted]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row.counts)
    return {name: fmean(row.counts[name] for row in rows if name in row.counts) for name in names}


_NO_SUMS = frozenset(("power_mw", "temperature_c", "frequency_mhz"))


def _sums(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """What every layer has; of a rate the mean."""
    names = [name for name in rows[0] if all(name in row for row in rows)] if rows else []
    sums = {name: sum(row[name] for row in rows) for name in names}
    return {name: value / (len(rows) if name in _NO_SUMS else 1) for name, value in sums.items()}
