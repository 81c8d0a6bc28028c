"""Questions whose answer follows from one estimate: the smallest RAM, the highest rate."""

from __future__ import annotations

import math

from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment
from ...core.units import show
from ...graph import ModelGraph
from ...verdicts.changes import Figures
from ...verdicts.limits import Limits
from ...verdicts.verdict import Verdict
from .answering import other_changes, relaxed
from .limit_answer import LimitAnswer, LimitPoint
from .probes import Probe, probe

_HAIR = 1e-9
"""Share by which a rate is kept below the boundary."""
_DIGITS = 3
"""Of a rate as it is shown: the one beyond is the next that looks different."""


def smallest_ram(graph: ModelGraph, deployment: Deployment, limits: Limits) -> LimitAnswer:
    """The least limit on RAM that the arena and the reserve still meet, to the byte.

    Raises:
        UsageError: the arena is not known.
    """
    figures = _figures(graph, deployment, limits)
    if figures.arena_bytes is None:
        raise UsageError(
            f"The arena of this model with {deployment.runtime.id} is not known.",
            hint="Take another runtime.",
        )
    least = figures.arena_bytes + limits.reserve_bytes

    def at(value: float) -> Limits:
        return limits.model_copy(update={"ram_bytes": int(value)})

    question = "the smallest RAM"
    points = (
        _point(graph, deployment, at(least), least, "bytes"),
        _point(graph, deployment, at(least - 1), least - 1, "bytes"),
    )
    return _answer("ram", question, "bytes", graph, deployment, at(least), points)


def highest_rate(graph: ModelGraph, deployment: Deployment, limits: Limits) -> LimitAnswer:
    """Inferences a second, one after the other.

    Raises:
        UsageError: the latency is not known.
    """
    latency = _figures(graph, deployment, limits).latency_ms.value
    if not latency:
        raise UsageError(
            f"The latency of this model with {deployment.runtime.id} is not known.",
            hint="Take another runtime.",
        )
    most = 1e3 * deployment.batch / latency

    def at(value: float) -> Limits:
        return limits.model_copy(update={"rate_hz": value})

    step = 10.0 ** (math.floor(math.log10(most)) - _DIGITS + 1)
    below, above = most * (1 - _HAIR), (math.floor(most / step) + 1) * step
    points = (
        _point(graph, deployment, at(below), below, "1/s", shown=math.floor(below / step) * step),
        _point(graph, deployment, at(above), above, "1/s"),
    )
    return _answer("rate", "the highest rate", "inferences per second", graph, deployment, at(below), points)


def _figures(graph: ModelGraph, deployment: Deployment, limits: Limits) -> Figures:
    found = probe(graph, deployment, limits)
    if found.figures is None:
        raise UsageError(found.why_not)
    return found.figures


Point = tuple[LimitPoint, Probe]


def _point(
    graph: ModelGraph,
    deployment: Deployment,
    limits: Limits,
    value: float,
    unit: str,
    *,
    shown: float | None = None,
) -> Point:
    found = probe(graph, deployment, limits)
    point = LimitPoint(
        value=value,
        told=_shown(value if shown is None else shown, unit),
        verdict=found.verdict,
        fails=found.failing,
        reasons=found.reasons,
        figures=found.figures,
    )
    return point, found


def _shown(value: float, unit: str) -> str:
    return f"{value:,.0f} bytes" if unit == "bytes" else show(value, unit)


def _answer(
    name: str,
    question: str,
    unit: str,
    graph: ModelGraph,
    deployment: Deployment,
    limits: Limits,
    points: tuple[Point, Point],
) -> LimitAnswer:
    (at, found), (beyond, _) = points
    feasible = found.meets
    single, pairs = ((), ()) if feasible else relaxed([found], limits, ["as it is"])
    statement = f"{question} that meets the limits is {at.told}"
    likely = at if not feasible and found.meets_by_estimate else None
    if likely is not None and likely.figures is not None:
        takes = likely.figures.latency_ms.headline()
        statement = f"{question} by the estimate alone is {at.told}; one inference takes {takes}"
    elif not feasible:
        statement = f"no {name} meets the limits: {'; '.join(at.reasons)}"
    return LimitAnswer(
        model=graph.name,
        deployment=deployment.ref,
        variable=name,
        question=question,
        limits=limits,
        feasible=None if found.verdict is Verdict.UNKNOWN else feasible,
        value=at.value if feasible else None,
        unit=unit,
        statement=statement,
        binding=name if feasible else (at.fails[0] if at.fails else None),
        at=at if feasible else None,
        beyond=beyond if feasible else at,
        likely=likely,
        method="exact",
        tried=2,
        relaxations=single,
        relaxed_pairs=pairs,
        fit=None if feasible else other_changes(graph, deployment, limits),
        assumptions=deployment.assumptions,
    )
