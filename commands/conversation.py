"""Questions in words."""

from __future__ import annotations

import gc
from typing import Annotated

import typer

from .options import Json, Runtime

app = typer.Typer()


@app.command()
def ask(
    question: Annotated[list[str] | None, typer.Argument(help="The question; - reads it from stdin.")] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="The model it is about.")] = None,
    target: Annotated[str | None, typer.Option("--target", "-t", help="The target it is about.")] = None,
    runtime: Runtime = None,
    llm: Annotated[str | None, typer.Option("--llm", help="A model's name, or offline.")] = None,
    json: Json = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 6 if a number is from no tool.")] = False,
    audit: Annotated[bool, typer.Option("--audit", help="Show where each number comes from.")] = False,
) -> None:
    """Answer one question."""
    from ..agent.one_shot import ask_once

    raise typer.Exit(
        ask_once(
            question or [],
            model=model,
            target=target,
            runtime=runtime,
            llm=llm,
            json=json,
            strict=strict,
            audit=audit,
        )
    )


@app.command()
def chat(
    model: Annotated[str | None, typer.Option("--model", "-m", help="The model it is about.")] = None,
    target: Annotated[str | None, typer.Option("--target", "-t", help="The target it is about.")] = None,
    llm: Annotated[str | None, typer.Option("--llm", help="A model's name, or offline.")] = None,
) -> None:
    """Talk about models and hardware."""
    gc.enable()
    from ..agent.repl import run_chat

    raise typer.Exit(run_chat(model=model, target=target, llm=llm))
