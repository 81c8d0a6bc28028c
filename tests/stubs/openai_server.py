"""A small OpenAI-compatible server on loopback that answers from a script, good days and bad.

with OpenAIServer([tool_call("get_target", {"target": "stm32h743zi"}), text("Done.")]) as server:
    ChatOpenAI(base_url=server.base_url, ...)
    server.bodies  # every request, as JSON
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@dataclass(frozen=True)
class Reply:
    """One reply of the server: a stream of deltas, or a body with a status."""

    deltas: Sequence[dict[str, Any]] = ()
    finish: str | None = "stop"
    status: int = 200
    body: str | None = None
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    usage: bool = True
    stall_after: int | None = None
    """Fall silent after this many deltas, until the client gives up or the server stops."""
    break_after: int | None = None
    """Drop the connection after this many deltas, against the length that was announced."""
    end_after: int | None = None
    """Close the stream after this many deltas as if it were complete, with no finish reason and no [DONE]."""
    pause_s: float = 0
    """Wait so long before each delta."""
    raw: str | None = None
    """Sent in place of the stream."""


def text(content: str, **more: Any) -> Reply:
    return Reply([{"content": piece} for piece in re.findall(r"\s*\S+\s*?", content)], **more)


def tool_call(name: str, arguments: dict[str, Any] | str, call_id: str = "call_1", **more: Any) -> Reply:
    """`arguments` as text go out as they are, however malformed."""
    whole = arguments if isinstance(arguments, str) else json.dumps(arguments)
    middle = len(whole) // 2
    head = {"index": 0, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
    parts = [{"index": 0, "function": {"arguments": part}} for part in (whole[:middle], whole[middle:])]
    return Reply([{"tool_calls": [part]} for part in (head, *parts)], **({"finish": "tool_calls"} | more))


def failure(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return Reply(
        status=status, body=json.dumps(body), headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


def html(status: int = 500) -> Reply:
    page = "<html><body><h1>Bad Gateway</h1><script>alert(1)</script></body></html>"
    return Reply(status=status, body=page, content_type="text/html")


CONTEXT_OVERFLOW = failure(
    400, "This model's maximum context length was exceeded.", "context_length_exceeded"
)
NO_TOOL_CALLING = failure(400, '"auto" tool choice requires --enable-auto-tool-choice to be set')
RATE_LIMITED = failure(429, "Rate limit reached, slow down.", "rate_limit_exceeded", retry_after="0")
OUT_OF_QUOTA = failure(429, "You exceeded your current quota.", "insufficient_quota")


class OpenAIServer:
    """Answers each chat request with the next reply; the last one again where `repeat_last`."""

    def __init__(
        self, replies: Sequence[Reply], *, models: Sequence[str] = ("stub",), repeat_last: bool = False
    ) -> None:
        self.replies = list(replies)
        self.models = list(models)
        self.repeat_last = repeat_last
        self.bodies: list[dict[str, Any]] = []
        self.authorizations: list[str] = []
        self.paths: list[str] = []
        self.requests = 0
        """Connections of any kind, whatever they asked for."""
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def next_reply(self, path: str, body: dict[str, Any], authorization: str) -> Reply:
        with self._lock:
            self.paths.append(path)
            self.bodies.append(body)
            self.authorizations.append(authorization)
            turn = len(self.bodies) - 1
            if turn < len(self.replies):
                return self.replies[turn]
            if self.repeat_last:
                return self.replies[-1]
            return failure(500, "the script has no reply left")

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler_for(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def setup(self) -> None:
            server.requests += 1
            super().setup()

        def do_GET(self) -> None:
            data = [{"id": name, "object": "model"} for name in server.models]
            self._send(200, "application/json", json.dumps({"object": "list", "data": data}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = server.next_reply(self.path, body, self.headers.get("Authorization", ""))
            try:
                if reply.body is not None:
                    self._send(reply.status, reply.content_type, reply.body, reply.headers)
                elif body.get("stream"):
                    self._stream(reply, body)
                else:
                    self._send(200, "application/json", json.dumps(_whole(reply)))
            except (BrokenPipeError, ConnectionResetError):
                pass

        def _send(self, status: int, kind: str, text: str, headers: dict[str, str] | None = None) -> None:
            data = text.encode()
            self.send_response(status)
            for name, value in {
                "Content-Type": kind,
                "Content-Length": str(len(data)),
                **(headers or {}),
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, reply: Reply, body: dict[str, Any]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            if reply.break_after is not None:
                self.send_header("Content-Length", "1000000")
            self.end_headers()
            if reply.raw is not None:
                self.wfile.write(reply.raw.encode())
                return
            for sent, delta in enumerate(reply.deltas):
                server.stopping.wait(reply.pause_s)
                if sent == reply.stall_after:
                    server.stopping.wait(10)
                    return
                if sent in (reply.break_after, reply.end_after):
                    return
                self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            if len(reply.deltas) in (reply.end_after, reply.break_after):
                return
            self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]})
            if reply.usage and body.get("stream_options", {}).get("include_usage"):
                self._event({"choices": [], "usage": USAGE})
            self.wfile.write(b"data: [DONE]\n\n")

        def _event(self, more: dict[str, Any]) -> None:
            data = {
                "id": "chatcmpl-1",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "stub",
                **more,
            }
            self.wfile.write(f"data: {json.dumps(data)}\n\n".encode())
            self.wfile.flush()

    return Handler


def _whole(reply: Reply) -> dict[str, Any]:
    """The reply to a request that asked for no stream."""
    content = "".join(delta.get("content", "") for delta in reply.deltas)
    calls: dict[int, dict[str, Any]] = {}
    for part in (part for delta in reply.deltas for part in delta.get("tool_calls", ())):
        call = calls.setdefault(
            part["index"], {"type": "function", "function": {"name": "", "arguments": ""}}
        )
        call.setdefault("id", part.get("id"))
        call["function"]["name"] = call["function"]["name"] or part["function"].get("name", "")
        call["function"]["arguments"] += part["function"].get("arguments", "")
    message = {"role": "assistant", "content": content or None, "tool_calls": list(calls.values()) or None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish}],
        "usage": USAGE,
    }
