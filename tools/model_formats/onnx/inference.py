"""One round of the package's shape inference: here where its work is bounded by the file, else isolated.

The inference also computes small integers, and nothing bounds how many: 143 bytes that mean a Range of 2^40
take all memory. What such an operator reads is often computed from the input's shape, so that only the
inference itself could tell; a process of its own with little memory tells it safely.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from ...core.isolated import CrashedError, FailedError, LateError, run_isolated, worker_folder
from ..tflite.reader import DamagedError
from .loading import graphs

_WORKER = Path(__file__).with_name("infer_worker.py")
_SECONDS = 20.0
_MEMORY_BYTES = 768 << 20
_MISTYPED = re.compile(r"op_type:\s*(\w+)[^\n]*has unsupported type")
_MOST_NUMBERS = 1 << 18
_FILLING = frozenset({"Range", "ConstantOfShape"})
"""Operators whose output may be as long as a number in their input says."""
_PASSING_ON = frozenset({"Cast", "Add", "Sub", "Mul", "Squeeze", "Unsqueeze", "Slice", "Gather", "Identity"})


def inferred(onnx: Any, model: Any) -> Any:
    """The model with the shapes that follow from what is known.

    Raises:
        DamagedError: they take more time or memory than any network's.
    """
    if not _may_grow(model.graph):
        return onnx.shape_inference.infer_shapes(model, data_prop=True)
    with worker_folder("onnx") as folder:
        try:
            run_isolated(
                _WORKER, Path(folder), seconds=_SECONDS, memory_bytes=_MEMORY_BYTES,
                request=model.SerializeToString(),
            )  # fmt: skip
            return onnx.ModelProto.FromString(Path(folder, "inferred.onnx").read_bytes())
        except LateError as late:
            raise DamagedError(f"its shapes are not inferred within {_SECONDS:g} s") from late
        except CrashedError as crashed:
            raise DamagedError("the inference of its shapes crashes on it") from crashed
        except (FailedError, OSError) as failed:
            raise DamagedError(f"its shapes are not inferred within {_MEMORY_BYTES >> 20} MiB") from failed


def mistyped(onnx: Any, model: Any) -> str:
    """Kind of the first node that is given a type that its definition does not take; empty where none is."""
    if _may_grow(model.graph):
        return ""
    try:
        onnx.shape_inference.infer_shapes(model, check_type=True)
    except onnx.shape_inference.InferenceError as wrong:
        found = _MISTYPED.search(str(wrong))
        return found[1] if found else ""
    return ""


def _may_grow(graph: Any) -> bool:
    """Whether the inference may compute more numbers than the file could hold."""
    return any(_grows(each) for each in graphs(graph))


def _grows(graph: Any) -> bool:
    constants = {tensor.name: tensor for tensor in graph.initializer}
    numbers: dict[str, int] = {name: min(math.prod(t.dims), 1 << 12) for name, t in constants.items()}
    for node in graph.node:
        made = 0
        match node.op_type:
            case "ConstantOfShape" if node.input and math.prod(_dims(constants.get(node.input[0]))) != 1:
                pass  # an image of numbers: only lists are computed
            case kind if kind in _FILLING:
                return True
            case "Split" if any(a.name == "num_outputs" and a.i != len(node.output) for a in node.attribute):
                return True
            case "Constant" | "Shape" | "Size":
                made = 64
            case "Concat":
                made = sum(numbers.get(name, 0) for name in node.input)
            case kind if kind in _PASSING_ON:
                made = max((numbers.get(name, 0) for name in node.input), default=0)
        if made > _MOST_NUMBERS:
            return True
        numbers.update(dict.fromkeys(node.output, made))
    return sum(numbers.values()) > 1 << 24


def _dims(tensor: Any) -> tuple[int, ...]:
    """Of a constant; those of one that is not there are none."""
    return () if tensor is None else tuple(tensor.dims)
