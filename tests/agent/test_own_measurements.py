"""In a conversation, a measurement of the user's own makes later answers better, and they say so."""

from pathlib import Path

import pytest

from edgewright.agent.answer import Answer
from edgewright.agent.assistant import Assistant
from edgewright.agent.chat_models import chat_model
from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import Settings, deployment, estimate_performance, list_calibrations
from stubs.model_by_hand import Answered
from stubs.openai_server import OpenAIServer

BOARD = "stm32f746ng"
QUESTION = f"I measured 180 ms for kws on an {BOARD}, so how fast will vww be?"
LEARN = {"calibrate_target": {"model": "kws", "target": BOARD, "latency_ms": "180 ms"}}
ESTIMATE = {"evaluate": {"models": ["vww"], "targets": [BOARD], "show": ["time"]}}
SENTENCE = "As kws took {{r1.rows[0].measured_ms|ms}}, vww takes {{r2.latency_ms|ms~}}."


def asked(folder: Path, calls: list[dict[str, dict[str, object]]], sentence: str) -> Answer:
    case = Answered("calibration", QUESTION, [[call] for call in calls], sentence)
    with OpenAIServer(case.replies) as server:
        model, name = chat_model("by-hand", server.base_url, max_retries=0)
        return Assistant(model, Workspace(folder), llm_name=name).ask(QUESTION)


@pytest.fixture
def answer(tmp_path: Path) -> Answer:
    return asked(tmp_path, [LEARN, ESTIMATE], SENTENCE)


def test_a_measurement_told_in_a_chat_makes_the_estimate_that_follows_better(answer: Answer) -> None:
    without = estimate_performance("vww", deployment(BOARD, settings=Settings())).latency_ms
    learned, estimated = (call["result"] for call in answer.tool_calls)
    assert learned is not None
    assert estimated is not None
    factor = learned["boards"][0]["factor"]["value"]
    assert factor > 2
    assert estimated["latency_ms"]["value"] == pytest.approx(factor * float(without), rel=0.01)
    assert estimated["latency_ms"]["high"] / estimated["latency_ms"]["low"] < without.high / without.low  # type: ignore[operator]
    assert answer.grounded
    assert "As kws took 180 ms, vww takes" in answer.answer


def test_every_answer_that_goes_by_it_names_the_board_whoever_writes_it(
    answer: Answer, tmp_path: Path
) -> None:
    assert f"your own measurements of {BOARD}" in answer.answer
    later = asked(tmp_path, [ESTIMATE], "It takes {{r1.latency_ms|ms~}}.")
    offline = Planner(Workspace(tmp_path)).ask(f"How fast is vww on an {BOARD}?")
    for each in (later, offline):
        assert f"your own measurements of {BOARD}" in each.answer
        assert f"--remove {BOARD}" in each.answer
        assert each.grounded


def test_an_answer_on_another_board_does_not(answer: Answer, tmp_path: Path) -> None:
    other = Planner(Workspace(tmp_path)).ask("How fast is vww on an stm32h743zi?")
    assert "your own measurements" not in other.answer
    assert [board.target for board in list_calibrations().boards] == [BOARD]


@pytest.mark.parametrize("latency", ["180", 180, "0.18 s", "180000us"])
def test_a_chat_model_may_write_the_time_in_any_unit(tmp_path: Path, latency: object) -> None:
    call = {"calibrate_target": LEARN["calibrate_target"] | {"latency_ms": latency}}
    found = asked(tmp_path, [call], "Learned {{r1.rows[0].measured_ms|ms}}.")
    assert "Learned 180 ms" in found.answer


def test_a_time_that_cannot_be_is_refused_with_the_unit_that_it_may_be_in(tmp_path: Path) -> None:
    call = {"calibrate_target": LEARN["calibrate_target"] | {"latency_ms": "180 s"}}
    found = asked(tmp_path, [call], "I cannot learn from that.")
    result = found.tool_calls[0]["result"]
    assert result is not None
    assert not result["rows"][0]["used"]
    assert list_calibrations().boards == ()
