"""A model of another framework made into a .tflite file, and the environments that it takes."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from .. import tools
from .generated import Asked, Bodies
from .printing import echo, print_result

BODIES = Bodies()


@BODIES.of("convert_model")
def convert(
    asked: Asked,
    *,
    setup: Annotated[
        str | None,
        typer.Option("--setup", help="Make the environment of a converter: pytorch or tensorflow."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Install without asking.")] = False,
) -> None:
    if setup is not None:
        _set_up(asked, setup, yes=yes)
        return
    named = {"MODEL": "source", "-o OUT.tflite": "output"}
    missing = [shown for shown, name in named.items() if name not in asked.given]
    if missing:
        raise tools.UsageError(
            f"What to convert lacks {' and '.join(missing)}.",
            hint="edgewright convert MODEL -o OUT.tflite, or --setup pytorch.",
        )
    asked.show(asked.result(progress=_say))


def _set_up(asked: Asked, name: str, *, yes: bool) -> None:
    made = tools.set_up_converter(name, agree=_say if yes else _confirm, progress=_say)
    print_result("set_up_converter", made, {"name": name}, asked.json, asked.tool.describe)


def _confirm(size: str) -> None:
    _say(size)
    if not sys.stdin.isatty():
        raise tools.UsageError("Nobody is there to say yes.", hint="Add --yes.")
    typer.confirm("Install it?", abort=True, err=True)


def _say(line: str) -> None:
    echo(line, err=True)
