"""Questions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .completing import completer
from .options import Json, RedactNames, Runtime

if TYPE_CHECKING:
    from ..agent.sessions.session import OpenSession

app = typer.Typer()
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="Of an OpenAI-compatible server: http://localhost:11434/v1.")
]
AboutModel = Annotated[
    str | None,
    typer.Option("--model", "-m", help="The model it is about.", autocompletion=completer("models")),
]
AboutTarget = Annotated[
    str | None,
    typer.Option("--target", "-t", help="The target it is about.", autocompletion=completer("targets")),
]
GoOn = Annotated[bool, typer.Option("--continue", "-c", help="Go on with the last conversation.")]
Resume = Annotated[str | None, typer.Option("--resume", metavar="ID", help="Go on with this conversation.")]


@app.command()
def ask(
    context: typer.Context,
    question: Annotated[list[str] | None, typer.Argument(help="The question; - reads it from stdin.")] = None,
    model: AboutModel = None,
    target: AboutTarget = None,
    runtime: Runtime = None,
    llm: Annotated[str | None, typer.Option("--llm", help="A model's name, or offline.")] = None,
    base_url: BaseUrl = None,
    json: Json = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 6 if a number is from no tool.")] = False,
    audit: Annotated[bool, typer.Option("--audit", help="Show where each number comes from.")] = False,
    go_on: GoOn = False,
    resume: Resume = None,
    save: Annotated[bool, typer.Option("--save/--no-save", help="Keep what is said for later.")] = True,
    redact_names: RedactNames = False,
) -> None:
    """Answer one question."""
    settings = context.obj.settings(redact_names=redact_names)
    from ..agent.one_shot import AskOptions, ask_once

    options = AskOptions(model, target, runtime, llm, base_url, json, strict, audit, settings)
    session = _session(go_on=go_on, resume=resume) if save or go_on or resume is not None else None
    try:
        raise typer.Exit(ask_once(question or [], options, session))
    finally:
        if session is not None:
            session.close()


def _session(*, go_on: bool, resume: str | None) -> OpenSession:
    from ..agent.sessions.opening import session_for

    return session_for(go_on=go_on, resume=resume)


@app.command()
def chat(
    context: typer.Context,
    model: AboutModel = None,
    target: AboutTarget = None,
    llm: Annotated[str | None, typer.Option("--llm", help="A model's name, or offline.")] = None,
    base_url: BaseUrl = None,
    go_on: GoOn = False,
    resume: Resume = None,
    redact_names: RedactNames = False,
) -> None:
    """Talk about models and hardware."""
    settings = context.obj.settings(redact_names=redact_names)
    from ..agent.repl.run import run_chat

    session = _session(go_on=go_on, resume=resume)
    raise typer.Exit(
        run_chat(model=model, target=target, llm=llm, base_url=base_url, session=session, settings=settings)
    )
