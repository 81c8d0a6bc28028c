"""From what a search found to the answer: what binds, what lies beyond, what would have to give."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.deployment import Deployment
from ...graph import ModelGraph
from ...optimization_simulator.search.fit import shortest_fit
from ...optimization_simulator.search.judged_trials import joined_parts
from ...optimization_simulator.search.search import Search, run_search
from ...optimization_simulator.search.trials import Trials
from ...optimization_simulator.techniques.catalogue import techniques
from ...verdicts.changes import Fit
from ...verdicts.limits import Limits
from ...verdicts.relaxation import Relaxation, RelaxedPair, least_pairs, least_relaxations
from ...verdicts.verdict import Verdict
from .limit_answer import LimitAnswer
from .probes import Probe, Probes
from .search import SAMPLES, Found, largest, samples_of


def searched(probes: Probes, graph: ModelGraph, deployment: Deployment) -> LimitAnswer:
    """The largest value of a variable that meets the limits."""
    variable = probes.variable
    found = largest(probes.meets, variable.low, variable.high, variable.anchor, samples_of(len(graph.ops)))
    if found.value is None:
        return _infeasible(probes, graph, deployment)
    at = probes.point(found.value)
    beyond = None if found.beyond is None else probes.point(found.beyond)
    statement = f"{variable.question} that meets the limits is {at.told}"
    statement += f"; at {beyond.told}: {beyond.reasons[0]}" if beyond and beyond.reasons else ""
    return LimitAnswer(
        model=graph.name,
        deployment=deployment.ref,
        variable=variable.name,
        question=variable.question,
        limits=probes.limits,
        feasible=True,
        value=at.value,
        unit=variable.unit,
        statement=statement,
        binding=beyond.fails[0] if beyond and beyond.fails else None,
        at=at,
        beyond=beyond,
        method="bisection" if found.monotone else "scan",
        tried=len(probes.found),
        assumptions=deployment.assumptions + _fewer(graph),
        warnings=_warnings(found, probes),
    )


def _warnings(found: Found, probes: Probes) -> tuple[str, ...]:
    notes = []
    if not found.monotone:
        notes.append(f"values short of it fail too: the furthest of {len(probes.found)} tried is reported")
    if found.beyond is None:
        notes.append(f"no limit binds: {probes.variable.shown(probes.variable.high)} is as far as it goes")
    return tuple(notes)


def _infeasible(probes: Probes, graph: ModelGraph, deployment: Deployment) -> LimitAnswer:
    variable, tried = probes.variable, probes.found
    unknown = any(probe.verdict is Verdict.UNKNOWN for probe in tried.values())
    judged = [number for number, probe in tried.items() if probe.parts]
    single, pairs = relaxed(
        [tried[number] for number in judged], probes.limits, [variable.shown(number) for number in judged]
    )
    nearest = probes.point(min(judged, key=lambda number: tried[number].shortfall, default=variable.anchor))
    what = "is known to meet" if unknown else "meets"
    by_estimate = largest(
        lambda number: probes.at(number).meets_by_estimate,
        variable.low, variable.high, variable.anchor, samples_of(len(graph.ops)),
    )  # fmt: skip
    likely = probes.point(by_estimate.value) if unknown and by_estimate.value is not None else None
    statement = f"no {variable.name} of {len(tried)} tried {what} the limits"
    if likely is not None:
        statement += f"; by the estimate alone {likely.told} does: {likely.reasons[0]}"
    elif nearest.reasons:
        statement += f"; nearest to it is {nearest.told}: {nearest.reasons[0]}"
    return LimitAnswer(
        model=graph.name,
        deployment=deployment.ref,
        variable=variable.name,
        question=variable.question,
        limits=probes.limits,
        feasible=None if unknown else False,
        value=None,
        unit=variable.unit,
        statement=statement,
        binding=nearest.fails[0] if nearest.fails else None,
        at=None,
        beyond=nearest,
        likely=likely,
        method="bisection",
        tried=len(tried),
        relaxations=single,
        relaxed_pairs=pairs,
        fit=other_changes(graph, deployment, probes.limits),
        assumptions=deployment.assumptions + _fewer(graph),
    )


def _fewer(graph: ModelGraph) -> tuple[str, ...]:
    operators = len(graph.ops)
    return (f"fewer values were tried, as the model has {operators:,} operators",) * (
        samples_of(operators) < SAMPLES
    )


def relaxed(
    rows: Sequence[Probe], limits: Limits, names: Sequence[str]
) -> tuple[tuple[Relaxation, ...], tuple[RelaxedPair, ...]]:
    """Which limit would have to give, or which two."""
    parts = joined_parts(rows)
    single = least_relaxations(parts, limits, names.__getitem__) if parts else ()
    return single, least_pairs(parts, limits, names.__getitem__) if parts and not single else ()


def other_changes(graph: ModelGraph, deployment: Deployment, limits: Limits) -> Fit:
    """What else would make the model meet the limits."""
    trials = Trials(graph, deployment, techniques(deployment), limits)
    run_search(trials, "latency", Search.GREEDY, None)
    return shortest_fit(trials, "latency", Search.GREEDY)
