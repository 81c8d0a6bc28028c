"""Options that many commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from .completing import completer

Runtime = Annotated[
    str | None,
    typer.Option(
        "--runtime", "-r", help="Kernel library; else the usual one.", autocompletion=completer("runtimes")
    ),
]
RedactNames = Annotated[
    bool, typer.Option("--redact-names", help="Show t0, op0 … for every name out of a model file.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def redact_if(wanted: bool) -> None:
    """For the rest of this process."""
    if wanted:
        from ..tools.core.settings import set_default_redaction

        set_default_redaction(True)
