"""The server of one user's machine: the page at /, the tools as JSON at /v1, and what describes them."""

from __future__ import annotations

import asyncio
import functools
import json
import sys
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ...hardware_db.errors import EdgewrightError, UsageError
from ...tools.core.settings import Settings
from ..workspace import Workspace
from .calls import called, served, status_of, tool_called
from .live import Pages, Shown, without_figures
from .loopback import LOOPBACK, Token, error_body, guarded, listening, run
from .openapi import openapi
from .work import BusyError, LateError, Work

TOKEN_VARIABLE = "EDGEWRIGHT_TOKEN"  # noqa: S105 (its name)
"""Where it is set, it is the token of every run."""
MOST_BODY_BYTES = 256 * 1024
BODY_S = 10.0
_JSON = "application/json"
_LOOKS_S, _ALIVE_S = 0.25, 15.0
_INTERNAL = 1


def build_app(
    given: Mapping[str, Any], workspace: Workspace, ends: Callable[[], bool] = lambda: False
) -> Starlette:
    """
    Args:
        given: arguments of the page, as `edgewright serve` takes them.
        workspace: the directory that models are read in.
        ends: whether the server is about to end, so that nothing waits for it.
    """
    server = _Server(Pages(given, workspace), workspace, ends)
    return Starlette(
        routes=[
            Route("/", server.page),
            Route("/events", server.events),
            Route("/openapi.json", server.description),
            Route("/v1", server.listing),
            Route("/v1/{tool}", server.call, methods=["GET", "POST"]),
        ],
        exception_handlers={
            EdgewrightError: _refused, HTTPException: _not_there, Exception: _ours,
        },
    )  # fmt: skip


def serve(given: Mapping[str, Any], port: int, directory: Path, settings: Settings | None = None) -> None:
    """Serve the page and the tools on the loopback until interrupted.

    Args:
        given: arguments of the page, as `edgewright serve` takes them; a model's file may lie anywhere.
        port: 0 takes any that is free.
        directory: where the models lie that clients may name.
        settings: of the user's environment; None reads it.

    Raises:
        UsageError: the port is in use, or there is no such directory.
        EdgewrightError: arguments that mean nothing.
    """
    if not directory.is_dir():
        raise UsageError(f"{str(directory)!r} is no directory.", hint="See --directory.")
    workspace = Workspace(directory, settings=settings)
    for name in ("model", "budget"):
        workspace.allow(given.get(name))
    running: list[Any] = []
    app = build_app(given, workspace, lambda: bool(running) and running[0].should_exit)
    listener, token = listening(port), Token.from_environment(TOKEN_VARIABLE)
    port = listener.getsockname()[1]
    shown = f"TOKEN/ (that of {TOKEN_VARIABLE})" if token.given else f"{token.text}/"
    print(f"edgewright: http://{LOOPBACK}:{port}/{shown}", file=sys.stderr)
    print(
        "edgewright: Ctrl-C ends it; programs send Authorization: Bearer TOKEN", file=sys.stderr, flush=True
    )
    run(guarded(app, token.text, port), listener, begin=running.append)


class _Server:
    def __init__(self, pages: Pages, workspace: Workspace, ends: Callable[[], bool]) -> None:
        self._pages, self._workspace, self._ends = pages, workspace, ends
        self._work = Work()

    async def page(self, request: Request) -> Response:
        asked, version = _asked(request), ""
        try:
            shown = self._pages.at(asked)
            version = shown.version()
            return HTMLResponse(await self._work.done(functools.partial(self._pages.html, shown)))
        except EdgewrightError as error:
            given = self._pages.given(asked)
            made = functools.partial(without_figures, given, self._workspace, str(error), version)
            return HTMLResponse(await self._work.done(made), _status(error))

    async def events(self, request: Request) -> Response:
        shown = self._pages.at(_asked(request))
        return StreamingResponse(self._changes(shown), media_type="text/event-stream")

    async def _changes(self, shown: Shown) -> AsyncIterator[str]:
        """The version of what is shown, now and again when it is another and stays so for a moment."""
        sent, before, quiet = "", shown.version(), 0.0
        while not self._ends():
            now = shown.version()
            if now == before != sent:
                sent, quiet = now, 0.0
                yield f"data: {sent}\n\n"
            elif quiet >= _ALIVE_S:
                quiet = 0.0
                yield ": still here\n\n"
            before = now
            quiet += _LOOKS_S
            await asyncio.sleep(_LOOKS_S)

    async def listing(self, _: Request) -> Response:
        rows = [{"tool": t.function, "command": t.command, "help": t.help} for t in served()]
        return JSONResponse({"tools": rows, "description": "openapi.json"})

    async def description(self, _: Request) -> Response:
        return Response(await self._work.done(_description), media_type=_JSON)

    async def call(self, request: Request) -> Response:
        tool = tool_called(request.path_params["tool"])
        asked = await _body(request) if request.method == "POST" else _asked(request)
        document = await self._work.done(functools.partial(called, tool, asked, self._workspace))
        return Response(json.dumps(document, ensure_ascii=False).encode(), media_type=_JSON)


@functools.cache
def _description() -> bytes:
    return json.dumps(openapi(served()), ensure_ascii=False).encode()


def _asked(request: Request) -> dict[str, Any]:
    """Of the address: a text, or the list of texts where a name stands there again."""
    given = request.query_params
    lists = {name: given.getlist(name) for name in given}
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in lists.items()}


async def _body(request: Request) -> dict[str, Any]:
    """
    Raises:
        HTTPException: it is too large, too slow, or no JSON object.
    """
    if request.headers.get("content-type", _JSON).partition(";")[0].strip() != _JSON:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send application/json.")
    read = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                read += part
                if len(read) > MOST_BODY_BYTES:
                    large = f"The body is above {MOST_BODY_BYTES // 1024} KiB."
                    raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, large)
    except TimeoutError:
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "The body did not come in time.") from None
    try:
        given = json.loads(bytes(read) or b"{}")
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "The body is no JSON object.")
    return given


def _status(error: EdgewrightError) -> HTTPStatus:
    match error:
        case BusyError():
            return HTTPStatus.SERVICE_UNAVAILABLE
        case LateError():
            return HTTPStatus.GATEWAY_TIMEOUT
        case _:
            return status_of(error)


def _failed(status: int, code: int, message: str, hint: str = "") -> Response:
    more = {"retry-after": "5"} if status == HTTPStatus.SERVICE_UNAVAILABLE else None
    return Response(error_body(code, message, hint), status, media_type=_JSON, headers=more)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, EdgewrightError)
    return _failed(_status(error), error.exit_code, error.message, error.hint)


async def _not_there(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    lost = error.status_code == HTTPStatus.NOT_FOUND
    hint = "There is /, /v1, /v1/TOOL and /openapi.json." if lost else ""
    return _failed(error.status_code, UsageError.exit_code, error.detail, hint)


async def _ours(_: Request, error: Exception) -> Response:
    traceback.print_exception(error, file=sys.stderr)
    return _failed(
        HTTPStatus.INTERNAL_SERVER_ERROR, _INTERNAL, f"{type(error).__name__} inside the server: a bug.",
        "Please report it.",
    )  # fmt: skip
