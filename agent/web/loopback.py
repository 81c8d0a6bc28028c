"""What every server of this machine shares: the port, the token, and who may ask.

Any program and any user of the machine reaches a port of the loopback, and any page that a browser has open
can be made to ask it; so a token is asked for, and the names of host and page are checked.
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import json
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from ...hardware_db.errors import UsageError
from ...tools.core.records import dataclass

LOOPBACK = "127.0.0.1"
_NAMES = (LOOPBACK, "localhost")
_CLIENTS_AT_MOST = 256
_TRIED_PORTS = 100
_GRACE_S = 1
LARGEST_BODY_BYTES = 1 << 20
_SAFE = (
    (b"cache-control", b"no-store"), (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"), (b"x-frame-options", b"DENY"),
)  # fmt: skip


@dataclass(frozen=True)
class Token:
    """What clients have to know; `given` by the environment, else made for this run."""

    text: str
    given: bool

    @classmethod
    def from_environment(cls, variable: str) -> Token:
        """The one that `variable` holds, else a new one."""
        given = os.environ.get(variable)
        return cls(given or secrets.token_urlsafe(24), bool(given))


def listening(port: int) -> socket.socket:
    """A socket on `port` of the loopback; 0 takes any that is free.

    Raises:
        UsageError: the port is in use or not allowed; names the next free one.
    """
    try:
        return _bound(port)
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
        free = next(_free_after(port), None)
        hint = "Take another with --port." if free is None else f"The next free one: --port {free}."
        raise UsageError(f"Port {port} {why}.", hint=hint) from None


def _free_after(port: int) -> Iterator[int]:
    for other in range(max(port, 1023) + 1, min(port + _TRIED_PORTS, 65_536)):
        with contextlib.suppress(OSError):
            _bound(other).close()
            yield other


def _bound(port: int) -> socket.socket:
    listener = socket.socket()
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def run(app: Any, listener: socket.socket, *, begin: Callable[[uvicorn.Server], None] | None = None) -> None:
    """Serve `app` until it is interrupted, which ends it at once: open requests have a second.

    Args:
        app: an ASGI application.
        listener: of `listening`; it is closed at the end.
        begin: is called with the server before it starts, which says when it ends (`should_exit`).
    """
    config = uvicorn.Config(
        app, log_level="warning", limit_concurrency=_CLIENTS_AT_MOST, server_header=False, ws="none",
        timeout_keep_alive=5, timeout_graceful_shutdown=_GRACE_S,
    )  # fmt: skip
    server = uvicorn.Server(config)
    if begin is not None:
        begin(server)
    with listener, contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def guarded(app: Any, token: str, port: int) -> Any:
    """The same application for those alone who know the token, and for no page but its own.

    A program sends `Authorization: Bearer TOKEN`; a browser opens /TOKEN/, below which all of it lies, as a
    cookie would be sent to every other port of the machine too.
    """
    hosts = {f"{name}:{port}".encode() for name in _NAMES}
    origins = {b"http://" + host for host in hosts}
    bearer, prefix = f"Bearer {token}".encode(), f"/{token}/"

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        headers = dict(scope.get("headers") or ())
        path = scope.get("path", "/")
        behind_token = hmac.compare_digest(path[: len(prefix)].encode(), prefix.encode())
        knows = behind_token or hmac.compare_digest(headers.get(b"authorization", b""), bearer)
        refusal = _refusal(headers, hosts, origins, knows=knows) or _too_large(headers)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        if behind_token:
            scope = {**scope, "path": path[len(prefix) - 1 :], "raw_path": None}
        await app(scope, _bounded(receive), _safely(send))

    return guard


def _refusal(
    headers: dict[bytes, bytes], hosts: set[bytes], origins: set[bytes], *, knows: bool
) -> tuple[int, str, str] | None:
    """Status, message and hint of a request that is not answered."""
    if headers.get(b"host", b"").lower() not in hosts:
        return 403, "This host name is not served.", f"Ask http://{LOOPBACK} and its port."
    if headers.get(b"origin", b"").lower() not in {b"", *origins}:
        return 403, "Pages of other origins are not answered.", "Open the address that was printed."
    if not knows:
        hint = "Send Authorization: Bearer TOKEN, or open the address that was printed at the start."
        return 401, "A token is needed.", hint
    return None


def _too_large(headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and int(length) <= LARGEST_BODY_BYTES:
        return None
    return (
        413,
        f"A request holds at most {LARGEST_BODY_BYTES >> 10} KiB.",
        "Name files in place of sending them.",
    )


def _bounded(receive: Any) -> Any:
    """A body whose length was not told ends where it grows too long, as if its sender had gone."""
    received = 0

    async def bounded() -> Any:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        return message if received <= LARGEST_BODY_BYTES else {"type": "http.disconnect"}

    return bounded


async def _refuse(send: Any, status: int, message: str, hint: str) -> None:
    body = error_body(2, message, hint)
    more = [(b"www-authenticate", b"Bearer")] if status == 401 else []
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *more]
    await _safely(send)({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def error_body(code: int, message: str, hint: str = "") -> bytes:
    """The document of an error, as `--json` prints it; `code` is the exit code of the same command."""
    document = {"error": {"code": code, "message": message, "hint": hint}}
    return json.dumps(document, ensure_ascii=False).encode()


def _safely(send: Any) -> Any:
    """Nothing is kept, framed, guessed at, or told to other sites."""

    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start":
            there = {name for name, _ in message.get("headers", ())}
            more = [pair for pair in _SAFE if pair[0] not in there]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return sent
