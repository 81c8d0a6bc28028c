"""What OpenAI-compatible servers send that OpenAI does not; each understood, over real HTTP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.assistant import Assistant
from edgewright.agent.chat_models import chat_model
from edgewright.agent.sessions.transcript import STATE_VARIABLE
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EndpointError
from stubs.fake_tools import FAKE_TOOLS
from stubs.openai_server import OpenAIServer, Reply, failure, text, tool_call

Chunk = dict[str, Any]
H743 = {"target": "stm32h743zi"}
ASK = [sys.executable, "-m", "edgewright.cli", "ask", "--no-save", "--llm", "stub"]


def chunk(delta: Chunk | None = None, finish: str | None = None, **more: Any) -> Chunk:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    head = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
    return {**head, "choices": choices, **more}


def stream(*chunks: Chunk | str, done: bool = True) -> Reply:
    lines = [c if isinstance(c, str) else f"data: {json.dumps(c)}\n\n" for c in chunks]
    return Reply(raw="".join(lines) + ("data: [DONE]\n\n" if done else ""))


AS_TEXT = json.dumps(H743)


def call(arguments: Any = AS_TEXT, **more: Any) -> Chunk:
    function = {"name": "get_latency", "arguments": arguments}
    return {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function} | more]}


NO_TOKENS = {"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}
END = chunk({}, "tool_calls")
QUIRKS = {
    "arguments as an object": stream(chunk(call(H743)), END),
    "stop where a tool is called": stream(chunk(call()), chunk({}, "stop")),
    "comments that keep the line open": stream(": ping\n\n", chunk(call()), ": ping\n\n", END),
    "no [DONE]": stream(chunk(call()), END, done=False),
    "thoughts in a field of their own": stream(
        chunk({"content": None, "reasoning_content": "99 ms?"} | call()), END
    ),
    "a first chunk without choices": stream(chunk(), chunk(call()), END),
    "tokens counted as null": stream(chunk(call()), END, chunk(usage=NO_TOKENS)),
    "a call without type and id": stream(chunk(call(id=None, type=None)), END),
    "an end of a name of its own": stream(chunk(call()), chunk({}, "eos")),
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_a_tool_call_is_understood(quirk: str, tmp_path: Path) -> None:
    with OpenAIServer([QUIRKS[quirk], text("It takes 12.5 ms.")]) as server:
        model, name = chat_model("stub", server.base_url, "k", timeout_s=2, max_retries=0)
        assistant = Assistant(model, Workspace(tmp_path), llm_name=name, tools=FAKE_TOOLS)
        answer = assistant.ask("How long?")
        assert answer.answer == "It takes 12.5 ms."
        assert [(c["name"], c["arguments"]) for c in answer.tool_calls] == [("get_latency", H743)]
        assert answer.complete
        assert server.bodies[1]["messages"][-1]["role"] == "tool"


def test_a_stream_that_is_slow_but_alive_is_waited_for(tmp_path: Path) -> None:
    with OpenAIServer([text("a b c d e", pause_s=0.15)]) as server:
        model, name = chat_model("stub", server.base_url, "k", timeout_s=0.4, max_retries=0)
        assistant = Assistant(model, Workspace(tmp_path), llm_name=name, tools=FAKE_TOOLS)
        assert assistant.ask("Well?").answer == "a b c d e"


def test_a_failure_that_passes_is_tried_again_later_and_later(tmp_path: Path) -> None:
    with OpenAIServer([failure(503, "busy"), failure(503, "busy"), text("Fine.")]) as server:
        model, name = chat_model("stub", server.base_url, "k", timeout_s=2)
        assistant = Assistant(model, Workspace(tmp_path), llm_name=name, tools=FAKE_TOOLS)
        started = time.monotonic()
        assert assistant.ask("Well?").answer == "Fine."
        assert len(server.bodies) == 3
        assert time.monotonic() - started > 0.75


def environment(server: OpenAIServer, tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "OPENAI_BASE_URL": server.base_url, STATE_VARIABLE: str(tmp_path / "state")}


def test_ask_exits_with_5_where_the_model_never_stops_calling(tmp_path: Path) -> None:
    with OpenAIServer([tool_call("list_runtimes", {})], repeat_last=True) as server:
        run = subprocess.run(
            [*ASK, "Which runtimes are there?"], env=environment(server, tmp_path), cwd=tmp_path,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert run.returncode == 5, run.stderr
    assert "Stopped before an answer was written" in run.stdout


def test_ctrl_c_ends_ask_at_once_while_the_endpoint_is_silent(tmp_path: Path) -> None:
    with OpenAIServer([text("It takes a while", stall_after=1)]) as server:
        process = subprocess.Popen(
            [*ASK, "How long?"], env=environment(server, tmp_path), cwd=tmp_path,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not server.bodies and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert time.monotonic() - pressed < 5
    assert process.returncode == 130
    assert "Traceback" not in err


WHOLE = json.dumps(
    {
        "id": "1", "object": "chat.completion", "created": 0, "model": "stub",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Fine."}}],
    }
)  # fmt: skip


@pytest.mark.parametrize(
    "first",
    [Reply(body=WHOLE), failure(400, "This model does not support streaming: stream is not supported")],
)
def test_a_server_that_does_not_stream_is_asked_for_the_whole(first: Reply) -> None:
    with OpenAIServer([first, Reply(body=WHOLE)]) as server:
        model, _ = chat_model("stub", server.base_url, max_retries=0)
        assistant = Assistant(model, Workspace(), llm_name="stub", tools=FAKE_TOOLS)
        assert assistant.ask("Well?").answer == "Fine."
    assert not server.bodies[-1].get("stream")


def test_a_whole_reply_without_choices_is_an_error_of_the_endpoint() -> None:
    with OpenAIServer([Reply(body='{"choices": []}')], repeat_last=True) as server:
        model, _ = chat_model("stub", server.base_url, max_retries=0)
        assistant = Assistant(model, Workspace(), llm_name="stub", tools=FAKE_TOOLS)
        with pytest.raises(EndpointError):
            assistant.ask("Well?")


def test_a_refusal_is_the_answer() -> None:
    with OpenAIServer([stream(chunk({"refusal": "I cannot help with that."}), chunk({}, "stop"))]) as server:
        model, _ = chat_model("stub", server.base_url, max_retries=0)
        assistant = Assistant(model, Workspace(), llm_name="stub", tools=FAKE_TOOLS)
        assert assistant.ask("Well?").answer == "I cannot help with that."


def test_a_model_that_is_served_under_responses_alone_is_asked_there() -> None:
    refused = failure(404, "This model is only supported in v1/responses and not in v1/chat/completions.")
    with OpenAIServer([refused, failure(500, "the other path was taken")]) as server:
        model, _ = chat_model("stub", server.base_url, max_retries=0)
        assistant = Assistant(model, Workspace(), llm_name="stub", tools=FAKE_TOOLS)
        with pytest.raises(EndpointError, match="the other path was taken"):
            assistant.ask("Well?")
    assert "input" in server.bodies[1]
    assert "messages" not in server.bodies[1]


def test_llama_cpp_without_templates_is_told_how_to_start_it() -> None:
    with OpenAIServer([failure(500, "tools param requires --jinja flag")]) as server:
        model, _ = chat_model("stub", server.base_url, max_retries=0)
        assistant = Assistant(model, Workspace(), llm_name="stub", tools=FAKE_TOOLS)
        with pytest.raises(EndpointError, match="--jinja"):
            assistant.ask("Well?")
