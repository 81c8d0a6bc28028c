from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import Field

from edgewright.agent.answer import Answer
from edgewright.agent.events import Event, Finished, TextDelta
from edgewright.agent.repl.background import Background
from edgewright.agent.repl.conversation import LiveConversation
from edgewright.agent.repl.interrupts import Interrupts
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EndpointError, UsageError
from stubs.scripted_chat_model import ScriptedChatModel, calls, says
from stubs.session_logs import events_in

Open = Callable[..., LiveConversation]


class SlowModel(ScriptedChatModel):
    """Takes its time for each word; counts those that it wrote."""

    written: list[str] = Field(default_factory=list)

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        for chunk in super()._stream(*args, **kwargs):
            time.sleep(0.01)
            self.written.append(chunk.text)
            yield chunk


@pytest.fixture
def interrupts() -> Iterator[Interrupts]:
    """With Ctrl-C deferred, as while a line is taken."""
    made = Interrupts()
    with made.deferred():
        yield made


@pytest.fixture
def talk(tmp_path: Path, interrupts: Interrupts) -> Open:
    def start(*models: ScriptedChatModel | Exception, **pins: str) -> LiveConversation:
        waiting = list(models)

        def choose(name: str | None) -> tuple[ScriptedChatModel, str]:
            chosen = waiting.pop(0)
            if isinstance(chosen, Exception):
                raise chosen
            return chosen, name or "scripted"

        workspace = Workspace(tmp_path, **pins)
        session = OpenSession(Transcript(tmp_path / "talk.db"))
        return LiveConversation(workspace, session, None, interrupts=interrupts, choose=choose)

    return start


def transcript(folder: Path) -> list[tuple[str, str]]:
    return [
        (line["kind"], line.get("text") or line.get("answer") or line.get("shown") or "")
        for line in events_in(folder / "talk.db")
    ]


def answer(events: list[Event]) -> Answer:
    assert isinstance(events[-1], Finished)
    return events[-1].answer


def what_it_was_shown(messages: list[BaseMessage]) -> AIMessage:
    """A reply that repeats the conversation, without what tools returned."""
    return says(" | ".join(f"{m.type} {m.text}" for m in messages[1:] if m.type != "tool" and m.text))


def test_a_question_runs_the_real_tools_and_a_follow_up_knows_of_it(talk: Open) -> None:
    model = ScriptedChatModel(
        script=[calls("inspect_model", models=["kws"]), says("It fits."), what_it_was_shown]
    )
    conversation = talk(model)
    first = answer(list(conversation.stream("Does it fit?")))
    assert (first.tool_calls[0]["result"] or {})["macs"] == 2_656_768
    assert [record["name"] for record in conversation.tool_results()] == ["parse_model"]
    second = answer(list(conversation.stream("Why?")))
    assert "human Does it fit?" in second.answer
    assert "ai It fits." in second.answer


def test_a_pin_that_changes_reaches_the_next_question(talk: Open, tmp_path: Path) -> None:
    model = ScriptedChatModel(
        script=[calls("look_up", kind="targets", names=["stm32h743zi"]), says("A."), what_it_was_shown]
    )
    conversation = talk(model, model="kws", target="stm32h743zi")
    first = answer(list(conversation.stream("How much?")))
    assert (first.tool_calls[0]["result"] or {})["id"] == "stm32h743zi"
    conversation._workspace.target = "nrf52840"
    assert "target nrf52840" in answer(list(conversation.stream("And there?"))).answer


def press_ctrl_c() -> None:
    """As the kernel does: the main thread gets the signal, whatever it waits for."""
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, signal.SIGINT)


def stopped_after(conversation: LiveConversation, seconds: float) -> float:
    """Ask, press Ctrl-C after a while, and tell how long it then took to get the prompt back."""
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        pressed = time.monotonic()
        press_ctrl_c()

    def ask() -> None:
        with closing(conversation.stream("Long?")) as events:
            for event in events:
                if isinstance(event, TextDelta) and not timer.ident:
                    timer.start()

    timer = threading.Timer(seconds, press)
    with pytest.raises(KeyboardInterrupt):
        ask()
    return time.monotonic() - pressed


def test_a_stopped_turn_ends_the_reply_and_the_next_question_is_answered(talk: Open, tmp_path: Path) -> None:
    model = SlowModel(script=[says("word " * 300), what_it_was_shown])
    conversation = talk(model)
    assert stopped_after(conversation, 0.1) < 1
    assert not conversation.left_behind
    written = len(model.written)
    assert written < 200
    shown = answer(list(conversation.stream("And now?"))).answer
    assert shown == (
        "human Long? | ai This turn was interrupted before an answer was given. | human And now?"
    )
    kinds = transcript(tmp_path)
    assert [kind for kind, _ in kinds] == ["question", "interrupted", "question", "answer"]
    assert kinds[1][1].startswith("word word")


def test_an_endpoint_that_fell_silent_is_not_waited_for(talk: Open, tmp_path: Path) -> None:
    silent, release = threading.Event(), threading.Event()

    def stall(messages: list[BaseMessage]) -> AIMessage:
        silent.set()
        release.wait(20)
        return says("Too late.")

    model = ScriptedChatModel(
        script=[calls("parse_model", model="kws"), says("It fits."), stall, what_it_was_shown]
    )
    conversation = talk(model)
    list(conversation.stream("Does it fit?"))

    def ask() -> None:
        threading.Thread(target=lambda: (silent.wait(10), press_ctrl_c()), daemon=True).start()
        with closing(conversation.stream("Why?")) as events:
            list(events)

    with pytest.raises(KeyboardInterrupt):
        ask()
    assert conversation.left_behind
    shown = answer(list(conversation.stream("And now?"))).answer
    assert "ai It fits." in shown
    assert shown.endswith("ai This turn was interrupted before an answer was given. | human And now?")
    assert [record["name"] for record in conversation.tool_results()] == ["parse_model"]
    before = transcript(tmp_path)
    release.set()
    deadline = time.monotonic() + 10
    while conversation.left_behind and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not conversation.left_behind
    assert transcript(tmp_path) == before
    assert [kind for kind, _ in before if kind in ("question", "interrupted", "answer")] == [
        "question", "answer", "question", "interrupted", "question", "answer"
    ]  # fmt: skip


def test_another_chat_model_goes_on_with_the_same_conversation(talk: Open) -> None:
    first = ScriptedChatModel(script=[says("It fits.")])
    conversation = talk(first, UsageError("No such model."), ScriptedChatModel(script=[what_it_was_shown]))
    list(conversation.stream("Does it fit?"))
    with pytest.raises(UsageError):
        conversation.switch("missing")
    assert conversation.llm == "scripted"
    assert conversation.switch("other") == "other"
    assert conversation.llm == "other"
    said = answer(list(conversation.stream("Why?")))
    assert "ai It fits." in said.answer
    assert said.llm == "other"


def test_a_restart_forgets_all(talk: Open) -> None:
    conversation = talk(ScriptedChatModel(script=[says("It fits."), what_it_was_shown]))
    list(conversation.stream("Does it fit?"))
    conversation.restart()
    assert list(conversation.tool_results()) == []
    assert answer(list(conversation.stream("Why?"))).answer == "human Why?"


def test_what_keeps_the_chat_model_from_loading_is_told_with_each_question_until_another_is_chosen(
    talk: Open,
) -> None:
    conversation = talk(UsageError("There is no key."), ScriptedChatModel(script=[says("Yes.")]))
    loaded = threading.Event()
    conversation.start(loaded.set)
    assert loaded.wait(10)
    assert conversation.llm == "not available"
    for _ in range(2):
        with pytest.raises(UsageError, match="no key"):
            list(conversation.stream("Does it fit?"))
    conversation.switch("other")
    assert answer(list(conversation.stream("Does it fit?"))).answer == "Yes."


def test_a_failing_endpoint_leaves_the_conversation_as_it_was(talk: Open) -> None:
    model = ScriptedChatModel(script=[says("It fits."), EndpointError("Down."), what_it_was_shown])
    conversation = talk(model)
    list(conversation.stream("Does it fit?"))
    with pytest.raises(EndpointError):
        list(conversation.stream("Why?"))
    assert "ai It fits." in answer(list(conversation.stream("Again?"))).answer


def test_background_items_arrive_in_order_and_their_error_last() -> None:
    def items() -> Iterator[int]:
        yield from range(100)
        raise ValueError("the end")

    seen: list[int] = []
    with pytest.raises(ValueError, match="the end"):
        seen.extend(Background(items(), Interrupts()))
    assert seen == list(range(100))


def test_who_leaves_the_background_does_not_wait_for_it() -> None:
    release = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        release.wait(20)
        yield 2

    background = Background(items(), Interrupts())
    assert next(iter(background)) == 1
    assert not background.leave(0.01)
    release.set()
    assert background.leave(10)
    assert not background.running


def test_an_interrupt_while_loading_asks_nothing_and_the_next_question_is_answered(
    tmp_path: Path, interrupts: Interrupts
) -> None:
    loading, release = threading.Event(), threading.Event()
    model = ScriptedChatModel(script=[what_it_was_shown])

    def choose(_name: str | None) -> tuple[ScriptedChatModel, str]:
        loading.set()
        release.wait(20)
        return model, "slow"

    session = OpenSession(Transcript(tmp_path / "talk.db"))
    conversation = LiveConversation(Workspace(tmp_path), session, None, interrupts=interrupts, choose=choose)
    threading.Thread(target=lambda: (loading.wait(10), press_ctrl_c()), daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        list(conversation.stream("Does it fit?"))
    assert conversation.llm == "loading"
    release.set()
    assert answer(list(conversation.stream("Why?"))).answer == (
        "human Does it fit? | ai This turn was interrupted before an answer was given. | human Why?"
    )
    assert len(model.shown) == 1
    assert [kind for kind, _ in transcript(tmp_path)] == ["question", "interrupted", "question", "answer"]


def test_a_change_of_the_chat_model_can_be_stopped(tmp_path: Path, interrupts: Interrupts) -> None:
    asked, release = threading.Event(), threading.Event()

    def choose(name: str | None) -> tuple[ScriptedChatModel, str]:
        if name:
            asked.set()
            release.wait(20)
        return ScriptedChatModel(script=[says("Yes.")]), name or "first"

    conversation = LiveConversation(
        Workspace(tmp_path),
        OpenSession(Transcript(tmp_path / "t")),
        None,
        interrupts=interrupts,
        choose=choose,
    )
    threading.Thread(target=lambda: (asked.wait(10), press_ctrl_c()), daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        conversation.switch("second")
    release.set()
    assert answer(list(conversation.stream("Does it?"))).llm == "first"


def test_an_interrupt_is_noticed_where_somebody_waits_and_pressed_twice_anywhere() -> None:
    interrupts = Interrupts()
    before = signal.getsignal(signal.SIGINT)
    with interrupts.deferred():
        press_ctrl_c()
        slow = Background((time.sleep(0.05) for _ in range(3)), interrupts)
        with pytest.raises(KeyboardInterrupt):
            list(slow)
        press_ctrl_c()
        threading.Timer(0.05, press_ctrl_c).start()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(5)
    assert signal.getsignal(signal.SIGINT) is before
    with interrupts.deferred():
        assert list(Background(iter([1, 2]), interrupts)) == [1, 2]
