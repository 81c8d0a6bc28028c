from pathlib import Path

import numpy as np
import pytest

from edgewright.hardware_db.errors import UsageError
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


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A residual block, a depthwise convolution, normalisation and a flattened image behind it."""
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(1)

    def drawn(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape, dtype=np.float32) / 3

    held = {
        "a/w": drawn(16, 3, 3, 3), "a/b": drawn(16), "b/w": drawn(16, 16, 3, 3), "d/w": drawn(16, 1, 3, 3),
        "n/s": drawn(16), "n/b": drawn(16), "n/m": drawn(16), "n/v": np.abs(drawn(16)) + 1,
        "f/w": drawn(10, 16 * 36), "f/b": drawn(10), "shape": np.array([1, 576], np.int64),
    }  # fmt: skip
    nodes = [
        helper.make_node("Conv", ["image", "a/w", "a/b"], ["a"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["r"]),
        helper.make_node("Conv", ["r", "b/w"], ["b"], pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["b", "n/s", "n/b", "n/m", "n/v"], ["n"]),
        helper.make_node("Add", ["r", "n"], ["s"]),
        helper.make_node("Conv", ["s", "d/w"], ["d"], pads=[1, 1, 1, 1], group=16),
        helper.make_node("MaxPool", ["d"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Reshape", ["p", "shape"], ["f"]),
        helper.make_node("Gemm", ["f", "f/w", "f/b"], ["scores"], transB=1),
    ]
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 12, 12])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 10])],
        [numpy_helper.from_array(value, name) for name, value in held.items()],
    )  # fmt: skip
    path = tmp_path / "network.onnx"
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    made.ir_version = 8
    onnx.save(made, path)
    return path


def test_an_onnx_model_loses_channels_with_all_that_reads_them(
    network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)
    apply_optimization(network, "prune-50", tmp_path / "out.onnx")
    held = {each.name: tuple(each.dims) for each in onnx.load(tmp_path / "out.onnx").graph.initializer}
    assert held["a/w"] == (8, 3, 3, 3)
    assert held["b/w"] == (8, 8, 3, 3)
    assert held["d/w"] == (8, 1, 3, 3)
    assert held["n/v"] == (8,)
    assert held["f/w"] == (10, 8 * 36)


def test_channels_of_zeros_change_nothing_that_an_onnx_model_computes(
    network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)
    made = apply_optimization(network, "align-12", tmp_path / "out.onnx")
    assert made.drift is not None
    assert made.drift.largest_difference < 1e-4
    assert made.obtained.macs > made.before.macs


@pytest.mark.parametrize("technique", ["prune-50", "input-24x24", "fuse", "prune-50 + int8"])
def test_what_is_obtained_of_an_onnx_model_is_what_was_predicted(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, technique: str
) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)
    made = apply_optimization(model, technique, tmp_path / "out.onnx", deployment="raspberry-pi-4b")
    assert made.errors["macs"] == 0
    assert made.drift is not None


def test_what_no_onnx_file_can_become_names_what_it_can(model: Path, tmp_path: Path) -> None:
    for technique in ("weights-int4", "prune-50@3", "relu6"):
        with pytest.raises(UsageError, match="cannot be applied"):
            apply_optimization(model, technique, tmp_path / "out.onnx")
    assert not (tmp_path / "out.onnx").exists()


def test_bands_are_no_change_of_a_file_and_say_so(model: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no change of a file: it is how a runtime computes"):
        apply_optimization(model, "bands-4", tmp_path / "out.onnx")
