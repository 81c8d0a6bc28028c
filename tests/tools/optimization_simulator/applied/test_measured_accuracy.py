"""Accuracy on labelled data, held to a model that is right by construction."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import (
    analyze_model,
    apply_optimization,
    measure_candidates,
    measured_accuracy,
    run_sweep,
)
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.optimization_simulator.applied import process
from edgewright.tools.optimization_simulator.applied.accuracy import scored, wilson

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_quantizer") is None, reason="ai-edge-quantizer is not installed"
)
SAMPLES = 40


@pytest.fixture(autouse=True)
def without_timing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    b = GraphBuilder("small")
    x = b.flatten(b.conv2d(b.input((1, 8, 8, 3)), 8, 3, stride=2, activation="RELU"))
    path = tmp_path / "small.tflite"
    path.write_bytes(write_tflite(b.build([b.fully_connected(x, 4)])))
    return path


def inputs() -> np.ndarray:
    return np.random.default_rng(1).standard_normal((SAMPLES, 8, 8, 3)).astype(np.float32)


def answers(model: Path, images: np.ndarray) -> np.ndarray:
    """The classes that the model itself gives, so that it is right in all of them."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(model))
    interpreter.allocate_tensors()
    found = []
    for image in images:
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], image[None])
        interpreter.invoke()
        found.append(int(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).argmax()))
    return np.array(found)


@pytest.fixture
def data(model: Path, tmp_path: Path) -> Path:
    """Three quarters of the labels are the model's own answers, the others are wrong."""
    images = inputs()
    labels = answers(model, images)
    labels[: SAMPLES // 4] = (labels[: SAMPLES // 4] + 1) % 4
    np.savez(tmp_path / "data.npz", image=images, labels=labels)
    return tmp_path / "data.npz"


def test_top_1_is_the_share_of_samples_that_are_right(model: Path, data: Path) -> None:
    found = measured_accuracy(model, data)
    assert (found.metric, found.value, found.samples) == ("top-1", 0.75, SAMPLES)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.75 < found.high


def test_labels_may_be_one_hot_or_folders_of_classes(model: Path, data: Path, tmp_path: Path) -> None:
    with np.load(data) as loaded:
        images, labels = loaded["image"], loaded["labels"]
    np.savez(tmp_path / "hot.npz", image=images, y=np.eye(4)[labels])
    for label in range(4):
        (tmp_path / "folders" / str(label)).mkdir(parents=True)
        np.save(tmp_path / "folders" / str(label) / "x.npy", images[labels == label])
    assert measured_accuracy(model, tmp_path / "hot.npz").value == 0.75
    assert measured_accuracy(model, tmp_path / "folders").value == 0.75


def test_an_applied_change_tells_the_accuracy_before_and_after(
    model: Path, data: Path, tmp_path: Path
) -> None:
    made = apply_optimization(model, "int8", tmp_path / "out.tflite", data=data)
    assert made.accuracy_before is not None
    assert made.accuracy_after is not None
    assert made.accuracy_before.value == 0.75
    assert made.accuracy_after == measured_accuracy(model, data, technique="int8")
    assert apply_optimization(model, "int8", tmp_path / "other.tflite").accuracy_after is None


def test_a_metric_of_one_s_own_is_called_with_outputs_and_labels(
    model: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.py").write_text(
        "def wrong(outputs, labels):\n    return float((outputs[0].argmax(-1).ravel() != labels).mean())\n"
        "def broken(outputs, labels):\n    raise KeyError('no such class')\n"
        "def nothing(outputs, labels):\n    return float('nan')\n"
    )
    monkeypatch.chdir(tmp_path)
    found = measured_accuracy(model, data, metric="own:wrong")
    assert (found.metric, found.value, found.low) == ("own:wrong", 0.25, None)
    with pytest.raises(UsageError, match="no such class"):
        measured_accuracy(model, data, metric="own:broken")
    for metric in ("own:missing", "own", "own:wrong; import os", "nowhere:wrong"):
        with pytest.raises(UsageError):
            measured_accuracy(model, data, metric=metric)


def test_data_without_labels_or_with_labels_that_are_none_are_refused(model: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "bare.npz", image=inputs())
    np.savez(tmp_path / "half.npz", image=inputs(), labels=np.full(SAMPLES, 0.5))
    np.savez(tmp_path / "few.npz", image=inputs(), labels=np.zeros(3, dtype=int))
    for name, told in (("bare", "no labels"), ("half", "no whole numbers"), ("few", "samples")):
        with pytest.raises(UsageError, match=told):
            measured_accuracy(model, tmp_path / f"{name}.npz")
    with pytest.raises(UsageError, match=r"no \.tflite or \.onnx"):
        measured_accuracy("kws", tmp_path / "bare.npz")
    with pytest.raises(UsageError, match="needs labels"):
        apply_optimization(model, "int8", tmp_path / "o.tflite", data=tmp_path / "bare.npz", metric="a:b")


def test_outputs_of_one_number_rank_nothing() -> None:
    with pytest.raises(UsageError, match="rank no classes"):
        scored([np.zeros((4, 1))], np.zeros(4, dtype=np.int64))


@pytest.mark.parametrize(("right", "count"), [(0, 10), (10, 10), (5, 10), (999, 1000)])
def test_an_interval_of_a_share_holds_it_and_stays_within_0_and_1(right: int, count: int) -> None:
    low, high = wilson(right, count)
    assert 0 <= low <= right / count <= high <= 1
    assert wilson(50, 100) == pytest.approx((0.4184, 0.5816), abs=2e-3)


def test_analyze_tells_the_accuracy_of_the_file(model: Path, data: Path) -> None:
    found = analyze_model(model, "stm32h743zi", data=data).accuracy
    assert found is not None
    assert found.value == 0.75


def test_a_sweep_has_fronts_of_accuracy_over_what_can_be_applied(
    model: Path, data: Path, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "models: [small.tflite, kws]\ntargets: [stm32h743zi]\nruntimes: [tflm-cmsis-nn]\n"
        "transforms: [none, int8, prune-25]\n"
    )
    run_sweep(plan, tmp_path / "out")
    report = measure_candidates(plan, tmp_path / "out", data=data, host=True)
    by_name = {(one.model, one.transform): one for one in report.candidates}
    as_it_is, int8 = by_name["small.tflite", "none"], by_name["small.tflite", "int8"]
    assert as_it_is.accuracy is not None
    assert as_it_is.accuracy.value == 0.75
    assert int8.host is not None
    assert int8.host.mean_ms > 0
    assert len(int8.host.window_medians) == 5
    assert by_name["small.tflite", "prune-25"].accuracy is None
    assert "kws" in by_name["kws", "none"].reason
    assert {point.transform for point in report.fronts} <= {"none", "int8"}
    fast = [point for point in report.fronts if point.latency_ms is not None]
    assert [point.accuracy for point in fast] == sorted(point.accuracy for point in fast)
    for name in report.files:
        assert (tmp_path / "out" / name).is_file()
    with open(tmp_path / "out" / "precision_tradeoffs.csv", newline="") as file:
        rows = {row["precision"]: row["accuracy_mean"] for row in csv.DictReader(file)}
    assert float(rows["float32"]) == 0.75


def test_nothing_to_measure_or_nothing_swept_is_refused(model: Path, data: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("models: [small.tflite]\ntargets: [stm32h743zi]\n")
    for more in ({}, {"metric": "a:b", "host": True}, {"data": data}):
        with pytest.raises(UsageError):
            measure_candidates(plan, tmp_path / "nowhere", **more)
