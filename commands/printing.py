"""From a result to stdout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import typer

from ..tools.core.sanitize import harmless, json_text

if TYPE_CHECKING:
    from ..tools.core.document import Document
    from ..tools.core.quantity import Result


def echo(line: object, *, err: bool = False) -> None:
    """A line on stdout, or on stderr, that may hold names out of files and folders."""
    typer.echo(harmless(str(line)), err=err)


def print_result(
    tool: str,
    result: Result,
    inputs: dict[str, Any],
    json: bool,
    shown: Callable[[Any], Document | str],
) -> None:
    """On stdout: the JSON document, or what `shown` makes of the result."""
    if json:
        print_json(tool, inputs, result)
    else:
        print_text(result, shown)


def print_json(tool: str, inputs: Mapping[str, Any], result: Result) -> None:
    typer.echo(json_text(_leaving().envelope(tool, inputs, result)))


def print_text(result: Result, shown: Callable[[Any], Document | str]) -> None:
    """As `shown` describes it; what cannot be true of it is told on stderr."""
    for broken in _leaving().contradictions(result):
        echo(f"edgewright: {broken}", err=True)
    made = shown(result)
    if isinstance(made, str):
        echo(made)
    else:
        print_document(made)


def print_document(document: Document) -> None:
    """Laid out for a terminal; into a pipe as plain text, which tools can cut."""
    if sys.stdout.isatty():
        from ..agent.terminal import print_document as print_in_columns

        print_in_columns(document, sys.stdout)
    else:
        from ..tools.core.render.markdown import plain

        typer.echo(plain(document))


def _leaving() -> ModuleType:
    """What a result goes through that leaves; it is loaded with the first."""
    from ..tools.core import envelope

    return envelope
