from __future__ import annotations

import json
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.transcript import Transcript
from stubs.scripted_chat_model import says

Edgewright = Callable[..., subprocess.CompletedProcess[str]]
QUESTION = "Does kws fit on the stm32h743zi?"


def kinds(path: Path) -> list[str]:
    return [json.loads(line)["kind"] for line in path.read_text().splitlines()]


def test_without_a_home_the_answer_comes_with_one_warning(
    edgewright: Edgewright, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", "/proc/no/such/place")
    asked = edgewright("ask", QUESTION, "--llm", "offline")
    assert asked.returncode == 0
    assert "fits on stm32h743zi" in asked.stdout
    assert asked.stderr.count("not saved") == 1
    assert "Traceback" not in asked.stderr


def test_a_chat_that_cannot_be_saved_goes_on_and_says_so_once(
    edgewright: Edgewright, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", "/proc/no/such/place")
    talk = edgewright("chat", "--llm", "offline", stdin=None, input=f"{QUESTION}\nAnd on the nrf52840?\n")
    assert talk.returncode == 0
    assert "fits on nrf52840" in talk.stdout
    assert talk.stderr.count("not saved") == 1


@pytest.mark.parametrize("words", [("sessions", "list"), ("sessions", "show", "x"), ("ask", "-c", "Hi")])
def test_a_folder_that_cannot_be_read_is_a_line(
    command: Edgewright, state: Path, words: tuple[str, ...]
) -> None:
    state.mkdir()
    (state / "sessions").write_text("a file")
    run = command(*words)
    assert run.returncode in (0, 2, 3)
    assert len((run.stdout + run.stderr).splitlines()) == 1


def test_a_disk_that_is_full_loses_no_line_that_was_whole(
    tmp_path: Path, state: Path, edgewright: Edgewright
) -> None:
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000))

    asked = edgewright("ask", QUESTION, "--llm", "offline", preexec_fn=little_room)
    assert asked.returncode == 0
    assert "fits on stm32h743zi" in asked.stdout
    assert asked.stderr.count("not saved") == 1
    (path,) = (state / "sessions").glob("*.jsonl")
    assert path.read_bytes().endswith(b"\n")
    assert kinds(path)[:2] == ["session", "question"]
    again = edgewright("ask", "--continue", "--llm", "offline", "And on the nrf52840?")
    assert "fits on nrf52840" in again.stdout


def test_what_waited_for_room_is_written_once_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from edgewright.agent.sessions import transcript as module

    append = module._append
    transcript = Transcript(tmp_path / "t.jsonl")
    transcript.write("question", text="One?")

    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_append", full)
    transcript.write("answer", answer="Yes.")
    assert transcript.warning
    assert "No space left" in transcript.warning
    monkeypatch.setattr(module, "_append", append)
    transcript.write("question", text="Two?")
    assert transcript.warning is None
    assert kinds(tmp_path / "t.jsonl") == ["question", "answer", "question"]


def test_a_line_cut_by_a_crash_does_not_swallow_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    one = Transcript(path)
    one.write("question", text="One?")
    one.close()
    with path.open("a") as file:
        file.write('{"schema_version": "1.0", "kind": "ans')
    Transcript(path).write("question", text="Two?")
    assert [turn.question for turn in read_session(path).turns] == ["One?", "Two?"]


def test_a_session_in_a_folder_that_became_read_only_goes_on_unsaved(
    seat: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    assistant, _, session = seat(says("Yes."))
    assistant.ask("Fits?")
    session.close()
    real = os.open

    def read_only(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise PermissionError(13, "Permission denied")
        return real(path, flags, *more, **named)

    resumed, model, _ = seat(says("No."), resume=session.transcript.session)
    monkeypatch.setattr(os, "open", read_only)
    answer = resumed.ask("Sure?")
    assert answer.answer == "No."
    assert answer.session is None
    assert "Permission denied" in answer.warnings[0]
    assert [m.type for m in model.shown[0]] == ["system", "human", "ai", "human"]
