"""Which event of a trace belongs to which operator: the cheapest way through both, in order.

A step either takes an event for the next operator, leaves out an event, leaves out an operator, or begins the
next run of the model. Costs depend on how well names fit, so that a RESHAPE that is not logged or an event
that belongs to no operator disturbs nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ...hardware_db.errors import InputError
from ..graph import ModelGraph
from .names import LIGHT, fit
from .sizes import kernel_of, output_sizes
from .trace import Event, Trace

Floats = npt.NDArray[np.float64]
_EXTRA, _STRANGE = 1.0, 0.4
"""Cost of an event left out: one that some operator might have made, and one that none could."""
_MISSING, _MISSING_LIGHT = 1.0, 0.3
_NEXT_RUN, _MORE = 0.05, 0.15
_ELSEWHERE = 0.3
"""Added where the trace itself names another operator."""
_MOST_STEPS, _MOST_IN_A_PIECE = 8_000_000, 50_000
_TAKEN, _LEFT_OUT, _AGAIN, _SKIPPED, _NEXT = range(5)


@dataclass
class Run:
    """One run of the model: positions of events in their segment, by operator."""

    taken: dict[int, list[int]] = field(default_factory=dict)
    extra: list[int] = field(default_factory=list)


def aligned(trace: Trace, graph: ModelGraph) -> list[list[Run]]:
    """For each segment the runs that it holds.

    Raises:
        InputError: a segment too long to align.
    """
    known: dict[tuple[Event, ...], list[Run]] = {}
    result = []
    first = _first_index(trace, graph)
    for segment in trace.segments:
        key = tuple(_without_time(event, first) for event in segment)
        if key not in known:
            known[key] = _segment_runs(key, graph, trace)
        result.append(known[key])
    return result


def _first_index(trace: Trace, graph: ModelGraph) -> int:
    """1 where the trace counts operators from one."""
    found = {event.layer for segment in trace.segments for event in segment if event.layer is not None}
    return int(bool(found) and min(found) == 1 and max(found) == len(graph.ops))


def _without_time(event: Event, first: int) -> Event:
    return event._replace(value=None, layer=None if event.layer is None else event.layer - first)


def _segment_runs(events: Sequence[Event], graph: ModelGraph, trace: Trace) -> list[Run]:
    if len(events) * (len(graph.ops) + 1) > _MOST_STEPS or len(events) > _MOST_IN_A_PIECE:
        raise InputError(
            f"{len(events):,} events in one piece are too many to find {len(graph.ops):,} operators in.",
            hint="Cut the trace to a few runs.",
        )
    costs = _Costs(events, graph)
    runs = _walked_back(_choices(costs, trace), len(graph.ops))
    if not trace.in_order:
        _take_up(runs, costs)
    return _with_loose_ends(runs, costs) if trace.repeats else runs


def _take_up(runs: list[Run], costs: _Costs) -> None:
    """Events left out go to operators left out that fit them, in whatever order they ran."""
    for run in runs:
        for at in sorted(run.extra):
            price = costs.of(at).copy()
            price[[*run.taken]] = np.inf
            best = int(price.argmin())
            if np.isfinite(price[best]):
                run.taken[best] = [at]
                run.extra.remove(at)


def _with_loose_ends(runs: list[Run], costs: _Costs) -> list[Run]:
    """What could be operators before the first run or after the last is of runs that the log cuts off."""
    first = min((at for part in runs[0].taken.values() for at in part), default=0)
    last = max((at for part in runs[-1].taken.values() for at in part), default=len(costs.events))
    before = Run(extra=[at for at in runs[0].extra if at < first and costs.fits(at)])
    after = Run(extra=[at for at in runs[-1].extra if at > last and costs.fits(at)])
    runs[0].extra = [at for at in runs[0].extra if at not in before.extra]
    runs[-1].extra = [at for at in runs[-1].extra if at not in after.extra]
    return [run for run in (before, *runs, after) if run.taken or run.extra]


class _Costs:
    def __init__(self, events: Sequence[Event], graph: ModelGraph) -> None:
        kinds = [op.kind for op in graph.ops]
        outputs = [{graph.tensors[i].name_untrusted for i in op.outputs} for op in graph.ops]
        self._rows: dict[Event, Floats] = {}
        sizes = [output_sizes(graph, op) for op in graph.ops]
        kernels = [kernel_of(graph, op) for op in graph.ops]
        for event in set(events):
            fits = [0.0 if not event.tag else fit(event.tag, kind) for kind in kinds]
            row = np.array([np.inf if cost is None else cost for cost in fits])
            if event.elements is not None:
                row[[event.elements not in known for known in sizes]] = np.inf
            if event.kernel is not None:
                row[[known not in (None, event.kernel) for known in kernels]] = np.inf
            self._rows[event] = row + _named_elsewhere(event, outputs)
        self.events = events
        self.missing = np.array([_MISSING_LIGHT if kind in LIGHT else _MISSING for kind in kinds])

    def of(self, at: int) -> Floats:
        return self._rows[self.events[at]]

    def fits(self, at: int) -> bool:
        """Whether any operator might have made it."""
        return bool(np.isfinite(self.of(at)).any())

    def left_out(self, at: int) -> float:
        return _EXTRA if self.fits(at) else _STRANGE


def _named_elsewhere(event: Event, outputs: Sequence[set[str]]) -> Floats:
    """What it adds that the trace names an operator by its index or its output, and it is another."""
    penalty = np.zeros(len(outputs))
    if event.layer is not None:
        penalty[np.arange(len(outputs)) != event.layer] = _ELSEWHERE if event.tag else np.inf
    if event.output and any(event.output in names for names in outputs):
        penalty[[event.output not in names for names in outputs]] += _ELSEWHERE
    return penalty


def _choices(costs: _Costs, trace: Trace) -> npt.NDArray[np.int8]:
    """The step that leads to each (events seen, operators done), at the least cost."""
    ops = len(costs.missing)
    skipped = np.concatenate(([0.0], np.cumsum(costs.missing)))
    steps = np.zeros((len(costs.events) + 1, ops + 1), np.int8)
    row = np.full(ops + 1, np.inf)
    row[0] = 0.0
    row = _relaxed(row, steps[0], skipped, again=False)
    for at in range(len(costs.events)):
        price, step = costs.of(at), steps[at + 1]
        options = np.full((3, ops + 1), np.inf)
        options[_TAKEN, 1:] = row[:-1] + price
        options[_LEFT_OUT] = row + costs.left_out(at)
        if trace.splits:
            options[_AGAIN, 1:] = row[1:] + price + _MORE
        step[:] = options.argmin(axis=0)
        row = _relaxed(options.min(axis=0), step, skipped, again=trace.repeats)
    return steps


def _relaxed(row: Floats, step: npt.NDArray[np.int8], skipped: Floats, *, again: bool) -> Floats:
    """With operators left out wherever that is cheaper, and another run begun after the last."""
    reached = np.minimum.accumulate(row - skipped) + skipped
    step[reached < row - 1e-9] = _SKIPPED
    if again and reached[-1] + _NEXT_RUN < reached[0] - 1e-9:
        begun = reached.copy()
        begun[0] = reached[-1] + _NEXT_RUN
        step[0] = _NEXT
        return _relaxed(begun, step, skipped, again=False)
    return reached


def _walked_back(steps: npt.NDArray[np.int8], ops: int) -> list[Run]:
    runs = [Run()]
    at, op = len(steps) - 1, ops
    while at > 0 or op > 0:
        match steps[at, op]:
            case choice if choice == _NEXT:
                runs.append(Run())
                op = ops
            case choice if choice == _SKIPPED or at == 0:
                op -= 1
            case choice if choice == _LEFT_OUT:
                at -= 1
                runs[-1].extra.append(at)
            case choice:
                at -= 1
                runs[-1].taken.setdefault(op - 1, []).append(at)
                op -= choice == _TAKEN
    return runs[::-1]
