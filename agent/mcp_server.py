"""The tools over the Model Context Protocol, for assistants that others build."""

from __future__ import annotations

import functools
import json
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPDeprecationWarning
from pydantic import ValidationError

from .. import __version__
from ..hardware_db.errors import EdgewrightError, UsageError, nearest
from ..prompts import load_prompt
from ..tools.core.settings import Settings
from . import mcp_resources
from .compaction import DEFAULT_TOP, compact, document_of
from .concise import shown
from .views import FORMER, VIEWS, View, error_text
from .web.loopback import LOOPBACK, Token, guarded, listening, run
from .web.work import Work
from .workspace import Workspace, cleaned_name

TOKEN_VARIABLE = "EDGEWRIGHT_MCP_TOKEN"  # noqa: S105 (its name)
"""Where it is set, clients over HTTP have to send it."""
_ROOTS = "roots"
AT_ONCE, WAITS_S, LONGEST_S = 8, 120.0, 300.0
"""Calls that are computed at a time, how long another waits for its place, and how long one may take."""


def build_server(
    directory: Path | None = None, settings: Settings | None = None, *, trusts_roots: bool = True
) -> Server[Any]:
    """A server of every view of the tools.

    Tools read models inside `directory` (the working directory where None), or inside the roots that a
    client declares instead. Where those are not trusted they only narrow the directory. Nothing is written,
    and no network is reached. `settings` is of the user's environment; None reads it.
    """
    home = (directory or Path.cwd()).resolve()
    known = functools.partial(_workspace, home, settings, trusts_roots)
    return Server(
        "edgewright",
        version=__version__,
        instructions=load_prompt("mcp.md"),
        on_list_tools=_list_tools,
        on_call_tool=functools.partial(
            _call_tool, known, Work(AT_ONCE, waits_s=WAITS_S, longest_s=LONGEST_S)
        ),
        on_list_resources=functools.partial(mcp_resources.list_resources, settings),
        on_list_resource_templates=mcp_resources.list_templates,
        on_read_resource=functools.partial(mcp_resources.read_resource, home, settings),
    )


def serve_stdio(directory: Path | None = None, settings: Settings | None = None) -> None:
    """Serve one client on stdin and stdout until it hangs up."""
    anyio.run(_serve_stdio, build_server(directory, settings))


async def _serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def serve_http(port: int, directory: Path | None = None, settings: Settings | None = None) -> None:
    """Serve clients of this machine at http://127.0.0.1:PORT/mcp until interrupted.

    A token is asked for: that of the environment, else a new one, which is printed once.

    Raises:
        UsageError: the port is in use.
    """
    listener, token = listening(port), Token.from_environment(TOKEN_VARIABLE)
    port = listener.getsockname()[1]
    server = build_server(directory, settings, trusts_roots=False)
    print(f"edgewright: MCP at http://{LOOPBACK}:{port}/mcp, Ctrl-C ends it", file=sys.stderr)
    if not token.given:
        print(f"edgewright: clients send Authorization: Bearer {token.text}", file=sys.stderr)
        print(f"edgewright: ({TOKEN_VARIABLE} sets one that stays)", file=sys.stderr, flush=True)
    run(guarded(server.streamable_http_app(host=LOOPBACK), token.text, port), listener)


async def _list_tools(
    _: ServerRequestContext[Any, Any], __: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    reads_only = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=spec.name, description=spec.description, input_schema=spec.schema,
                annotations=reads_only,
            )
            for spec in VIEWS
        ]
    )  # fmt: skip


def _workspace(home: Path, settings: Settings | None, trusts_roots: bool, roots: list[Path]) -> Workspace:
    """
    Raises:
        UsageError: roots that are not trusted, and lie outside the directory.
    """
    if not roots:
        return Workspace(home, settings=settings)
    if not trusts_roots:
        inside = [root if root.is_relative_to(home) else home for root in roots
                  if root.is_relative_to(home) or home.is_relative_to(root)]  # fmt: skip
        roots = list(dict.fromkeys(inside))
        if not roots:
            raise UsageError(
                "No root of the client is inside the server's directory.", hint="See --directory."
            )
    return Workspace(roots[0], roots=tuple(roots[1:]), settings=settings)


async def _call_tool(
    workspace_of: Callable[[list[Path]], Workspace],
    work: Work,
    context: ServerRequestContext[Any, Any],
    params: types.CallToolRequestParams,
) -> types.CallToolResult | types.InputRequiredResult:
    roots = await _roots(context, params)
    if not isinstance(roots, list):
        return roots
    await context.session.report_progress(0, 1, f"{cleaned_name(params.name)} computes")
    called = functools.partial(_called, params.name, params.arguments or {}, lambda: workspace_of(roots))
    try:
        text, document, failed = await work.done(called)
    except EdgewrightError as error:
        text, document, failed = error_text(cleaned_name(params.name), error), None, True
    await context.session.report_progress(1, 1, None)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=document,
        is_error=failed,
    )


def _called(
    name: str, arguments: dict[str, Any], workspace: Callable[[], Workspace]
) -> tuple[str, dict[str, Any] | None, bool]:
    """What a call returns as text, as a document where it is of the version before, and whether it failed."""
    view = _views().get(name)
    try:
        if view is None:
            there = [view.name for view in VIEWS]
            wrong = cleaned_name(name)
            raise UsageError(
                f"There is no tool {wrong!r}.", hint=f"Nearest: {', '.join(nearest(wrong, there) or there)}."
            )
        records = view.call(arguments, workspace())
    except (EdgewrightError, ValidationError) as error:
        known = () if view is None else tuple(view.arguments.model_fields)
        return error_text(cleaned_name(name), error, known), None, True
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return (
            f"{cleaned_name(name)}: {type(error).__name__} inside the tool: a bug, please report it.",
            None,
            True,
        )
    if view in VIEWS:
        return shown(records, full=arguments.get("detail") == "full"), None, False
    (record,) = records
    text = compact(document_of(record), arguments.get("top") or DEFAULT_TOP)
    return text, json.loads(text), False


@functools.cache
def _views() -> dict[str, View]:
    """Those that are offered win over those of the version before."""
    return {view.name: view for view in (*FORMER, *VIEWS)}


async def _roots(
    context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
) -> list[Path] | types.InputRequiredResult:
    """Directories that the client works in; none where it declares none.

    A client of the protocol before July 2026 is asked on the spot; one of today is told, with the question
    as the result of its call, to call again with the answer.
    """
    session = context.session
    if not session.check_client_capability(types.ClientCapabilities(roots=types.RootsCapability())):
        return []
    answered = (params.input_responses or {}).get(_ROOTS)
    if answered is None and not session.can_send_request:
        return types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})
    if answered is None:
        answered = await _asked_roots(context)
    if not isinstance(answered, types.ListRootsResult):
        return []
    paths = [_path(str(root.uri)) for root in answered.roots]
    return [path.resolve() for path in paths if path is not None and path.is_dir()]


async def _asked_roots(context: ServerRequestContext[Any, Any]) -> types.ListRootsResult:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        return await context.session.list_roots()


def _path(uri: str) -> Path | None:
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return None
    text = unquote(parts.path)
    return Path(text.lstrip("/") if os.name == "nt" else text)
