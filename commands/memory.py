"""Where a model's memory goes, over regions and over time."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import run_analysis

if TYPE_CHECKING:
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.graph import ModelGraph


app = typer.Typer()

_QUIET_S = 2.0

Reserve = Annotated[
    str | None, typer.Option("--reserve", help="RAM for stack, heap, application, such as 64KiB.")
]


BestOrder = Annotated[
    bool, typer.Option("--best-order", help="Seek the order of operators and the packing that need least.")
]
TimeLimit = Annotated[
    float, typer.Option("--time-limit", help="Seconds for that; Ctrl-C ends it with the best found.")
]
Reordered = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the .tflite file in that order and packing.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite that file.")]


@app.command()
def memory(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None, reserve: Reserve = None, best_order: BestOrder = False,
    time_limit: TimeLimit = 5.0, output: Reordered = None, force: Force = False, json: Json = False,
) -> None:  # fmt: skip
    """Plan arena and flash, place them in the target's memory regions, and price other places."""
    from ..tools import plan_memory

    where = Where(target, runtime, clock, batch, threads, shape)
    if best_order or output is not None:
        _seek_order(model, where, time_limit, json, output, force)
        return
    reserve_bytes = bytes_of(reserve)

    def planned(graph: ModelGraph | str, place: Deployment) -> Result:
        return plan_memory(graph, place, reserve_bytes=reserve_bytes)

    run_analysis("plan_memory", planned, model, where, json, reserve_bytes=reserve_bytes or None)


def _seek_order(
    model: str, where: Where, time_limit_s: float, json: bool, output: Path | None, force: bool
) -> None:
    from ..tools import best_memory_order
    from ..tools.memory_planner.order.report import OrderReport

    begin = time.monotonic()

    def tell(line: str) -> None:
        if time.monotonic() - begin > _QUIET_S:
            typer.echo(line, err=True)

    def sought(graph: ModelGraph | str, place: Deployment) -> Result:
        return best_memory_order(graph, place, time_limit_s=time_limit_s, progress=tell)

    file = None if output is None else str(output)
    report = run_analysis(
        "best_memory_order", sought, model, where, json, time_limit_s=time_limit_s, output=file
    )
    if output is not None and isinstance(report, OrderReport):
        from ..tools.memory_planner.order.saving import save_reordered

        written = save_reordered(model, report, output, force=force)
        typer.echo(
            f"{output}: {written:,} bytes" if written else "Nothing to save: no file written.", err=True
        )


def bytes_of(text: str | None) -> int:
    from ..tools.core.units import Dimension, parse_measure

    return 0 if text is None else int(parse_measure(text, Dimension.BYTES))


@app.command()
def timeline(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Draw it: .svg or .html.")] = None,
    levers: Annotated[bool, typer.Option(help="Simulate what would lower the peak of memory.")] = True,
    json: Json = False,
) -> None:  # fmt: skip
    """Show memory and time operator by operator, what makes the peak and what would lower it."""
    from ..tools import trace_timeline
    from ..tools.reports.text.timeline import timeline_text
    from ..tools.reports.timeline_drawing import check_drawable, write_drawing
    from ..tools.timeline.report import Timeline

    if output is not None:
        check_drawable(output)

    def traced(graph: ModelGraph | str, place: Deployment) -> Result:
        return trace_timeline(graph, place, levers=levers)

    def drawn(report: Timeline) -> str:
        return timeline_text(report, unicode=draws_unicode())

    where = Where(target, runtime, clock, batch, threads, shape)
    told = {"output": None if output is None else str(output)}
    report = run_analysis("trace_timeline", traced, model, where, json, drawn, **told)
    if output is not None and isinstance(report, Timeline):
        write_drawing(report, output)


def draws_unicode() -> bool:
    """Whether stdout is a terminal that asked for no plain text."""
    if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        return False
    return (sys.stdout.encoding or "").casefold().replace("-", "") == "utf8"
