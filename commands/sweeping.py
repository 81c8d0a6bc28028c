"""Sweeps: a plan becomes a table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from .. import tools
from .generated import Asked, Bodies

BODIES = Bodies()


@BODIES.of("run_sweep")
def sweep(asked: Asked) -> None:
    if {"workers", "scheduler"} <= asked.given.keys():
        raise tools.UsageError(
            "--workers are processes here, --scheduler is a cluster.", hint="Drop one of them."
        )
    folder = asked.given.get("output") or Path(f"{asked.given['plan'].stem}-sweep")
    asked = asked.of("run_sweep", output=folder)
    done = (0, 0)
    try:
        with _progress() as show:

            def progress(count: int, total: int) -> None:
                nonlocal done
                done = count, total
                show(count, total)

            report = asked.result(progress=progress)
    except KeyboardInterrupt:
        if done[1]:
            kept = f"{done[0]:,} of {done[1]:,} evaluations are kept in {folder}"
            typer.echo(f"edgewright: stopped: {kept}. Go on with --resume.", err=True)
        raise typer.Exit(130) from None
    asked.show(report)


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    bar = Progress(
        "evaluations", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left", TimeRemainingColumn(),
        console=console, disable=not console.is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=None)
        yield lambda count, total: bar.update(task, completed=count, total=total)
