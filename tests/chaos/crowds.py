"""Many at once and many in a row: clients over MCP, questions in one process, endpoints that misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import resource
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from stubs.openai_server import (
    CONTEXT_OVERFLOW,
    NO_TOOL_CALLING,
    OUT_OF_QUOTA,
    RATE_LIMITED,
    OpenAIServer,
    Reply,
    failure,
    html,
    text,
    tool_call,
)
from tests.chaos.kills import START, environment, prepared
from tests.hardening import Row

CALLS: tuple[tuple[str, dict[str, Any], bool], ...] = (
    ("parse_model", {"model": "kws"}, True),
    ("plan_memory", {"model": "kws.tflite", "target": "stm32h743zi"}, True),
    ("check_constraints", {"model": "kws", "target": "nrf52840", "latency_ms": 50}, True),
    ("get_target", {"target": "rp2040"}, True),
    ("parse_model", {"model": "../secret.tflite"}, False),
    ("parse_model", {"model": "/etc/passwd"}, False),
)
"""Name, arguments, and whether there is to be an answer."""
KEY = "sk-verysecret0123456789"


@contextlib.contextmanager
def _mcp_server(folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [*START, "mcp", "--http", "--port", str(port), "--directory", str(folder)]
    more = {"EDGEWRIGHT_MCP_TOKEN": "s3cret"}
    with subprocess.Popen(words, stderr=subprocess.DEVNULL, env=environment(folder) | more) as server:
        try:
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def clients(many: int, calls: int) -> list[Row]:
    import mcp
    from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

    answered, wrong = 0, list[str]()
    logging.getLogger("client").setLevel(logging.ERROR)  # of each function that is no view it says so

    async def one(address: str, number: int) -> None:
        nonlocal answered
        async with (
            create_mcp_http_client(headers={"Authorization": "Bearer s3cret"}) as sending,
            mcp.Client(streamable_http_client(address, http_client=sending)) as client,
        ):
            await client.list_tools()
            for turn in range(calls):
                name, arguments, fine = CALLS[(number + turn) % len(CALLS)]
                result = await client.call_tool(name, arguments)
                answered += 1
                if result.is_error is fine:
                    wrong.append(f"{name} {arguments}: {result.content[0].text[:160]}")

    async def crowd(address: str) -> None:
        await asyncio.gather(*(one(address, number) for number in range(many)))

    with tempfile.TemporaryDirectory() as made:
        prepared(Path(made))
        inside = Path(made, "inside")
        inside.mkdir()
        Path(made, "kws.tflite").replace(inside / "kws.tflite")
        Path(made, "secret.tflite").write_bytes((inside / "kws.tflite").read_bytes())
        with _mcp_server(inside) as address:
            asyncio.run(crowd(address))
    wrong += ["lost"] * (many * calls - answered)
    return [Row("clients over MCP at once", "50 with 20 calls each; all answered, none read outside",
                f"{many} with {calls} calls, {answered:,} answered", tuple(wrong))]  # fmt: skip


def asks(count: int) -> list[Row]:
    """In this process; memory is the most that it ever held."""
    questions = [f"Does {model} fit on the {target} within {ms} ms?" for model in ("kws", "ad", "vww", "ic")
                 for target in ("stm32h743zi", "nrf52840", "esp32-s3", "rpi4") for ms in (1, 20, 50)]  # fmt: skip
    with tempfile.TemporaryDirectory() as made:
        took, held = list[float](), list[int]()
        for number in range(count):
            begun = time.process_time()
            Planner(Workspace(Path(made))).ask(questions[number % len(questions)])
            took.append(time.process_time() - begun)
            held.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
    every = len(questions)
    first, last = (sum(took[begin : begin + every]) for begin in (every, count - every))
    more, drift = held[-1] - held[2 * every], last / first
    wrong = [f"{more} MiB more"] * (more > 20) + [f"{drift:.2f} times as long at the end"] * (drift > 1.3)
    return [Row("questions in one process", "1,000; at most 20 MB more, no drift of time",
                f"{count:,}; {more} MiB more, {drift:.2f} times as long at the end", tuple(wrong))]  # fmt: skip


def ways() -> dict[str, list[Reply]]:
    call = tool_call("evaluate", {"models": ["kws"], "targets": ["stm32h743zi"], "show": ["memory"]})
    deep = json.dumps({"models": json.loads("[" * 400 + "]" * 400)})
    good = json.dumps({"choices": [{"index": 0, "message": {"role": "assistant", "content": "Fine."}}]})
    return {
        "500": [failure(500, "oops")], "502 as a page": [html(502)], "503": [failure(503, "busy")],
        "400": [failure(400, "no")], "401 that quotes the key": [failure(401, f"Incorrect API key: {KEY}")],
        "403": [failure(403, "no")], "404": [failure(404, "no such model")], "418": [failure(418, "teapot")],
        "429": [RATE_LIMITED], "429 with a long wait": [failure(429, "slow down", retry_after="0")],
        "out of quota": [OUT_OF_QUOTA], "context too long": [CONTEXT_OVERFLOW], "no tools": [NO_TOOL_CALLING],
        "an empty body": [Reply(body="")], "no JSON": [Reply(body="{")], "null": [Reply(body="null")],
        "a list": [Reply(body="[]")], "no choices": [Reply(body='{"choices": []}')], "a page": [html(200)],
        "choices without end": [Reply(body=good)], "a stream of garbage": [Reply(raw="data: {{{\n\n")],
        "an empty stream": [Reply(raw="")], "a stream of nothing": [Reply(raw="data: [DONE]\n\n")],
        "a stream that breaks": [text("one two three four", break_after=2)],
        "a stream that ends early": [text("one two three four", end_after=2)],
        "a call of nothing": [tool_call("no_such_tool", {})], "arguments that are no JSON": [tool_call("evaluate", "{{{")],
        "arguments nested deep": [tool_call("evaluate", deep)], "the same call for ever": [call],
        "a reply without end": [text("words " * 20_000)], "escapes": [text("\x1b[2J\x1b]0;owned\x07 \u202e")],
        "numbers of its own": [text("It takes 1.234 ms and 5 KiB: PASS.")],
    }  # fmt: skip


def endpoint() -> list[Row]:
    wrong, every = list[str](), ways()
    for name, replies in every.items():
        with tempfile.TemporaryDirectory() as made, OpenAIServer(replies, repeat_last=True) as server:
            more = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": KEY}
            begun = time.monotonic()
            try:
                done = subprocess.run(
                    [*START, "ask", "--llm", "stub", "How much RAM does kws take on the stm32h743zi?"], cwd=made,
                    env=environment(Path(made)) | more, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                    check=False, timeout=120,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                wrong.append(f"{name}: no end after 120 s")
                continue
            said = done.stdout + done.stderr
            bad = [word for word in ("Traceback", KEY, "\x1b", "\u202e", "\x07") if word in said]
            if (
                bad
                or done.returncode not in (0, 4, 5, 6)
                or not said.strip()
                or time.monotonic() - begun > 60
            ):
                wrong.append(f"{name}: exit {done.returncode}, {bad}, {said[-200:]!r}")
    return [
        Row(
            "ways for an endpoint to misbehave",
            "30; a clear line or an answer",
            str(len(every)),
            tuple(wrong),
        )
    ]
