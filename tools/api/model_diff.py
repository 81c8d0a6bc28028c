"""Two versions of a model on one deployment: what got better, what worse, and which layers did it."""

from __future__ import annotations

from collections.abc import Sequence

from ..compare.alignment import Pair, align, kinds_only_in
from ..compare.figures import Version, figure_changes
from ..compare.model_diff import LayerChange, ModelDiff
from ..compatibility_scorer.scorer import compatibility_of
from ..core.deployment import Deployment
from ..cost_model.estimate import estimate_of
from ..cost_model.performance_estimate import LayerEstimate, PerformanceEstimate
from ..cost_model.study import Study, study
from ..memory_planner.memory_plan import LayerRef
from ..placement.model_source import ModelSource, as_graph


def diff_models(before: ModelSource, after: ModelSource, deployment: Deployment | str) -> ModelDiff:
    """Estimate both versions on one deployment and tell the differences.

    Args:
        before: the version to compare with: a graph, a path or the name of an architecture.
        after: the new version.
        deployment: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> diff = diff_models("mobilenet_v1:0.5:96", "mobilenet_v1:0.25:96", board)
        >>> diff
        <ModelDiff stm32h743zi/tflm-cmsis-nn: arena better, model better, flash better, macs better, ...>
        >>> diff.figures[0].name, diff.figures[0].before, diff.figures[0].after
        ('arena', 159364.0, 100708.0)
    """
    old_graph, place = as_graph(before, deployment)
    new_graph, _ = as_graph(after, place)
    old, new = study(old_graph, place), study(new_graph, place)
    old_speed, new_speed = estimate_of(old), estimate_of(new)
    same, others = align(old.graph, new.graph)
    peaks = old.plan.peak_layer, new.plan.peak_layer
    added = kinds_only_in(new.graph, old.graph)
    return ModelDiff(
        deployment=place.ref,
        before_sha256=old_graph.sha256,
        after_sha256=new_graph.sha256,
        same_file=old_graph.sha256 == new_graph.sha256,
        figures=figure_changes(Version(old, old_speed), Version(new, new_speed), others),
        layers=_layers(others, old_speed, new_speed),
        peak_before=peaks[0],
        peak_after=peaks[1],
        peak_moved=_moved(peaks, [*same, *others]),
        operators_added=added,
        operators_removed=kinds_only_in(old.graph, new.graph),
        unsupported_added=_refused(new, set(added)),
        assumptions=tuple(dict.fromkeys([*old.assumptions, *new.assumptions])),
        warnings=tuple(dict.fromkeys([*old.warnings, *new.warnings])),
    )


def _moved(peaks: tuple[LayerRef | None, LayerRef | None], pairs: Sequence[Pair]) -> bool:
    """Whether the fullest layer of the new version is another than that of the old."""
    before, after = peaks
    if before is None or after is None:
        return before is not after
    return (before.index, after.index) not in pairs


def _refused(new: Study, added: set[str]) -> tuple[str, ...]:
    notes = [op.op for op in compatibility_of(new).ops if op.supported is False and op.op in added]
    return tuple(dict.fromkeys(notes))


def _layers(
    others: Sequence[Pair], old: PerformanceEstimate, new: PerformanceEstimate
) -> tuple[LayerChange, ...]:
    changes = []
    for a, b in others:
        one, other = (None if a is None else old.layers[a]), (None if b is None else new.layers[b])
        macs = _change(one, other, "macs")
        changes.append(
            LayerChange(
                change="added" if one is None else "removed" if other is None else "changed",
                before=None if one is None else LayerRef(index=one.index, op=one.op),
                after=None if other is None else LayerRef(index=other.index, op=other.op),
                latency_ms=_change(one, other, "latency_ms"),
                macs=None if macs is None else round(macs),
            )
        )
    return tuple(changes)


def _change(before: LayerEstimate | None, after: LayerEstimate | None, field: str) -> float | None:
    """After less before of a field; a layer that is not there takes none of it."""
    values = [0 if layer is None else getattr(layer, field) for layer in (before, after)]
    return None if None in values else values[1] - values[0]
