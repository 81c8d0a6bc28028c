"""Named networks whose type nobody said: they are taken in whichever type is asked for."""

from __future__ import annotations

from ..graph import DType, ModelGraph
from ..graph.shapes.change import with_input_shapes
from .named import build_architecture, is_architecture, names_dtype


def is_of_open_type(graph: ModelGraph) -> bool:
    """Whether a graph was built from a name without a type, and only its inputs' shapes were changed."""
    return (
        graph.format == "architecture"
        and all(change.startswith("input ") for change in graph.history)
        and is_architecture(graph.name)
        and not names_dtype(graph.name)
    )


def in_type(graph: ModelGraph, dtype: DType | str) -> ModelGraph:
    """The network of a graph of open type in a type, for the same inputs."""
    made = build_architecture(graph.name, dtype=dtype)
    if not graph.history:
        return made
    shapes = [tensor.shape for tensor in graph.inputs]
    return with_input_shapes(made, dict(zip(made.main.inputs, shapes, strict=True)))
