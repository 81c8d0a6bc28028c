"""Input images of another size, as far as the network takes it."""

from __future__ import annotations

from collections.abc import Iterator

from .....hardware_db.errors import UsageError
from ....graph import ModelGraph
from ....graph.shapes.change import with_input_shapes

_STRIDES = (32, 64)
"""Multiples that networks with a pyramid of features demand of their input's sides."""


def with_image(graph: ModelGraph, height: int, width: int) -> ModelGraph:
    """The same network for images of this size.

    Raises:
        UsageError: no input is an image, it has this size already, or the network does not take it (with
            the nearest sizes that it does).
    """
    if min(height, width) < 1:
        raise UsageError(f"{height}x{width} is no size of an image.", hint="Try input-96x96.")
    before = image_size(graph)
    if before == (height, width):
        raise UsageError(f"the input is {height}x{width} already")
    try:
        return _sized(graph, height, width)
    except UsageError as error:
        near = [f"{h}x{w}" for h, w in _nearest(graph, height, width)]
        hint = f"Nearest that fit: {', '.join(near)}." if near else "Its input has one size."
        raise UsageError(f"{height}x{width} does not fit: {error.message}", hint=hint) from error


def scaled_image(graph: ModelGraph, scale: float) -> ModelGraph:
    """Images at a share of their height and width: the nearest size that the network takes.

    Raises:
        UsageError: no input is an image, or no size near is taken.
    """
    if not 0 < scale <= 8 or scale == 1:
        raise UsageError(f"A scale of {scale:g} is outside 0 to 8, or changes nothing.", hint="Try input-75.")
    old = image_size(graph)
    height, width = (max(1, round(side * scale)) for side in old)
    try:
        return _sized(graph, height, width)
    except UsageError as error:
        for h, w in _nearest(graph, height, width):
            if (h, w) != old:
                return _sized(graph, h, w)
        raise UsageError(f"{height}x{width} does not fit: {error.message}", hint=error.hint) from error


def image_size(graph: ModelGraph) -> tuple[int, int]:
    """Height and width of the first image among the inputs.

    Raises:
        UsageError: there is none.
    """
    for tensor in graph.inputs:
        if len(tensor.shape) == 4 and min(tensor.shape[1:3]) >= 1:
            return tensor.shape[1], tensor.shape[2]
    raise UsageError("no input is an image with height and width")


def _sized(graph: ModelGraph, height: int, width: int) -> ModelGraph:
    old = image_size(graph)
    shapes = {
        t.index: (t.shape[0], height, width, t.shape[3])
        for t in graph.inputs
        if len(t.shape) == 4 and t.shape[1:3] == old
    }
    return with_input_shapes(graph, shapes)


def _nearest(graph: ModelGraph, height: int, width: int) -> Iterator[tuple[int, int]]:
    """Sizes near it, in steps that networks demand, that this one takes: at most two a step."""
    seen: set[tuple[int, int]] = set()
    for step in _STRIDES:
        for up in (0, 1):
            size = tuple(max(side // step + up, 1) * step for side in (height, width))
            found = (size[0], size[1])
            if found in seen or found == (height, width):
                continue
            seen.add(found)
            try:
                _sized(graph, *found)
            except UsageError:
                continue
            yield found
