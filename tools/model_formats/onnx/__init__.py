"""ONNX models, read by the `onnx` package (extra `onnx`)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from ....hardware_db.errors import ModelFileError
from ...graph import ModelGraph
from ..tflite.reader import DamagedError
from .dimensions import shapes_of_sizes as shapes_of_sizes
from .document import Shape, read_document
from .lowering import SENSELESS, lowered


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
    except (DamagedError, *SENSELESS) as damage:
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
    subgraphs = lowered(document, name)
    return ModelGraph(
        name=name,
        format="onnx",
        sha256=hashlib.sha256(data).hexdigest(),
        file_bytes=len(data),
        subgraphs=subgraphs,
        onnx_versions=(document.ir_version, document.opset),
    )
