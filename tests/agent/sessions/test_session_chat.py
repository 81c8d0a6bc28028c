from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.events import Finished
from edgewright.agent.repl.conversation import LiveConversation
from edgewright.agent.repl.resume import resume, session_ids
from edgewright.agent.repl.review import audit, save
from edgewright.agent.repl.state import ChatState, Said
from edgewright.agent.sessions.opening import session_for
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import UsageError
from stubs.scripted_chat_model import ScriptedChatModel, says

Edgewright = Callable[..., subprocess.CompletedProcess[str]]


class Talk:
    """A chat without a screen, on scripted replies."""

    def __init__(self, folder: Path, *script: Any) -> None:
        session = session_for(go_on=False, resume=None)
        self.model = ScriptedChatModel(script=list(script))
        self.workspace = Workspace(folder)
        self.live = LiveConversation(
            self.workspace,
            session,
            None,
            choose=lambda _: (self.model, "scripted"),
        )
        self.state = ChatState(self.workspace, self.live, session)

    def ask(self, question: str) -> str:
        *_, last = self.live.stream(question)
        assert isinstance(last, Finished)
        return last.answer.answer

    def close(self) -> str:
        self.live._session.close()
        return self.state.session.id


@pytest.fixture
def talk(tmp_path: Path, state: Path) -> Callable[..., Talk]:
    return lambda *script: Talk(tmp_path, *script)


def test_resume_goes_on_with_another_conversation_and_lets_go_of_this_one(talk: Callable[..., Talk]) -> None:
    first = talk(says("Yes, it does."))
    first.ask("Does it fit?")
    name = first.close()
    second = talk(says("Hello."), says("As I said."))
    second.ask("Hi?")
    left = second.state.session.id
    assert resume(second.state, name) == f"Session {name}: 1 question so far."
    assert second.ask("Again?") == "As I said."
    assert [m.text for m in second.model.shown[-1][1:]] == ["Does it fit?", "Yes, it does.", "Again?"]
    assert [said.question for said in second.state.said] == ["Does it fit?"]
    assert audit(second.state, "") == "The last answer holds no number."
    assert session_for(go_on=False, resume=left)
    listed = resume(second.state, "")
    assert left in listed
    assert name not in listed
    assert name in [choice.text for choice in session_ids(name[:8], second.workspace)]


def test_resuming_the_conversation_one_is_in_is_told(talk: Callable[..., Talk]) -> None:
    chat = talk(says("Yes."))
    chat.ask("Fits?")
    with pytest.raises(UsageError, match="This is that session"):
        resume(chat.state, chat.state.session.id)


def test_what_clear_forgets_does_not_come_back(talk: Callable[..., Talk]) -> None:
    chat = talk(says("One."), says("Two."))
    chat.ask("First?")
    chat.live.restart()
    chat.ask("Second?")
    name = chat.close()
    again = talk(says("Three."))
    resume(again.state, name)
    again.ask("Third?")
    assert [m.text for m in again.model.shown[-1][1:]] == ["Second?", "Two.", "Third?"]


def test_cleared_at_once_nothing_of_the_session_is_shown_to_the_model(talk: Callable[..., Talk]) -> None:
    first = talk(says("One."))
    first.ask("First?")
    name = first.close()
    again = talk(says("Two."))
    resume(again.state, name)
    again.live.restart()
    again.ask("Second?")
    assert [m.text for m in again.model.shown[-1][1:]] == ["Second?"]


def test_save_writes_a_bundle_where_the_name_asks_for_one(talk: Callable[..., Talk], tmp_path: Path) -> None:
    chat = talk(says("Yes."))
    chat.ask("Fits?")
    chat.state.said.append(Said("Fits?", None, (), 0.1))
    save(chat.state, str(tmp_path / "talk.json"))
    assert json.loads((tmp_path / "talk.json").read_text())["turns"][0]["answer"] == "Yes."


def test_the_chat_command_resumes_and_says_how_to_go_on(
    edgewright: Edgewright, command: Edgewright, state: Path
) -> None:
    command("ask", "Does kws fit on the stm32h743zi?", "--llm", "offline")
    (path,) = (state / "sessions").glob("*.db")
    run = edgewright("chat", "--continue", "--llm", "offline", stdin=None, input="And on the nrf52840?\n")
    assert run.returncode == 0, run.stderr
    assert "fits on nrf52840" in run.stdout
    assert f"edgewright chat --resume {path.stem}" in run.stderr
    unsaved = command("ask", "--no-save", "Does kws fit on the stm32h743zi?", "--llm", "offline", "--json")
    assert json.loads(unsaved.stdout)["result"]["session"] is None
    assert list((state / "sessions").glob("*.db")) == [path]
