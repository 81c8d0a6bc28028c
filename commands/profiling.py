"""What was measured, here or elsewhere, beside the estimate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import print_result, run_analysis

if TYPE_CHECKING:
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.graph import ModelGraph


app = typer.Typer()

Trace = Annotated[Path, typer.Argument(help="What a profiler wrote: a log, a CSV or a JSON.")]
OfModel = Annotated[str, typer.Option("--model", "-m", help="The model that was running.")]
Unit = Annotated[
    str | None,
    typer.Option("--unit", help="What the trace counts in: cycles, s, ms, us, ns or a timer's rate (1MHz)."),
]
Repeat = Annotated[int, typer.Option("--repeat", help="Runs that are measured, after some to warm up.")]


@app.command()
def profile(
    model: Model, runtime: Runtime = None, repeat: Repeat = 50, threads: Threads = 1, json: Json = False
) -> None:
    """Run a model on this machine, not on a board: median, spread, and operators where the runtime tells."""
    from ..tools import profile_on_host

    result = profile_on_host(model, runtime, repeat=repeat, threads=threads)
    inputs = {"model": model, "runtime": runtime, "repeat": repeat, "threads": threads}
    print_result("profile_on_host", result, inputs, json)


@app.command("import")
def import_trace(
    trace: Trace, model: OfModel, target: Target, runtime: Runtime = None, clock: Clock = None,
    unit: Unit = None, batch: Batch = 1, threads: Threads = 1, shape: Shape = None, json: Json = False,
) -> None:  # fmt: skip
    """Compare a trace from a board with the estimate, layer by layer, and name the layer that stands out."""
    from ..tools import import_profile

    def compared(graph: ModelGraph | str, place: Deployment) -> Result:
        return import_profile(trace, graph, place, unit=unit)

    where = Where(target, runtime, clock, batch, threads, shape)
    run_analysis("import_profile", compared, model, where, json, trace=str(trace), unit=unit)
