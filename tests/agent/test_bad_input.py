"""Whatever is asked, and wherever: a clear line, and never a traceback."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from edgewright.agent.one_shot import read_question
from edgewright.agent.planner import Planner
from edgewright.agent.question_text import MOST_BYTES, checked_question
from edgewright.agent.sessions.transcript import STATE_VARIABLE
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import UsageError
from stubs.openai_server import OpenAIServer, text, tool_call

ASK = [sys.executable, "-m", "edgewright.cli", "ask"]
QUESTION = "Does kws fit on an nrf52840?"


def piped(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no question"),
        (b" \n\t\n", "no question"),
        (b"\x00\x01\x02TFL3", "binary data"),
        (bytes(range(128, 256)) * 20, "binary data"),
        (b"x" * (MOST_BYTES + 1), "longer than 100,000 bytes"),
        ("ä".encode() * MOST_BYTES, "longer than 100,000 bytes"),
    ],
)
def test_what_is_no_question_is_refused_in_a_line(data: bytes, told: str) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        read_question([], piped(data))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "words", ["Paßt das Modell?", "モデルは入りますか？", "caf\ufffd fits?", "x" * MOST_BYTES]
)
def test_any_text_of_any_language_is_a_question(words: str) -> None:
    assert checked_question(words) == words


@pytest.mark.parametrize(
    "words",
    [
        "does the smaller Hailo (the 8L on my hat) manage 30 fps with yolov5m, or is the Hailo-8 needed?",
        "mobilenet_v2 at 224( on an esp32-s3 at 80[ or 160]?",
    ],
)
def test_brackets_in_a_question_are_no_patterns(tmp_path: Path, words: str) -> None:
    assert Planner(Workspace(tmp_path)).ask(words).tool_calls


def test_a_closed_stdin_is_no_question_and_hinders_none() -> None:
    assert read_question(["Does", "it", "fit?"], None) == "Does it fit?"
    with pytest.raises(UsageError, match="no question"):
        read_question([], None)


def asked(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ASK, *arguments], env=environment, cwd=folder, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("home", [None, "read-only"])
def test_without_a_home_to_write_to_the_answer_comes_with_a_warning(home: str | None, tmp_path: Path) -> None:
    environment = {n: v for n, v in os.environ.items() if n != "HOME" and not n.startswith("XDG_")}
    environment.pop(STATE_VARIABLE, None)
    if home is not None:
        file = tmp_path / "file"  # no directory can be made below a file, not even by root
        file.touch()
        environment["HOME"] = str(file)
    run = asked(tmp_path, environment, "--llm", "offline", QUESTION)
    assert run.returncode == 0, run.stderr
    assert "Yes" in run.stdout
    assert "Traceback" not in run.stderr
    if home is not None:
        assert "not saved" in run.stderr


def test_a_third_partys_tracing_sends_nothing(tmp_path: Path) -> None:
    with OpenAIServer([]) as spy, OpenAIServer([tool_call("list_runtimes", {}), text("Done.")]) as server:
        root = spy.base_url.removesuffix("/v1")
        environment = {
            **os.environ,
            STATE_VARIABLE: str(tmp_path / "state"),
            "OPENAI_BASE_URL": server.base_url,
        }
        for prefix in ("LANGSMITH", "LANGCHAIN"):
            more = {
                "TRACING": "true",
                "TRACING_V2": "true",
                "ENDPOINT": root,
                "API_KEY": "lsv2_pt_0123456789",
            }
            environment |= {f"{prefix}_{name}": value for name, value in more.items()}
        run = asked(tmp_path, environment, "--llm", "stub", "Which runtimes are there?")
    assert run.returncode == 0, run.stderr
    assert len(server.bodies) == 2
    assert spy.requests == 0
