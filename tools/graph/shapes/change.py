"""The same model for other inputs."""

from __future__ import annotations

from collections.abc import Mapping

from ....hardware_db.errors import UsageError
from ...core.records import replace
from ..costs.work import extent
from ..model import ModelGraph
from ..serialize import graph_sha256
from ..sizes import MOST_BYTES, are_believable
from .operands import UNKNOWN, Shape
from .propagate import Walk, rewritten

_LARGEST = 2**31 - 1


def with_input_shapes(graph: ModelGraph, shapes: Mapping[int, Shape]) -> ModelGraph:
    """The graph with other input shapes, and every shape that follows from them recomputed.

    Sizes that the exporter froze follow as a new export would set them (see `adapt`); a graph whose
    inputs have these shapes already is returned as it is.

    Args:
        graph: any model; only its main subgraph changes.
        shapes: tensor index of an input → its new shape, of the same rank; -1 is not known until run
            time. Inputs that are not named keep theirs.

    Raises:
        UsageError: not an input, a shape that cannot be one, or an operator whose output does not follow
            from the new shapes (named with its index, kind and the reason).
    """
    changed = _checked(graph, shapes)
    made = ", ".join(extent(shape) for shape in changed.values())
    return _changed(graph, changed, f"input {made}")


def with_batch(graph: ModelGraph, batch: int) -> ModelGraph:
    """The graph with the first dimension of every input set to `batch`.

    Raises:
        UsageError: a batch below 1, or an operator that cannot follow.
    """
    if batch < 1:
        raise UsageError(f"A batch of {batch} is no batch.", hint="Give 1 or more.")
    shapes = {t.index: (batch, *t.shape[1:]) for t in graph.inputs if t.shape}
    return _changed(graph, _checked(graph, shapes), f"batch {batch}")


def _changed(graph: ModelGraph, shapes: Mapping[int, Shape], entry: str) -> ModelGraph:
    if not shapes:
        return graph
    walk = Walk(graph.main, shapes)
    walk.run()
    made = replace(
        graph,
        subgraphs=(rewritten(graph.main, walk), *graph.subgraphs[1:]),
        history=(*graph.history, entry),
    )
    if not are_believable(made.tensors):
        raise UsageError(
            f"{entry.capitalize()}: its tensors would take more than {MOST_BYTES >> 50} PiB.",
            hint="Give smaller dimensions.",
        )
    return replace(made, sha256=graph_sha256(made))


def _checked(graph: ModelGraph, shapes: Mapping[int, Shape]) -> dict[int, Shape]:
    """The shapes that differ from what the graph has."""
    inputs = {t.index: t for t in graph.inputs}
    for index, shape in shapes.items():
        if index not in inputs:
            listed = ", ".join(f"{i} ({extent(t.shape)})" for i, t in inputs.items())
            raise UsageError(f"Tensor {index} is no input of the model.", hint=f"Its inputs: {listed}.")
        recorded = inputs[index].shape
        if recorded and len(shape) != len(recorded):
            raise UsageError(
                f"Input {index} has {len(recorded)} dimensions, {extent(shape)} has {len(shape)}.",
                hint=f"Its shape is {extent(recorded)}.",
            )
        if any(d != UNKNOWN and not 1 <= d <= _LARGEST for d in shape):
            raise UsageError(
                f"{shape} is no shape of an input.", hint="Give dimensions of 1 or more, such as 1x96x96x3."
            )
    return {index: tuple(shape) for index, shape in shapes.items() if tuple(shape) != inputs[index].shape}
