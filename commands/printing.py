"""From a result to stdout."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..tools.core.document import Document
    from ..tools.core.quantity import Result


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
    from ..tools.core.envelope import envelope

    typer.echo(json_module.dumps(envelope(tool, inputs, result), ensure_ascii=False, indent=1))


def print_text(result: Result, shown: Callable[[Any], Document | str]) -> None:
    """As `shown` describes it."""
    made = shown(result)
    if isinstance(made, str):
        typer.echo(made)
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
