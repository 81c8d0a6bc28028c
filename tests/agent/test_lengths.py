"""Questions and answers of any length: cut with a sentence, and read in time that grows with their length."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.assistant import Assistant
from edgewright.agent.events import Finished, TextDelta, TextReplaced
from edgewright.agent.lengths import LONGEST_ANSWER, LONGEST_QUESTION, cut
from edgewright.agent.planner import Planner
from edgewright.agent.planner.conversation import understood
from edgewright.agent.references.review import review
from edgewright.agent.workspace import Workspace
from stubs.scripted_chat_model import ScriptedChatModel, says

LONG = "Does kws fit on an nrf52840? " + "I ask since I wonder. " * 1_000
RECORD = {"id": "r1", "name": "t", "arguments": {}, "result": {"latency_ms": 3.5}}
REPEATED = [
    "10-20 ms ", "1 ms ", "esp32-", "stm32 ", "a hundred ", "kws on ", "nrf52840 or ", "mobilenet_v2 at ", "10 ",
    "50 ms under 3 fps, ", "every ", "4x4x", "1e9", "((", "{{r1.latency_ms}} ",
]  # fmt: skip
GROWTH = 12
"""Of the time, at most, where a text is eight times as long."""


def assistant_on(folder: Path, reply: str) -> Assistant:
    return Assistant(ScriptedChatModel(script=[says(reply)]), Workspace(folder), llm_name="scripted")


def test_a_text_is_cut_at_a_word() -> None:
    assert cut("one two three", 9) == "one two"
    assert cut("x" * 20, 9) == "x" * 9
    assert cut("short", 9) == "short"


def test_a_long_question_is_read_up_to_its_bound_with_and_without_a_model(tmp_path: Path) -> None:
    for talk in (Planner(Workspace(tmp_path)), assistant_on(tmp_path, "Yes.")):
        answer = talk.ask(LONG)
        assert any("of the question's 22,029 characters were read" in said for said in answer.warnings)
        assert len(talk.session.turns[-1].question) <= LONGEST_QUESTION
    assert "fits" in Planner(Workspace(tmp_path)).ask(LONG).answer


def test_of_a_reply_without_end_the_beginning_is_shown_and_the_rest_told(tmp_path: Path) -> None:
    shown = ""
    for event in assistant_on(tmp_path, "It goes on and on. " * 3_000).stream("Is it fast?"):
        match event:
            case TextDelta(text=text):
                shown += text
                assert len(shown) <= LONGEST_ANSWER + 100
            case TextReplaced(text=text):
                shown = text
            case Finished(answer=answer):
                assert shown == answer.answer
                assert answer.answer.endswith("of 56,999 characters are shown.)")


def seconds(read: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    read(text)
    return time.process_time() - started


@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.parametrize(
    "read",
    [lambda text: understood(text, None, {}), lambda text: review(text, [RECORD])],
    ids=["question", "answer"],
)
def test_a_text_eight_times_as_long_takes_at_most_twelve_times_as_long(
    read: Callable[[str], object], piece: str
) -> None:
    short, long = ((piece * 8_000)[:size] for size in (1_000, 8_000))
    read(short)
    tries = (seconds(read, long) / max(seconds(read, short), 1e-3) for _ in range(3))
    assert any(ratio <= GROWTH for ratio in tries)
