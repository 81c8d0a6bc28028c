"""What is known of a model on one deployment."""

from __future__ import annotations

import functools
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import print_result, run_analysis

if TYPE_CHECKING:
    from ..tools.deployments import Deployment
    from ..tools.graph import ModelGraph
    from ..tools.quantity import Result


app = typer.Typer()


@app.command()
def inspect(model: Model, shape: Shape = None, json: Json = False) -> None:
    """Show what a model file holds: operators, types, parameters, MACs."""
    from ..tools import parse_model, summarize_model

    print_result(
        "inspect", summarize_model(parse_model(model, shape=shape)), {"model": model, "shape": shape}, json
    )


ANALYSES = {
    "analyze": ("analyze_model", "Profile a model on a target: summary, memory, layers, what to change."),
    "roofline": ("analyze_roofline", "Tell whether a model is memory- or compute-bound, and where."),
    "estimate": ("estimate_performance", "Estimate latency, energy and power, per layer and in total."),
    "evidence": ("evidence", "List the published measurements that stand behind an estimate."),
}
"""Commands that are one function of a model and a deployment: name → function of `tools`, help."""


def analysis_command(function: str) -> Callable[..., None]:
    def run(
        model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
        threads: Threads = 1, shape: Shape = None, json: Json = False,
    ) -> None:  # fmt: skip
        from .. import tools

        where = Where(target, runtime, clock, batch, threads, shape)
        run_analysis(function, getattr(tools, function), model, where, json)

    return run


for name, (function, help_text) in ANALYSES.items():
    app.command(name, help=help_text)(analysis_command(function))


@app.command()
def compat(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    weight: Annotated[
        list[str] | None, typer.Option("--weight", help="Points of a penalty, such as cpu_fallback=80.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="A row for each operator, alike or not.")] = False,
    json: Json = False,
) -> None:  # fmt: skip
    """Tell for every operator whether it runs, where, and why not; what that costs and what would help."""
    from ..tools import score_compatibility
    from ..tools.compatibility_scorer import weights_from_text
    from ..tools.reports.text.compatibility import compatibility_text

    weights = weights_from_text(weight or ())

    def scored(graph: ModelGraph | str, place: Deployment) -> Result:
        return score_compatibility(graph, place, weights=weights)

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    where = Where(target, runtime, clock, batch, threads, shape)
    text = functools.partial(compatibility_text, every=every, width=width)
    run_analysis("score_compatibility", scored, model, where, json, text, weights=weights)


@app.command()
def optimize(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    goal: Annotated[str, typer.Option("--goal", help="latency, energy, ram or flash.")] = "latency",
    technique: Annotated[
        str | None, typer.Option("--apply", help="Really do it: int8, int8-float-io, float16, …; needs -o.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="What --apply writes.")] = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="Samples for --apply: .npz, .npy or a folder of them.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    json: Json = False,
) -> None:  # fmt: skip
    """Simulate changes of the model and the deployment, best first; or apply one and compare."""
    from ..tools import simulate_optimizations

    where = Where(target, runtime, clock, batch, threads, shape)
    if technique is not None:
        _apply(model, where, technique, output, data, force, json)
        return
    _refuse(output, data, force)

    def simulate(graph: ModelGraph | str, place: Deployment) -> Result:
        return simulate_optimizations(graph, place, goal)

    run_analysis("simulate_optimizations", simulate, model, where, json, goal=goal)


def _apply(
    model: str, where: Where, technique: str, output: Path | None, data: Path | None, force: bool, json: bool
) -> None:
    from ..hardware_db.errors import UsageError
    from ..tools import apply_optimization

    if output is None:
        raise UsageError("--apply needs a file to write.", hint="Name it with -o.")
    if where.shape is not None:
        raise UsageError("--apply changes the file, with the shapes it has.", hint="Leave out --shape.")
    target_file = output

    def applied(graph: ModelGraph | str, place: Deployment) -> Result:
        return apply_optimization(
            str(graph), technique, target_file, where=place, data=data, force=force,
            progress=lambda line: typer.echo(line, err=True),
        )  # fmt: skip

    told = {"technique": technique, "output": str(output), "data": None if data is None else str(data)}
    run_analysis("apply_optimization", applied, model, where, json, **told)


def _refuse(output: Path | None, data: Path | None, force: bool) -> None:
    """Options of --apply without it."""
    from ..hardware_db.errors import UsageError

    given = {"-o": output is not None, "--data": data is not None, "--force": force}
    named = [name for name, there in given.items() if there]
    if named:
        raise UsageError(f"{', '.join(named)} without --apply.", hint="Name a technique: --apply int8.")
