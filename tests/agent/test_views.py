from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from edgewright.agent.arguments import LimitArguments
from edgewright.agent.compaction import compact
from edgewright.agent.views import VIEWS, View, as_langchain_tools
from edgewright.agent.workspace import FileNotAllowedError, Workspace
from edgewright.hardware_db.errors import EdgewrightError, UsageError
from edgewright.tools import Limits
from stubs.traces import events

BY_NAME = {tool.name: tool for tool in VIEWS}
ON_DEPLOYMENT = (
    "check_constraints",
    "plan_memory",
    "analyze_roofline",
    "estimate_performance",
    "estimate_energy_budget",
    "sweep_frequency",
    "score_compatibility",
    "simulate_optimizations",
    "trace_timeline",
    "best_memory_order",
    "firmware_code",
    "evidence",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "kws.csv").write_text(events())
    return Workspace(tmp_path, model="kws", target="stm32h743zi")


@pytest.mark.parametrize("name", ON_DEPLOYMENT)
def test_defaults_of_the_workspace_are_taken_and_told(workspace: Workspace, name: str) -> None:
    document = BY_NAME[name].call({}, workspace)
    assert document["tool"] == name
    assert document["inputs"]["model"] == "kws"
    assert document["inputs"]["target"] == "stm32h743zi"
    assert document["result"]["deployment"]["target"] == "stm32h743zi"
    json.dumps(document, allow_nan=False)


def test_a_trace_is_compared_with_the_estimate_and_names_the_layer(workspace: Workspace) -> None:
    document = BY_NAME["import_profile"].call({"path": "kws.csv", "target": "stm32l4r5zi"}, workspace)
    assert document["inputs"]["path"] == "kws.csv"
    assert document["result"]["residuals"][0]["index"] == 6


def test_a_trace_outside_the_directory_is_read_only_where_the_user_named_it(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("elsewhere") / "kws.csv"
    outside.write_text(events())
    with pytest.raises(FileNotAllowedError):
        BY_NAME["import_profile"].call({"path": str(outside)}, workspace)
    workspace.note(f"my trace is in {outside}")
    assert BY_NAME["import_profile"].call({"path": str(outside)}, workspace)["result"]


@pytest.mark.parametrize("name", ["parse_model", "get_target", "list_targets", "list_runtimes"])
def test_tools_without_a_deployment_answer_too(workspace: Workspace, name: str) -> None:
    assert BY_NAME[name].call({}, workspace)["result"]


def test_a_runtime_is_looked_up_by_name(workspace: Workspace) -> None:
    document = BY_NAME["get_runtime"].call({"runtime": "tflm-cmsis-nn"}, workspace)
    assert document["result"]["id"] == "tflm-cmsis-nn"


def test_the_call_wins_over_the_workspace(workspace: Workspace) -> None:
    asked = {"target": "nrf52840", "runtime": "tflm-reference", "clock_mhz": 32}
    deployment = BY_NAME["estimate_performance"].call(asked, workspace)["result"]["deployment"]
    assert (deployment["target"], deployment["runtime"], deployment["clock_mhz"]) == (
        "nrf52840",
        "tflm-reference",
        32,
    )


def test_limits_reach_the_checker_by_their_own_names(workspace: Workspace) -> None:
    assert set(LimitArguments.model_fields) <= set(Limits.model_fields)
    checks = BY_NAME["check_constraints"].call({"latency_ms": 0.001}, workspace)["result"]["checks"]
    assert [c["verdict"] for c in checks if c["name"] == "latency"] == ["FAIL"]


def test_width_and_type_choose_the_build_of_an_architecture(workspace: Workspace) -> None:
    parse = BY_NAME["parse_model"]
    small = parse.call({"model": "mobilenet_v2", "width": 0.35, "input_size": 96, "dtype": "int8"}, workspace)
    whole = parse.call({"model": "mobilenet_v2"}, workspace)
    assert small["result"]["dtype"] == "int8"
    assert small["result"]["macs"] < whole["result"]["macs"] / 10


def test_a_file_has_no_type_to_choose(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="no named architecture"):
        BY_NAME["parse_model"].call({"model": "kws.tflite", "dtype": "int8"}, workspace)


def test_blank_and_null_arguments_mean_none(workspace: Workspace) -> None:
    arguments = {"model": " ", "target": None, "runtime": "", "clock_mhz": ""}
    assert BY_NAME["plan_memory"].call(arguments, workspace)["result"]["arena_bytes"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"colour": "red"},
        {"batch": 0},
        {"clock_mhz": -1},
        {"clock_mhz": "nan"},
        {"clock_mhz": "inf"},
        {"top": "50 ms"},
    ],
)
def test_arguments_that_mean_nothing_are_refused(workspace: Workspace, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        BY_NAME["estimate_performance"].call(arguments, workspace)


def test_the_model_reads_compact_json_and_the_artifact_is_whole(workspace: Workspace) -> None:
    (tool,) = as_langchain_tools([BY_NAME["analyze_roofline"]], workspace)
    message = tool.invoke({"name": tool.name, "args": {"top": 3}, "id": "1", "type": "tool_call"})
    shown = json.loads(message.content)
    assert len(shown["result"]["layers"]) == 3
    assert shown["result"]["omitted"]["layers"] == len(message.artifact["result"]["layers"]) - 3
    slowest = max(message.artifact["result"]["layers"], key=lambda layer: layer["latency_ms"])
    assert shown["result"]["layers"][0]["index"] == slowest["index"]
    assert "assumptions" not in shown["result"]
    assert shown["assumptions"] == message.artifact["result"]["assumptions"]


@pytest.mark.parametrize("name", BY_NAME)
def test_no_result_takes_much_of_a_small_context(workspace: Workspace, name: str) -> None:
    arguments = {"model": "mobilenet_v2"} if "model" in BY_NAME[name].arguments.model_fields else {}
    arguments |= LARGEST.get(name, {})
    assert len(compact(BY_NAME[name].call(arguments, workspace), top=10_000)) <= 16_000


ODD = ["", "../x", "/etc/passwd", "x.tflite", "é\u202e\0"]
WORDS = {
    "model": ["kws", "ic", "mobilenet_v2", "resnet50", *ODD],
    "target": ["nrf52840", "Nucleo H743", "a100", "STM32H7", *ODD],
    "runtime": ["tflm-cmsis-nn", "tflm-reference", "tensorrt", "x-cube-ai", *ODD],
    "dtype": ["int8", "float32", "int3"],
    "variable": ["clock", "rate", "ram", "battery-life"],
    "technique": ["int8", "prune-50", "magic"],
    "target_class": ["mcu", "gpu", "toaster"],
    "device_class": ["mcu", "gpu"],
    "before": ["kws", "ic", *ODD],
    "after": ["vww", "ic:float32", *ODD],
    "core": ["cortex-m7", "rv32", "abacus"],
    "one": ["stm32h743zi", "H7", ""],
    "template": ["drone", "gateway", "toaster"],
    "targets": [["stm32h743zi", "esp32-s3"], ["h743", "x"], ["stm32h743zi/x-cube-ai", "nrf52840"]],
    "other": ["stm32l4r5zi", "stm32h473"],
    "battery": ["CR2032", "18650", "LiPo 500 mAh", "lipo", "LiPo 0 mAh", "AA", *ODD],
    "goal": ["latency", "energy", "ram"],
    "path": ["kws.csv", "missing.csv", ".", *ODD],
    "unit": ["ms", "1MHz", "fortnight", ""],
}
LARGEST = {
    "compare_deployments": {"targets": ["stm32h743zi", "esp32-s3", "nrf52840", "stm32l4r5zi"]},
    "get_runtime": {"runtime": "tflm-cmsis-nn"},
    "diff_targets": {"one": "a100-sxm4-80gb", "other": "stm32h743zi"},
    "diff_models": {"before": "mobilenet_v1", "after": "mobilenet_v2"},
    "find_limit": {"model": "kws", "variable": "rate"},
    "import_profile": {"model": "kws", "path": "kws.csv"},
}
REQUIRED = {
    "get_runtime": {"runtime": ""},
    "diff_targets": {"one": "", "other": ""},
    "diff_models": {"before": "kws", "after": "ic"},
    "find_limit": {"variable": "clock", "latency_ms": 50},
    "import_profile": {"path": "kws.csv"},
    "compare_deployments": {"targets": ["h743", "esp32-s3"]},
}
COUNTS = st.one_of(st.integers(1, 4), st.sampled_from([96, 224, 10**6, 10**12]))
FIGURES = st.one_of(st.sampled_from([0.25, 0.35, 1.0, 64.0]), st.floats(1e-9, 1e12))


def _some(tool: View) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that the tool's schema allows, likely ones and unlikely ones."""
    fields = tool.arguments.model_fields
    counts = {name for name, field in fields.items() if "int," in str(field.annotation)}
    return st.fixed_dictionaries(
        {},
        optional={
            name: st.sampled_from(WORDS[name]) if name in WORDS else COUNTS if name in counts else FIGURES
            for name in fields
        },
    )


@pytest.mark.parametrize("name", BY_NAME)
def test_whatever_the_schema_allows_gives_a_result_or_a_clear_error(workspace: Workspace, name: str) -> None:
    tool = BY_NAME[name]

    @settings(max_examples=40, deadline=None, database=None, derandomize=True)
    @given(_some(tool))
    def check(arguments: dict[str, Any]) -> None:
        arguments = REQUIRED.get(name, {}) | arguments
        try:
            text = compact(tool.call(arguments, workspace))
        except EdgewrightError as told:
            text = json.dumps(str(told))
            assert len(text) < 1000
        json.loads(text)

    check()


class TestCompaction:
    def test_operators_with_a_problem_come_before_heavy_ones(self) -> None:
        ops = [{"index": i, "supported": i != 7, "optimized": i != 5} for i in range(20)]
        shown = json.loads(compact({"result": {"ops": ops}}, top=2))["result"]
        assert [op["index"] for op in shown["ops"]] == [7, 5]

    def test_whole_numbers_stay_exact_and_fractions_get_six_digits(self) -> None:
        shown = json.loads(compact({"result": {"bound": 2097152.0, "latency_ms": 12.3456789, "n": 2097153}}))
        assert shown["result"] == {"bound": 2097152, "latency_ms": 12.3457, "n": 2097153}

    def test_unknown_stays_null_and_false_and_zero_stay_what_they_are(self) -> None:
        result = {"energy_uj": None, "fits": False, "gap": 0, "peaks": [], "note": "", "inf": float("inf")}
        shown = json.loads(compact({"result": result}))["result"]
        assert shown == {"energy_uj": None, "fits": False, "gap": 0, "peaks": [], "inf": None}

    def test_a_result_of_any_size_becomes_short(self) -> None:
        rows = [{"name": "x" * 200, "parts": [{"a": i} for i in range(300)]} for _ in range(300)]
        text = compact({"result": {"regions": rows}})
        assert len(text) < 16_000
        assert json.loads(text)["result"]["omitted"] == {"regions": 288}
