from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent import open_assistant
from edgewright.agent.sessions.export import exported
from edgewright.agent.sessions.opening import session_for
from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.replay import replay
from edgewright.agent.sessions.saved import SavedSession
from edgewright.agent.sessions.store import find_session
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture
from stubs.fake_tools import HOSTILE_NAME
from stubs.scripted_chat_model import calls, says

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def held(tmp_path: Path, state: Path) -> SavedSession:
    """A session about a model file, held offline."""
    (tmp_path / "kws.tflite").write_bytes(write_tflite(build_architecture("kws", dtype="int8")))
    session = session_for(go_on=False, resume=None)
    assistant = open_assistant(directory=tmp_path, llm="offline", session=session)
    assistant.ask("Does kws.tflite fit on the stm32h743zi?")
    assistant.ask("How fast is it there?")
    assistant.ask("Does there_is_none.tflite fit on the stm32h743zi?")
    session.close()
    return read_session(find_session(session.id).path)


def test_a_replay_gives_the_same_numbers(held: SavedSession) -> None:
    found = replay(held)
    assert len(found.calls) >= 2
    assert found.same
    assert found.changed_models == ()


def test_a_replay_in_another_folder_names_what_is_gone(held: SavedSession, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    found = replay(held, elsewhere)
    assert not found.same
    assert found.changed_models[0].sha256_now is None


def test_a_changed_model_file_is_told_by_its_hash_with_the_fields_that_differ(
    held: SavedSession, tmp_path: Path
) -> None:
    other = build_architecture("ad", dtype="int8")
    (tmp_path / "kws.tflite").write_bytes(write_tflite(other))
    found = replay(held)
    (model,) = found.changed_models
    assert model.sha256_now not in (None, model.sha256_before)
    assert not found.same
    assert any(difference.path for call in found.calls for difference in call.differences)


def test_a_number_that_was_changed_in_the_file_is_found(held: SavedSession) -> None:
    call = held.turns[0].calls[0]
    assert call.result
    call.result["checks"][0]["demand"] = 123456789
    (found,) = [c for c in replay(held).calls if not c.same]
    assert [(d.path, d.before) for d in found.differences] == [("checks[0].demand", "123456789")]


def test_the_command_replays_and_its_exit_code_tells(
    held: SavedSession, tmp_path: Path, command: Command
) -> None:
    same = command("sessions", "replay", held.id)
    assert same.returncode == 0, same.stderr
    assert "give the same result" in same.stdout
    (tmp_path / "kws.tflite").unlink()
    gone = command("sessions", "replay", held.id)
    assert gone.returncode == 10
    assert "it is gone" in gone.stdout


def test_the_commands_list_show_copy_and_delete(held: SavedSession, command: Command) -> None:
    listed = json.loads(command("sessions", "list", "--json").stdout)["result"]["sessions"]
    assert [(one["id"], one["questions"]) for one in listed] == [(held.id, 3)]
    shown = command("sessions", "show", held.id[-6:])
    assert "> Does kws.tflite fit on the stm32h743zi?" in shown.stdout
    assert "fits on stm32h743zi" in shown.stdout
    copied = command("sessions", "copy", held.id).stdout.strip()
    assert command("sessions", "delete", held.id).returncode == 0
    left = json.loads(command("sessions", "list", "--json").stdout)["result"]["sessions"]
    assert [one["id"] for one in left] == [copied]
    gone = command("sessions", "show", held.id)
    assert gone.returncode == 3
    assert copied in gone.stderr


def test_a_bundle_holds_hashes_versions_calls_answers_and_where_their_numbers_are_from(
    held: SavedSession,
) -> None:
    document = json.loads(exported(held, ".json"))
    assert document["recorded_with"]["version"] == document["exported_with"]["version"]
    (model,) = document["models"]
    assert model["file_untrusted"] == "kws.tflite"
    assert len(model["sha256"]) == 64
    first = document["turns"][0]
    assert first["tool_calls"][0]["model_sha256"] == model["sha256"]
    assert first["tool_calls"][0]["result"]["verdict"] == "PASS"
    assert first["grounded"]
    assert first["bindings"]


@pytest.mark.parametrize("suffix", ["json", "md", "html"])
def test_a_bundle_is_written_once_in_the_format_of_its_name(
    held: SavedSession, tmp_path: Path, command: Command, suffix: str
) -> None:
    file = tmp_path / f"bundle.{suffix}"
    assert command("sessions", "export", held.id, "-o", file).returncode == 0
    assert "stm32h743zi" in file.read_text()
    again = command("sessions", "export", held.id, "-o", file)
    assert again.returncode == 2
    assert "exists" in again.stderr


def test_hostile_words_stay_words_in_every_format(seat: Callable[..., Any], tmp_path: Path) -> None:
    attack = "```\n</pre><script>alert(1)</script> ![x](http://x.invalid/a.png) \x1b[2J\u202e"
    assistant, _, session = seat(calls("get_latency", target="stm32h743zi"), says(attack))
    assistant.ask(attack)
    session.close()
    saved = read_session(find_session(session.id).path)
    pages = {suffix: exported(saved, suffix) for suffix in (".json", ".md", ".html")}
    assert (
        json.loads(pages[".json"])["turns"][0]["tool_calls"][0]["result"]["layers"][0]["name_untrusted"]
        == HOSTILE_NAME
    )
    assert "<script" not in pages[".html"]
    for page in pages.values():
        assert not set("\x1b\u202e") & set(page)
    answer = pages[".md"].split("Answer\n\n")[1]
    fence = answer[: answer.index("text\n")]
    assert set(fence) == {"`"}
    inside = answer[len(f"{fence}text\n") : answer.index(f"\n{fence}\n")]
    assert inside.startswith("```\n</pre><script>alert(")
    assert "a.png)" in inside


def test_the_folder_of_sessions_may_be_moved(
    held: SavedSession, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.move(state, tmp_path / "moved")
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "moved"))
    assert find_session(held.id).id == held.id
