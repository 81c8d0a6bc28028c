from __future__ import annotations

import io
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import to_plain_text
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from edgewright.agent.question_text import MOST_BYTES
from edgewright.agent.repl.chat import Chat
from edgewright.agent.repl.converse import HOW_TO_LEAVE, STOPPED, converse
from edgewright.agent.repl.history import FILE_NAME, open_history
from edgewright.agent.repl.interrupts import Interrupts
from edgewright.agent.repl.llm import expected_llm
from edgewright.agent.repl.loops import lines_of, read_lines
from edgewright.agent.repl.prompt import pinned, prompt_session
from edgewright.agent.repl.run import run_chat
from edgewright.agent.repl.screen import PipedScreen, PlainScreen
from edgewright.agent.repl.state import ChatState
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EndpointError, UnknownNameError
from stubs.fake_conversation import FakeConversation, says
from stubs.session_logs import events_in

ESCAPE, ENTER, INTERRUPT, END, TAB = "\x1b", "\r", "\x03", "\x04", "\t"


def pasted(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


@pytest.fixture(autouse=True)
def state_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "state"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


@pytest.fixture
def chat(tmp_path: Path) -> Callable[..., tuple[Chat, io.StringIO]]:
    def start(*script: list[object]) -> tuple[Chat, io.StringIO]:
        out = io.StringIO()
        conversation = FakeConversation(*script)  # type: ignore[arg-type]
        state = ChatState(Workspace(tmp_path), conversation, OpenSession(Transcript(tmp_path / "talk.db")))
        return Chat(state, PlainScreen(out)), out

    return start


def asked(chat: Chat) -> list[str]:
    assert isinstance(chat.state.conversation, FakeConversation)
    return chat.state.conversation.questions


def test_lines_are_answered_until_the_end_of_input(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, out = chat(says("Yes."), says("No."))
    keys.send_text(f"Does it?{ENTER}Does that?{ENTER}{END}")
    converse(talk, lambda loaded: loaded(), Interrupts())
    assert asked(talk) == ["Does it?", "Does that?"]
    assert out.getvalue() == "Yes.\nNo.\n"


def test_a_paste_of_many_lines_is_one_question(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, _ = chat(says("Yes."))
    keys.send_text(pasted("one\ntwo\nthree\n") + f"four{ENTER}/exit{ENTER}")
    converse(talk, lambda loaded: None, Interrupts())
    assert asked(talk) == ["one\ntwo\nthree\nfour"]


def test_escape_enter_starts_a_new_line(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, _ = chat(says("Yes."))
    keys.send_text(f"one{ESCAPE}{ENTER}two{ENTER}{END}")
    converse(talk, lambda loaded: None, Interrupts())
    assert asked(talk) == ["one\ntwo"]


def test_an_interrupt_at_the_prompt_clears_the_line_only(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, out = chat(says("Yes."))
    keys.send_text(f"half a question{INTERRUPT}Does it?{ENTER}{INTERRUPT}{END}")
    converse(talk, lambda loaded: None, Interrupts())
    assert asked(talk) == ["Does it?"]
    assert out.getvalue() == f"Yes.\n{HOW_TO_LEAVE}\n"


def test_an_interrupt_in_an_answer_ends_the_answer_only(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, out = chat([KeyboardInterrupt()], says("Yes."))
    keys.send_text(f"Does it?{ENTER}Does it?{ENTER}{END}")
    converse(talk, lambda loaded: None, Interrupts())
    assert out.getvalue() == f"{STOPPED}\nYes.\n"


def test_loading_starts_once_and_only_when_the_prompt_stands(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, _ = chat(says("Yes."), says("Yes."))
    starts: list[int] = []
    keys.send_text(f"a{ENTER}b{ENTER}{END}")
    converse(talk, lambda loaded: starts.append(len(asked(talk))), Interrupts())
    assert starts == [0]


def test_tab_completes_a_command_and_its_target(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, _ = chat()
    session = prompt_session(talk.state, open_history().history)
    give_up = threading.Timer(10, keys.send_text, [ENTER])
    give_up.start()

    def press(buffer: Buffer) -> None:
        if buffer.complete_state and buffer.complete_state.completions and not pressed:
            pressed.append(TAB)
            keys.send_text(TAB + ENTER)

    pressed: list[str] = []
    session.default_buffer.on_completions_changed += press
    keys.send_text("/target nucleo h743")
    line = session.prompt()
    give_up.cancel()
    assert line == "/target stm32h743zi"


def test_what_is_pinned_stands_in_the_prompt(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]]
) -> None:
    talk, _ = chat()
    session = prompt_session(talk.state, open_history().history)
    assert callable(session.message)
    assert to_plain_text(session.message) == "> "
    talk.take("/target h743")
    assert to_plain_text(session.message) == "stm32h743zi> "
    talk.take("/model kws")
    talk.take("/runtime x-cube-ai")
    assert to_plain_text(session.message) == "kws @ stm32h743zi, x-cube-ai> "
    assert pinned(Workspace(model="/a/\x1b[2Jb.tflite")) == "_[2Jb.tflite".replace("[", "_")


def test_history_is_kept_for_the_next_chat_and_only_for_its_owner(
    keys: PipeInput, chat: Callable[..., tuple[Chat, io.StringIO]], state_directory: Path
) -> None:
    talk, _ = chat(says("Yes."))
    keys.send_text(f"Does it fit?{ENTER}{END}")
    converse(talk, lambda loaded: None, Interrupts())
    kept = state_directory / FILE_NAME
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert list(open_history().history.load_history_strings()) == asked(talk) == ["Does it fit?"]


def test_a_history_that_others_could_read_is_closed_to_them(state_directory: Path) -> None:
    state_directory.mkdir()
    kept = state_directory / FILE_NAME
    kept.write_text("\n# 2026\n+old\n")
    kept.chmod(0o644)
    history, warning = open_history()
    assert warning == ""
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert list(history.load_history_strings()) == ["old"]


def test_without_a_place_for_history_the_chat_warns_once_and_goes_on(
    keys: PipeInput,
    chat: Callable[..., tuple[Chat, io.StringIO]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "file"))
    talk, out = chat(says("Yes."), says("Yes."))
    keys.send_text(f"one{ENTER}two{ENTER}{END}")
    converse(talk, lambda loaded: None, Interrupts())
    assert asked(talk) == ["one", "two"]
    assert out.getvalue().count("What is typed is not kept") == 1


def test_a_history_file_that_fails_later_does_not_end_the_chat(state_directory: Path) -> None:
    history, _ = open_history()
    (state_directory / FILE_NAME).unlink()
    (state_directory / FILE_NAME).mkdir()
    history.append_string("one")
    assert history.get_strings() == ["one"]
    assert list(history.load_history_strings()) == []


def test_piped_lines_are_answered_one_by_one_and_the_first_failure_is_the_exit_code(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    conversation = FakeConversation(says("Yes."), [EndpointError("Down.")], says("No."))
    state = ChatState(
        Workspace(tmp_path), conversation, OpenSession(Transcript(tmp_path / "t.db")), trace=False
    )
    talk = Chat(state, PipedScreen(out, err))
    read_lines(talk, io.StringIO("one\n\n/target h743\ntwo\n/xyzzy\nthree"), Interrupts())
    assert conversation.questions == ["one", "two", "three"]
    assert out.getvalue() == "Yes.\n\nTarget: stm32h743zi (STMicroelectronics STM32H743ZI)\n\nNo.\n"
    assert err.getvalue() == "Down.\nThere is no command /xyzzy. /help lists the commands.\n"
    assert talk.exit_code == 4


def test_bytes_that_are_no_text_are_a_line_and_a_huge_line_is_cut() -> None:
    raw = io.BufferedReader(io.BytesIO(b"\xff\x00one\n" + b"x" * (5 * MOST_BYTES) + b"\ntwo"))
    lines = list(lines_of(io.TextIOWrapper(raw)))
    assert [line[:6].strip() for line in lines] == ["\ufffd\x00one", "xxxxxx", "two"]
    assert len(lines[1]) == 2 * MOST_BYTES


@pytest.mark.parametrize(
    ("llm", "environment", "told"),
    [
        (None, {}, "offline planner (no LLM configured)"),
        ("offline", {"OPENAI_API_KEY": "k"}, "offline planner"),
        ("qwen3", {}, "qwen3"),
        (None, {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}, "m"),
        (None, {"OPENAI_BASE_URL": "http://localhost/v1"}, "the endpoint's model"),
    ],
)
def test_the_first_line_says_what_will_answer(
    llm: str | None, environment: dict[str, str], told: str
) -> None:
    assert expected_llm(llm, environment=environment) == told


def test_a_target_that_does_not_exist_is_refused_before_the_chat_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(UnknownNameError):
        run_chat(model=None, target="no such board", llm="offline")
    assert capsys.readouterr().out == ""


def test_the_prompt_stands_before_anything_heavy_is_loaded() -> None:
    code = (
        "import sys, edgewright.agent.repl.chat, edgewright.agent.repl.conversation, "
        "edgewright.agent.repl.loops, edgewright.agent.repl.prompt, edgewright.agent.repl.history\n"
        "heavy = {'langchain', 'langchain_core', 'langgraph', 'openai', 'rich', 'numpy'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_the_command_answers_piped_lines_offline(tmp_path: Path, state_directory: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "edgewright.cli", "chat", "--llm", "offline", "-t", "h743", "-m", "kws"],
        input=b"Does it fit?\n/audit\n/check 1us\n\xff\n",
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    out, err = run.stdout.decode(), run.stderr.decode()
    assert run.returncode == 0, err
    assert "stm32h743zi" in out.split("\n\n")[0]
    assert "r1." in out
    assert "FAIL: stm32h743zi" in out
    first, *_, last = err.splitlines()
    assert first.startswith("edgewright 0.1.0 · offline planner · /help")
    assert last.startswith(f"Transcript: {state_directory}/sessions/")
    said = events_in(Path(last.removeprefix("Transcript: ")))
    assert [event["kind"] for event in said].count("question") == 2
