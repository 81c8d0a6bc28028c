"""A few deployments side by side: who wins in which figure, and why."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment, as_deployment
from ..core.deployment_table import DeploymentTable
from ..core.quantity import Quantity
from ..cost_model.bounds import BOUNDS
from ..graph import ModelGraph
from ..placement.model_source import ModelSource
from ..verdicts.judge import FAIL
from ..verdicts.limits import LimitsLike, as_limits
from .hardware_ranking import Cause, Comparison, Difference
from .recommend import Field, checked_weights, rank

ALIKE = 1.1
"""Factors within this of 1 explain nothing."""


def compare_deployments(
    model: ModelSource,
    deployments: Iterable[Deployment | str],
    limits: LimitsLike | None = None,
    *,
    weights: Mapping[str, float] | None = None,
) -> Comparison:
    """Compare deployments figure by figure, and tell what makes the slower ones slower.

    Args:
        model: a graph, a path or the name of an architecture.
        deployments: two or more; a target's name stands for its usual runtime.
        limits: what each must meet; none beyond fitting at all where None.
        weights: as of `recommend_hardware`.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: fewer than two deployments.

    Example:
        >>> comparison = compare_deployments("kws", ["stm32h743zi", "nrf52840"])
        >>> latency = comparison.differences[0]
        >>> latency.figure, comparison.deployments[latency.winner].target
        ('latency', 'stm32h743zi')
    """
    places = DeploymentTable(as_deployment(place) for place in deployments)
    if len(places) < 2:
        raise UsageError("One deployment compares with nothing.", hint="Name two or more.")
    field = Field.of(model, places, as_limits(limits))
    return Comparison(
        model=model.name if isinstance(model, ModelGraph) else str(model),
        deployments=tuple(place.ref for place in places),
        ranking=rank(field, checked_weights(weights)),
        differences=tuple(_differences(field)),
        causes=tuple(_causes(field)),
        assumptions=tuple(dict.fromkeys(text for place in places for text in place.assumptions)),
    )


def _differences(field: Field) -> Iterator[Difference]:
    """What fails wins nothing, unless all do."""
    fails = [verdict == FAIL for verdict in field.verdict]
    competes = [not failed or all(fails) for failed in fails]
    for name, column in field.figures.items():
        values = tuple(column[row] for row in range(len(column)))
        if any(value.value is not None for value in values):
            known = [row for row, value in enumerate(values) if value.value is not None and competes[row]]
            winner = min(known, key=lambda row: values[row].value or 0.0, default=None)
            tied = () if winner is None else tuple(_overlapping(values, winner, competes))
            yield Difference(figure=name, unit=column.unit, values=values, winner=winner, tied_with=tied)


def _overlapping(values: Sequence[Quantity], winner: int, competes: Sequence[bool]) -> Iterator[int]:
    highest = values[winner].high or math.inf
    for row, value in enumerate(values):
        if row != winner and competes[row] and value.low is not None and value.low <= highest:
            yield row


def _causes(field: Field) -> Iterator[Cause]:
    """latency = cycles / clock, so a ratio of latencies is that of the cycles times that of the clocks."""
    times = [field.table.latency_ms[row].value for row in range(len(field.places))]
    known = [row for row, ms in enumerate(times) if ms]
    if not known:
        return
    fastest = min(known, key=lambda row: times[row] or math.inf)
    for row in range(len(field.places)):
        if row == fastest:
            continue
        mine, best = times[row], times[fastest]
        if not mine or not best:
            yield Cause(deployment=row, slower_by=None, clock=None, cycles=None, why="its latency is unknown")
            continue
        clock = field.places[fastest].clock_mhz / field.places[row].clock_mhz
        cycles = mine / best / clock
        why = "; ".join(_reasons(field, row, fastest, clock, cycles)) or "they hardly differ"
        yield Cause(deployment=row, slower_by=mine / best, clock=clock, cycles=cycles, why=why)


def _reasons(field: Field, row: int, fastest: int, clock: float, cycles: float) -> Iterator[str]:
    mine, best = field.places[row], field.places[fastest]
    graphs = field.table.models
    if clock > ALIKE or clock < 1 / ALIKE:
        yield f"clock: {mine.clock_mhz:g} MHz against {best.clock_mhz:g} MHz, a factor of {clock:.3g}"
    if not 1 / ALIKE <= cycles <= ALIKE:
        yield f"cycles: {cycles:.3g} times as many{_source(mine, best)}"
    if graphs[row].dtype is not graphs[fastest].dtype:
        yield f"precision: {graphs[row].dtype} against {graphs[fastest].dtype}"
    bounds = [BOUNDS[field.table.bound[at]] for at in (row, fastest)]
    if bounds[0] is not bounds[1]:
        yield f"bound: {bounds[0].value} against {bounds[1].value}"


def _source(mine: Deployment, best: Deployment) -> str:
    processors = [
        place.accelerator.id if place.accelerator else place.core.isa.value for place in (mine, best)
    ]
    kernels = (
        f", kernels of {mine.runtime.id} against {best.runtime.id}"
        if mine.runtime.id != best.runtime.id
        else ""
    )
    cores = f", {processors[0]} against {processors[1]}" if processors[0] != processors[1] else ""
    return cores + kernels
