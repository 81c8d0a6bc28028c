"""Saved conversations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Json

if TYPE_CHECKING:
    from ..agent.sessions.replay import Replay

EXIT_DIFFERS = 10

app = typer.Typer()
sessions_app = typer.Typer(help="What was asked before.", invoke_without_command=True)
app.add_typer(sessions_app, name="sessions")

Id = Annotated[str, typer.Argument(metavar="ID", help="Its beginning or its end is enough.")]


@sessions_app.callback()
def _sessions(context: typer.Context) -> None:
    context.obj.for_this_process()
    if context.invoked_subcommand is None:
        list_sessions()


@sessions_app.command("list")
def list_sessions(json: Json = False) -> None:
    """All saved conversations, the latest first."""
    from ..agent.sessions.listing import listed_sessions, sessions_table
    from .printing import print_result

    print_result("list_sessions", listed_sessions(), {}, json, sessions_table)


@sessions_app.command()
def show(session: Id, json: Json = False) -> None:
    """What was asked, computed and answered."""
    from ..agent.sessions.listing import session_text
    from ..agent.sessions.reading import read_session
    from ..agent.sessions.store import find_session

    if json:
        export(session)
        return
    saved = read_session(find_session(session).path)
    typer.echo(session_text(saved))
    _tell(saved.problem)


@sessions_app.command()
def export(
    session: Id,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new .json, .md or .html file; else stdout.")
    ] = None,
) -> None:
    """One file with versions, model hashes, every tool call with its result, answers and grounding."""
    from ..agent.new_file import write_new
    from ..agent.sessions.export import exported
    from ..agent.sessions.reading import read_session
    from ..agent.sessions.store import find_session

    saved = read_session(find_session(session).path)
    if output is None:
        typer.echo(exported(saved, ".json"), nl=False)
    else:
        write_new(str(output), exported(saved, output.suffix))
        typer.echo(f"edgewright: wrote {output}", err=True)
    _tell(saved.problem)


@sessions_app.command()
def delete(sessions: Annotated[list[str], typer.Argument(metavar="ID...", help="Which to delete.")]) -> None:
    """Delete conversations for good."""
    from ..agent.sessions.store import delete_session, find_session

    for stored in [find_session(name) for name in sessions]:
        delete_session(stored)
        typer.echo(f"edgewright: deleted {stored.id}", err=True)


@sessions_app.command()
def copy(session: Id) -> None:
    """Print the id of a new conversation in which the same was said."""
    from ..agent.sessions.store import copy_session, find_session

    typer.echo(copy_session(find_session(session)))


@sessions_app.command()
def replay(
    session: Id,
    directory: Annotated[
        Path | None, typer.Option("--directory", help="Where relative paths lead; else as they did then.")
    ] = None,
    json: Json = False,
) -> None:
    """Run every tool call again, without a chat model, and compare; exit 10 where a result differs."""
    from ..agent.sessions.listing import replay_text
    from ..agent.sessions.reading import read_session
    from ..agent.sessions.replay import replay as run_again
    from ..agent.sessions.store import find_session
    from .printing import print_result

    saved = read_session(find_session(session).path)
    result: Replay = run_again(saved, directory)
    print_result("replay_session", result, {"session": saved.id}, json, replay_text)
    _tell(saved.problem)
    raise typer.Exit(0 if result.same else EXIT_DIFFERS)


def _tell(problem: str) -> None:
    if problem:
        typer.echo(f"edgewright: {problem}", err=True)
