from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.answer import StopReason, ToolCallRecord, Usage
from edgewright.agent.events import TextDelta, ToolFinished
from edgewright.agent.question_text import MOST_BYTES
from edgewright.agent.references import Number
from edgewright.agent.repl.chat import Chat
from edgewright.agent.repl.screen import PlainScreen
from edgewright.agent.repl.state import ChatState
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EndpointError
from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo.named import build_architecture
from stubs.fake_conversation import FakeConversation, answer, calls, says
from stubs.session_logs import events_in


class Talk:
    """A chat on a fake conversation; `tell` returns what the line put on the screen."""

    def __init__(self, folder: Path, *script: Any, trace: bool = True, **pins: str) -> None:
        self.out = io.StringIO()
        self.conversation = FakeConversation(*script)
        self.log = folder / "talk.db"
        session = OpenSession(Transcript(self.log))
        self.state = ChatState(Workspace(folder, **pins), self.conversation, session, trace=trace)
        self.chat = Chat(self.state, PlainScreen(self.out))

    def tell(self, line: str) -> str:
        self.out.seek(0)
        self.out.truncate()
        self.chat.take(line)
        return self.out.getvalue()

    @property
    def kinds(self) -> list[str]:
        return [event["kind"] for event in events_in(self.log)]


TalkTo = Callable[..., Talk]


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TalkTo:
    monkeypatch.chdir(tmp_path)
    return lambda *script, **more: Talk(tmp_path, *script, **more)


@pytest.fixture
def kws(tmp_path: Path) -> Path:
    path = tmp_path / "kws.tflite"
    save_tflite(build_architecture("kws", dtype="int8"), path)
    return path


LATENCY = {"target": "stm32h743zi", "latency_ms": {"value": 12.5, "unit": "ms", "basis": "fitted"}}


def test_a_question_shows_its_tool_calls_and_then_its_answer(talk: TalkTo) -> None:
    chat = talk([*calls("estimate_performance", LATENCY, model="kws"), *says("It takes 12.5 ms.")])
    assert chat.tell("How long?") == (
        "  estimate_performance(model=kws) · 12.5 ms · 12.5 ms (fitted)\nIt takes 12.5 ms.\n"
    )
    assert chat.conversation.questions == ["How long?"]


def test_the_trace_can_be_switched_off_and_seen_later(talk: TalkTo) -> None:
    script = [*calls("estimate_performance", LATENCY, model="kws"), *says("It takes 12.5 ms.")]
    chat = talk(script, script)
    assert "hidden" in chat.tell("/trace off")
    assert chat.tell("How long?") == "It takes 12.5 ms.\n"
    last = chat.tell("/trace")
    assert last.startswith("[t1] estimate_performance(model=kws) · 12.5 ms")
    assert '{"model": "kws"}' in last
    chat.tell("/trace on")
    assert "estimate_performance" in chat.tell("How long?")
    assert "/trace on, /trace off" in chat.tell("/trace loud")


def test_an_error_is_one_line_and_the_conversation_goes_on(talk: TalkTo) -> None:
    refused = EndpointError("It refused the key (401).", hint="Check it. --llm offline needs none.")
    chat = talk([TextDelta("I thi"), refused], says("Yes."))
    assert chat.tell("Does it fit?").splitlines() == [
        "I thi",
        "It refused the key (401). Check it. /llm offline needs none.",
    ]
    assert chat.tell("And now?") == "Yes.\n"
    assert chat.chat.exit_code == 4


def test_a_bug_is_one_line_too(talk: TalkTo) -> None:
    chat = talk([ZeroDivisionError("division\nby zero")], says("Yes."))
    told = chat.tell("Does it fit?")
    assert told.startswith("Internal error: ZeroDivisionError: division by zero.")
    assert told.count("\n") == 1
    assert chat.tell("And now?") == "Yes.\n"
    assert chat.chat.exit_code == 1


def test_an_interruption_ends_the_turn_and_closes_it(talk: TalkTo) -> None:
    chat = talk([TextDelta("half"), KeyboardInterrupt()], says("whole"))
    with pytest.raises(KeyboardInterrupt):
        chat.tell("Does it fit?")
    assert chat.out.getvalue() == "half\n"
    assert chat.conversation.closed == 1
    assert chat.tell("Again?") == "whole\n"
    assert "Questions: 2, answered: 1" in chat.tell("/usage")


def test_what_is_wrong_with_an_answer_is_told_under_it(talk: TalkTo) -> None:
    chat = talk(
        says("99 ms ⚠ not from a tool", grounded=False, ungrounded=("99 ms",)),
        says("It is", complete=False, stop_reason=StopReason.LENGTH),
        says("Yes.", warnings=("The conversation is not saved: disk full.",)),
        says("Yes.", warnings=("The conversation is not saved: disk full.",)),
    )
    assert "⚠ not from a tool: 99 ms" in chat.tell("1?").splitlines()
    assert "Incomplete: stopped by the endpoint's limit on its length." in chat.tell("2?")
    assert "not saved" in chat.tell("3?")
    assert "not saved" not in chat.tell("4?")


@pytest.mark.parametrize("line", ["", "   ", "\n\n"])
def test_an_empty_line_asks_nothing(line: str, talk: TalkTo) -> None:
    chat = talk()
    assert chat.tell(line) == ""
    assert chat.conversation.questions == []


def test_a_question_beyond_all_size_is_refused(talk: TalkTo) -> None:
    chat = talk()
    assert "longer than 100,000 bytes" in chat.tell("x" * (MOST_BYTES + 1))
    assert chat.conversation.questions == []


def test_a_pasted_question_of_many_lines_is_one_question(talk: TalkTo) -> None:
    chat = talk(says("Yes."))
    chat.tell("Does this fit:\n/model x\n  two\n")
    assert chat.conversation.questions == ["Does this fit:\n/model x\n  two"]


def test_everything_said_stands_in_the_transcript(talk: TalkTo) -> None:
    chat = talk([EndpointError("Down.")])
    chat.tell("/model kws")
    chat.tell("/nonsense")
    chat.tell("Does it fit?")
    assert chat.kinds == ["command", "error", "error"]
    first = events_in(chat.log)[0]
    assert first["text"] == "/model kws"
    assert first["shown"].startswith("Model: kws (architecture")


def test_pins_are_resolved_and_said(talk: TalkTo, kws: Path) -> None:
    chat = talk()
    workspace = chat.state.workspace
    assert chat.tell("/model") == "Model: none is pinned\n"
    assert (
        chat.tell("/model kws.tflite") == "Model: kws.tflite (tflite, 13 operators, 2,656,768 MACs, int8)\n"
    )
    assert chat.tell("/target Nucleo H743").startswith("Target: stm32h743zi (")
    assert chat.tell("/runtime cube.ai").startswith("Runtime: x-cube-ai")
    assert (workspace.model, workspace.target, workspace.runtime) == (
        "kws.tflite",
        "stm32h743zi",
        "x-cube-ai",
    )
    assert chat.tell("/model none") == "No model is pinned.\n"
    assert workspace.model is None


def test_a_runtime_that_the_next_target_lacks_is_let_go_of(talk: TalkTo) -> None:
    chat = talk(target="stm32h743zi")
    chat.tell("/runtime x-cube-ai")
    told = chat.tell("/target a100")
    assert "x-cube-ai does not run on it" in told
    assert chat.state.workspace.runtime is None
    assert "Runtimes for it" in chat.tell("/runtime x-cube-ai")
    assert chat.state.workspace.runtime is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/model missing.tflite", "missing.tflite"),
        ("/model resnet51", "resnet50"),
        ("/model notes.txt", "notes.txt"),
        ("/target stm32h734zi", "stm32h743zi"),
        ("/runtime tflm-cmsis-mm", "tflm-cmsis-nn"),
    ],
)
def test_a_name_that_nothing_goes_by_changes_no_pin(
    line: str, told: str, talk: TalkTo, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("no model")
    chat = talk(model="kws", target="nrf52840")
    said = chat.tell(line)
    assert told in said
    assert said.count("\n") == 1
    assert chat.state.workspace.context == {"model": "kws", "target": "nrf52840", "runtime": None}


def test_a_file_outside_the_directory_is_read_where_the_user_pins_it(talk: TalkTo, kws: Path) -> None:
    inner = kws.parent / "inner"
    inner.mkdir()
    chat = talk()
    chat.state.workspace.directory = inner
    assert "lies outside" not in chat.tell("/model ../kws.tflite")
    assert chat.state.workspace.model_source(None) == str(kws)


def test_a_file_mentioned_with_an_at_sign_is_asked_about_and_pinned(talk: TalkTo, kws: Path) -> None:
    chat = talk(says("Yes."), says("The first."), says("Yes."))
    told = chat.tell("Will @kws.tflite, please, fit?")
    assert told.startswith("Model: kws.tflite (tflite,")
    assert chat.conversation.questions[0] == "Will kws.tflite, please, fit?"
    assert chat.state.workspace.model == "kws.tflite"
    chat.tell("Which is faster, @resnet50 or @vww?")
    assert chat.conversation.questions[1] == "Which is faster, resnet50 or vww?"
    assert chat.state.workspace.model == "kws.tflite"
    kws.rename(kws.with_name("my kws.tflite"))
    chat.tell('Does @"my kws.tflite" fit?')
    assert chat.conversation.questions[2] == 'Does "my kws.tflite" fit?'
    assert chat.state.workspace.model == "my kws.tflite"


@pytest.mark.parametrize("question", ["Is x-cube-ai@10.0 good?", "mail me @ noon", "@50ms", "@ kws"])
def test_any_other_at_sign_stays(question: str, talk: TalkTo) -> None:
    chat = talk(says("Yes."))
    chat.tell(question)
    assert chat.conversation.questions == [question]


def test_a_mentioned_file_that_is_not_there_is_not_asked_about(talk: TalkTo, kws: Path) -> None:
    chat = talk()
    assert chat.tell("Does @kwz.tflite fit?") == (
        "There is no file 'kwz.tflite'. Nearest here: kws.tflite.\n"
    )
    assert chat.conversation.questions == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/inspect", "Model kws"),
        ("/roofline", "Roofline on stm32h743zi with tflm-cmsis-nn"),
        ("/memory", "Memory on stm32h743zi"),
        ("/estimate", "Performance on stm32h743zi"),
        ("/compat", "PASS: score 100 of 100"),
        ("/check 10s 256KiB", "PASS: stm32h743zi"),
        ("/check 1us", "FAIL: stm32h743zi"),
        ("/roofline resnet50 a100", "Roofline on a100-sxm4-80gb"),
        ("/estimate vww 'nucleo l4r5zi'", "Performance on stm32l4r5zi"),
    ],
)
def test_analyses_run_without_any_language_model(line: str, told: str, talk: TalkTo) -> None:
    chat = talk(model="kws", target="stm32h743zi")
    assert told in chat.tell(line)
    assert chat.conversation.questions == []
    assert chat.chat.exit_code == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/roofline", "No model was named."),
        ("/roofline kws", "No target was named."),
        ("/roofline kws h743 extra", "too many"),
        ("/roofline 'kws", "not closed"),
        ("/check fast", "is no limit"),
    ],
)
def test_an_analysis_that_lacks_something_says_what(line: str, told: str, talk: TalkTo) -> None:
    assert told in talk().tell(line)


def test_audit_names_the_field_behind_each_number(talk: TalkTo) -> None:
    numbers = (
        Number(text="12.5 ms", path="r1.latency_ms", value=12.5, unit="ms"),
        Number(text="20 ms", path="user", value=20, unit="ms"),
    )
    chat = talk(says("It takes 12.5 ms, below 20 ms, not 99 ms.", numbers=numbers, marked=("99 ms",)))
    assert "no answer yet" in chat.tell("/audit")
    chat.tell("Is it below 20 ms?")
    rows = [re.split(r"\s{2,}", line.strip()) for line in chat.tell("/audit").splitlines()]
    told = {row[0]: row[1] for row in rows if len(row) == 2}
    assert told["12.5 ms"] == "r1.latency_ms"
    assert told["20 ms"] == "your own words"
    assert told["99 ms"] == "no tool"


def test_json_is_the_document_that_ask_prints(talk: TalkTo) -> None:
    record = ToolCallRecord(id="t1", name="estimate_performance", arguments={}, result=LATENCY, error=None)
    chat = talk(says("It takes 12.5 ms.", tool_calls=(record,)), model="kws")
    chat.tell("How long?")
    document = json.loads(chat.tell("/json"))
    assert document["tool"] == "ask"
    assert document["inputs"] == {"question": "How long?", "model": "kws"}
    assert document["result"]["answer"] == "It takes 12.5 ms."
    assert document["result"]["tool_calls"][0]["result"] == LATENCY


def test_a_long_chat_keeps_the_tool_results_of_the_last_answer_only(talk: TalkTo) -> None:
    record = ToolCallRecord(id="t1", name="estimate_performance", arguments={}, result=LATENCY, error=None)
    chat = talk(*[says("It takes 12.5 ms.", tool_calls=(record,))] * 3, [KeyboardInterrupt()])
    for _ in range(3):
        chat.tell("How long?")
    with pytest.raises(KeyboardInterrupt):
        chat.tell("How long?")
    assert [len(said.answer.tool_calls) for said in chat.state.said if said.answer] == [0, 0, 1]
    assert json.loads(chat.tell("/json"))["result"]["tool_calls"]


def test_usage_adds_up_what_was_counted_and_says_what_was_not(talk: TalkTo) -> None:
    use = Usage(input_tokens=1200, output_tokens=34)
    chat = talk(says("A.", usage=use), says("B.", usage=use), says("C."), says("D.", llm="offline"))
    for question in "1234":
        chat.tell(question)
    told = chat.tell("/usage")
    assert "Tokens: 2,400 read, 68 written" in told
    assert "Answers whose tokens the endpoint did not count: 1" in told


def test_save_writes_the_conversation_and_overwrites_nothing(talk: TalkTo, tmp_path: Path) -> None:
    chat = talk([*calls("estimate_performance", LATENCY, model="kws"), *says("It takes 12.5 ms.")])
    assert "nothing to save" in chat.tell("/save talk.md")
    chat.tell("How\nlong?")
    chat.tell("/save talk.md")
    text = (tmp_path / "talk.md").read_text()
    assert text.startswith("> How\n> long?\n\n- estimate_performance(model=kws)")
    assert text.endswith("\n\nIt takes 12.5 ms.\n")
    assert "talk.md exists." in chat.tell("/save talk.md")
    assert "There is no folder 'no/such'. Make it first." in chat.tell("/save no/such/folder.md")
    assert (tmp_path / "talk.md").read_text() == text


def test_the_chat_model_can_be_changed_and_a_refusal_keeps_the_old_one(talk: TalkTo) -> None:
    chat = talk()
    assert chat.tell("/llm") == "LLM: fake\n"
    assert chat.tell("/llm other") == "LLM: other\n"
    assert "Check /llm" in chat.tell("/llm unknown")
    assert chat.tell("/llm") == "LLM: other\n"


def test_clear_forgets_what_was_said_and_keeps_the_pins(talk: TalkTo) -> None:
    chat = talk(says("Yes."), model="kws")
    chat.tell("Does it fit?")
    chat.tell("/clear")
    assert chat.conversation.restarts == 1
    assert "no answer yet" in chat.tell("/json")
    assert chat.state.workspace.model == "kws"


def test_tools_and_help_are_listed(talk: TalkTo) -> None:
    chat = talk()
    assert "  evaluate " in chat.tell("/tools")
    assert "/check [LIMITS]" in chat.tell("/help")


@pytest.mark.parametrize("line", ["/exit", "/quit", ":q", "quit"])
def test_leaving_closes_the_chat(line: str, talk: TalkTo) -> None:
    chat = talk()
    assert chat.tell(line) == ""
    assert chat.state.closed


def test_a_hostile_answer_and_tool_error_cannot_write_to_the_terminal(talk: TalkTo) -> None:
    evil = "\x1b[2J\x1b]0;x\x07\u202e"
    failed = ToolFinished("t1", "get_target", 0.0, None, evil)
    chat = talk([failed, TextDelta(evil), *says(evil, ungrounded=(evil,), grounded=False)])
    told = chat.tell(f"What is {evil}?")
    assert not set(told) & set(evil[:1] + "\x07\u202e")
    assert not set(chat.tell(f"/model {evil}")) & {"\x1b", "\x07", "\u202e"}
    assert answer(evil).answer == evil
