"""What MCP clients can read beside calling tools: sheets of targets, and layer tables of models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import anyio
import anyio.to_thread
from mcp import types

from ..hardware_db.errors import EdgewrightError, InputError
from ..tools.core.render.markdown import markdown
from .registry import tool_named
from .workspace import Workspace

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from ..tools.core.settings import Settings

_MARKDOWN = "text/markdown"
_TARGETS, _LAYERS = "edgewright://targets/", "edgewright://layers/"


async def list_resources(
    settings: Settings | None, _: ServerRequestContext[Any, Any], __: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    listed = [
        types.Resource(name=name, uri=f"{_TARGETS}{name}", mime_type=_MARKDOWN)
        for name in (
            entry["id"] for entry in _result("list_targets", {}, Workspace(settings=settings))["targets"]
        )
    ]
    return types.ListResourcesResult(resources=listed)


async def list_templates(
    _: ServerRequestContext[Any, Any], __: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    templates = [
        types.ResourceTemplate(
            name="target sheet", uri_template=f"{_TARGETS}{{target}}", mime_type=_MARKDOWN,
            description="Figures of a chip or board with their sources.",
        ),
        types.ResourceTemplate(
            name="layer table", uri_template=f"{_LAYERS}{{model}}", mime_type=_MARKDOWN,
            description="Operators of a model file or architecture, with MACs and bytes.",
        ),
    ]  # fmt: skip
    return types.ListResourceTemplatesResult(resource_templates=templates)


async def read_resource(
    home: Path,
    settings: Settings | None,
    _: ServerRequestContext[Any, Any],
    params: types.ReadResourceRequestParams,
) -> types.ReadResourceResult:
    """The page behind an address, as Markdown; why there is none, where it does not exist."""
    text = await anyio.to_thread.run_sync(_text, params.uri, Workspace(home, settings=settings))
    contents = types.TextResourceContents(uri=params.uri, mime_type=_MARKDOWN, text=text)
    return types.ReadResourceResult(contents=[contents])


def _text(uri: str, workspace: Workspace) -> str:
    try:
        return _page(uri, workspace)
    except EdgewrightError as error:
        return str(error)


def _page(uri: str, workspace: Workspace) -> str:
    for start, function, argument in ((_TARGETS, "get_target", "target"), (_LAYERS, "parse_model", "model")):
        if uri.startswith(start):
            tool = tool_named(function)
            given = tool.arguments.model_validate({argument: unquote(uri.removeprefix(start))})
            return markdown(tool.describe(tool.run(given, workspace)))
    raise InputError(f"There is nothing at {uri!r}.", hint=f"There is {_TARGETS}TARGET and {_LAYERS}MODEL.")


def _result(function: str, arguments: dict[str, Any], workspace: Workspace) -> dict[str, Any]:
    tool = tool_named(function)
    result = tool.run(tool.arguments.model_validate(arguments), workspace)
    return result.model_dump(mode="json", by_alias=True)
