"""Saved conversations."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from .options import CsvFile, Json
from .printing import echo, print_result
from .rows import write_rows

EXIT_DIFFERS = 10

app = typer.Typer()
sessions_app = typer.Typer(help="What was asked before.", invoke_without_command=True)
app.add_typer(sessions_app, name="sessions")

Id = Annotated[str, typer.Argument(metavar="ID", help="Its beginning or its end is enough.")]


@sessions_app.callback()
def _sessions(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_sessions()


@sessions_app.command("list")
def list_sessions(json: Json = False, csv: CsvFile = None) -> None:
    """All saved conversations, the latest first."""
    saved = _saved()
    listed = saved.listed_sessions()
    print_result("list_sessions", listed, {}, json, saved.sessions_table)
    if csv is not None:
        write_rows(listed.sessions, csv)


@sessions_app.command()
def show(session: Id, json: Json = False) -> None:
    """What was asked, computed and answered."""
    if json:
        export(session)
    else:
        echo(_saved().shown(session))


@sessions_app.command()
def export(
    session: Id,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new .json, .md or .html file; else stdout.")
    ] = None,
) -> None:
    """One file with versions, model hashes, every tool call with its result, answers and grounding."""
    _saved().export(session, output)


@sessions_app.command()
def delete(sessions: Annotated[list[str], typer.Argument(metavar="ID...", help="Which to delete.")]) -> None:
    """Delete conversations for good."""
    _saved().delete(sessions)


@sessions_app.command()
def copy(session: Id) -> None:
    """Print the id of a new conversation in which the same was said."""
    echo(_saved().copied(session))


@sessions_app.command()
def replay(
    context: typer.Context,
    session: Id,
    directory: Annotated[
        Path | None, typer.Option("--directory", help="Where relative paths lead; else as they did then.")
    ] = None,
    json: Json = False,
) -> None:
    """Run every tool call again, without a chat model, and compare; exit 10 where a result differs."""
    saved = _saved()
    name, result = saved.replayed(session, directory, context.obj.settings())
    print_result("replay_session", result, {"session": name}, json, saved.replay_text)
    raise typer.Exit(0 if result.same else EXIT_DIFFERS)


def _saved() -> ModuleType:
    """What the commands do, for which SQLite is loaded."""
    from ..agent.sessions import terminal

    return terminal
