"""Dimensions that an ONNX file leaves open under a name, such as batch or sequence_length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....hardware_db.errors import UsageError, nearest
from ...core.sanitize import clean_text
from .document import Shape
from .loading import load

_LARGEST = 1 << 31
OPEN = -1
"""A dimension that stays as the file has it."""


def shapes_of_sizes(data: bytes, name: str, sizes: Mapping[str, int]) -> dict[str | int, Shape] | None:
    """Shapes of the inputs that have a dimension of one of these names, by the input's name.

    None where a name is rather an input's: "x=4" gives all dimensions of a vector.

    Raises:
        ModelFileError: no ONNX model, or a damaged one.
        UsageError: no input has a dimension of that name, or no tensor has one of that size.
    """
    graph = load(data, name).graph
    held = {i.name for i in graph.initializer}
    inputs = [i for i in graph.input if i.name not in held]
    known = dict.fromkeys(d.dim_param for i in inputs for d in _dimensions(i) if d.dim_param)
    if any(i.name in sizes and i.name not in known for i in inputs):
        return None
    for each, size in sizes.items():
        if each not in known:
            raise _unknown(each, known)
        if not 0 < size < _LARGEST:
            raise UsageError(f"No tensor has a dimension of {size}.", hint="Give a size above 0.")
    return {
        i.name: tuple(_size(d, sizes) for d in _dimensions(i))
        for i in inputs
        if any(d.dim_param in sizes for d in _dimensions(i))
    }


def _unknown(name: str, known: Mapping[str, None]) -> UsageError:
    shown = [clean_text(k, 80) for k in (nearest(name, known) or list(known)[:5])]
    hint = (
        f"Open dimensions: {', '.join(map(repr, shown))}." if shown else "Its inputs leave none open by name."
    )
    return UsageError(
        f"The model has no input, and no open dimension, named {clean_text(name, 80)!r}.", hint=hint
    )


def _dimensions(info: Any) -> list[Any]:
    return list(info.type.tensor_type.shape.dim)


def _size(dimension: Any, sizes: Mapping[str, int]) -> int:
    if dimension.dim_param in sizes:
        return sizes[dimension.dim_param]
    return dimension.dim_value if dimension.dim_value > 0 else OPEN
