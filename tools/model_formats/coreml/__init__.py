"""Core ML models: ML programs through PyTorch's operators, networks of layers through ONNX's."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from ....hardware_db.errors import ModelFileError
from ...graph import ModelGraph, Subgraph
from ..aten import Program, translated
from ..aten.more import HANDLERS
from ..damaged import one_error
from ..onnx import parse_onnx
from ..onnx.lowering import lowered
from ..tflite.reader import DamagedError, Readable
from .layered import translated as of_layers
from .layers import OF_IMAGES
from .layers_nd import OF_TENSORS
from .operators import RULES, calls
from .program import Block
from .recurrent_layers import RECURRENT
from .wire import Budget, Message, field_numbers

__all__ = ["is_core_ml", "parse_core_ml"]

_PROGRAM, _FEW = 502, 10_000
_SEVERAL = "a pipeline of several models"
_KINDS = {
    200: _SEVERAL,
    201: _SEVERAL,
    202: _SEVERAL,
    302: "a regression by trees",
    402: "a classifier by trees",
}
"""Kinds of models by their field of Model.proto."""
_OF_LAYERS = (500, 403, 303)
"""A network of layers (`neuralnetwork`), alone, as a classifier and as a regressor."""
_LEAST, _MOST = 200, 3000
_HINT = (
    "Convert its source anew: coremltools.convert(source, convert_to='mlprogram').save('model.mlpackage')."
)


def is_core_ml(data: Readable) -> bool:
    """By the field that holds the model, whose number no field of ONNX has."""
    if bytes(data[:1]) != b"\x08":
        return False
    try:
        return any(_LEAST <= number <= _MOST for number in field_numbers(data, _FEW))
    except DamagedError:
        return False


def parse_core_ml(data: Readable, name: str, weights: Path | None = None) -> ModelGraph:
    """The main function of an ML program, or a network of layers (extra `onnx`), in the operators of TFLite.

    Operations that neither PyTorch nor ONNX has are CUSTOM under their names; weights are not read.

    Args:
        data: the .mlmodel file.
        name: cleaned, for people.
        weights: the folder of its weights, whose size they may not exceed.

    Raises:
        ModelFileError: a damaged file, or a model of another kind.
        UsageError: a network of layers, and no `onnx` package.
    """
    files = sorted(weights.glob("*.bin")) if weights is not None and weights.is_dir() else []
    stored = len(data) + sum(file.stat().st_size for file in files)
    with one_error(name, "Core ML model", "its program", again="Convert or download it again."):
        kind = _kind(data)
        if kind:
            raise ModelFileError(
                f"{name!r} is a Core ML model that is {kind}, which is not read.", hint=_HINT
            )
        made = _of_layers(bytes(data))
        subgraphs = _parsed(bytes(data), name, stored) if made is None else ()
    if made is not None:
        subgraphs = _without_nodes(parse_onnx(made, name))
    digest = hashlib.sha256(bytes(data))
    return ModelGraph(
        name=name, format="coreml", sha256=digest.hexdigest(), file_bytes=stored, subgraphs=subgraphs
    )  # fmt: skip


def _kind(data: Readable) -> str:
    """What a model is that is no ML program; empty for one that is."""
    numbers = set(field_numbers(data, _FEW))
    if not numbers.isdisjoint((_PROGRAM, *_OF_LAYERS)):
        return ""
    return next((what for number, what in _KINDS.items() if number in numbers), "no network")


def _without_nodes(graph: ModelGraph) -> tuple[Subgraph, ...]:
    """No ONNX file holds its nodes."""
    ops = tuple(replace(op, origin="") for op in graph.ops)
    return (replace(graph.main, ops=ops), *graph.subgraphs[1:])


def _of_layers(data: bytes) -> bytes | None:
    """The ONNX model of a network of layers; None for another model."""
    model = Message(memoryview(data), Budget())
    number = next((n for n in _OF_LAYERS if n in model), None)
    if number is None or _PROGRAM in model:
        return None
    inputs = list(model.one(2).each(1))
    return of_layers(model.one(number), inputs, OF_IMAGES | OF_TENSORS | RECURRENT)


def _parsed(data: bytes, name: str, stored: int) -> tuple[Subgraph, ...]:
    model = Message(memoryview(data), Budget())
    functions = {entry.text(1): entry.one(2) for entry in model.one(_PROGRAM).each(2)}
    if not functions:
        raise DamagedError("it holds no function")
    block = Block(functions.get("main") or next(iter(functions.values())), stored)
    program = Program()
    program.values, program.constants = block.values, block.constants
    translated(program, calls(block.operations, program), RULES)
    return lowered(program.document(block.inputs, block.outputs), name, HANDLERS)
