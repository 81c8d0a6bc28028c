from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.sessions.database import Entry, LogWriter, write_log
from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.store import stored_sessions
from edgewright.agent.sessions.transcript import Transcript
from edgewright.hardware_db.errors import InputError
from stubs.scripted_chat_model import says
from stubs.session_logs import events_in

Edgewright = Callable[..., subprocess.CompletedProcess[str]]
_ROOM_BYTES = 33_000
"""For the table and the question, and not for the first result."""
QUESTION = "Does kws fit on the stm32h743zi?"
LONG = "How could I make kws faster on the stm32h743zi?"
"""A question whose result is larger than the room."""


def kinds(path: Path) -> list[str]:
    return [event["kind"] for event in events_in(path)]


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


def test_a_disk_that_is_full_loses_no_event_that_was_whole(
    tmp_path: Path, state: Path, edgewright: Edgewright
) -> None:
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (_ROOM_BYTES, _ROOM_BYTES))

    asked = edgewright("ask", LONG, "--llm", "offline", preexec_fn=little_room)
    assert asked.returncode == 0
    assert "kws on stm32h743zi" in asked.stdout
    assert asked.stderr.count("not saved") == 1
    (path,) = (state / "sessions").glob("*.db")
    assert kinds(path)[:2] == ["session", "question"]
    assert "answer" not in kinds(path)
    again = edgewright("ask", "--continue", "--llm", "offline", "And on the nrf52840?")
    assert "nrf52840" in again.stdout


def test_what_waited_for_room_is_written_once_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = LogWriter.append
    transcript = Transcript(tmp_path / "t.jsonl")
    transcript.write("question", text="One?")

    def full(log: LogWriter, entries: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LogWriter, "append", full)
    transcript.write("answer", answer="Yes.")
    assert transcript.warning
    assert "No space left" in transcript.warning
    monkeypatch.setattr(LogWriter, "append", append)
    transcript.write("question", text="Two?")
    assert transcript.warning is None
    assert kinds(tmp_path / "t.jsonl") == ["question", "answer", "question"]


def test_killed_at_any_byte_of_a_write_whole_events_are_left_and_the_next_one_is_not_swallowed(
    tmp_path: Path,
) -> None:
    live = tmp_path / "live.db"
    talk = Transcript(live)
    for number in range(4):
        talk.write("question", text=f"Question {number}?")
    ahead = (tmp_path / "live.db-wal").read_bytes()
    main = live.read_bytes()
    talk.close()
    found = []
    for size in range(0, len(ahead) + 1, 509):
        path = tmp_path / f"{size}.db"
        path.write_bytes(main)
        path.with_name(f"{path.name}-wal").write_bytes(ahead[:size])
        before = [turn.question for turn in read_session(path).turns]
        assert before == [f"Question {number}?" for number in range(len(before))]
        found.append(len(before))
        again = Transcript(path)
        again.write("question", text="And then?")
        again.close()
        assert [turn.question for turn in read_session(path).turns] == [*before, "And then?"]
    assert sorted(found) == found
    assert found[0] == 0
    assert set(found) >= {1, 2, 3}


def test_two_processes_that_write_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from edgewright.agent.sessions.database import Entry, LogWriter\n"
        "log = LogWriter(Path(sys.argv[1]))\n"
        "for n in range(200): log.append([Entry('', 'command', f'{{\"text\": \"{sys.argv[2]}{n}\"}}')])"
    )
    log = tmp_path / "t.db"
    both = [subprocess.Popen([sys.executable, "-c", code, str(log), name]) for name in "ab"]
    assert [one.wait(60) for one in both] == [0, 0]
    texts = [event["text"] for event in events_in(log)]
    for name in "ab":
        assert [text for text in texts if text[0] == name] == [f"{name}{n}" for n in range(200)]


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

    resumed, model, _ = seat(says("No."), resume=session.id)
    monkeypatch.setattr(os, "open", read_only)
    answer = resumed.ask("Sure?")
    assert answer.answer == "No."
    assert answer.session is None
    assert "Permission denied" in answer.warnings[0]
    assert [m.type for m in model.shown[0]] == ["system", "human", "ai", "human"]


def test_a_session_whose_own_tables_are_damaged_is_a_line(tmp_path: Path) -> None:
    talk = Transcript(tmp_path / "t.db")
    talk.write("question", text="One?")
    talk.close()
    data = (tmp_path / "t.db").read_bytes()
    at = data.index(b"CREATE TABLE")
    (tmp_path / "t.db").write_bytes(data[: at - 4] + b"\xe8\xff\xfe" + data[at - 1 :])
    with pytest.raises(InputError, match="cannot be read"):
        read_session(tmp_path / "t.db")


def test_a_session_of_a_day_when_the_clock_was_ahead_is_not_the_latest_for_years(
    state: Path,
) -> None:
    """Nor does a clock that goes back while one speaks put its events into another order."""
    (state / "sessions").mkdir(parents=True)
    for name, years in (("ahead", (2096, 2096)), ("now", (2025, 2025)), ("back", (2096, 2026))):
        write_log(
            state / "sessions" / f"{name}.db",
            [Entry(f"{year}-01-01T00:00:0{at}+00:00", "question", f'{{"text": "{at}?"}}')
             for at, year in enumerate(years)],
        )  # fmt: skip
    assert [stored.id for stored in stored_sessions()] == ["back", "now", "ahead"]
    assert [turn.question for turn in read_session(state / "sessions" / "back.db").turns] == ["0?", "1?"]
