"""What is meant by a model: a graph, bytes, a file, or the name of an architecture."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import BinaryIO

from ...hardware_db.errors import ModelFileError, UnknownNameError, UsageError
from ..core.sanitize import clean_text
from ..core.settings import Settings
from ..graph import ModelGraph
from .archive import is_archive, model_in
from .coreml import is_core_ml, parse_core_ml
from .files import (
    archived,
    looks_like_onnx,
    not_a_model,
    read_model_file,
    read_onnx,
    read_openvino,
    shown,
)
from .input_shapes import ShapeArgument, dimensions_of, given_shapes, sizes_of, with_shapes
from .mnn import is_mnn, parse_mnn
from .ncnn import MAGIC, OpenInputError, parse_ncnn
from .openvino import is_openvino
from .origins import origin_of, read_from
from .pte import is_pte, parse_pte
from .recognised import MODEL_SUFFIXES, SAMPLE
from .redaction import redacted
from .signatures import named_signature, with_signature
from .tflite.document import is_tflite, parse_tflite

_READ_AGAIN = frozenset({"onnx", "pt2", "openvino", "mnn"})
"""Formats whose shapes follow from those of the inputs in the file's own operators and order."""
_BY_POSITION = "Name inputs by their position, from 0, and give every dimension above 0."


def parse_model(
    source: str | os.PathLike[str] | bytes | ModelGraph,
    *,
    shape: ShapeArgument | None = None,
    signature: str | None = None,
    settings: Settings | None = None,
) -> ModelGraph:
    """Read a model.

    Args:
        source: path of a .tflite, .onnx, .pt2, .pte, .mlpackage, .mnn, OpenVINO .xml or ncnn .param file or
            of an archive with one, its bytes, the name of an architecture (resnet50), or a graph, which is
            taken as it is. A file goes before an architecture of the same name. `model.tflite#encode` is the
            file's signature `encode`.
        shape: dimensions of the only input ("1,224,224,3" or a sequence), or a mapping from an input's
            name or position to its dimensions; all shapes that follow are recomputed. Of an .onnx, .pt2,
            .mnn or .xml file as the file orders them, which is "1,3,224,224" for most; of an .onnx file also
            by the names that it gives open dimensions: "batch=8,seq=384".
        signature: of a .tflite file with several, the one whose inference is meant; else the first subgraph.
        settings: whether names out of the file are replaced; None reads the environment. A graph keeps the
            names that it has.

    Raises:
        ModelFileError: missing, unreadable, damaged, empty, or in a format that is not read.
        UnknownNameError: no such architecture.
        UsageError: not a source, no such signature, or a shape that does not suit the model.

    Example:
        >>> model = parse_model("kws.tflite")
        >>> model
        <ModelGraph kws.tflite: 13 operators, int8, 1×49×10×1 → 1×12>
        >>> len(model.ops), model.parameter_bytes
        (13, 24376)
        >>> parse_model("mobilenet_v2:0.35:96:int8")
        <ModelGraph mobilenet_v2:0.35:96:int8: 65 operators, int8, 1×96×96×3 → 1×1000>
        >>> parse_model("mobilenet_v2", shape="1,96,96,3").inputs[0].shape
        (1, 96, 96, 3)
    """
    settings = Settings.from_environment() if settings is None else settings
    if isinstance(source, str):
        source, named = named_signature(source)
        signature = named if signature is None else signature
    if signature is not None:
        source = with_signature(_graph(source), signature)
        return _shaped(_redacted(source, settings) if settings.redact_names else source, shape)
    if isinstance(source, ModelGraph) or not settings.redact_names:
        return _shaped(source, shape)
    try:
        return _redacted(_shaped(source, shape), settings)
    except UsageError:
        if shape is None:
            raise
        raise UsageError("The shape does not suit the model's inputs.", hint=_BY_POSITION) from None


def _redacted(graph: ModelGraph, settings: Settings) -> ModelGraph:
    """Of the same file: what it holds is the same under other names."""
    made, path = redacted(graph, settings.hardware_directories), origin_of(graph)
    return made if path is None else read_from(made, path)


def _shaped(source: str | os.PathLike[str] | bytes | ModelGraph, shape: ShapeArgument | None) -> ModelGraph:
    try:
        graph = _graph(source)
    except OpenInputError:
        if shape is None or isinstance(source, ModelGraph):
            raise
        data = bytes(source) if isinstance(source, (bytes, bytearray)) else _content(source)
        return parse_ncnn(data, _name(source), dimensions_of(shape))
    if shape is None:
        return graph
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


def _graph(source: str | os.PathLike[str] | bytes | ModelGraph) -> ModelGraph:
    match source:
        case ModelGraph():
            return source
        case bytes() | bytearray():
            return _from_bytes(source)
        case str():
            return _from_text(source)
        case os.PathLike():
            return read_model_file(Path(source))
    raise UsageError(
        f"A {type(source).__name__} is no model.",
        hint="Give a path, the bytes of a model file, the name of an architecture, or a ModelGraph.",
    )


def _from_bytes(data: bytes | bytearray) -> ModelGraph:
    if is_tflite(data):
        return parse_tflite(data, "model")
    if is_core_ml(data):
        return parse_core_ml(data, "model")
    if looks_like_onnx(bytes(data[:16])):
        return read_onnx(bytes(data), "model")
    if data.startswith(MAGIC):
        return parse_ncnn(bytes(data), "model")
    if is_archive(bytes(data[:4])):
        return archived(io.BytesIO(data), "model", "The archive given as bytes")
    if is_openvino(bytes(data[:SAMPLE])):
        raise ModelFileError(
            "An OpenVINO model is two files, and its bytes are one.", hint="Give the path of its .xml file."
        )
    if is_pte(data):
        return parse_pte(data, "model")
    if is_mnn(data):
        return parse_mnn(data, "model")
    raise not_a_model("The model given as bytes", bytes(data[:SAMPLE]))


def _from_text(source: str) -> ModelGraph:
    if not source.strip() or "\0" in source:
        raise ModelFileError(
            f"{source!r} names no model.", hint="Give a path or the name of an architecture."
        )
    path = Path(os.path.expanduser(source))
    if _means_a_file(source, path):
        return read_model_file(path)
    from ..model_zoo.named import build_architecture

    try:
        return build_architecture(source)
    except UnknownNameError as unknown:
        if os.path.exists(path):
            return read_model_file(path)
        hint = f"{unknown.hint} Or give the path of a .tflite or .onnx file.".strip()
        raise UnknownNameError("model", unknown.name, unknown.candidates, hint=hint) from None


def _means_a_file(source: str, path: Path) -> bool:
    separators = {"/", os.sep, os.altsep or os.sep}
    return (
        path.suffix.casefold() in MODEL_SUFFIXES
        or bool(separators.intersection(source))
        or os.path.isfile(path)
    )
