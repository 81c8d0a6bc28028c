"""Each thing that an attack once found is a regression case, and docs/security.md says which."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from edgewright.agent.assistant import Assistant
from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.measurements import rows
from edgewright.tools import (
    InputError,
    deployment,
    evidence,
    explain_trace,
    import_profile,
    parse_model,
)
from edgewright.tools.calibration import records
from stubs.scripted_chat_model import ScriptedChatModel, calls, says
from tests.hardening import PAGE

ROOT = PAGE.parents[1]
CASES = re.findall(r"`(tests/[\w/.]+\.py)::(\w+)`", PAGE.read_text(encoding="utf-8"))


@cache
def functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("file", "name"), CASES)
def test_each_case_that_the_page_names_is_there(file: str, name: str) -> None:
    assert name in functions(ROOT / file)


def test_every_row_of_what_was_found_names_a_case() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## What attacks found")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if re.match(r"\| \d+ \|", line)]
    assert [int(row.split("|")[1]) for row in lines] == list(range(1, 18))
    assert all("`tests/" in row for row in lines)


def test_arguments_nested_deep_are_told_and_the_conversation_goes_on(tmp_path: Path) -> None:
    nested: object = "x"
    for _ in range(500):
        nested = [nested]
    talk = Transcript(tmp_path / "talk.db")
    script = [calls("evaluate", models=nested, targets=["stm32h743zi"]), says("It cannot be told.")]
    model = ScriptedChatModel(script=script)
    assistant = Assistant(model, Workspace(tmp_path), llm_name="scripted", session=OpenSession(talk))
    assert assistant.ask("How much memory?").answer == "It cannot be told."
    talk.close()
    saved = read_session(tmp_path / "talk.db")
    assert [turn.question for turn in saved.turns] == ["How much memory?"]
    assert not saved.unreadable


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_trace_that_never_ends_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trace.csv")
    for read in (explain_trace, lambda path: import_profile(path, "kws", "stm32h743zi")):
        with pytest.raises(InputError, match="cannot be read"):
            read(tmp_path / "trace.csv")


def test_an_error_quotes_nothing_of_a_file_that_is_no_model(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tflite"
    secret.write_bytes(b"\x1c\0\0\0hunter2-is-the-password")
    for read in (parse_model, lambda path: import_profile(path, "kws", "stm32h743zi")):
        with pytest.raises(InputError) as refused:
            read(secret)
        assert "hunter2" not in str(refused.value)
        assert "unte" not in str(refused.value)


def test_evidence_reads_no_more_measurements_than_are_akin(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them were read for a deployment without measurements of its own."""
    read: list[object] = []
    real = records.record_of
    monkeypatch.setattr(
        records, "record_of", lambda *given, **more: read.append(given) or real(*given, **more)
    )
    assert evidence("resnet50:float32", deployment("a100-sxm4-40gb"))
    assert 0 < len(read) < len(rows()) / 2


def test_a_terminal_of_few_letters_lists_sessions(tmp_path: Path) -> None:
    talk = Transcript(tmp_path / "state" / "sessions" / "talk.db")
    talk.write("question", text="Passt das Modell — モデル?")
    talk.close()
    command = [sys.executable, "-m", "edgewright.cli", "sessions", "list"]
    own = {"EDGEWRIGHT_STATE_DIR": str(tmp_path / "state"), "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, env=os.environ | own, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0
    assert b"Passt das Modell" in done.stdout
