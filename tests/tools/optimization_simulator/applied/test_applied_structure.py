"""Channels, input sizes and operators of a .tflite file really changed, with the weights that it holds."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import AppliedOptimization, apply_optimization, measured_accuracy, parse_model
from edgewright.tools.graph import DType
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_formats.tflite.stored import stored_in
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.optimization_simulator.applied import process
from edgewright.tools.optimization_simulator.applied.samples import Input, Samples, fitted

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_quantizer") is None, reason="ai-edge-quantizer is not installed"
)
TARGET = "stm32h743zi"


@pytest.fixture(autouse=True)
def without_timing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    b = GraphBuilder("small")
    x = b.input((1, 16, 16, 3))
    x = b.conv2d(x, 16, 3, stride=2, activation="RELU")
    x = b.depthwise_conv2d(x, 3, activation="RELU6")
    wide = b.conv2d(x, 32, 1, activation="RELU")
    x = b.add(wide, b.conv2d(wide, 32, 3))
    x = b.flatten(b.average_pool2d(x, 8))
    path = tmp_path / "small.tflite"
    path.write_bytes(write_tflite(b.build([b.softmax(b.fully_connected(x, 10))])))
    return path


def applied(model: Path, technique: str, **more: object) -> AppliedOptimization:
    return apply_optimization(
        model, technique, model.with_name("out.tflite"), deployment=TARGET, force=True, **more
    )


@pytest.mark.parametrize(
    "technique", ["prune-50", "prune-25@0", "prune-50@auto", "width-75", "align-12", "input-32x32"]
)
def test_a_changed_file_has_the_macs_arena_and_size_that_were_predicted(model: Path, technique: str) -> None:
    made = applied(model, technique)
    assert made.errors["macs"] == 0
    assert made.errors["arena_bytes"] == 0
    assert abs(made.errors["file_bytes"]) < 0.02
    assert made.before.macs != made.obtained.macs
    assert made.drift is not None
    assert made.drift.samples == 16


def test_channels_filled_up_with_zeros_compute_the_same(model: Path) -> None:
    made = applied(model, "align-12")
    assert made.drift is not None
    assert made.drift.largest_difference < 1e-6


def test_the_filters_with_the_largest_weights_stay(model: Path) -> None:
    applied(model, "prune-50@0")

    def filters(path: Path) -> np.ndarray:
        graph = parse_model(path)
        weights = graph.tensors[graph.ops[0].inputs[1]]
        assert weights.buffer is not None
        return stored_in(path.read_bytes())(weights.buffer).view(np.float32).reshape(weights.shape)

    before, after = filters(model), filters(model.with_name("out.tflite"))
    kept = np.sort(np.argsort(-np.abs(before).sum(axis=(1, 2, 3)))[:8])
    np.testing.assert_array_equal(after, before[kept])


def test_changes_in_a_row_are_predicted_and_made_one_upon_the_other(model: Path) -> None:
    made = applied(model, "input-32x32 + prune-50+int8")
    assert made.technique == "input-32x32 + prune-50 + int8"
    assert made.errors["macs"] == made.errors["arena_bytes"] == 0
    assert abs(made.errors["file_bytes"]) < 0.02
    out = parse_model(model.with_name("out.tflite"))
    assert out.dtype.value == "int8"
    assert out.inputs[0].shape == (1, 32, 32, 3)


def test_an_int8_file_keeps_the_scales_of_the_channels_that_stay(model: Path, tmp_path: Path) -> None:
    int8 = tmp_path / "int8.tflite"
    apply_optimization(model, "int8", int8)
    made = applied(int8, "prune-50@0")
    assert made.errors["macs"] == 0
    assert abs(made.errors["file_bytes"]) < 0.02
    scales = [
        each.tensors[each.ops[0].inputs[1]].quantization
        for each in (parse_model(int8), parse_model(model.with_name("out.tflite")))
    ]
    assert scales[0] is not None
    assert scales[1] is not None
    assert len(scales[1].scales) == 8
    assert set(scales[1].scales) <= set(scales[0].scales)


def test_accuracy_is_counted_before_and_after_with_samples_of_each_size(model: Path) -> None:
    rng = np.random.default_rng(0)
    images = rng.standard_normal((6, 16, 16, 3)).astype(np.float32)
    np.savez(model.with_name("labelled.npz"), images, labels=np.zeros(6, int))
    made = applied(model, "input-24x24", data=model.with_name("labelled.npz"))
    assert made.accuracy_after is not None
    assert made.accuracy_after == measured_accuracy(
        model, model.with_name("labelled.npz"), technique="input-24x24"
    )


def test_what_needs_training_or_another_place_is_not_written(model: Path) -> None:
    for technique, why in (
        ("separable", "does not hold"), ("exit", "does not hold"), ("clock-80MHz", "where the model runs"),
        ("prune-50 + prune-5000", "outside"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=why):
            applied(model, technique)
        assert not model.with_name("out.tflite").exists()
    with pytest.raises(UsageError, match="target"):
        apply_optimization(model, "prune-50@auto", model.with_name("out.tflite"))


def test_samples_for_another_size_are_means_of_what_they_cover() -> None:
    steps = np.repeat(np.arange(4.0, dtype=np.float32), 2).reshape(1, 8, 1)
    halved = fitted(Samples((steps,), ""), [Input("x", (4, 1), DType.FLOAT32)]).arrays[0]
    np.testing.assert_allclose(halved[0, :, 0], np.arange(4), atol=0.15)
    flat = fitted(Samples((np.full((2, 5, 5, 1), 7, np.uint8),), ""), [Input("x", (3, 8, 1), DType.FLOAT32)])
    assert flat.arrays[0].dtype == np.uint8
    assert (flat.arrays[0] == 7).all()


def test_a_file_written_with_its_own_weights_computes_what_it_did(shared_models: Path) -> None:
    from ai_edge_litert.interpreter import Interpreter

    source = shared_models / "mlperf-tiny" / "kws_ref_model.tflite"
    content, graph = source.read_bytes(), parse_model(source)
    stored = stored_in(content)
    held = {(0, t.index): stored(t.buffer) for t in graph.tensors if t.is_constant and t.buffer is not None}

    def run(data: bytes) -> np.ndarray:
        interpreter = Interpreter(model_content=data, num_threads=1)
        interpreter.allocate_tensors()
        (given,), (made,) = interpreter.get_input_details(), interpreter.get_output_details()
        rng = np.random.default_rng(0)
        interpreter.set_tensor(given["index"], rng.integers(-128, 128, given["shape"], np.int8))
        interpreter.invoke()
        return interpreter.get_tensor(made["index"])

    np.testing.assert_array_equal(run(write_tflite(graph, contents=held)), run(content))


def test_layers_of_low_rank_are_found_again_and_others_come_as_near_as_they_can(model: Path) -> None:
    rough, close = (applied(model, f"low-rank-{percent}").drift for percent in (20, 45))
    assert rough is not None
    assert close is not None
    assert rough.sqnr_db is not None
    assert close.sqnr_db is not None
    assert close.sqnr_db > rough.sqnr_db + 1
    made = applied(model, "low-rank-45")
    assert made.errors["macs"] == made.errors["arena_bytes"] == 0
    assert made.obtained.macs < made.before.macs
    with pytest.raises(UsageError, match="int8"):
        apply_optimization(model, "int8 + low-rank-45", model.with_name("out.tflite"), force=True)


@pytest.mark.parametrize("technique", ["fuse", "fuse-bn"])
def test_factors_and_summands_of_channels_are_taken_into_the_weights_before_them(
    tmp_path: Path, technique: str
) -> None:
    b = GraphBuilder("normalised")
    x = b.input((1, 8, 8, 3))
    x = b.conv2d(x, 8, 3)
    x = b.arithmetic("MUL", x, b.constant("factor", (8,)))
    x = b.arithmetic("SUB", x, b.constant("mean", (1,)))
    x = b.depthwise_conv2d(x, 3)
    x = b.arithmetic("SUB", b.constant("whole", (8,)), x)
    x = b.arithmetic("DIV", x, b.constant("divisor", (8,)), activation="RELU6")
    path = tmp_path / "normalised.tflite"
    path.write_bytes(write_tflite(b.build([x])))
    made = applied(path, technique)
    assert len(parse_model(path).ops) == 6
    assert len(parse_model(path.with_name("out.tflite")).ops) == 2
    assert made.errors["macs"] == made.errors["arena_bytes"] == 0
    assert made.drift is not None
    assert made.drift.sqnr_db is None or made.drift.sqnr_db > 100
