"""Sweeps: a plan becomes a table."""

from __future__ import annotations

from pathlib import Path

import typer

from .. import tools
from .generated import Asked, Bodies
from .progress import bar

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
        with bar() as show:

            def progress(count: int, total: int) -> None:
                nonlocal done
                done = count, total
                show("evaluations", count, total)

            report = asked.result(progress=progress)
    except KeyboardInterrupt:
        if done[1]:
            kept = f"{done[0]:,} of {done[1]:,} evaluations are kept in {folder}"
            typer.echo(f"edgewright: stopped: {kept}. Go on with --resume.", err=True)
        raise typer.Exit(130) from None
    plan = asked.given["plan"]
    tools.write_sweep_artifacts(plan, tools.read_plan(plan).models, folder)
    asked.show(report)
