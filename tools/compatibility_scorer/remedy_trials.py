"""Remedies simulated: the change is made, placed and costed again; a gain is the difference."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from ...hardware_db import Fallback
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.index import obtainable
from ..core.deployment import Deployment, deployment
from ..core.records import dataclass
from ..cost_model.study import study
from ..graph import DType, ModelGraph, Op
from ..graph.requantize import to_float16, to_int8
from ..placement.op_context import listed
from ..placement.op_placement import Runs
from ..placement.operators import Placed
from ..placement.partition import pieces
from ..placement.remedies import changes
from ..placement.rewrite import Edit, Rewrite, cut_out, rewritten
from ..verdicts.verdict import SEVERITY
from .compatibility_report import CompatibilityReport, SimulatedRemedy
from .scorer import PlacedModel, judge

MOST = 6
"""Changes that a report tells."""
MOST_TRIED = 16
MOST_PLACED = 20_000
"""Operators over all that is tried, so that a large graph is not tried for long."""
_FINE = frozenset({Runs.ACCELERATED, Runs.CPU})


@dataclass(frozen=True, eq=False)
class _Tried:
    """A change of the graph or of the deployment."""

    change: str
    ops: tuple[int, ...]
    graph: ModelGraph
    deployment: Deployment
    origin: tuple[int, ...] | None
    """Of each operator, which it was before; None where the operators are other ones."""


def with_remedies(
    case: PlacedModel, report: CompatibilityReport, weights: Mapping[str, float]
) -> CompatibilityReport:
    """The report with what would make more operators run, or more of them on the accelerator."""
    troubled = [p for p in case.placed if p.runs not in _FINE]
    if not troubled:
        return report
    found = []
    tries = max(min(MOST_TRIED, MOST_PLACED // len(case.placed)), 1)
    for tried in itertools.islice(_candidates(case, troubled), tries):
        outcome = _trial(case, report, tried, weights)
        if outcome is not None:
            found.append(outcome)
    found.sort(key=_worth)
    return report.model_copy(update={"remedies": tuple(found[:MOST])})


def _worth(remedy: SimulatedRemedy) -> tuple[int, int, int, float]:
    return (SEVERITY[remedy.verdict], -remedy.runs, -remedy.accelerated, -remedy.score)


def _candidates(case: PlacedModel, troubled: list[Placed]) -> Iterator[_Tried]:
    grouped = _by_advice(troubled)
    for (kind, advice), rewrites in grouped.items():
        yield from _rewritten(case, rewrites, f"{kind}: {advice}")
    if len({kind for kind, _ in grouped}) > 1:
        first: dict[int, Rewrite] = {}
        for rewrites in grouped.values():
            first = {**rewrites, **first}
        kinds = listed(sorted({kind for kind, _ in grouped}))
        yield from _rewritten(case, first, f"{kinds} at once: each by the first change named for it")
    yield from _of_other_types(case)
    yield from _on_other_runtimes(case)
    yield from _cut_out(case)


def _by_advice(troubled: list[Placed]) -> dict[tuple[str, str], dict[int, Rewrite]]:
    grouped: dict[tuple[str, str], dict[int, Rewrite]] = {}
    for placed in troubled:
        op = placed.context.op
        for change in changes(placed.context, placed.decided_by):
            if change.rewrite is not None:
                grouped.setdefault((op.kind, change.advice), {})[op.index] = change.rewrite
    return grouped


def _rewritten(case: PlacedModel, rewrites: Mapping[int, Rewrite], change: str) -> Iterator[_Tried]:
    def rewrite(edit: Edit, op: Op) -> bool:
        return rewrites[op.index](edit, op)

    made = rewritten(case.graph, rewrites, rewrite, change)
    if made is not None:
        yield _Tried(change, tuple(sorted(rewrites)), made.graph, case.deployment, made.origin)


def _of_other_types(case: PlacedModel) -> Iterator[_Tried]:
    if case.graph.dtype is not DType.FLOAT32:
        return
    for name, convert in (("int8", to_int8), ("float16", to_float16)):
        try:
            graph = convert(case.graph)
        except EdgewrightError:
            continue
        yield _Tried(f"convert the model to {name}", (), graph, case.deployment, None)


def _on_other_runtimes(case: PlacedModel) -> Iterator[_Tried]:
    where = case.deployment
    for name in obtainable(where.target.runtimes, where.settings.hardware_directories):
        if name == where.runtime.id:
            continue
        try:
            place = deployment(where.target, name, batch=where.batch, settings=where.settings)
        except EdgewrightError:
            continue
        yield _Tried(f"use {name}", (), case.graph, place, tuple(range(len(case.graph.ops))))


def _cut_out(case: PlacedModel) -> Iterator[_Tried]:
    """The largest piece that runs, where the runtime leaves nothing to the CPU."""
    where = case.deployment
    if where.accelerator is None or where.runtime.fallback is not Fallback.NONE:
        return
    kinds = ["runs" if p.supported else "left" for p in case.placed]
    runs = [piece for kind, piece in pieces(case.graph.main, kinds) if kind == "runs"]
    kept = max(runs, key=len, default=())
    if not kept or len(kept) == len(case.placed):
        return
    graph = cut_out(case.graph, kept)
    rest = tuple(i for i in range(len(case.placed)) if i not in set(kept))
    text = f"cut out operators {kept[0]} to {kept[-1]}, and compute the other {len(rest)} in your application"
    yield _Tried(text, rest, graph, where, kept)


def _trial(
    case: PlacedModel, before: CompatibilityReport, tried: _Tried, weights: Mapping[str, float]
) -> SimulatedRemedy | None:
    """What the change gives; None where it gives nothing."""
    changed = PlacedModel.of(tried.graph, tried.deployment)
    after = judge(changed, weights)
    times = changed.times
    runs = _gained(case, changed, tried, frozenset({Runs.NOT, Runs.UNKNOWN}))
    accelerated = _gained(case, changed, tried, frozenset(Runs) - {Runs.ACCELERATED})
    better = runs > 0 or accelerated > 0 or SEVERITY[after.verdict] < SEVERITY[before.verdict]
    if not better or SEVERITY[after.verdict] > SEVERITY[before.verdict]:
        return None
    return SimulatedRemedy(
        change=tried.change,
        ops=tried.ops,
        runs=max(runs, 0),
        accelerated=max(accelerated, 0),
        score=after.score,
        verdict=after.verdict,
        latency_ms=times.latency_ms if times else study(changed.graph, changed.deployment).latency_ms,
        fallback_cost=times.fallback_cost if times else None,
    )


def _gained(before: PlacedModel, after: PlacedModel, tried: _Tried, bad: frozenset[Runs]) -> int:
    """How many operators fewer run in one of the ways that are `bad`; those that were split count once."""
    if tried.origin is None:
        return sum(p.runs in bad for p in before.placed) - sum(p.runs in bad for p in after.placed)
    was = sum(before.placed[i].runs in bad for i in set(tried.origin))
    still = {tried.origin[i] for i, p in enumerate(after.placed) if p.runs in bad}
    return was - len(still)
