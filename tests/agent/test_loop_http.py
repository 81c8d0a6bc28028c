"""The same loop over real HTTP with token streaming, on an endpoint's bad days."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.answer import StopReason
from edgewright.agent.assistant import Assistant, RunLimits
from edgewright.agent.chat_models import chat_model
from edgewright.agent.events import TextDelta, TextReplaced, ToolStarted
from edgewright.agent.sessions.session import OpenSession
from edgewright.agent.sessions.transcript import Transcript
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EndpointError
from stubs.fake_tools import FAKE_TOOLS
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
from stubs.session_logs import events_in

KEY = "sk-test-0123456789-very-secret"
H743 = {"target": "stm32h743zi"}
ANSWER = text("It takes 12.5 ms.")

Serve = Callable[..., tuple[Assistant, OpenAIServer]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(*replies: Reply, **more: Any) -> tuple[Assistant, OpenAIServer]:
            repeat = more.pop("repeat_last", False)
            server = stack.enter_context(OpenAIServer(replies, repeat_last=repeat))
            model, name = chat_model("stub", server.base_url, KEY, timeout_s=0.5, max_retries=0)
            session = OpenSession(Transcript(tmp_path / "talk.db"))
            options: dict[str, Any] = {"llm_name": name, "tools": FAKE_TOOLS}
            return Assistant(model, Workspace(tmp_path), session=session, **(options | more)), server

        yield start


def roles(body: dict[str, Any]) -> list[str]:
    return [message["role"] for message in body["messages"]]


def test_a_tool_is_called_and_the_answer_is_streamed(serve: Serve) -> None:
    assistant, server = serve(tool_call("get_latency", H743), ANSWER)
    events = list(assistant.stream("How long?"))
    answer = events[-1].answer  # type: ignore[union-attr]
    assert [e.text for e in events if isinstance(e, TextDelta)] == ["It", " takes", " 12.5 ms."]
    assert answer.answer == "It takes 12.5 ms."
    assert answer.complete
    assert answer.llm == "stub"
    assert answer.usage == {"input_tokens": 22, "output_tokens": 14}
    assert [roles(body) for body in server.bodies] == [
        ["system", "user"],
        ["system", "user", "assistant", "tool"],
    ]
    assert server.authorizations == [f"Bearer {KEY}"] * 2


def test_requests_hold_what_every_compatible_server_takes(serve: Serve) -> None:
    assistant, server = serve(tool_call("get_latency", H743), ANSWER)
    assistant.ask("How long?")
    body = server.bodies[1]
    assert set(body) == {"model", "messages", "tools", "stream", "stream_options"}
    assert all(isinstance(message["content"], str) for message in body["messages"])
    assert "latency_ms: 12.5 ms" in body["messages"][-1]["content"]


def test_an_endpoint_that_counts_no_tokens_leaves_usage_unknown(serve: Serve) -> None:
    assistant, _ = serve(text("Fine.", usage=False))
    assert assistant.ask("Well?").usage is None


@pytest.mark.parametrize(
    "arguments",
    [
        '{"target": "stm32h743zi", "batch": 3',
        "",
        '["stm32h743zi"]',
        '"stm32h743zi"',
        "{'target': 1}",
        "{" * 4000,
    ],
)
def test_arguments_that_are_not_whole_json_are_asked_for_again_and_never_run(
    serve: Serve, arguments: str
) -> None:
    assistant, server = serve(
        tool_call("get_latency", arguments or '{"target"'),
        tool_call("get_latency", {**H743, "batch": 32}),
        ANSWER,
    )
    events = list(assistant.stream("Is it 12.5 ms?"))
    started = [e.arguments for e in events if isinstance(e, ToolStarted)]
    assert started == [{**H743, "batch": 32}]
    assert "could not be used" in server.bodies[1]["messages"][-1]["content"]
    assert "could not be used" not in json.dumps(server.bodies[2])


def test_a_model_that_only_writes_broken_calls_is_given_up_after_two_repairs(serve: Serve) -> None:
    assistant, server = serve(tool_call("get_latency", '{"target": '), repeat_last=True)
    with pytest.raises(EndpointError, match=r"stub writes replies that cannot be used.*get_latency"):
        assistant.ask("How long?")
    assert len(server.bodies) == 3


def test_a_stream_cut_in_a_tool_call_is_asked_for_again(serve: Serve) -> None:
    assistant, server = serve(
        tool_call("get_latency", H743, end_after=2), tool_call("get_latency", H743), ANSWER
    )
    assert assistant.ask("How long?").complete
    assert len(server.bodies) == 3


def test_a_stream_cut_in_the_answer_is_shown_as_incomplete(serve: Serve) -> None:
    assistant, _ = serve(text("It takes about some", end_after=2))
    answer = assistant.ask("How long?")
    assert answer.answer == "It takes"
    assert (answer.complete, answer.stop_reason) == (False, StopReason.CUT)


def test_a_server_that_repeats_names_and_ids_in_every_piece_is_understood(serve: Serve) -> None:
    pieces = [
        {"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "get_latency", "arguments": part}}]}
        for part in ('{"target": ', '"stm32h743zi"}')
    ]
    assistant, _ = serve(Reply(pieces, finish="tool_calls"), ANSWER)
    assert [c["id"] for c in assistant.ask("How long?").tool_calls] == ["r1"]


@pytest.mark.parametrize("index", [{"index": 0}, {}])
def test_a_server_that_numbers_all_calls_alike_or_not_at_all_is_understood(
    serve: Serve, index: dict[str, int]
) -> None:
    def call(call_id: str, target: str) -> dict[str, Any]:
        function = {"name": "get_latency", "arguments": json.dumps({"target": target})}
        return {"tool_calls": [{**index, "id": call_id, "function": function}]}

    both = Reply([call("c1", "stm32h743zi"), call("c2", "nrf52840")], finish="tool_calls")
    assistant, _ = serve(both, text("12.5 ms against 480.25 ms."))
    called = assistant.ask("Compare.").tool_calls
    assert {c["id"]: c["arguments"]["target"] for c in called} == {"r1": "stm32h743zi", "r2": "nrf52840"}


def test_an_unknown_tool_is_told_the_known_ones(serve: Serve) -> None:
    assistant, server = serve(tool_call("get_weather", {}), text("I cannot tell."))
    assert assistant.ask("Rain?").complete
    assert "get_latency" in server.bodies[1]["messages"][-1]["content"]


def test_an_endless_loop_ends(serve: Serve) -> None:
    assistant, server = serve(tool_call("check_fit", H743), repeat_last=True, limits=RunLimits(model_calls=3))
    answer = assistant.ask("Does it fit?")
    assert answer.stop_reason is StopReason.MODEL_CALL_LIMIT
    assert len(server.bodies) == 3


def test_an_invented_number_is_never_on_the_screen(serve: Serve) -> None:
    assistant, _ = serve(text("It takes 99 ms."), text("It is unknown."))
    events = list(assistant.stream("How long?"))
    shown = [e for e in events if isinstance(e, TextDelta | TextReplaced)]
    withdrawn = shown.index(TextReplaced(""))
    assert "".join(e.text for e in shown[:withdrawn]) == "It takes"
    assert "".join(e.text for e in shown[withdrawn:]) == "It is unknown."


def test_earlier_turns_are_forgotten_where_they_are_too_long_for_the_model(serve: Serve) -> None:
    assistant, server = serve(text("Fine."), CONTEXT_OVERFLOW, text("Fine again."))
    assistant.ask("First?")
    assert assistant.ask("Second?").answer == "Fine again."
    assert [roles(body) for body in server.bodies[1:]] == [
        ["system", "user", "assistant", "user"],
        ["system", "user"],
    ]


def test_a_server_that_does_not_know_stream_options_is_asked_without(serve: Serve) -> None:
    assistant, server = serve(failure(422, "extra fields not permitted: stream_options"), text("Fine."))
    assert assistant.ask("Well?").answer == "Fine."
    assert ["stream_options" in body for body in server.bodies] == [True, False]


def test_words_of_ours_to_the_model_carry_no_name(serve: Serve) -> None:
    assistant, server = serve(text("It takes 99 ms."), text("It is unknown."))
    assistant.ask("How long?")
    assert all("name" not in message for message in server.bodies[1]["messages"])


BAD_DAYS = {
    "refused key": (failure(401, f"Incorrect API key provided: {KEY}"), r"refused the key.*OPENAI_API_KEY"),
    "not allowed": (failure(403, f"{KEY} may not"), r"does not let this key use stub"),
    "no such model": (failure(404, "no such model"), r"knows no model stub.*OPENAI_BASE_URL"),
    "too many requests": (RATE_LIMITED, r"takes no more requests for now"),
    "out of quota": (OUT_OF_QUOTA, r"out of quota"),
    "web page": (html(500), r"failed \(500\)\. Try again"),
    "web page as success": (html(200), r"does not speak OpenAI's chat protocol"),
    "another protocol": (Reply(raw="data: [3]\n\n"), r"does not speak OpenAI's chat protocol"),
    "no JSON in the stream": (Reply(raw="data: {no\n\n"), r"does not speak OpenAI's chat protocol"),
    "error in the stream": (
        Reply(raw=f'data: {{"error": {{"message": "boom {KEY}"}}}}\n\n'),
        r'said: "boom \*\*\*"',
    ),
    "context overflow": (CONTEXT_OVERFLOW, r"longer than stub can take"),
    "no tool calling": (NO_TOOL_CALLING, r"without tool calling.*--enable-auto-tool-choice"),
    "dropped connection": (text("It takes about", break_after=2), r"connection to .* failed"),
    "stall": (text("It takes about", stall_after=1), r"did not answer in time"),
}


@pytest.mark.parametrize("day", BAD_DAYS)
def test_every_failure_is_one_line_and_loses_nothing_of_the_conversation(
    serve: Serve, tmp_path: Path, day: str, caplog: pytest.LogCaptureFixture
) -> None:
    bad, pattern = BAD_DAYS[day]
    again = [bad] if day == "web page as success" else []  # it is asked once more without a stream
    script = [tool_call("get_latency", H743), bad, *again, text("Then it takes 12.5 ms.")]
    assistant, server = serve(*script)
    with caplog.at_level(logging.DEBUG), pytest.raises(EndpointError, match=pattern) as caught:
        assistant.ask("How long?")
    line = str(caught.value)
    assert caught.value.exit_code == 4
    assert len(line.splitlines()) == 1
    assert len(line) < 500
    assert "<" not in line

    saved = "".join(p.read_bytes().decode("utf-8", "replace") for p in tmp_path.glob("talk.*"))
    trace = "".join(traceback.format_exception(caught.value))
    assert not [place for place in (line, saved, trace, caplog.text) if KEY in place]
    kinds = [event["kind"] for event in events_in(tmp_path / "talk.db")]
    assert kinds == ["question", "tool_call", "tool_result", "interrupted"]

    answer = assistant.ask("Once more?")
    assert answer.grounded
    assert roles(server.bodies[-1]) == ["system", "user", "assistant", "tool", "assistant", "user"]


def test_a_server_that_is_down_is_named(tmp_path: Path) -> None:
    with OpenAIServer([]) as server:
        url = server.base_url
    model, name = chat_model("stub", url, KEY, timeout_s=0.5, max_retries=0)
    assistant = Assistant(model, Workspace(tmp_path), llm_name=name, tools=FAKE_TOOLS)
    with pytest.raises(EndpointError, match=r"connection to http://127.0.0.1:\d+/v1 failed"):
        assistant.ask("How long?")


def test_a_rate_limit_is_waited_out(tmp_path: Path) -> None:
    busy = failure(429, "slow down", "rate_limit_exceeded", retry_after_ms="20")
    with OpenAIServer([busy, text("Fine.")]) as server:
        model, name = chat_model("stub", server.base_url, KEY, timeout_s=0.5)
        assistant = Assistant(model, Workspace(tmp_path), llm_name=name, tools=FAKE_TOOLS)
        assert assistant.ask("Well?").answer == "Fine."


def test_a_key_that_the_endpoint_says_is_shown_nowhere(serve: Serve) -> None:
    assistant, _ = serve(text(f"Your key is {KEY}, keep it."))
    shown = "".join(e.text for e in assistant.stream("how fast?") if isinstance(e, TextDelta))
    assert "very-secret" not in shown
    assert "Your key is ***, keep it." in shown


@pytest.mark.parametrize("message", [f"Bad key {KEY}", f"Bad key {KEY[:12]}...", "Bad key sk-" + "a1" * 20])
def test_a_key_in_an_error_of_the_endpoint_is_hidden_whole_or_cut(message: str, serve: Serve) -> None:
    assistant, _ = serve(failure(400, message))
    with pytest.raises(EndpointError) as refused:
        assistant.ask("how fast?")
    assert "Bad key ***" in str(refused.value)


def test_an_endpoint_that_asks_for_a_long_wait_is_named(
    serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    assistant, _ = serve(failure(429, "slow down", None, **{"Retry-After": "50"}))
    with pytest.raises(EndpointError):
        assistant.ask("how fast?")
    assert "(429) asks to wait 50 s" in capsys.readouterr().err
