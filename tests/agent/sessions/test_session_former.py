from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.sessions.lock import SessionLock
from edgewright.agent.sessions.opening import resume_session
from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.store import find_session, stored_sessions
from edgewright.hardware_db.errors import InputError
from stubs.scripted_chat_model import says

NAME = "20251120-094116-f25672"
H743 = {"target": "stm32h743zi"}


@pytest.fixture
def former(state: Path) -> Path:
    """A session as versions up to 0.1 wrote it: a transcript, and the loop's state beside it."""
    folder = state / "sessions"
    folder.mkdir(parents=True)
    result = {"schema_version": "1.0", "target": "stm32h743zi", "latency_ms": 12.5}
    lines: list[dict[str, Any]] = [
        {"kind": "session", "id": NAME, "version": "0.1.0"},
        {"kind": "question", "id": "q1", "text": "How long?", "context": H743, "pinned": H743},
        {"kind": "tool_call", "id": "call_1", "name": "get_latency", "arguments": H743},
        {"kind": "tool_result", "id": "call_1", "name": "get_latency", "seconds": 0.1, "result": result},
        {"kind": "answer", "answer": "It takes 12.5 ms.", "ungrounded": []},
    ]
    head = {"schema_version": "1.0", "time": "2025-11-20T09:41:16+00:00"}
    written = "".join(json.dumps(head | line) + "\n" for line in lines)
    file = folder / f"{NAME}.jsonl"
    file.write_text(f'{written}null\n{{"schema_version": "1.0", "kind": "ques')
    with sqlite3.connect(file.with_suffix(".sqlite")) as database:
        database.execute("CREATE TABLE messages (id TEXT PRIMARY KEY, body TEXT NOT NULL)")
    database.close()
    return file


def test_a_session_of_an_earlier_version_is_converted_and_its_files_are_kept(
    former: Path, seat: Callable[..., Any]
) -> None:
    before = former.read_bytes()
    (stored,) = stored_sessions()
    assert (stored.id, stored.changed.year) == (NAME, 2025)
    assistant, model, session = seat(says("As I said, 12.5 ms."), resume=NAME)
    assert session.notes == (f"1 event of session {NAME} cannot be read; the rest is used.",)
    assert assistant.workspace.target == "stm32h743zi"
    assert assistant.ask("Again?").grounded
    texts = [m.text for m in model.shown[0] if m.type in ("human", "ai")]
    assert texts == ["How long?\n\nContext: target stm32h743zi.", "", "It takes 12.5 ms.", "Again?\n\n"
                     "Context: target stm32h743zi."]  # fmt: skip
    kept = former.parent / "former"
    assert {path.suffix for path in kept.iterdir()} == {".jsonl", ".sqlite"}
    assert (kept / former.name).read_bytes() == before
    session.close()
    assert [turn.question for turn in read_session(find_session(NAME).path).turns] == ["How long?", "Again?"]


def test_one_that_an_earlier_version_has_open_is_listed_and_refused_until_it_is_closed(former: Path) -> None:
    before = former.read_bytes()
    held = SessionLock(former)
    assert [stored.id for stored in stored_sessions()] == [NAME]
    with pytest.raises(InputError, match="earlier version and could not be converted"):
        resume_session(NAME)
    assert former.read_bytes() == before
    held.release()
    assert resume_session(NAME).turns
