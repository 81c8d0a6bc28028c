"""Sweeps: a plan becomes a table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from .options import Json
from .printing import print_result

app = typer.Typer()


@app.command()
def sweep(
    plan: Annotated[Path, typer.Argument(help="A YAML file: models, targets, transforms … (docs/sweep.md).")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder for results; else PLAN-sweep.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where it stopped.")] = False,
    workers: Annotated[
        int | None, typer.Option(help="Processes; else one, or one a core for a large plan.", min=1)
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="A Dask cluster's, such as tcp://127.0.0.1:8786.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite results.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="Learn a decision tree and print it.")] = False,
    json: Json = False,
) -> None:
    """Evaluate models × targets × runtimes × transforms × clocks × batches into CSV and Parquet."""
    from ..tools import UsageError, run_sweep

    if workers is not None and scheduler is not None:
        raise UsageError("--workers are processes here, --scheduler is a cluster.", hint="Drop one of them.")
    folder = output or Path(f"{plan.stem}-sweep")
    done = (0, 0)
    try:
        with _progress() as show:

            def progress(count: int, total: int) -> None:
                nonlocal done
                done = count, total
                show(count, total)

            report = run_sweep(
                plan, folder, resume=resume, force=force, workers=workers, scheduler=scheduler, tree=tree,
                progress=progress,
            )  # fmt: skip
    except KeyboardInterrupt:
        if done[1]:
            told = f"{done[0]:,} of {done[1]:,} evaluations are kept in {folder}"
            typer.echo(f"edgewright: stopped: {told}. Go on with --resume.", err=True)
        raise typer.Exit(130) from None
    inputs = {
        "plan": str(plan), "output": str(folder), "resume": resume, "workers": workers,
        "scheduler": scheduler, "tree": tree,
    }  # fmt: skip
    print_result("run_sweep", report, inputs, json)


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
