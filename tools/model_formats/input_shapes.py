"""Input shapes that a user gives, for models that leave them open or to try another size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...hardware_db.errors import UsageError, nearest
from ..graph import ModelGraph
from ..graph.shapes.change import with_input_shapes

ShapeArgument = str | Sequence[int] | Mapping[str, Sequence[int] | str] | Mapping[int, Sequence[int] | str]

_LARGEST = 1 << 31
_SIZES = re.compile(r"\s*[^=,;]+=\s*\d{1,10}\s*(,\s*[^=,;]+=\s*\d{1,10}\s*)*")
_HOW = "Write a shape as 1,96,96,1, or INPUT=1,96,96,1 where there are several inputs."


def with_shapes(graph: ModelGraph, shape: ShapeArgument) -> ModelGraph:
    """`graph` with the shapes of its inputs replaced and all that follows recomputed.

    Args:
        graph: the model.
        shape: dimensions of the only input ("1,224,224,3" or a sequence), or a mapping from the name or
            the position of an input; a string "INPUT=1,224,224,3;…" is read as such a mapping.

    Raises:
        UsageError: no such input, or not a shape.
    """
    return with_input_shapes(
        graph, {_input(graph, key): _dimensions(d) for key, d in _by_input(graph, shape)}
    )


def given_shapes(graph: ModelGraph, shape: ShapeArgument) -> dict[str | int, tuple[int, ...]]:
    """Dimensions by the name or the position of an input, as the user wrote them.

    Raises:
        UsageError: not a shape, or it is not said of which input.
    """
    return {key: _dimensions(dimensions) for key, dimensions in _by_input(graph, shape)}


def sizes_of(shape: object) -> dict[str, int] | None:
    """Of the text "batch=8,seq=384"; None where a shape is written in another way."""
    if not isinstance(shape, str) or _SIZES.fullmatch(shape) is None:
        return None
    parts = (part.rpartition("=") for part in shape.split(","))
    return {name.strip(): int(size) for name, _, size in parts}


def dimensions_of(shape: ShapeArgument) -> tuple[int, ...]:
    """Of the only input there is.

    Raises:
        UsageError: not a shape, or one of several inputs.
    """
    if isinstance(shape, Mapping):
        raise UsageError(f"{shape!r} is no shape of a single input.", hint=_HOW)
    return _dimensions(shape)


def _by_input(graph: ModelGraph, shape: ShapeArgument) -> Iterator[tuple[str | int, Sequence[int] | str]]:
    if isinstance(shape, Mapping):
        yield from shape.items()
    elif isinstance(shape, str) and "=" in shape:
        for part in shape.split(";"):
            name, _, dimensions = part.rpartition("=")
            yield name.strip(), dimensions
    elif len(graph.inputs) == 1:
        yield 0, shape
    else:
        raise UsageError(
            f"{graph.name} has {len(graph.inputs)} inputs: which one has shape {shape!r}?",
            hint=f"{_HOW} Inputs: {_names(graph)}.",
        )


def _input(graph: ModelGraph, key: str | int) -> int:
    """Index of the tensor that an input's name, name in a signature, or position means."""
    named = {t.name_untrusted: t.index for t in graph.inputs}
    for signature in graph.signatures:
        if signature.subgraph == 0:
            named = dict(signature.inputs_untrusted) | named
    if isinstance(key, str) and key in named:
        return named[key]
    if isinstance(key, int) or key.isdecimal():
        position = int(key)
        if 0 <= position < len(graph.main.inputs):
            return graph.main.inputs[position]
    close = nearest(str(key), named) or list(named)[:5]
    raise UsageError(f"{graph.name} has no input {key!r}.", hint=f"Inputs: {', '.join(map(repr, close))}.")


def _dimensions(shape: Sequence[int] | str) -> tuple[int, ...]:
    given = re.split(r"[,x×\s]+", shape.strip(" ()[]")) if isinstance(shape, str) else list(shape)
    try:
        dimensions = tuple(int(d) for d in given)
    except (TypeError, ValueError):
        raise UsageError(f"{shape!r} is not a shape.", hint=_HOW) from None
    if not all(0 < d < _LARGEST for d in dimensions):
        raise UsageError(f"{shape!r} has a dimension that no tensor has.", hint=_HOW)
    return dimensions


def _names(graph: ModelGraph) -> str:
    return ", ".join(f"{i}: {t.name_untrusted!r}" for i, t in enumerate(graph.inputs))
