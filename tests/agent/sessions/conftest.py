from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.assistant import Assistant
from edgewright.agent.sessions.opening import resume_session, session_for
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.workspace import Workspace
from edgewright.cli import main
from stubs.fake_tools import FAKE_TOOLS
from stubs.scripted_chat_model import ScriptedChatModel

Seated = tuple[Assistant, ScriptedChatModel, OpenSession]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EDGEWRIGHT_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def seat(tmp_path: Path, state: Path) -> Callable[..., Seated]:
    """An assistant with scripted replies in a new session, or in the one of this id."""

    def start(*script: Any, resume: str | None = None, **more: Any) -> Seated:
        session = resume_session(resume) if resume else session_for(go_on=False, resume=None)
        model = ScriptedChatModel(script=list(script))
        workspace = Workspace(tmp_path)
        session.pin(workspace)
        options: dict[str, Any] = {"llm_name": "scripted", "tools": FAKE_TOOLS}
        assistant = Assistant(
            model,
            workspace,
            session=session,
            **(options | more),
        )
        return assistant, model, session

    return start


@pytest.fixture
def command(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line without a process of its own."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        argv = ["edgewright", *map(str, words)]
        monkeypatch.setattr(sys, "argv", argv)
        monkeypatch.chdir(tmp_path)
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            gc.enable()
        return subprocess.CompletedProcess(argv, code, *capsys.readouterr())

    return run


@pytest.fixture
def edgewright(tmp_path: Path, state: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def run(*words: object, **more: Any) -> subprocess.CompletedProcess[str]:
        more = {"cwd": tmp_path, "stdin": subprocess.DEVNULL} | more
        command = [sys.executable, "-m", "edgewright.cli", *map(str, words)]
        return subprocess.run(
            command, env=dict(os.environ), capture_output=True, text=True, check=False, timeout=60, **more
        )

    return run
