"""What is known of a model on one deployment."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import print_result, run_analysis

if TYPE_CHECKING:
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.graph import ModelGraph


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
    from ..tools.compatibility_scorer.penalties import weights_from_text
    from ..tools.core.document import describe

    weights = weights_from_text(weight or ())

    def scored(graph: ModelGraph | str, place: Deployment) -> Result:
        return score_compatibility(graph, place, weights=weights)

    where = Where(target, runtime, clock, batch, threads, shape)
    shown = functools.partial(describe, every=every)
    run_analysis("score_compatibility", scored, model, where, json, shown, weights=weights)
