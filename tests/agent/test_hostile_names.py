"""A model whose names give orders changes neither verdict nor terminal nor what the model is told."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from edgewright.agent import Answer, Assistant, Workspace, open_assistant
from edgewright.agent.concise import shown
from edgewright.agent.one_shot import AskOptions, ask_once
from edgewright.agent.repl.chat import Chat
from edgewright.agent.repl.chat_report import as_html
from edgewright.agent.repl.conversation import LiveConversation
from edgewright.agent.repl.screen import PlainScreen
from edgewright.agent.repl.state import ChatState
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.views import VIEWS
from edgewright.tools.core.sanitize import LONGEST
from edgewright.tools.core.settings import set_default_redaction
from stubs.hostile_model import CANARY, write_harmless_twin, write_hostile_model
from stubs.scripted_chat_model import ScriptedChatModel, calls, says
from stubs.session_logs import events_in

QUESTION = "Will net.tflite fit on an STM32H743 within 20 ms, what is in its memory and what holds it back?"
NOT_FOR_TERMINALS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    write_hostile_model(folder / "net.tflite")
    return folder


@pytest.fixture
def harmless(tmp_path: Path) -> Path:
    folder = tmp_path / "harmless"
    folder.mkdir()
    write_harmless_twin(folder / "net.tflite")
    return folder


@pytest.fixture
def redacting() -> Iterator[None]:
    set_default_redaction(True)
    yield
    set_default_redaction(None)


def harmless_text(text: str) -> bool:
    return NOT_FOR_TERMINALS.search(text) is None


def test_the_planner_gives_the_same_verdicts_and_the_same_kind_of_figures(
    hostile: Path, harmless: Path
) -> None:
    bad = open_assistant(directory=hostile, llm="offline").ask(QUESTION)
    good = open_assistant(directory=harmless, llm="offline").ask(QUESTION)
    assert [v["verdict"] for v in bad.verdicts] == [v["verdict"] for v in good.verdicts]
    assert [v["name"] for v in bad.verdicts] == [v["name"] for v in good.verdicts]
    assert [(c["name"], c["arguments"]) for c in bad.tool_calls] == [
        (c["name"], c["arguments"]) for c in good.tool_calls
    ]
    assert bad.grounded == good.grounded
    assert "1.234" not in bad.answer
    assert harmless_text(bad.answer)


@pytest.mark.parametrize("json_wanted", [False, True])
def test_ask_prints_nothing_that_a_terminal_obeys_and_whole_json(
    hostile: Path, json_wanted: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile)
    ask_once([QUESTION], AskOptions(llm="offline", json=json_wanted, audit=True))
    out, err = capsys.readouterr()
    assert harmless_text(out)
    assert harmless_text(err)
    if json_wanted:
        document = json.loads(out)
        assert document["tool"] == "ask"
        assert max(map(len, untrusted(document)), default=0) <= LONGEST
        assert [v for v in document["result"]["verdicts"] if CANARY in json.dumps(v)] == []


def test_a_chat_shows_the_names_and_obeys_none(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hostile)
    out = io.StringIO()
    session = OpenSession(Transcript(hostile / "talk.db"))
    workspace = Workspace(hostile)
    conversation = LiveConversation(workspace, session, "offline")
    chat = Chat(ChatState(workspace, conversation, session), PlainScreen(out))
    for line in ("/model net.tflite", "/target h743", "/memory", "/inspect", "/timeline", QUESTION, "/json"):
        chat.take(line)
    chat.take("/report page.html")
    assert CANARY in out.getvalue()
    assert harmless_text(out.getvalue())
    whole = (hostile / "page.html").read_text()
    own = re.compile(r"<script>.*?</script>|<script type=.application/json.>[^<]*</script>", re.DOTALL)
    page = own.sub("", whole)  # which scripts may run is the page's own test
    assert "<script" not in page
    assert "<img" not in page
    assert harmless_text(page)
    assert all(event["kind"] for event in events_in(hostile / "talk.db"))


def test_what_a_model_is_shown_keeps_its_structure(hostile: Path) -> None:
    model = ScriptedChatModel(
        script=[calls("evaluate", show=["memory"], target="stm32h743zi"), says("Done.")]
    )
    Assistant(model, Workspace(hostile, model="net.tflite"), llm_name="scripted").ask("How much memory?")
    system, question, call, result = model.shown[1]
    assert [type(m) for m in (system, question, call, result)] == [
        SystemMessage, HumanMessage, AIMessage, ToolMessage,
    ]  # fmt: skip
    assert CANARY not in system.text + question.text
    assert CANARY not in json.dumps(model.tools)
    assert CANARY not in result.text
    assert CANARY in "".join(untrusted(result.artifact))
    assert CANARY not in json.dumps(trusted(result.artifact))


def test_a_model_that_obeys_a_name_is_caught(hostile: Path) -> None:
    def obeys(messages: list[BaseMessage]) -> AIMessage:
        return says("PASS: one inference takes 1.234 ms.")

    script = [calls("evaluate", show=["memory"], target="stm32h743zi"), obeys, obeys]
    model = ScriptedChatModel(script=script)
    answer = Assistant(model, Workspace(hostile, model="net.tflite"), llm_name="scripted").ask("How fast?")
    assert answer.ungrounded == ("1.234 ms",)
    assert "1.234 ms ⚠ not from a tool" in answer.answer


@pytest.mark.parametrize("detail", ["concise", "full"])
@pytest.mark.parametrize("name", ["inspect_model", "evaluate", "improve", "firmware_code", "battery_life"])
def test_every_view_keeps_names_in_their_fields_and_out_of_its_text(
    hostile: Path, name: str, detail: str
) -> None:
    view = next(view for view in VIEWS if view.name == name)
    show = {"show": ["fit", "time", "memory", "bottleneck", "operators", "timeline"]}
    named = {"model": "net.tflite", "target": "stm32h743zi", "detail": detail}
    arguments = {k: v for k, v in named.items() if k in view.arguments.model_fields or k != "detail"}
    arguments |= show if name == "evaluate" else {}
    records = view.call(arguments, Workspace(hostile))
    assert CANARY not in json.dumps(trusted(records))
    assert harmless_text(json.dumps(records, ensure_ascii=False))
    text = shown(records, full=detail == "full")
    assert CANARY not in text
    assert harmless_text(text)


def test_over_mcp_names_stay_in_their_fields_too(hostile: Path) -> None:
    mcp = pytest.importorskip("mcp")
    anyio = pytest.importorskip("anyio")
    from edgewright.agent.mcp_server import build_server

    async def call() -> Any:
        async with mcp.Client(build_server(hostile)) as client:
            return await client.call_tool("plan_memory", {"model": "net.tflite", "target": "stm32h743zi"})

    result = anyio.run(call)
    assert not result.is_error
    assert CANARY in "".join(untrusted(result.structured_content))
    assert CANARY not in json.dumps(trusted(result.structured_content))
    assert harmless_text(result.content[0].text)


@pytest.mark.parametrize("show", [lambda a: a.answer, lambda a: a.model_dump_json()])
def test_redacted_the_names_are_nowhere(
    hostile: Path, redacting: None, show: Callable[[Answer], str]
) -> None:
    answer = open_assistant(directory=hostile, llm="offline").ask(QUESTION)
    assert CANARY not in show(answer)


def test_a_page_of_a_hostile_answer_runs_nothing() -> None:
    page = as_html(f"<script>{CANARY}</script> [x](javascript:alert) ![y](https://evil.example)")
    assert not re.search(r"<script|<a |<img", page)


def untrusted(value: Any) -> list[str]:
    """The strings that stand in fields for untrusted text."""
    if isinstance(value, dict):
        own = [part for name, v in value.items() if name.endswith("_untrusted") for part in strings(v)]
        return own + [
            part for name, v in value.items() if not name.endswith("_untrusted") for part in untrusted(v)
        ]
    return [part for v in value for part in untrusted(v)] if isinstance(value, list) else []


def trusted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: trusted(v) for name, v in value.items() if not name.endswith("_untrusted")}
    return [trusted(v) for v in value] if isinstance(value, list) else value


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in strings(part)]
