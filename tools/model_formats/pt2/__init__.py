"""Exported PyTorch programs (.pt2): the graph that torch.export wrote as JSON; no pickle is opened."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from typing import Any, BinaryIO

from ....hardware_db.errors import ModelFileError, UsageError
from ...graph import ModelGraph
from ..aten import Program, translated
from ..aten.more import HANDLERS
from ..damaged import one_error
from ..onnx.document import Constant, Shape, Value
from ..onnx.lowering import lowered
from ..tflite.reader import DamagedError
from .graph import Sizes, bytes_of, calls_in, open_sizes
from .package import Package, is_program, read_package
from .sizes import names_in

__all__ = ["is_program", "parse_pt2"]

_READ_AT_ONCE = 1 << 20
_VERSIONS = range(5, 10)
_WEIGHTS = {
    "parameter": "parameter_name", "buffer": "buffer_name", "tensor_constant": "tensor_constant_name",
}  # fmt: skip


def parse_pt2(file: BinaryIO, name: str, shapes: Mapping[str | int, Shape] | None = None) -> ModelGraph:
    """The program of a .pt2 archive, in the operators of TFLite, images as [batch, height, width, channels].

    Its operators are ATen's; those that TFLite has none for are CUSTOM under their names. A batch that the
    export left open is 1, any other open dimension as the example had it.

    Args:
        file: the archive, of which weights are not read.
        name: cleaned, for people.
        shapes: of inputs, by name or position, as the program orders dimensions.

    Raises:
        ModelFileError: a damaged archive or program.
        UsageError: no such input, or a dimension that the export fixed.
    """
    with one_error(name, "exported PyTorch program", "its program", again="Export it again."):
        return _parsed(read_package(file, repr(name)), file, name, shapes or {})


def _parsed(package: Package, file: BinaryIO, name: str, shapes: Mapping[str | int, Shape]) -> ModelGraph:
    version = package.program["schema_version"]["major"]
    if version not in _VERSIONS:
        raise ModelFileError(
            f"{name!r} follows version {int(version)} of PyTorch's schema, which is not known here.",
            hint="Export it with another PyTorch, or to ONNX.",
        )
    module = package.program["graph_module"]
    graph, signature = module["graph"], module["signature"]
    inputs = [i for spec in signature["input_specs"] for i in _user_names(spec, "user_input")]
    outputs = [o for spec in signature["output_specs"] for o in _user_names(spec, "user_output")]
    sizes = Sizes(open_sizes(graph, inputs) | _given_sizes(graph, inputs, shapes))
    program = Program()
    calls = list(calls_in(graph, sizes, program.values))
    program.constants.update(_weights(signature["input_specs"], program.values, package))
    translated(program, calls)
    subgraphs = lowered(program.document(inputs, outputs), name, HANDLERS)
    return ModelGraph(
        name=name,
        format="pt2",
        sha256=_sha256(file),
        file_bytes=file.seek(0, io.SEEK_END),
        subgraphs=subgraphs,
    )


def _sha256(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    file.seek(0)
    while part := file.read(_READ_AT_ONCE):
        digest.update(part)
    return digest.hexdigest()


def _user_names(spec: Any, kind: str) -> list[str]:
    argument = spec[kind]["arg"] if kind in spec else {}
    return [argument["as_tensor"]["name"]] if "as_tensor" in argument else []


def _weights(specs: Any, values: Mapping[str, Value], package: Package) -> dict[str, Constant]:
    """Parameters, buffers and constants, which hold no more than the archive does."""
    found: dict[str, Constant] = {}
    for spec in specs:
        for kind, field in _WEIGHTS.items():
            if kind not in spec:
                continue
            label, called = spec[kind]["arg"]["name"], spec[kind][field]
            value = values[label]
            there = package.stored.get(called, package.bytes_in_all)
            if value.shape is None or -1 in value.shape or bytes_of(value) > there:
                raise DamagedError(f"a weight needs {bytes_of(value):,} bytes and has {there:,}")
            found[label] = Constant(value.shape, value.dtype)
    return found


def _given_sizes(graph: Any, inputs: list[str], shapes: Mapping[str | int, Shape]) -> dict[str, int]:
    """What given shapes say of the names of open dimensions."""
    found: dict[str, int] = {}
    for key, shape in shapes.items():
        named = {name: name for name in inputs} | {str(at): name for at, name in enumerate(inputs)}
        if str(key) not in named:
            raise UsageError(f"The model has no input {key!r}.", hint=f"Inputs: {', '.join(inputs[:5])}.")
        held = graph["tensor_values"][named[str(key)]]["sizes"]
        if len(held) != len(shape):
            raise UsageError(f"Input {key!r} has {len(held)} dimensions, {len(shape)} are given.")
        for at, (wanted, size) in enumerate(zip(shape, held, strict=True)):
            expression = str((size.get("as_expr") or {}).get("expr_str", ""))
            if names_in(expression) == {expression}:
                found[expression] = wanted
            elif size.get("as_int", wanted) != wanted:
                raise UsageError(
                    f"Dimension {at} of input {key!r} is fixed at {int(size['as_int'])} by the export.",
                    hint="Export it with dynamic_shapes, or with an example of that size.",
                )
    return found
