from pathlib import Path

import numpy as np
import pytest

from edgewright.tools import apply_optimization
from edgewright.tools.optimization_simulator.applied import process

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(0)
    weights = {
        "conv/w": rng.standard_normal((8, 3, 3, 3), dtype=np.float32) / 5,
        "conv/b": np.zeros(8, dtype=np.float32),
        "dense/w": rng.standard_normal((8, 64), dtype=np.float32) / 3,
    }
    nodes = [
        helper.make_node("Conv", ["image", "conv/w", "conv/b"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["p"]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("MatMul", ["f", "dense/w"], ["scores"]),
    ]
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 12, 12])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 64])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )  # fmt: skip
    path = tmp_path / "m.onnx"
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)])
    made.ir_version = 8
    onnx.save(made, path)
    return path


@pytest.mark.parametrize(("technique", "decibels"), [("int8", 20), ("float16", 50)])
def test_an_onnx_model_computes_nearly_the_same_afterwards(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, technique: str, decibels: float
) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)
    made = apply_optimization(model, technique, tmp_path / "out.onnx")
    assert made.quantizer.startswith("onnxruntime")
    assert made.predicted.macs == made.obtained.macs
    assert made.drift is not None
    assert made.drift.sqnr_db is not None
    assert made.drift.sqnr_db > decibels
    assert made.obtained.host_latency_ms is not None
    assert (tmp_path / "out.onnx").stat().st_size == made.obtained.file_bytes
