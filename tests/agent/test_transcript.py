from __future__ import annotations

import os
from pathlib import Path

import pytest

from edgewright.agent.sessions.transcript import Transcript, state_directory
from stubs.session_logs import events_in


def test_events_are_on_disk_as_soon_as_they_are_said(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "talk.db")
    transcript.write("question", text="Does it\nfit? \udcff")
    transcript.write("answer", answer="Yes.")
    events = events_in(tmp_path / "talk.db")
    assert [event["kind"] for event in events] == ["question", "answer"]
    assert events[0]["text"] == "Does it\nfit? \udcff"


def test_only_the_owner_can_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "state"))
    transcript = Transcript()
    transcript.write("question", text="Hi")
    assert transcript.path
    assert transcript.path.parent == tmp_path / "state" / "sessions"
    assert transcript.path.stat().st_mode & 0o777 == 0o600
    assert transcript.path.parent.stat().st_mode & 0o777 == 0o700


def test_two_sessions_never_share_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path))
    assert Transcript().path != Transcript().path


def test_the_state_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDGEWRIGHT_STATE_DIR", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", "/x/state")
    assert state_directory() == Path("/x/state/edgewright")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/h")
    assert state_directory() == Path("/h/.local/state/edgewright")


def test_a_place_that_cannot_be_written_is_a_warning_and_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    transcript = Transcript(tmp_path / "file" / "talk.db")
    transcript.write("question", text="Hi")
    assert transcript.warning
    assert "EDGEWRIGHT_STATE_DIR" in transcript.warning


def test_a_place_that_fails_later_is_a_warning_and_no_failure(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "talk.db")
    transcript.write("question", text="Hi")
    assert transcript.warning is None
    os.rename(tmp_path / "talk.db", tmp_path / "old")
    (tmp_path / "talk.db").mkdir()
    transcript.write("answer", answer="Yes.")
    assert transcript.warning
    assert "not saved" in transcript.warning


def test_without_a_home_the_conversation_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDGEWRIGHT_STATE_DIR", raising=False)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    transcript = Transcript()
    transcript.write("question", text="Hi")
    assert transcript.warning
