"""Other programs' way in."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated

import typer

from ..hardware_db.errors import UsageError, install_line
from .options import RedactNames

app = typer.Typer()


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
    try:
        from ..agent.mcp_server import serve_http, serve_stdio
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "mcp":
            raise
        hint = f"Install it: {install_line('mcp')}."
        raise UsageError("The MCP server needs the mcp package.", hint=hint) from None

    if http:
        serve_http(port, directory, settings)
    else:
        serve_stdio(directory, settings)


@app.command()
def skill(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of skills, such as .claude/skills.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite those files.")] = False,
) -> None:
    """Write an Agent Skill, from which coding agents learn to drive this command line."""
    from ..agent.skill import write_skill

    for path in write_skill(output, force=force):
        typer.echo(path)
