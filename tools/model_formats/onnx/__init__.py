"""ONNX models, read by the `onnx` package (extra `onnx`)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from ....hardware_db.errors import ModelFileError
from ...graph import ModelGraph, Subgraph
from ..graphs import check_graph
from ..tflite.reader import DamagedError
from . import arithmetic, matrices, moves, windows
from .dimensions import shapes_of_sizes as shapes_of_sizes
from .document import Shape, read_document
from .emitter import Emitter
from .integers import quantized_values
from .simplify import simplify

_HANDLERS = {**arithmetic.HANDLERS, **matrices.HANDLERS, **moves.HANDLERS, **windows.HANDLERS}


_SENSELESS = (IndexError, KeyError, TypeError, ValueError, OverflowError)
"""What reading an operator ends in that has no sense, such as a convolution without weights."""


def parse_onnx(data: bytes, name: str, shapes: Mapping[str | int, Shape] | None = None) -> ModelGraph:
    """The ONNX model in `data`, in the operators of TFLite, as runtimes simplify it before they run it.

    Images are stored [batch, height, width, channels]. Batch normalisations fold into convolutions,
    activations fuse, and pairs of QuantizeLinear and DequantizeLinear become integer operators. Operators
    that TFLite has none for are CUSTOM. External weights are counted, not read.

    Args:
        data: the file's bytes.
        name: cleaned, for people.
        shapes: of inputs, by name or position, as the file orders dimensions. A batch left open is 1.

    Raises:
        ModelFileError: no ONNX model, or a damaged one.
        UsageError: no `onnx` package, or no such input.
    """
    try:
        return _parsed(data, name, shapes or {})
    except (DamagedError, *_SENSELESS) as damage:
        text = (
            str(damage)
            if isinstance(damage, DamagedError)
            else "an operator has inputs or attributes that it cannot have"
        )
        raise ModelFileError(
            f"{name!r} is a damaged ONNX model: {text}.", hint="Export or download it again."
        ) from damage


def _parsed(data: bytes, name: str, shapes: Mapping[str | int, Shape]) -> ModelGraph:
    document = read_document(data, name, shapes)
    simplify(document)
    quantized_values(document)
    emitter = Emitter(document)
    inputs = tuple(emitter.tensor(i) for i in document.inputs)
    for node in document.nodes:
        emitter.write(node, _HANDLERS.get(node.kind))
    outputs = tuple(emitter.tensor(o) for o in document.outputs)
    if not emitter.ops:
        raise ModelFileError(f"{name!r} computes nothing.", hint="Export the model again.")
    main = Subgraph("main", tuple(emitter.tensors), tuple(emitter.ops), inputs, outputs)
    check_graph((main,))
    return ModelGraph(
        name=name,
        format="onnx",
        sha256=hashlib.sha256(data).hexdigest(),
        file_bytes=len(data),
        subgraphs=(main,),
    )
