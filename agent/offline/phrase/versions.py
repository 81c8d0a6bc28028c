"""Two versions of a model."""

from __future__ import annotations

from pathlib import PurePath

from ....tools.compare.report import Direction, FigureChange, LayerChange, ModelDiff
from ....tools.core.units import show
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, layer, listed, operator
from .subject import place_of

_LAYERS = 6


def phrase(outcome: Outcome, _asked: Reading) -> list[str]:
    diff = ModelDiff.model_validate(outcome.result)
    before, after = (PurePath(str(outcome.arguments.get(key))).name for key in ("before", "after"))
    where = f"from {before} to {after} on {place_of(diff.deployment)}"
    if diff.same_file:
        return [f"Nothing changes {where}: both are the same file."]
    better, worse = (_named(diff, way) for way in (Direction.BETTER, Direction.WORSE))
    told = [f"Better {where}: {better or 'nothing'}. Worse: {worse or 'nothing'}."]
    told.append(bullets([_line(figure) for figure in diff.figures]))
    if diff.operators_added or diff.operators_removed:
        added, removed = (
            listed([operator(n) for n in ops]) for ops in (diff.operators_added, diff.operators_removed)
        )
        told.append(f"Operators that are new: {added or 'none'}; gone: {removed or 'none'}.")
    if diff.unsupported_added:
        refused = listed([operator(name) for name in diff.unsupported_added])
        told.append(f"Of the new ones, these do not run there: {refused}.")
    if diff.layers:
        lines = [_layer(change) for change in diff.layers[:_LAYERS]]
        more = " (the first of them)" if len(diff.layers) > _LAYERS else ""
        told.append(f"Layers{more}:\n" + bullets(lines))
    return told


def _named(diff: ModelDiff, way: Direction) -> str:
    return listed([figure.name for figure in diff.figures if figure.direction is way])


def _line(figure: FigureChange) -> str:
    before, after = show(figure.before, figure.unit), show(figure.after, figure.unit)
    if figure.before is None or figure.after is None:
        return f"{figure.name}: {before} → {after}"
    return f"{figure.name}: {before} → {after}, {figure.direction} ({figure.basis})"


def _layer(change: LayerChange) -> str:
    names = [layer(ref.index, ref.op) for ref in (change.before, change.after) if ref is not None]
    return f"{' → '.join(names)}: {change.change}"
