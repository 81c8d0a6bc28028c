"""What to change: simulate it, or apply it."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated

import typer

from .. import tools
from .completing import completer
from .generated import Asked, Bodies
from .printing import echo, print_document
from .progress import bar

BODIES = Bodies()


def _list_techniques(asked: bool) -> None:
    if not asked:
        return
    from ..tools.optimization_simulator.describe import technique_list

    print_document(technique_list())
    raise typer.Exit


@BODIES.of("simulate_optimizations")
def optimize(
    asked: Asked,
    *,
    top: Annotated[int, typer.Option("--top", help="Rows of each table.", min=1)] = 12,
    every: Annotated[bool, typer.Option("--all", help="Also what brings little or does not apply.")] = False,
    _listed: Annotated[
        bool,
        typer.Option("--list", help="List the techniques.", callback=_list_techniques, is_eager=True),
    ] = False,
    applied: Annotated[
        str | None,
        typer.Option(
            "--apply",
            help='Really do it: int8, prune-50, input-96x96, "prune-50 + int8", …; needs -o.',
            autocompletion=completer("techniques"),
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="What --apply writes.")] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Samples for --apply, labelled or not: .npz, .npy or a folder of them."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="MODULE:FUNCTION of outputs and labels; else top-1.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    if applied is not None:
        _apply(asked, applied, output, data, force, metric)
        return
    given = {"-o": output is not None, "--data": data is not None, "--metric": metric is not None}
    _refuse(given | {"--force": force})
    with bar() as progress:
        report = asked.result(progress=progress)
    asked.show(report, functools.partial(asked.tool.describe, top=top, every=every))


def _apply(
    asked: Asked, technique: str, output: Path | None, data: Path | None, force: bool, metric: str | None
) -> None:
    if output is None:
        raise tools.UsageError("--apply needs a file to write.", hint="Name it with -o.")
    if "shape" in asked.given:
        raise tools.UsageError("--apply changes the file, with the shapes it has.", hint="Leave out --shape.")
    more = {name: value for name, value in (("data", data), ("metric", metric)) if value is not None}
    asked = asked.of("apply_optimization", technique=technique, output=output, force=force, **more)
    asked.show(asked.result(progress=lambda line: echo(line, err=True)))


def _refuse(given: dict[str, bool]) -> None:
    """Options of --apply without it."""
    named = [name for name, there in given.items() if there]
    if named:
        raise tools.UsageError(f"{', '.join(named)} without --apply.", hint="Name a technique: --apply int8.")
