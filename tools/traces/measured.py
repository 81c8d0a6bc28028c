"""From aligned events to the time of each layer, run by run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from statistics import fmean

import numpy as np

from ...hardware_db.errors import InputError
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..graph import ModelGraph
from .alignment import Run, aligned
from .names import LIGHT, fit, is_heavy
from .trace import Event, Trace

_LEAST_FOUND, _LEAST_USED = 0.5, 0.7
"""Share of the model's heavy operators that has to be in the trace, and of the trace's in the model."""
_NAMED = 6


@dataclass
class MeasuredRun:
    layers_ms: dict[int, float] = field(default_factory=dict)
    """By operator; in a trace by kind, by the first operator of the kind."""
    extra_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    total_ms: float = 0.0
    cut_off: bool = False
    """The log began or ended within it: what it lacks are its first or its last operators."""


@dataclass(frozen=True)
class Timing:
    runs: tuple[MeasuredRun, ...]
    covers: Mapping[int, tuple[int, ...]]
    """Operators whose time a row holds beside its own."""
    unmatched_layers: tuple[int, ...]
    broken_off: int
    """Runs that the trace holds only a part of."""

    def of(self, layer: int) -> list[float]:
        return [run.layers_ms[layer] for run in self.runs if layer in run.layers_ms]


def timing_of(trace: Trace, graph: ModelGraph, ms: float, *, is_its: bool = False) -> Timing:
    """
    Args:
        trace: times of operators.
        graph: the model.
        ms: milliseconds of one count of the trace.
        is_its: the trace is known to be the model's, however little of it is found.

    Raises:
        InputError: the trace is another model's.
    """
    left_out: list[MeasuredRun] = []
    if trace.by_kind:
        runs, covers = _by_kind(trace, graph, ms)
        missing = _missing(graph, runs, covers)
        broken = 0
    else:
        every = _by_layer(trace, graph, ms)
        most = max((len(run.layers_ms) for run in every), default=0)
        runs = [run for run in every if len(run.layers_ms) == most]
        left_out = [run for run in every if len(run.layers_ms) < most]
        covers = _joined(graph, runs) if trace.fuses else {}
        missing = _missing(graph, runs, covers)
        broken = len(left_out)
    if not is_its:
        _check_fit(trace, graph, runs, missing, [run for run in left_out if not run.cut_off])
    return Timing(tuple(runs), covers, missing, broken)


def summed_up(
    values: Sequence[float], unit: str, basis: Basis, middle: Callable[[Sequence[float]], float] = fmean
) -> Quantity:
    """Their mean, or another middle, between the 5th and the 95th percentile."""
    value = float(middle(values))
    low, high = (float(edge) for edge in np.quantile(values, (0.05, 0.95)))
    return Quantity(value=value, low=min(low, value), high=max(high, value), unit=unit, basis=basis)


def _by_layer(trace: Trace, graph: ModelGraph, ms: float) -> list[MeasuredRun]:
    made = []
    for at, (events, runs) in enumerate(zip(trace.segments, aligned(trace, graph), strict=True)):
        for number, run in enumerate(runs):
            measured = _run(events, run, ms)
            measured.cut_off = _cut_off(run, graph, first=number == 0, last=number == len(runs) - 1)
            if trace.totals and len(runs) == 1:
                measured.total_ms = trace.totals[at] * ms
            made.append(measured)
    return made


def _cut_off(run: Run, graph: ModelGraph, *, first: bool, last: bool) -> bool:
    lacking = [op.index for op in graph.ops if op.kind not in LIGHT and op.index not in run.taken]
    if not run.taken or not lacking:
        return True
    return (first and max(lacking) < min(run.taken)) or (last and min(lacking) > max(run.taken))


def _run(events: Sequence[Event], run: Run, ms: float) -> MeasuredRun:
    made = MeasuredRun()
    for op, positions in run.taken.items():
        values = [value for at in positions if (value := events[at].value) is not None]
        if values:
            made.layers_ms[op] = sum(values) * ms
    for at in run.extra:
        made.extra_ms[events[at].tag].append((events[at].value or 0.0) * ms)
    made.total_ms = sum(made.layers_ms.values()) + sum(map(sum, made.extra_ms.values()))
    return made


def _by_kind(
    trace: Trace, graph: ModelGraph, ms: float
) -> tuple[list[MeasuredRun], dict[int, tuple[int, ...]]]:
    members: dict[str, list[int]] = defaultdict(list)
    for op in graph.ops:
        members[op.kind].append(op.index)
    made = MeasuredRun()
    for event in (event for segment in trace.segments for event in segment):
        fitting = [(cost, kind) for kind in members if (cost := fit(event.tag, kind)) is not None]
        value = (event.value or 0.0) * ms
        if fitting:
            first = members[min(fitting)[1]][0]
            made.layers_ms[first] = made.layers_ms.get(first, 0.0) + value
        else:
            made.extra_ms[event.tag].append(value)
    made.total_ms = sum(made.layers_ms.values()) + sum(map(sum, made.extra_ms.values()))
    covers = {rows[0]: tuple(rows[1:]) for rows in members.values() if rows[0] in made.layers_ms}
    return [made], covers


def _joined(graph: ModelGraph, runs: Iterable[MeasuredRun]) -> dict[int, tuple[int, ...]]:
    """Light operators without an event: part of the one that feeds them, else of the one that they feed."""
    timed = {op for run in runs for op in run.layers_ms}
    maker = {tensor: op.index for op in graph.ops for tensor in op.outputs}
    home = {index: index for index in timed}
    for op in graph.ops:
        fed_by = [maker[t] for t in op.inputs if t in maker and maker[t] < op.index]
        if op.index not in timed and op.kind in LIGHT:
            found = next((home[source] for source in fed_by if source in home), None)
            if found is not None:
                home[op.index] = found
    for op in reversed(graph.ops):
        if op.index in home:
            for tensor in op.inputs:
                source = maker.get(tensor)
                if source is not None and source not in home and graph.ops[source].kind in LIGHT:
                    home[source] = home[op.index]
    covers: dict[int, list[int]] = defaultdict(list)
    for index, at in sorted(home.items()):
        if index != at:
            covers[at].append(index)
    return {at: tuple(joined) for at, joined in covers.items()}


def _missing(
    graph: ModelGraph, runs: Iterable[MeasuredRun], covers: Mapping[int, tuple[int, ...]]
) -> tuple[int, ...]:
    found = {op for run in runs for op in run.layers_ms} | {op for part in covers.values() for op in part}
    return tuple(op.index for op in graph.ops if op.index not in found)


def _check_fit(
    trace: Trace,
    graph: ModelGraph,
    runs: Sequence[MeasuredRun],
    missing: Sequence[int],
    misfits: Sequence[MeasuredRun],
) -> None:
    """Most of what counts in the model has to be in the trace, and most of the trace in the model."""
    kinds = Counter(op.kind for op in graph.ops)
    heavy = [op.index for op in graph.ops if op.kind not in LIGHT] or [op.index for op in graph.ops]
    found = sum(index not in missing for index in heavy)
    matched = sum(len(run.layers_ms) for run in runs)
    over = sum(len(run.layers_ms) for run in misfits)
    over += sum(
        len(ms) for run in (*runs, *misfits) for tag, ms in run.extra_ms.items() if not tag or is_heavy(tag)
    )
    if runs and found >= _LEAST_FOUND * len(heavy) and matched >= _LEAST_USED * (matched + over):
        return
    tags = Counter(event.tag for event in trace.segments[0] if event.tag)
    raise InputError(
        f"The trace is not of this model: {found:,} of its {len(heavy):,} main operators are found in it. "
        f"It has {_counted(tags)}; the model has {_counted(kinds)}.",
        hint="Give the model that was running when it was logged.",
    )


def _counted(names: Counter[str]) -> str:
    notes = [f"{count} {name}" for name, count in names.most_common(_NAMED)]
    return ", ".join([*notes, *(["others"] if len(names) > _NAMED else [])]) or "no names"
