from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import ToolMessage

from edgewright.agent.sessions.lock import SessionInUseError
from edgewright.agent.sessions.opening import resume_session, session_for
from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.store import copy_session, find_session, latest_session, stored_sessions
from edgewright.hardware_db.errors import EdgewrightError, UnknownNameError, UsageError
from stubs.scripted_chat_model import calls, says

Seat = Callable[..., Any]
H743 = {"target": "stm32h743zi"}


def left(seat: Seat, *script: Any, ask: tuple[str, ...] = ("How long?",), **more: Any) -> str:
    """The id of a session in which this was said and which nobody holds any more."""
    assistant, _, session = seat(*script, **more)
    for question in ask:
        assistant.ask(question)
    session.close()
    return str(session.id)


def kinds(messages: list[Any]) -> list[str]:
    return [m.type for m in messages if m.type != "system"]


def files(state: Path) -> dict[str, Path]:
    return {path.suffix: path for path in (state / "sessions").iterdir()}


def test_a_resumed_session_knows_what_was_said_and_may_quote_its_numbers(seat: Seat) -> None:
    name = left(seat, calls("get_latency", **H743), says("It takes 12.5 ms."))
    assistant, model, _ = seat(says("As I said, 12.5 ms."), resume=name)
    answer = assistant.ask("Say that again?")
    assert answer.grounded
    assert answer.session == name
    assert kinds(model.shown[0]) == ["human", "ai", "tool", "ai", "human"]
    assert len(assistant.tool_results()) == 1


def seen(messages: list[Any]) -> list[Any]:
    return [(m.type, m.text, getattr(m, "artifact", None), getattr(m, "tool_calls", None)) for m in messages]


def test_the_messages_are_the_same_ones_whether_the_process_went_on_or_the_log_was_read(seat: Seat) -> None:
    both = calls("get_latency", **H743)
    both.tool_calls.append({**calls("get_latency", "call_2", target="nrf52840").tool_calls[0]})
    said = (both, says("12.5 ms."), calls("get_latency", "call_3", target="h473"), says("No."))
    assistant, model, session = seat(*said, says("Well."))
    for question in ("How long?", "And there?"):
        assistant.ask(question)
    copied = copy_session(find_session(session.id))
    assistant.ask("Again?")
    resumed, other, _ = seat(says("Well."), resume=copied)
    resumed.ask("Again?")
    went_on, read = seen(model.shown[-1]), seen(other.shown[-1])
    assert went_on == read
    assert [kind for kind, *_ in read] == [
        "system", "human", "ai", "tool", "tool", "ai", "human", "ai", "tool", "ai", "human"
    ]  # fmt: skip
    assert model.shown[1][2:5] != []
    assert seen(model.shown[1])[1:5] == read[1:5]


def test_a_call_that_was_cut_off_is_closed_before_the_next_question(seat: Seat) -> None:
    name = left(seat, calls("get_latency", **H743), says("It takes 12.5 ms."))
    with sqlite3.connect(find_session(name).path) as log:
        log.execute("DELETE FROM events WHERE seq >= (SELECT seq FROM events WHERE kind = 'tool_result')")
    log.close()
    assistant, model, _ = seat(says("Well."), resume=name)
    assistant.ask("And now?")
    closing = model.shown[0][3]
    assert isinstance(closing, ToolMessage)
    assert closing.status == "error"
    assert kinds(model.shown[0]) == ["human", "ai", "tool", "ai", "human"]


def test_all_that_was_said_in_several_processes_is_in_one_log(seat: Seat) -> None:
    name = left(seat, calls("get_latency", **H743), says("It takes 12.5 ms."))
    assert left(seat, says("Yes."), says("No."), ask=("Sure?", "Really?"), resume=name) == name
    assistant, model, _ = seat(says("Well."), resume=name)
    assistant.ask("And now?")
    texts = [m.text for m in model.shown[0] if m.type in ("human", "ai")]
    assert texts == ["How long?", "", "It takes 12.5 ms.", "Sure?", "Yes.", "Really?", "No.", "And now?"]


def test_pins_come_back_unless_others_are_given(seat: Seat, tmp_path: Path) -> None:
    (tmp_path / "kws.tflite").write_bytes(b"x")
    assistant, _, session = seat(says("Yes."))
    assistant.workspace.pin("kws.tflite")
    assistant.workspace.target = "stm32h743zi"
    assistant.ask("Fits?")
    session.close()
    resumed, _, again = seat(resume=session.id)
    assert resumed.workspace.model == str(tmp_path / "kws.tflite")
    assert resumed.workspace.target == "stm32h743zi"
    resumed.workspace.target = "nrf52840"
    again.pin(resumed.workspace)
    assert resumed.workspace.target == "nrf52840"


def test_two_at_once_the_second_is_told_how_to_go_on(seat: Seat) -> None:
    assistant, _, session = seat(says("Yes."))
    assistant.ask("Fits?")
    name = session.id
    with pytest.raises(SessionInUseError, match=f"sessions copy {name}") as refused:
        resume_session(name)
    assert refused.value.exit_code == 2
    copied = copy_session(find_session(name))
    other, model, _ = seat(says("No."), resume=copied)
    other.ask("Sure?")
    assert kinds(model.shown[0]) == ["human", "ai", "human"]
    session.close()
    assert resume_session(name).resumed


def test_a_damaged_log_is_put_aside_and_what_can_be_read_of_it_goes_on(seat: Seat, state: Path) -> None:
    asked = tuple(f"Question {number}?" for number in range(20))
    script = [reply for n in range(20) for reply in (calls("get_latency", f"c{n}", **H743), says("12.5 ms."))]
    name = left(seat, *script, ask=asked)
    path = find_session(name).path
    whole = path.read_bytes()
    middle = len(whole) // 2 // 4096 * 4096
    path.write_bytes(whole[:middle] + b"\xff" * 8192 + whole[middle + 8192 :])
    saved = read_session(path)
    assert "damaged" in saved.problem
    told = [turn.question for turn in saved.turns]
    assert told == [question for question in asked if question in told]
    assert told[0] == asked[0]
    assert told[-1] == asked[-1]
    assistant, _, session = seat(says("12.5 ms, as I said."), resume=name)
    assert len(session.notes) == 2
    assert assistant.ask("Again?").grounded
    session.close()
    assert [turn.question for turn in read_session(path).turns] == [*told, "Again?"]
    assert ".damaged" in files(state)


def test_what_is_no_database_is_refused_and_left_as_it_is(seat: Seat) -> None:
    name = left(seat, says("Yes."))
    path = find_session(name).path
    junk = b"SQLite format 3\0" + b"\xff" * 5000
    path.write_bytes(junk)
    with pytest.raises(EdgewrightError, match="no event of a conversation") as refused:
        resume_session(name)
    assert refused.value.exit_code == 3
    assert path.read_bytes() == junk


def test_a_session_of_a_newer_version_is_left_as_it_is(seat: Seat) -> None:
    name = left(seat, says("Yes."))
    path = find_session(name).path
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    before = path.read_bytes()
    with pytest.raises(EdgewrightError, match="newer version of edgewright") as refused:
        resume_session(name)
    assert refused.value.exit_code == 3
    assert path.read_bytes() == before
    assert resume_session(copy_session(find_session(name))).turns


@pytest.mark.parametrize("junk", [b"\x00\xff\xfe", b"null", b"[1]", b"{", b"{" * 50_000])
def test_events_that_cannot_be_read_are_told_and_the_rest_is_used(seat: Seat, junk: bytes) -> None:
    name = left(seat, says("Yes."))
    with sqlite3.connect(find_session(name).path) as log:
        text = "CAST(? AS TEXT)"
        log.execute(f"INSERT INTO events (time, kind, data) VALUES ('', 'answer', {text})", (junk,))
    log.close()
    session = resume_session(name)
    assert session.notes == (f"1 event of session {name} cannot be read; the rest is used.",)
    assert [turn.question for turn in session.turns] == ["How long?"]


def test_a_file_without_an_event_of_a_conversation_is_told(state: Path) -> None:
    (state / "sessions").mkdir(parents=True)
    (state / "sessions" / "20260101-000000-abcdef.db").write_bytes(b"\x89PNG\r\n\x1a\n" * 9)
    with pytest.raises(EdgewrightError, match="no event of a conversation"):
        resume_session("20260101")


def test_the_last_session_is_the_one_last_spoken_in(seat: Seat) -> None:
    first, second = left(seat, says("Yes.")), left(seat, says("No."))
    os.utime(find_session(second).path, (1, 1))
    assert latest_session().id == second
    assert [stored.id for stored in stored_sessions()] == [second, first]
    left(seat, says("Well."), resume=first)
    assert latest_session().id == first


def test_a_part_of_an_id_is_enough_and_a_wrong_one_is_told_the_nearest(seat: Seat) -> None:
    name = left(seat, says("Yes."))
    assert find_session(name[:12]).id == find_session(name[-6:]).id == name
    with pytest.raises(UnknownNameError, match=name):
        find_session(f"{name[:-1]}z")
    with pytest.raises(UnknownNameError):
        find_session("../../etc/passwd")


def test_with_no_session_yet_continuing_says_what_saves_one(state: Path) -> None:
    with pytest.raises(UsageError, match="no saved session"):
        session_for(go_on=True, resume=None)
    with pytest.raises(UsageError, match="two sessions"):
        session_for(go_on=True, resume="x")


def test_what_was_forgotten_stays_forgotten_and_stays_in_the_transcript(seat: Seat) -> None:
    assistant, _, session = seat(says("Yes."), says("No."))
    assistant.ask("One?")
    session.write("cleared")
    assistant.ask("Two?")
    session.close()
    resumed, model, again = seat(says("Well."), resume=session.id)
    resumed.ask("Three?")
    assert [m.text for m in model.shown[0][1:]] == ["Two?", "No.", "Three?"]
    assert len(read_session(again.file).turns) == 3


def test_keys_stand_in_no_file(seat: Seat, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = 'q"uite-se\\cret-value'
    monkeypatch.setenv("SOME_API_KEY", secret)
    typed = "sk-" + "a1B2" * 10
    left(seat, says(f"You said {secret}."), ask=(f"Is {secret} or {typed} my key?",))
    text = "".join(path.read_bytes().decode("utf-8", "replace") for path in (state / "sessions").iterdir())
    assert text.count("***") >= 3
    assert typed not in text
    for written in (secret, json.dumps(secret)[1:-1]):
        assert written not in text


def test_only_the_owner_can_read_any_file_of_a_session(seat: Seat, state: Path) -> None:
    left(seat, says("Yes."))
    assert {path.stat().st_mode & 0o777 for path in (state / "sessions").iterdir()} == {0o600}
    assert state.stat().st_mode & 0o777 == (state / "sessions").stat().st_mode & 0o777 == 0o700


def test_nothing_said_leaves_no_file(seat: Seat, state: Path) -> None:
    _, _, session = seat()
    session.close()
    assert list((state / "sessions").iterdir()) == []
    with pytest.raises(UnknownNameError):
        find_session(session.id)
