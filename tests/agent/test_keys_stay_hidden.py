"""A key in the environment gets into nothing that a conversation prints or leaves behind."""

from __future__ import annotations

import functools
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from edgewright.agent import chat_models, open_assistant
from edgewright.agent.sessions.opening import session_for
from edgewright.agent.sessions.transcript import STATE_VARIABLE
from edgewright.hardware_db.errors import EndpointError
from stubs.openai_server import OpenAIServer, Reply, failure, html, text, tool_call

CANARY = "sk-canary0123456789abcdefghijklmnopqrstuvwxyz"

LEAKY = {
    "says the key": text(f"Your key is {CANARY}. It takes 9 ms."),
    "calls a tool with the key": tool_call("get_target", {"target": CANARY}),
    "401": failure(401, f"Incorrect API key provided: {CANARY}"),
    "500": failure(500, f"while serving {CANARY}"),
    "HTML": html(502),
    "broken JSON": Reply(status=200, body=f'{{"key": "{CANARY}"'),
    "broken stream": Reply(raw=f"data: {CANARY}\n\n"),
    "error event": Reply(raw=f'data: {{"error": {{"message": "boom {CANARY}"}}}}\n\n'),
    "cut call": tool_call("get_target", f'{{"target": "{CANARY}'),
}


@pytest.mark.parametrize("day", LEAKY)
def test_whatever_the_endpoint_sends_back(
    day: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setattr(chat_models, "chat_model", functools.partial(chat_models.chat_model, max_retries=0))
    told = ""
    with OpenAIServer([LEAKY[day]], repeat_last=True) as server, caplog.at_level(logging.DEBUG):
        assistant = open_assistant(
            directory=tmp_path,
            llm="stub",
            base_url=server.base_url,
            session=session_for(go_on=False, resume=None),
        )
        try:
            assistant.ask("How fast is kws on an h743?")
        except EndpointError as error:
            told = "".join(traceback.format_exception(error))
        assert server.authorizations[0] == f"Bearer {CANARY}"
    left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert left
    assert CANARY.encode() not in left
    assert CANARY not in told
    assert CANARY not in caplog.text


def test_in_the_output_of_the_whole_process(tmp_path: Path) -> None:
    environment = {**os.environ, STATE_VARIABLE: str(tmp_path / "state"), "OPENAI_API_KEY": CANARY}
    command = [sys.executable, "-m", "edgewright.cli", "ask", "--llm", "stub", "--json", "How fast is kws?"]
    with OpenAIServer([failure(403, f"{CANARY} may not")]) as server:
        environment["OPENAI_BASE_URL"] = server.base_url
        run = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
    assert run.returncode == 4
    assert "does not let this key" in run.stderr
    assert CANARY not in run.stdout + run.stderr
