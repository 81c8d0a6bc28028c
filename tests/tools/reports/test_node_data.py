"""What is written for Google's Model Explorer has the shape of its `node_data_builder.py` (0.1.34)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from edgewright.tools import UsageError, deployment, estimate_performance, parse_model, write_node_data
from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo.named import build_architecture

_OF_A_GRAPH = {"name", "results", "gradient", "showExpandedSummaryOnGroupNode", "hideInAggregatedStatsTable"}
_OF_A_NODE = {"value", "bgColor"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nodes") / "my kws.tflite"
    save_tflite(build_architecture("kws", dtype="int8"), path)
    return path


def read(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / name).read_text())
    return found


def test_each_figure_is_a_file_with_a_value_at_each_operator_by_its_number(
    model: Path, tmp_path: Path
) -> None:
    written = write_node_data(model, "stm32h743zi", tmp_path / "nodes")
    assert written.files == ("latency_ms.json", "energy_uj.json", "bound.json", "verdict.json")
    layers = estimate_performance(model, "stm32h743zi").layers
    for name in written.files:
        data = read(tmp_path / "nodes", name)
        assert set(data) <= _OF_A_GRAPH
        assert set(data["results"]) == {str(layer.index) for layer in layers}
        assert all(set(node) <= _OF_A_NODE for node in data["results"].values())
    times = read(tmp_path / "nodes", "latency_ms.json")
    assert times["name"] == "Estimated ms, stm32h743zi"
    assert [stop["stop"] for stop in times["gradient"]] == [0, 1]
    assert times["results"]["0"]["value"] == pytest.approx(layers[0].latency_ms, rel=1e-4)


def test_bounds_and_verdicts_are_words_in_the_colours_of_the_page(model: Path, tmp_path: Path) -> None:
    write_node_data(model, "stm32h743zi", tmp_path / "nodes")
    assert read(tmp_path / "nodes", "verdict.json")["results"]["0"] == {
        "value": "PASS: cm7",
        "bgColor": "#0a7d3f",
    }
    bounds = read(tmp_path / "nodes", "bound.json")["results"].values()
    assert {node["value"] for node in bounds} <= {"compute", "memory", "overhead", "unknown"}


def test_what_a_trace_measured_stands_beside_the_estimate(model: Path, tmp_path: Path) -> None:
    rows = [f"{op.kind},1.25" for op in parse_model(model).ops]
    (tmp_path / "trace.csv").write_text("\n".join(["op,ms", *rows]))
    board = deployment("stm32h743zi", "tflm-cmsis-nn")
    written = write_node_data(model, board, tmp_path / "nodes", trace=tmp_path / "trace.csv")
    assert written.files[-2:] == ("measured_ms.json", "measured_ratio.json")
    assert read(tmp_path / "nodes", "measured_ms.json")["results"]["0"] == {"value": 1.25}
    ratio = read(tmp_path / "nodes", "measured_ratio.json")["results"]["0"]["value"]
    estimated = estimate_performance(model, board).layers[0].latency_ms
    assert estimated is not None
    assert ratio == pytest.approx(1.25 / estimated, rel=1e-4)


def test_an_unknown_figure_is_not_there_and_is_no_zero(model: Path, tmp_path: Path) -> None:
    written = write_node_data(model, "host-x86-64", tmp_path / "nodes")
    layers = estimate_performance(model, "host-x86-64").layers
    known = {str(layer.index) for layer in layers if layer.energy_uj is not None}
    assert set(read(tmp_path / "nodes", "energy_uj.json")["results"]) == known
    assert known or "energy_uj.json is empty" in written.warnings[0]


def test_files_of_several_deployments_are_told_apart(model: Path, tmp_path: Path) -> None:
    several = write_node_data(model, ["stm32h743zi", "nrf52840"], tmp_path / "a").files
    assert several[::4] == ("stm32h743zi.latency_ms.json", "nrf52840.latency_ms.json")
    clocks = [deployment("nrf52840"), deployment("nrf52840", batch=2)]
    assert len(set(write_node_data(model, clocks, tmp_path / "b").files)) == 8


def test_the_command_that_is_told_survives_spaces(model: Path, tmp_path: Path) -> None:
    written = write_node_data(model, "stm32h743zi", tmp_path / "my nodes")
    assert written.command.startswith(f"model-explorer '{model}' '--node_data_paths=")
    named = write_node_data("kws:int8", "stm32h743zi", tmp_path / "named")
    assert any("models write" in warning for warning in named.warnings)


def test_operators_that_go_by_other_names_there_are_refused(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])], "g",
        [value("x", onnx.TensorProto.FLOAT, [1, 4])], [value("y", onnx.TensorProto.FLOAT, [1, 4])],
    )  # fmt: skip
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "m.onnx")
    with pytest.raises(UsageError, match="onnx files"):
        write_node_data(tmp_path / "m.onnx", "stm32h743zi", tmp_path / "nodes")
    assert not (tmp_path / "nodes").exists()
