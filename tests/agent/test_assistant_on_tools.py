"""The assistant over the real tools and the real grounding check; only the model's words are scripted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

import edgewright.agent
from edgewright.agent import Assistant, Workspace, ask, open_assistant
from edgewright.hardware_db.errors import UsageError
from stubs.openai_server import OpenAIServer, text, tool_call
from stubs.scripted_chat_model import ScriptedChatModel, calls, says


def assistant_on(directory: Path, *script: object, **defaults: str) -> Assistant:
    model = ScriptedChatModel(script=list(script))
    return Assistant(model, Workspace(directory, **defaults), llm_name="scripted")


def from_result(sentence: str) -> object:
    """A reply whose figures are those of the last tool result."""

    def reply(messages: list[BaseMessage]) -> AIMessage:
        ran = next(m.artifact for m in reversed(messages) if isinstance(m, ToolMessage))
        return says(sentence.format(**ran[0]["result"]))

    return reply


def test_figures_of_a_real_result_are_grounded(tmp_path: Path) -> None:
    reply = from_result("PASS: the arena takes {arena_bytes} bytes, flash {flash_bytes} bytes.")
    assistant = assistant_on(
        tmp_path, calls("evaluate", show="memory"), reply, model="kws", target="stm32h743zi"
    )
    answer = assistant.ask("Does it fit?")
    assert answer.grounded
    assert answer.tool_calls[0]["result"] is not None
    assert str(answer.tool_calls[0]["result"]["arena_bytes"]) in answer.answer


@pytest.mark.parametrize("runtime", ["tflm-reference", "x-cube-ai"])
def test_the_runtime_that_the_model_asks_for_reaches_the_tool(tmp_path: Path, runtime: str) -> None:
    asked = {"model": "kws", "target": "stm32h743zi", "runtime": runtime}
    call = (
        assistant_on(tmp_path, calls("evaluate", show="memory", **asked), says("Done."))
        .ask("How much RAM?")
        .tool_calls[0]
    )
    assert call["result"] is not None
    assert call["result"]["deployment"]["runtime"] == runtime


def test_a_figure_that_no_tool_returned_is_marked(tmp_path: Path) -> None:
    reply = from_result("The arena takes {arena_bytes} bytes and one inference 0.731 ms.")
    assistant = assistant_on(
        tmp_path, calls("evaluate", show="memory"), reply, reply, model="kws", target="stm32h743zi"
    )
    answer = assistant.ask("Does it fit?")
    assert answer.ungrounded == ("0.731 ms",)
    assert "0.731 ms ⚠ not from a tool" in answer.answer


@pytest.mark.parametrize(
    "exchanged",
    [
        "The Pico is done in {{r4.latency_ms}}, the ESP32-S3 in {{r2.latency_ms}}.",
        "One inference takes {{r4.latency_ms}} on the first of them and {{r2.latency_ms}} on the second.",
    ],
)
def test_exchanged_figures_of_two_boards_stand_with_their_own_names(tmp_path: Path, exchanged: str) -> None:
    asked = calls("evaluate", models=["kws"], targets=["rp2040", "esp32-s3"])
    answer = assistant_on(tmp_path, asked, says(exchanged), says(exchanged)).ask("Which one is faster?")
    for number, board in zip(answer.numbers, ("esp32-s3", "rp2040"), strict=True):
        assert re.search(rf"{re.escape(number.text)} (?:\({board}\)|⚠ of {board})", answer.answer)


def test_the_verdict_of_each_check_comes_with_its_sentence(tmp_path: Path) -> None:
    assistant = assistant_on(
        tmp_path,
        calls("evaluate", model="kws", target="stm32h743zi", limits={"latency": "1us"}),
        says("It fails."),
    )
    verdicts = {v["name"]: v for v in assistant.ask("Within a microsecond?").verdicts}
    assert verdicts[""]["verdict"] == verdicts["latency"]["verdict"] == "FAIL"
    assert "ms" in verdicts["latency"]["statement"]


def test_an_ambiguous_board_lists_its_candidates_to_the_model(tmp_path: Path) -> None:
    shown: list[str] = []

    def reply(messages: list[BaseMessage]) -> AIMessage:
        shown.append(messages[-1].text)
        return says("Which one do you mean?")

    assistant_on(tmp_path, calls("evaluate", show="memory", model="kws", target="STM32H7"), reply).ask("Fit?")
    error = json.loads(shown[0])["error"]
    assert error["type"] == "AmbiguousNameError"
    assert {"stm32h743zi", "stm32h7a3zi"} <= set(error["candidates"])


@pytest.mark.parametrize(
    ("name", "hint"),
    [("/etc/passwd", "outside"), ("../kws.tflite", "outside"), ("missing.tflite", "missing.tflite")],
)
def test_a_file_that_may_not_or_cannot_be_read_is_told_to_the_model(
    tmp_path: Path, name: str, hint: str
) -> None:
    assistant = assistant_on(tmp_path, calls("inspect_model", model=name), says("I cannot read it."))
    answer = assistant.ask("What is in it?")
    assert answer.tool_calls[0]["result"] is None
    assert hint in (answer.tool_calls[0]["error"] or "")


def test_a_published_model_is_read_where_the_question_names_it(tmp_path: Path, shared_models: Path) -> None:
    path = next(shared_models.rglob("kws_ref_model.tflite"))
    assistant = assistant_on(
        tmp_path, calls("inspect_model", model=str(path)), from_result("It has {macs} MACs."),
    )  # fmt: skip
    answer = assistant.ask(f'How many MACs has "{path}"?')
    assert "2656768 MACs" in answer.answer
    assert answer.grounded


def test_one_call_asks_over_the_configured_endpoint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    arguments = {"model": "kws", "target": "nrf52840"}
    with OpenAIServer(
        [tool_call("evaluate", {**arguments, "show": ["operators"]}), text("It runs.")]
    ) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        answer = ask("Does kws run on an nRF52840?", directory=tmp_path)
        assert answer.llm == "stub"
        assert answer.answer == "It runs."
        assert answer.verdicts[0]["tool"] == "score_compatibility"
        content = server.bodies[1]["messages"][-1]["content"]
        assert content.startswith("r1 score_compatibility kws:int8 · nrf52840/tflm-cmsis-nn")


def test_a_half_configured_endpoint_is_refused_before_any_question(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        open_assistant(llm="some-model")


def test_what_the_package_offers_exists() -> None:
    for name in edgewright.agent.__all__:
        assert getattr(edgewright.agent, name)
