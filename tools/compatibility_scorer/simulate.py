"""Remedies simulated: the change is made, placed and costed again; a gain is the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...hardware_db.errors import EdgewrightError
from ..deployments import Deployment, deployment
from ..graph import DType, ModelGraph, Op
from ..quantity import Quantity
from ..verdict import Verdict
from .placement import Placed
from .remedies import changes
from .report import CompatibilityReport, Runs, SimulatedRemedy
from .rewrite import Edit, Rewrite, rewritten
from .scorer import Case, score

MOST = 6
"""Changes that a report tells."""
MOST_TRIED = 16
_FINE = frozenset({Runs.ACCELERATED, Runs.CPU})
_ORDER = {Verdict.PASS: 0, Verdict.MARGINAL: 1, Verdict.UNKNOWN: 2, Verdict.FAIL: 3}


@dataclass(frozen=True, eq=False)
class _Tried:
    """A change of the graph or of the deployment."""

    change: str
    ops: tuple[int, ...]
    graph: ModelGraph
    where: Deployment
    origin: tuple[int, ...] | None
    """Of each operator, which it was before; None where the operators are other ones."""


def with_remedies(
    case: Case, report: CompatibilityReport, weights: Mapping[str, float]
) -> CompatibilityReport:
    """The report with what would make more operators run, or more of them on the accelerator."""
    troubled = [p for p in case.placed if p.runs not in _FINE]
    if not troubled:
        return report
    found = []
    for _, tried in zip(range(MOST_TRIED), _candidates(case, troubled), strict=False):
        outcome = _simulated(case, report, tried, weights)
        if outcome is not None:
            found.append(outcome)
    found.sort(key=_worth)
    return report.model_copy(update={"remedies": tuple(found[:MOST])})


def _worth(remedy: SimulatedRemedy) -> tuple[int, int, int, float]:
    return (_ORDER[remedy.verdict], -remedy.runs, -remedy.accelerated, -remedy.score)


def _candidates(case: Case, troubled: list[Placed]) -> Iterator[_Tried]:
    grouped = _by_advice(troubled)
    for (kind, advice), rewrites in grouped.items():
        yield from _rewritten(case, rewrites, f"{kind}: {advice}")
    if len({kind for kind, _ in grouped}) > 1:
        first: dict[int, Rewrite] = {}
        for rewrites in grouped.values():
            first = {**rewrites, **first}
        yield from _rewritten(case, first, "all of these at once, the first named for each operator")
    yield from _of_other_types(case)
    yield from _on_other_runtimes(case)


def _by_advice(troubled: list[Placed]) -> dict[tuple[str, str], dict[int, Rewrite]]:
    grouped: dict[tuple[str, str], dict[int, Rewrite]] = {}
    for placed in troubled:
        op = placed.site.op
        for change in changes(placed.site, placed.decided_by):
            if change.rewrite is not None:
                grouped.setdefault((op.kind, change.advice), {})[op.index] = change.rewrite
    return grouped


def _rewritten(case: Case, rewrites: Mapping[int, Rewrite], change: str) -> Iterator[_Tried]:
    def rewrite(edit: Edit, op: Op) -> bool:
        return rewrites[op.index](edit, op)

    made = rewritten(case.graph, rewrites, rewrite, change)
    if made is not None:
        yield _Tried(change, tuple(sorted(rewrites)), made.graph, case.where, made.origin)


def _of_other_types(case: Case) -> Iterator[_Tried]:
    from ..graph.requantize import to_float16, to_int8

    if case.graph.dtype is not DType.FLOAT32:
        return
    for name, convert in (("int8", to_int8), ("float16", to_float16)):
        try:
            graph = convert(case.graph)
        except EdgewrightError:
            continue
        yield _Tried(f"convert the model to {name}", (), graph, case.where, None)


def _on_other_runtimes(case: Case) -> Iterator[_Tried]:
    where = case.where
    for name in where.target.runtimes:
        if name == where.runtime.id:
            continue
        try:
            place = deployment(where.target, name, batch=where.batch)
        except EdgewrightError:
            continue
        yield _Tried(f"use {name}", (), case.graph, place, tuple(range(len(case.graph.ops))))


def _simulated(
    case: Case, before: CompatibilityReport, tried: _Tried, weights: Mapping[str, float]
) -> SimulatedRemedy | None:
    """What the change gives; None where it gives nothing."""
    changed = Case.of(tried.graph, tried.where)
    after = score(changed, weights)
    runs = _gained(case, changed, tried, frozenset({Runs.NOT, Runs.UNKNOWN}))
    accelerated = _gained(case, changed, tried, frozenset(Runs) - {Runs.ACCELERATED})
    better = runs > 0 or accelerated > 0 or _ORDER[after.verdict] < _ORDER[before.verdict]
    if not better or _ORDER[after.verdict] > _ORDER[before.verdict]:
        return None
    return SimulatedRemedy(
        change=tried.change,
        ops=tried.ops,
        runs=max(runs, 0),
        accelerated=max(accelerated, 0),
        score=after.score,
        verdict=after.verdict,
        latency_ms=_latency(changed, after),
        fallback_cost=after.fallback_cost,
    )


def _gained(before: Case, after: Case, tried: _Tried, bad: frozenset[Runs]) -> int:
    """How many operators fewer run in one of the ways that are `bad`; those that were split count once."""
    was = sum(p.runs in bad for p in before.placed)
    if tried.origin is None:
        return was - sum(p.runs in bad for p in after.placed)
    still = {tried.origin[i] for i, p in enumerate(after.placed) if p.runs in bad}
    return was - len(still)


def _latency(case: Case, report: CompatibilityReport) -> Quantity:
    if report.latency_ms is not None:
        return report.latency_ms
    from ..roofline import study

    return study(case.graph, case.where).latency_ms
