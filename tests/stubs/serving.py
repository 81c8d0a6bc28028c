"""A server on the loopback for tests, in a thread of its own; it ends with the test."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgewright.agent.web.app import build_app
from edgewright.agent.web.loopback import guarded, listening, run
from edgewright.agent.workspace import Workspace

TOKEN = "s3cret"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Served:
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{TOKEN}/"

    def ask(
        self,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        method: str = "",
        token: str = TOKEN,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Authorization": f"Bearer {token}", **(headers or {})}
        connection.request(method or ("GET" if body is None else "POST"), path, body, sent)
        answer = connection.getresponse()
        given = Answer(answer.status, dict(answer.getheaders()), answer.read())
        connection.close()
        return given

    def post(self, path: str, document: Any) -> Answer:
        return self.ask(path, json.dumps(document).encode(), {"Content-Type": "application/json"})


@contextlib.contextmanager
def served(directory: Path, given: Mapping[str, Any] | None = None) -> Iterator[Served]:
    running: list[Any] = []
    ends = lambda: bool(running) and running[0].should_exit  # noqa: E731
    app = build_app(given or {}, Workspace(directory), ends)
    listener = listening(0)
    port = listener.getsockname()[1]
    thread = threading.Thread(
        target=run, args=(guarded(app, TOKEN, port), listener), kwargs={"begin": running.append}
    )
    thread.start()
    try:
        yield Served(port)
    finally:
        running[0].should_exit = True
        thread.join(20)
        assert not thread.is_alive()
