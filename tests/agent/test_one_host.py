"""A question goes to the host that the user named, whatever that answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

httpx = pytest.importorskip("httpx")
pytest.importorskip("langchain_openai")

from edgewright.agent.llm.openai_compatible import client_of_one_host  # noqa: E402


@contextmanager
def server(location: str) -> Iterator[tuple[int, list[str]]]:
    asked: list[str] = []

    class Redirecting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.rfile.read(int(self.headers.get("content-length", 0)))
            moved = self.path == "/v1"
            self.send_response(307 if moved else 200)
            if moved:
                self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    made = HTTPServer(("127.0.0.1", 0), Redirecting)
    Thread(target=made.serve_forever, daemon=True).start()
    try:
        yield made.server_port, asked
    finally:
        made.shutdown()
        made.server_close()


def test_a_redirect_to_another_host_is_not_followed() -> None:
    with (
        server("/") as (elsewhere, heard),
        server(f"http://127.0.0.1:{elsewhere}/there") as (port, _),
        client_of_one_host() as client,
        pytest.raises(httpx.TooManyRedirects, match="no question is sent"),
    ):
        client.post(f"http://127.0.0.1:{port}/v1", content=b"a question")
    assert heard == []


def test_a_redirect_within_the_host_is_followed() -> None:
    with server("/v1/") as (port, asked), client_of_one_host() as client:
        assert client.post(f"http://127.0.0.1:{port}/v1", content=b"a question").status_code == 200
    assert asked == ["/v1", "/v1/"]
