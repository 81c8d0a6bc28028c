"""A wait for an endpoint that grows long says what is waited for; one that does not says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.assistant import Assistant
from edgewright.agent.chat_models import chat_model
from edgewright.agent.llm import waiting
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EndpointError
from stubs.openai_server import OpenAIServer, text

pytest.importorskip("langchain_openai")
SAID = "waiting for http://127.0.0.1:"


def asked(server: OpenAIServer, folder: Path, timeout_s: float = 5) -> str:
    model, name = chat_model("stub", server.base_url, "sk-secret", timeout_s=timeout_s, max_retries=0)
    return Assistant(model, Workspace(folder), llm_name=name, tools=[]).ask("Well?").answer


def test_a_slow_endpoint_is_named_once_a_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "FIRST_S", 0.1)
    with OpenAIServer([text("It fits.", pause_s=0.4)]) as server:
        assert asked(server, tmp_path) == "It fits."
    lines = [line for line in capsys.readouterr().err.splitlines() if SAID in line]
    assert len(lines) == 2
    assert all("(stub) for 0 s; Ctrl-C ends it" in line for line in lines)
    assert "secret" not in "".join(lines)


def test_an_endpoint_that_says_nothing_is_named_again_and_again_until_it_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting, "FIRST_S", 0.1)
    monkeypatch.setattr(waiting, "THEN_S", 0.1)
    with (
        OpenAIServer([text("It fits.", stall_after=0)]) as server,
        pytest.raises(EndpointError, match="fell silent"),
    ):
        asked(server, tmp_path, timeout_s=1)
    assert capsys.readouterr().err.count(SAID) >= 3


def test_an_endpoint_that_answers_at_once_needs_no_such_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with OpenAIServer([text("It fits.")]) as server:
        assert asked(server, tmp_path) == "It fits."
    assert SAID not in capsys.readouterr().err
    assert waiting.FIRST_S == 5


def test_asking_which_models_are_served_is_such_a_wait_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is dialled takes no connection until it is given up."""
    import socket

    monkeypatch.setattr(waiting, "FIRST_S", 0.05)
    monkeypatch.delenv("OPENAI_MODEL", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        with pytest.raises(EndpointError):
            chat_model(None, address, "sk-secret", timeout_s=0.5)
    assert SAID in capsys.readouterr().err
