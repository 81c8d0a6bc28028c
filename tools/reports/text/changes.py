"""What a new version of a model changed, as tables."""

from __future__ import annotations

from collections.abc import Callable

from ...compare.report import FigureChange, LayerChange, ModelDiff
from ...core.units import show
from ...memory_planner.plan import LayerRef
from ..table import pipe_table

_MOST_LAYERS = 8


def changes_text(diff: ModelDiff, shown: Callable[[str], str] = str) -> str:
    """Figures, the peak and the layers that moved the time most.

    Args:
        diff: the two versions.
        shown: how a name out of a model file is written.
    """
    if diff.same_file:
        return "The model is the one that it was compared with."
    parts = [pipe_table(("Figure", "Before", "After", "Change", "It is"), map(_figure, diff.figures))]
    if diff.peak_moved:
        before, after = _layer(diff.peak_before, shown), _layer(diff.peak_after, shown)
        parts.append(f"The memory peak moved from {before} to {after}.")
    if diff.unsupported_added:
        parts.append(f"New operators that do not run: {', '.join(map(shown, diff.unsupported_added))}.")
    if diff.layers:
        first = sorted(diff.layers, key=lambda layer: -abs(layer.latency_ms or 0))[:_MOST_LAYERS]
        parts.append(pipe_table(("Layer", "It was", "Time"), [_row(layer, shown) for layer in first]))
    if len(diff.layers) > _MOST_LAYERS:
        parts.append(f"And {len(diff.layers) - _MOST_LAYERS} more layers.")
    return "\n\n".join(parts)


def _figure(change: FigureChange) -> tuple[str, ...]:
    before, after = show(change.before, change.unit), show(change.after, change.unit)
    return (change.name, before, after, _amount(change), change.direction.value)


def _amount(change: FigureChange) -> str:
    if change.percent is None or change.low is None or change.high is None or not change.before:
        return "unknown"
    low, high = (100 * bound / change.before for bound in (change.low, change.high))
    spread = "" if change.low == change.high else f" ({low:+.3g} to {high:+.3g})"
    return f"{change.percent:+.3g} %{spread}"


def _row(layer: LayerChange, shown: Callable[[str], str]) -> tuple[str, ...]:
    time = "unknown" if layer.latency_ms is None else f"{layer.latency_ms:+.3g} ms"
    return (_layer(layer.after or layer.before, shown), layer.change, time)


def _layer(layer: LayerRef | None, shown: Callable[[str], str]) -> str:
    return "none" if layer is None else shown(f"{layer.op} ({layer.index})")
