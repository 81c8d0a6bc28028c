"""The deployments of one page: each that was named, and each again for every transform of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment, as_deployment
from ..placement.model_source import ModelSource, as_graph
from ..sweep.variants import Changed, Transformed, check_transform, steps_of
from ..verdicts.limits import Limits
from .results import Results, results_of

MOST = 60
"""Views of one page, which each add a tenth of a megabyte."""


def views_of(
    model: ModelSource,
    places: Sequence[Deployment | str],
    limits: Limits,
    transforms: Sequence[str] = (),
    *,
    in_depth: bool | None = None,
) -> Iterator[Results]:
    """The model as it is on each deployment, then each transform of it.

    Args:
        model: a path, the name of an architecture, or a graph.
        places: deployments, or targets' names.
        limits: what is demanded.
        transforms: such as int8, or int8 + prune-50.
        in_depth: simulate changes and look up measurements; None: for the first one.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: no deployment or too many, or a transform that cannot be applied.
    """
    total = len(places) * (1 + len(transforms))
    if not total:
        raise UsageError("A report needs a deployment.", hint="Name a target.")
    if total > MOST:
        raise UsageError(f"A page holds {MOST} deployments, not {total}.", hint="Make two pages.")
    deployments = [as_deployment(place) for place in places]
    graph, _ = as_graph(model, deployments[0])
    for at, place in enumerate(deployments):
        yield results_of(graph, place, limits, in_depth=at == 0 if in_depth is None else in_depth)
    for transform in transforms:
        check_transform(transform, deployments[0])
        change = Transformed(steps_of(transform))
        for place in deployments:
            changed = change.on(graph, place)
            yield results_of(
                _graph_of(changed, transform), place, limits, in_depth=bool(in_depth), transform=transform
            )


def _graph_of(changed: Changed, transform: str) -> ModelSource:
    if changed.graph is None:
        raise UsageError(f"The model cannot be had as {transform}: {changed.reason}")
    return changed.graph
