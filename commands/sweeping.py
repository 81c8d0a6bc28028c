"""Sweeps: a plan becomes a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import tools
from .generated import Asked, Bodies
from .printing import echo, print_text
from .progress import bar

BODIES = Bodies()


@BODIES.of("run_sweep")
def sweep(
    asked: Asked,
    *,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Labelled samples: accuracy of what can be applied, and its fronts."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option("--metric", help="MODULE:FUNCTION of outputs and labels; else top-1.")
    ] = None,
    measure_host: Annotated[
        bool, typer.Option("--measure-host", help="Also time what can be applied on this machine.")
    ] = False,
) -> None:
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
            echo(f"edgewright: stopped: {kept}. Go on with --resume.", err=True)
        raise typer.Exit(130) from None
    plan = asked.given["plan"]
    tools.write_sweep_artifacts(plan, tools.read_plan(plan).models, folder)
    if data is None and metric is None and not measure_host:
        asked.show(report)
        return
    measured = tools.measure_candidates(plan, folder, data=data, metric=metric, host=measure_host)
    tools.write_pictures(measured, folder, force=True, needed=False)
    shown = tools.SweepReport.model_validate(report.to_dict())
    shown = shown.model_copy(update={"files": (*shown.files, *measured.files)})
    asked.show(shown)
    if not asked.json:
        print_text(measured, asked.tool.describe)
