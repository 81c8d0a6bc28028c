"""A model read once more with other shapes of its inputs."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeAlias

from ..core.sanitize import clean_text
from ..graph import ModelGraph
from .archive import is_archive, model_in
from .input_shapes import ShapeArgument, dimensions_of, given_shapes, sizes_of, with_shapes
from .mnn import parse_mnn
from .ncnn import OpenInputError, parse_ncnn
from .others import archived, read_onnx, read_openvino
from .recognised import shown

Source: TypeAlias = str | os.PathLike[str] | bytes | ModelGraph
_READ_AGAIN = frozenset({"onnx", "pt2", "openvino", "mnn"})
"""Formats whose shapes follow from those of the inputs in the file's own operators and order."""


def reshaped(source: Source, shape: ShapeArgument, graph_of: Callable[[Source], ModelGraph]) -> ModelGraph:
    """The model with these shapes of its inputs. Raises UsageError for shapes that do not suit it."""
    try:
        graph = graph_of(source)
    except OpenInputError:
        if isinstance(source, ModelGraph):
            raise
        data = bytes(source) if isinstance(source, (bytes, bytearray)) else _content(source)
        return parse_ncnn(data, _name(source), dimensions_of(shape))
    if isinstance(source, ModelGraph) or graph.format not in _READ_AGAIN:
        return with_shapes(graph, shape)
    if graph.format == "openvino" and not isinstance(source, (bytes, bytearray)):
        return read_openvino(Path(os.path.expanduser(source)), graph.name, given_shapes(graph, shape))
    if graph.format == "pt2":
        with _opened(source) as file:
            return archived(file, graph.name, graph.name, shapes=given_shapes(graph, shape))
    data = _given(source) if isinstance(source, (bytes, bytearray)) else _content(source)
    if graph.format == "mnn":
        return parse_mnn(data, graph.name, given_shapes(graph, shape))
    return read_onnx(data, graph.name, given_shapes(graph, shape), sizes_of(shape))


def _opened(source: str | os.PathLike[str] | bytes | bytearray) -> BinaryIO:
    if isinstance(source, (bytes, bytearray)):
        return io.BytesIO(source)
    return Path(os.path.expanduser(source)).open("rb")


def _name(source: str | os.PathLike[str] | bytes) -> str:
    return "model" if isinstance(source, (bytes, bytearray)) else clean_text(Path(source).name)


def _given(data: bytes | bytearray) -> bytes:
    return model_in(io.BytesIO(data), "The archive")[1] if is_archive(bytes(data[:4])) else bytes(data)


def _content(path: str | os.PathLike[str]) -> bytes:
    """Read once more: only the file knows how it orders dimensions and how shapes follow from each other."""
    with Path(os.path.expanduser(path)).open("rb") as file:
        if is_archive(file.read(4)):
            return model_in(file, shown(Path(path)))[1]
        file.seek(0)
        return file.read()
