"""Core ML models: ML programs (.mlpackage, .mlmodel) through PyTorch's operators; older kinds are named."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ....hardware_db.errors import ModelFileError
from ...graph import ModelGraph, Subgraph
from ..aten import Program, translated
from ..aten.more import HANDLERS
from ..damaged import one_error
from ..onnx.lowering import lowered
from ..tflite.reader import DamagedError, Readable
from .operators import RULES, calls
from .program import Block
from .wire import Budget, Message, field_numbers

__all__ = ["in_package", "is_core_ml", "parse_core_ml"]

_PROGRAM, _FEW = 502, 10_000
_OLDER, _SEVERAL = "a network of the older kind (neuralnetwork)", "a pipeline of several models"
_KINDS = {
    200: _SEVERAL, 201: _SEVERAL, 202: _SEVERAL, 302: "a regression by trees", 402: "a classifier by trees",
    303: _OLDER, 403: _OLDER, 500: _OLDER,
}  # fmt: skip
"""Kinds of models by their field of Model.proto."""
_LEAST, _MOST = 200, 3000
_WITHIN = Path("Data", "com.apple.CoreML")
_HINT = (
    "Convert its source anew: coremltools.convert(source, convert_to='mlprogram').save('model.mlpackage')."
)


def in_package(folder: Path) -> Path | None:
    """The model in an .mlpackage, which is a folder; None for another folder."""
    found = folder / _WITHIN / "model.mlmodel"
    return found if (folder / "Manifest.json").is_file() and found.is_file() else None


def is_core_ml(data: Readable) -> bool:
    """By the field that holds the model, whose number no field of ONNX has."""
    if bytes(data[:1]) != b"\x08":
        return False
    try:
        return any(_LEAST <= number <= _MOST for number in field_numbers(data, _FEW))
    except DamagedError:
        return False


def parse_core_ml(data: Readable, name: str, weights: Path | None = None) -> ModelGraph:
    """The main function of an ML program, in the operators of TFLite.

    Operations that neither PyTorch nor ONNX has are CUSTOM under their names; weights are not read.

    Args:
        data: the .mlmodel file.
        name: cleaned, for people.
        weights: the folder of its weights, whose size they may not exceed.

    Raises:
        ModelFileError: a damaged file, or a model of another kind.
    """
    files = sorted(weights.glob("*.bin")) if weights is not None and weights.is_dir() else []
    stored = len(data) + sum(file.stat().st_size for file in files)
    with one_error(name, "Core ML model", "its program", again="Convert or download it again."):
        kind = _kind(data)
        if kind:
            raise ModelFileError(
                f"{name!r} is a Core ML model that is {kind}, which is not read.", hint=_HINT
            )
        subgraphs = _parsed(bytes(data), name, stored)
    digest = hashlib.sha256(bytes(data))
    return ModelGraph(
        name=name, format="coreml", sha256=digest.hexdigest(), file_bytes=stored, subgraphs=subgraphs
    )  # fmt: skip


def _kind(data: Readable) -> str:
    """What a model is that is no ML program; empty for one that is."""
    numbers = set(field_numbers(data, _FEW))
    if _PROGRAM in numbers:
        return ""
    return next((what for number, what in _KINDS.items() if number in numbers), "no network")


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
