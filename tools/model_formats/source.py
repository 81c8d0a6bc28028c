"""What is meant by a model: a graph, bytes, a file, or the name of an architecture."""

from __future__ import annotations

import os
from pathlib import Path

from ...hardware_db.errors import ModelFileError, UnknownNameError, UsageError
from ..core.settings import Settings
from ..graph import ModelGraph
from .files import read_model_file, read_other
from .input_shapes import ShapeArgument
from .origins import origin_of, read_from
from .recognised import MODEL_SUFFIXES
from .redaction import redacted
from .signatures import named_signature, with_signature
from .tflite.document import is_tflite, parse_tflite

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
    if shape is None:
        return _graph(source)
    from .reshaping import reshaped

    return reshaped(source, shape, _graph)


def _graph(source: str | os.PathLike[str] | bytes | ModelGraph) -> ModelGraph:
    match source:
        case ModelGraph():
            return source
        case bytes() | bytearray():
            return parse_tflite(source, "model") if is_tflite(source) else read_other(source, "model")
        case str():
            return _from_text(source)
        case os.PathLike():
            return read_model_file(Path(source))
    raise UsageError(
        f"A {type(source).__name__} is no model.",
        hint="Give a path, the bytes of a model file, the name of an architecture, or a ModelGraph.",
    )


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
