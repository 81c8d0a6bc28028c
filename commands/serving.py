"""Other programs' way in."""

from __future__ import annotations

import gc
import importlib
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from ..agent.registry import Tool
from ..hardware_db.errors import UsageError, install_line
from .generated import Asked, Generated
from .options import RedactNames
from .printing import echo

app = typer.Typer()

_SERVE = (
    "Show the report's page in a browser, anew when the model or its limits change; answer programs."
    "\n\nThe address is printed, with a token of this run (EDGEWRIGHT_TOKEN sets one that stays). Only this "
    "machine is answered, and only files of the directory are read."
)


@app.command()
def mcp(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve on this machine's loopback, not on stdio.")
    ] = False,
    port: Annotated[int, typer.Option("--port", help="Of --http.", min=1, max=65535)] = 8765,
    directory: Annotated[
        Path | None, typer.Option("--directory", help="Where models may be read; else the working directory.")
    ] = None,
    redact_names: RedactNames = False,
) -> None:
    """Offer every tool over the Model Context Protocol, on stdin and stdout."""
    gc.enable()
    settings = context.obj.settings(redact_names=redact_names)
    server = _loaded("..agent.mcp_server", "The MCP server")
    if http:
        server.serve_http(port, directory, settings)
    else:
        server.serve_stdio(directory, settings)


def serve(
    asked: Asked,
    *,
    port: Annotated[
        int, typer.Option("--port", help="Of this machine alone; 0 takes any that is free.", min=0, max=65535)
    ] = 8766,
    directory: Annotated[
        Path | None, typer.Option("--directory", help="Where models may be read; else the working directory.")
    ] = None,
) -> None:
    gc.enable()
    settings = asked.flags.in_full().settings()
    server = _loaded("..agent.web.app", "The server")
    home = (directory or Path.cwd()).resolve()
    given = {**asked.given} | {name: _in_full(asked.given[name]) for name in _FILES if name in asked.given}
    if home.is_dir():
        os.chdir(home)  # what a client names is meant there
    server.serve(given, port, home, settings)


_FILES = ("model", "budget")


def _in_full(name: str | Path) -> str:
    """A file by its whole path; the name of an architecture as it is."""
    path = Path(name).expanduser()
    return str(path.resolve()) if path.exists() else str(name)


app.registered_commands.append(
    Generated(Tool("write_report", "limits.ServeArguments", "serve", _SERVE), serve, prints=False)
)


def _loaded(module: str, what: str) -> Any:
    """A module that needs the extra of servers."""
    try:
        return importlib.import_module(module, __package__)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "starlette", "uvicorn"):
            raise
        raise UsageError(
            f"{what} needs the mcp package.", hint=f"Install it: {install_line('mcp')}."
        ) from None


@app.command()
def skill(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of skills, such as .claude/skills.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite those files.")] = False,
) -> None:
    """Write an Agent Skill, from which coding agents learn to drive this command line."""
    from ..agent.skill import write_skill

    for path in write_skill(output, force=force):
        echo(path)
