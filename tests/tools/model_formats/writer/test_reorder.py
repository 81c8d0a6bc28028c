"""A file with its operators reordered and a memory plan beside them, run by TensorFlow Lite Micro."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools.api.memory import best_memory_order, plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.reorder import reorder_file
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

HOST = deployment("host-x86-64", "tflm-reference")
UNIT = Quantization((1.0,), (0,))
_HEAD = """
import sys
from tflite_micro.python.tflite_micro import runtime
runtime.Interpreter.from_bytes(sys.stdin.buffer.read(), arena_size=1 << 26).print_allocations()
"""


def branches(wide: int = 2048) -> ModelGraph:
    tensors = (
        Tensor(0, "x", (1, 8), DType.INT8, quantization=UNIT),
        *(Tensor(i, "wide", (1, wide), DType.INT8, quantization=UNIT) for i in (1, 2)),
        *(Tensor(i, "narrow", (1, 8), DType.INT8, quantization=UNIT) for i in (3, 4)),
        Tensor(5, "y", (1, 16), DType.INT8, quantization=UNIT),
        Tensor(6, "left", (2, 2), DType.INT32, 16, is_constant=True, values=(0, 0, wide - 8, 0)),
        Tensor(7, "right", (2, 2), DType.INT32, 16, is_constant=True, values=(0, 0, 0, wide - 8)),
        Tensor(8, "end", (2,), DType.INT32, 8, is_constant=True, values=(0, wide - 8)),
        Tensor(9, "begin", (2,), DType.INT32, 8, is_constant=True, values=(0, 0)),
        Tensor(10, "size", (2,), DType.INT32, 8, is_constant=True, values=(1, 8)),
    )
    ops = (
        Op(0, "PAD", (0, 6), (1,)),
        Op(1, "PAD", (0, 7), (2,)),
        Op(2, "SLICE", (1, 8, 10), (3,)),
        Op(3, "SLICE", (2, 9, 10), (4,)),
        Op(4, "CONCATENATION", (3, 4), (5,), options={"axis": 1}),
    )
    return ModelGraph("branches", "architecture", "0", None, (Subgraph("", tensors, ops, (0,), (5,)),))


def outputs(model: bytes, data: Any) -> Any:
    runtime = pytest.importorskip("tflite_micro.python.tflite_micro.runtime")
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=1 << 24)
    interpreter.set_input(data, 0)
    interpreter.invoke()
    return interpreter.get_output(0)


def head(model: bytes) -> int:
    pytest.importorskip("tflite_micro")
    done = subprocess.run([sys.executable, "-c", _HEAD], input=model, capture_output=True, check=True)
    found = re.search(rb"Arena allocation head (\d+) bytes", done.stderr)
    assert found is not None
    return int(found[1])


def test_the_reordered_file_computes_the_same_in_the_promised_arena() -> None:
    model = write_tflite(branches())
    report = best_memory_order(parse_model(model), HOST)
    better = reorder_file(model, report.order, report.offline_plan)
    data = np.arange(8, dtype=np.int8).reshape(1, 8)
    assert outputs(better, data).tolist() == outputs(model, data).tolist() == [[*range(8), *range(8)]]
    assert report.after is not None
    assert head(better) == report.after.packed_bytes
    assert head(model) > 2 * 2048 > report.after.arena_bytes


def test_a_planned_file_keeps_its_weights_and_takes_a_quarter_less() -> None:
    model = write_tflite(build_architecture("vww", dtype="int8"))
    report = best_memory_order(parse_model(model), HOST)
    better = reorder_file(model, report.order, report.offline_plan)
    data = np.random.default_rng(1).integers(-128, 128, (1, 96, 96, 3), dtype=np.int8)
    assert outputs(better, data).tolist() == outputs(model, data).tolist()
    assert (head(model), head(better)) == (73728, 55296)
    assert plan_memory(parse_model(better), HOST).arena_nonpersistent_bytes == 55296


def test_a_published_file_is_planned_anew(shared_models: Path) -> None:
    model = (shared_models / "mlperf-tiny" / "vww_96_int8.tflite").read_bytes()
    report = best_memory_order(parse_model(model), HOST)
    better = reorder_file(model, report.order, report.offline_plan)
    assert report.after is not None
    assert head(better) == report.after.packed_bytes
    assert head(reorder_file(better, report.order, report.offline_plan)) == report.after.packed_bytes
    data = np.zeros((1, 96, 96, 3), dtype=np.int8)
    assert outputs(better, data).tolist() == outputs(model, data).tolist()


@pytest.mark.parametrize("order", [(), (0, 1, 2, 3), (0, 1, 2, 3, 3), (0, 1, 2, 3, 5)])
def test_an_order_without_every_operator_once_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="each of the 5 operators once"):
        reorder_file(write_tflite(branches()), order)
