"""What models write that their servers should have understood; each form as such a model's template has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.assistant import Assistant
from edgewright.agent.llm.reply_text import answer_text, written_calls
from edgewright.agent.workspace import Workspace
from stubs.fake_tools import FAKE_TOOLS
from stubs.scripted_chat_model import ScriptedChatModel, says
from stubs.work import TWELVE, times_as_long

CALL = json.dumps({"name": "get_latency", "arguments": {"target": "stm32h743zi"}})
ARGUMENTS = '{"target": "stm32h743zi"}'
WRITTEN = {
    "Hermes and Qwen": f"<tool_call>\n{CALL}\n</tool_call>",
    "after a thought": f"<think>Which tool?</think><tool_call>{CALL}</tool_call>",
    "Llama, a function tag": f"<function=get_latency>{ARGUMENTS}</function>",
    "Mistral": f"[TOOL_CALLS] [{CALL}]",
    "bare JSON": CALL,
    "a fence": f"```json\n{CALL}\n```",
    "Llama's parameters": json.dumps({"name": "get_latency", "parameters": {"target": "stm32h743zi"}}),
    "as OpenAI nests it": json.dumps({"function": {"name": "get_latency", "arguments": ARGUMENTS}}),
    "harmony": "<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary "
    f"to=functions.get_latency <|constrain|>json<|message|>{ARGUMENTS}<|call|>",
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN.keys())
def test_a_tool_call_that_was_left_in_the_text_is_run(written: str) -> None:
    text, calls = written_calls(written, {"get_latency"})
    assert calls == [{"name": "get_latency", "args": {"target": "stm32h743zi"}}]
    assert text == ""


@pytest.mark.parametrize(
    "text",
    [
        'Use {"name": "get_latency", "arguments": {}} yourself.',
        "<tool_call>{not json}</tool_call>",
        '{"name": "rm", "arguments": {"path": "/"}}',
        "One inference takes {{r1.latency_ms|ms}}.",
    ],
)
def test_text_that_is_no_call_of_a_known_tool_stays_text(text: str) -> None:
    assert written_calls(text, {"get_latency"}) == (text, [])


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        ("<think>Hm.</think>\nIt fits.", "It fits."),
        ("Hm, 12 is small.\n</think>\n\nIt fits.", "It fits."),
        ("<reasoning>Hm.</reasoning>It fits.", "It fits."),
        ("<think>never closed", ""),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It fits.<|return|>",
            "It fits.",
        ),
        ("It fits.", "It fits."),
    ],
)
def test_thoughts_are_no_part_of_the_answer(raw: str, answer: str) -> None:
    assert answer_text(raw) == answer


def test_a_model_that_only_writes_its_calls_is_answered_all_the_same(tmp_path: Path) -> None:
    script = [says(WRITTEN["Hermes and Qwen"]), says("One inference takes {{r1.latency_ms|ms}}.")]
    model = ScriptedChatModel(script=script)
    assistant = Assistant(model, Workspace(tmp_path), llm_name="stub", tools=FAKE_TOOLS)
    answer = assistant.ask("How long?")
    assert [call["name"] for call in answer.tool_calls] == ["get_latency"]
    assert answer.answer == "One inference takes 12.5 ms."


def test_thousands_of_pieces_are_taken_in_linear_time(tmp_path: Path) -> None:
    def asking(words: int) -> Callable[[], object]:
        def ask() -> None:
            model = ScriptedChatModel(script=[says("word " * words)])
            Assistant(model, Workspace(tmp_path), llm_name="stub", tools=FAKE_TOOLS).ask("How long?")

        return ask

    assert times_as_long(asking, 12_000) <= TWELVE
