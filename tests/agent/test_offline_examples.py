"""The example questions beside the checkout, asked through the real loop."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from edgewright.agent.answer import Answer, ToolCallRecord
from edgewright.agent.assistant import Assistant
from edgewright.agent.offline import OfflinePlanner
from edgewright.agent.workspace import Workspace

QUESTIONS = Path(__file__).resolve().parents[3] / "shared" / "data" / "questions.yaml"
MODELS = {
    "kws_int8.tflite": "kws_ref_model.tflite",
    "vww_int8.tflite": "vww_96_int8.tflite",
    "ic_int8.tflite": "pretrainedResnet_quant.tflite",
    "ic_float.tflite": "pretrainedResnet.tflite",
    "ad_int8.tflite": "ad01_int8.tflite",
}
ANSWERED = {
    "bottleneck", "fit", "latency", "energy", "memory", "compatibility", "optimise", "hardware_fact", "model_fact",
    "whatif", "multi_intent", "followup", "adversarial", "unit_trap", "typo", "non_english_flavour",
}  # fmt: skip
DECLINED = {"inverse", "recommend", "explain"}
NO_TARGET_YET = ("I know no target", "Unknown")


def cases() -> list[dict[str, Any]]:
    return yaml.safe_load(QUESTIONS.read_text()) if QUESTIONS.is_file() else []


@pytest.fixture(scope="module")
def workplace(shared_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("models")
    for name, source in MODELS.items():
        shutil.copy(shared_models / "mlperf-tiny" / source, directory / name)
    return directory


def answers(case: Mapping[str, Any], workplace: Path) -> list[tuple[dict[str, Any], Answer]]:
    context = case.get("context") or {}
    workspace = Workspace(workplace, model=context.get("model"), target=context.get("target"))
    talk = Assistant(OfflinePlanner(), workspace, llm_name="offline", ask_again=False)
    return [(turn, talk.ask(turn["question"])) for turn in case.get("turns", [case])]


def value_at(record: ToolCallRecord, path: str) -> Any:
    value: Any = record["result"]
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value["value"] if isinstance(value, dict) and "value" in value else value


def check_calls(turn: Mapping[str, Any], found: Answer) -> None:
    expected = turn["expected"]
    allowed = {*expected.get("tools", ())[:1], *expected.get("accept", ())}
    assert allowed & {call["name"] for call in found.tool_calls}, found.answer
    for key, told in (expected.get("args") or {}).items():
        given = [call["arguments"].get(key) for call in found.tool_calls]
        for value in told if isinstance(told, list) else [told]:
            assert value in given or any(isinstance(g, float) and g == pytest.approx(value) for g in given), (
                key,
                found.tool_calls,
            )
    targets = turn["target"] if isinstance(turn.get("target"), list) else [turn.get("target")]
    used = {call["arguments"].get("target") for call in found.tool_calls}
    assert not turn.get("target") or set(targets) & used or turn["target"] in found.answer


def check_figures(turn: Mapping[str, Any], found: Answer) -> None:
    if "verdict" in turn:
        stated = {verdict["verdict"] for verdict in found.verdicts if not verdict["name"]}
        assert stated & {turn["verdict"]}, found.verdicts
        assert turn["verdict"] in found.answer
    for name, (low, high) in (turn.get("range") or {}).items():
        values = [v for call in found.tool_calls if isinstance(v := value_at(call, name), int | float)]
        values += [
            p["ridge_point"]
            for c in found.tool_calls
            for p in (c["result"] or {}).get("peaks", ())
            if p["ridge_point"]
        ]
        assert any(low <= value <= high for value in values), (name, values)


@pytest.mark.skipif(not QUESTIONS.is_file(), reason=f"no example questions at {QUESTIONS}")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_example_question_is_answered_from_tools_alone(case: dict[str, Any], workplace: Path) -> None:
    for turn, found in answers(case, workplace):
        assert found.grounded, found.ungrounded
        assert found.answer
        if case["kind"] in DECLINED and not found.tool_calls:
            assert "yet" in found.answer
        elif case["kind"] in ANSWERED | {"battery"} and not found.answer.startswith(NO_TARGET_YET):
            check_calls(turn, found)
            check_figures(turn, found)
        elif turn["expected"].get("tools") == []:
            assert found.tool_calls == ()
            offered = [name for name in case.get("candidates", ()) if name in found.answer]
            assert not case.get("candidates") or len(offered) >= 2
