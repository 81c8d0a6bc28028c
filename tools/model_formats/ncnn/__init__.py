"""ncnn's .param files: the layers of a network in text; their weights, in a .bin, are not needed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ....hardware_db.errors import ModelFileError, UsageError
from ...core.records import replace
from ...graph import ModelGraph
from ...graph.builder import GraphBuilder
from ...graph.requantize import to_int8
from ..graphs import check_graph
from ..tflite.reader import DamagedError
from .layers import OpenInputError, Reader
from .text import MAGIC, layers_in

__all__ = ["MAGIC", "OpenInputError", "parse_ncnn"]

_SENSELESS = (IndexError, KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError, UsageError)
"""What reading a layer ends in that has no sense, such as a window larger than its image."""


def parse_ncnn(data: bytes, name: str, shape: Sequence[int] | None = None) -> ModelGraph:
    """The network that a .param file describes, in the operators of TFLite, images as [1, height, width, c].

    Layers that TFLite has none for are CUSTOM; what follows one whose output has an unknown shape has an
    unknown shape too. A file with scales of int8 is read as an int8 model.

    Args:
        data: the file's bytes.
        name: cleaned, for people.
        shape: of the only input, [1, height, width, channels], where the file leaves it open.

    Raises:
        ModelFileError: a damaged file, or one that leaves the input's size open where `shape` is not given.
    """
    builder = GraphBuilder(name)
    try:
        reader = Reader(builder, shape)
        for layer in layers_in(data):
            reader.read(layer)
        if not reader.counted:
            raise DamagedError("it holds no layers that compute")
        graph = builder.build(reader.outputs())
        check_graph(graph.subgraphs)
    except (DamagedError, *_SENSELESS) as damage:
        why = (
            str(damage)
            if isinstance(damage, DamagedError)
            else "a layer has inputs or figures that it cannot have"
        )
        raise ModelFileError(
            f"{name!r} is a damaged ncnn model: {why}.", hint="Export or download it again."
        ) from damage
    if reader.is_int8:
        graph = to_int8(graph)
    return replace(
        graph,
        name=name,
        format="ncnn",
        sha256=hashlib.sha256(data).hexdigest(),
        file_bytes=len(data),
        history=(),
    )
