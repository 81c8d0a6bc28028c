"""What a change of each layer alone would bring to the whole model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...core.deployment import Deployment
from ...graph import ModelGraph, Op
from ...graph.costs.table import layer_table
from ...verdicts.limits import Limits
from ..figures import gains
from ..optimization_report import LayerSensitivity
from ..techniques.layer_changes import LAYER_CHANGES, LayerChange
from ..techniques.technique import Change, Technique
from .trials import Trials


def layer_sensitivity(
    graph: ModelGraph, deployment: Deployment, goal: str, progress: Callable[[int, int], None] | None = None
) -> tuple[LayerSensitivity, ...]:
    """Half the channels, half the input and int8, for each layer with MACs; most gain for the goal first.

    An interruption gives what was found till then.
    """
    layers = layers_with_macs(graph)
    changes = {op.index: list(_changes_of(op)) for op in layers}
    trials = Trials(
        graph, deployment, (each for some in changes.values() for each in some), Limits(), work=None
    )
    found: list[LayerSensitivity] = []
    try:
        for count, op in enumerate(layers, start=1):
            found += [_sensitivity(trials, op, change) for change in changes[op.index]]
            if progress is not None:
                progress(count, len(layers))
    except KeyboardInterrupt:
        pass
    return tuple(sorted(found, key=lambda each: (not each.applicable, each.gain.get(goal, 0.0))))


def layers_with_macs(graph: ModelGraph) -> list[Op]:
    table = layer_table(graph)
    return [op for op in graph.ops if table.counted[op.index] and table.macs[op.index] > 0]


def _changes_of(op: Op) -> Iterator[Technique]:
    for name, change in LAYER_CHANGES.items():
        minutes = name == "int8"
        yield Technique(
            name=f"{name}@{op.index}",
            about="",
            effort="minutes" if minutes else "retraining",
            accuracy_risk="",
            family="layer",
            apply=_of_layer(change, op.index),
        )


def _of_layer(change: LayerChange, layer: int) -> Change:
    def apply(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        return change(graph, layer), deployment

    return apply


def _sensitivity(trials: Trials, op: Op, change: Technique) -> LayerSensitivity:
    trial = trials.one((change.name,))
    reason = trial if isinstance(trial, str) else "" if trial.runs else "its operators would not run there"
    after = None if isinstance(trial, str) or reason else trial.figures
    return LayerSensitivity(
        index=op.index,
        op=op.label,
        change=change.name.partition("@")[0],
        applicable=after is not None,
        reason=reason,
        after=after,
        gain={} if after is None else gains(trials.unchanged.figures, after),
    )
