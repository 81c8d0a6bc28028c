"""A few deployments side by side: who wins in which figure, and why."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment, as_deployment
from ..core.deployment_table import DeploymentTable
from ..core.quantity import Quantity
from ..graph import ModelGraph
from ..placement.model_source import ModelSource
from ..verdicts.judge import FAIL
from ..verdicts.limits import LimitsLike, as_limits
from .causes import causes
from .hardware_ranking import Comparison, Difference
from .recommend import Field, checked_weights, rank


def compare_deployments(
    model: ModelSource,
    deployments: Iterable[Deployment | str],
    limits: LimitsLike | None = None,
    *,
    weights: Mapping[str, float] | None = None,
) -> Comparison:
    """Compare deployments figure by figure, and explain by cause what makes the slower ones slower.

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
        causes=tuple(causes(field)),
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
