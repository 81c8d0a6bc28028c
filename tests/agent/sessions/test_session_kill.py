from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.saved import SavedSession
from stubs.openai_server import OpenAIServer, text, tool_call

Edgewright = Callable[..., subprocess.CompletedProcess[str]]
PATIENCE_S = 60


def chatting(folder: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "edgewright.cli", "chat", *words],
        cwd=folder,
        env=dict(os.environ) | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def until(ready: Callable[[], Any], process: subprocess.Popen[str]) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while not (found := ready()):
        assert process.poll() is None, "the chat ended by itself"
        assert time.monotonic() < deadline, "the chat came to nothing"
        time.sleep(0.02)
    return found


def transcript_in(state: Path) -> Path | None:
    return next((state / "sessions").glob("*.db"), None) if state.exists() else None


def saved_in(state: Path) -> SavedSession | None:
    path = transcript_in(state)
    return read_session(path) if path and path.stat().st_size else None


def test_killed_while_the_answer_is_written_nothing_said_is_lost_and_it_goes_on_offline(
    tmp_path: Path, state: Path, edgewright: Edgewright
) -> None:
    asked = {"models": ["kws"], "targets": ["stm32h743zi"], "show": ["memory"]}
    replies = [tool_call("evaluate", asked), text("It needs some memory, namely", stall_after=2)]
    with OpenAIServer(replies) as server:
        process = chatting(tmp_path, OPENAI_BASE_URL=server.base_url)
        assert process.stdin
        process.stdin.write("How much RAM does kws take on the H743?\n")
        process.stdin.flush()
        until(lambda: len(server.bodies) == 2, process)
        kill(process)
    saved = saved_in(state)
    assert saved
    assert [turn.question for turn in saved.turns] == ["How much RAM does kws take on the H743?"]
    (call,) = saved.turns[0].calls
    assert call.ended
    assert call.result
    arena = call.result["arena_bytes"]
    resumed = edgewright("ask", "--resume", saved.id, "--llm", "offline", "--json", "And on the nrf52840?")
    assert resumed.returncode == 0, resumed.stderr
    result = json.loads(resumed.stdout)["result"]
    assert result["grounded"]
    assert result["tool_calls"][0]["arguments"]["model"] == "kws"
    replayed = edgewright("sessions", "replay", saved.id, "--json")
    assert replayed.returncode == 0, replayed.stdout
    calls = json.loads(replayed.stdout)["result"]["calls"]
    assert len(calls) > 1
    assert all(c["same"] for c in calls)
    again = saved_in(state)
    assert again
    assert again.turns[0].calls[0].result is not None
    assert again.turns[0].calls[0].result["arena_bytes"] == arena


@pytest.mark.parametrize("answers", [2])
def test_killed_between_questions_every_answer_that_was_shown_is_saved(
    tmp_path: Path, state: Path, edgewright: Edgewright, answers: int
) -> None:
    process = chatting(tmp_path, "--llm", "offline")
    assert process.stdin
    assert process.stdout
    targets = ["stm32h743zi", "nrf52840", "rp2040", "esp32-s3", "stm32f746zg"]
    process.stdin.write("".join(f"Does kws fit on the {target}?\n" for target in targets))
    process.stdin.flush()
    shown = ""
    while shown.count("Assumed:") < answers:
        shown += process.stdout.readline()
    until(lambda: transcript_in(state), process)
    kill(process)
    resumed = edgewright("ask", "--continue", "--llm", "offline", "And how fast is it there?")
    assert resumed.returncode == 0, resumed.stderr
    saved = saved_in(state)
    assert saved
    assert saved.unreadable == 0
    told = [turn.answer["answer"] for turn in saved.turns[:answers] if turn.answer]
    assert len(told) == answers
    for answer in told:
        assert answer.splitlines()[0] in shown


def test_of_two_chats_on_one_session_the_second_is_told_and_the_first_goes_on(
    tmp_path: Path, state: Path, edgewright: Edgewright
) -> None:
    process = chatting(tmp_path, "--llm", "offline")
    assert process.stdin
    process.stdin.write("Does kws fit on the stm32h743zi?\n")
    process.stdin.flush()
    saved = until(
        lambda: (found := saved_in(state)) and found.turns and found.turns[0].answer and found, process
    )
    second = edgewright("ask", "--continue", "And on the nrf52840?")
    assert second.returncode == 2
    assert second.stderr == (
        f"edgewright: Session {saved.id} is open in another process. Leave it there, or go on in a copy: "
        f"edgewright sessions copy {saved.id}\n"
    )
    assert edgewright("sessions", "delete", saved.id).returncode == 2
    process.communicate("And on the nrf52840?\n", timeout=PATIENCE_S)
    assert process.returncode == 0
    found = saved_in(state)
    assert found
    assert len(found.turns) == 2
