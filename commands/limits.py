"""Limits that a deployment must meet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import run_analysis

if TYPE_CHECKING:
    from ..tools.deployments import Deployment
    from ..tools.graph import ModelGraph
    from ..tools.quantity import Result


app = typer.Typer()


@app.command()
def check(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    max_latency: Annotated[str | None, typer.Option(help="For one inference, such as 50ms.")] = None,
    min_rate: Annotated[str | None, typer.Option(help="Inferences per second, such as 20fps.")] = None,
    max_ram: Annotated[str | None, typer.Option(help="Such as 256KiB.")] = None,
    reserve: Annotated[str | None, typer.Option(help="RAM for stack, heap, application: 64KiB.")] = None,
    max_flash: Annotated[str | None, typer.Option(help="Such as 1MiB.")] = None,
    max_energy: Annotated[str | None, typer.Option(help="For one inference, such as 1mJ.")] = None,
    max_power: Annotated[str | None, typer.Option(help="While computing, such as 0.5W.")] = None,
    dtype: Annotated[str | None, typer.Option(help="The only type allowed, such as int8.")] = None,
    headroom: Annotated[float | None, typer.Option(help="Share of the target's memory to keep free.")] = None,
    budget: Annotated[Path | None, typer.Option(help="A YAML file of limits, instead of flags.")] = None,
    baseline: Annotated[str | None, typer.Option(help="The version before: tell what changed.")] = None,
    max_regression: Annotated[
        str | None, typer.Option(help="How much more than the baseline any figure may take, such as 5%.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="text, markdown, junit or sarif.")] = "text",
    json: Json = False,
) -> None:  # fmt: skip
    """Check a model against limits: exit code 10 when one fails, 11 when one cannot be known."""
    from ..tools import UsageError, Verdict, check_constraints, limits_from_text, read_budget
    from ..tools.constraint_checker import allowing_percent
    from ..tools.reports.gate import writer

    flags = {
        "latency": max_latency, "rate": min_rate, "ram": max_ram, "flash": max_flash,
        "energy": max_energy, "power": max_power, "reserve": reserve,
    }  # fmt: skip
    more = {
        name: value for name, value in {"dtype": dtype, "headroom": headroom}.items() if value is not None
    }
    if budget is not None and (more or any(flags.values())):
        raise UsageError("Limits come from --budget or from flags, not from both.", hint="Drop one of them.")
    limits = read_budget(budget) if budget is not None else limits_from_text(flags, **more)

    if max_regression is not None:
        if baseline is None:
            raise UsageError(
                "--max-regression compares with nothing.", hint="Name the version before: --baseline."
            )
        limits = allowing_percent(limits, max_regression)
    if json and form != "text":
        raise UsageError(f"--json and --format {form} are two formats.", hint="Drop one of them.")
    text = writer(form, model)

    def checked(graph: ModelGraph | str, place: Deployment) -> Result:
        return check_constraints(graph, place, limits, baseline=baseline)

    told = {f"max_{name}": text for name, text in flags.items() if name != "reserve"}
    told |= {"reserve": reserve, "budget": str(budget) if budget else None}
    where = Where(target, runtime, clock, batch, threads, shape)
    report = run_analysis("check_constraints", checked, model, where, json, text, baseline=baseline, **told)
    verdict = getattr(report, "verdict", Verdict.UNKNOWN)
    raise typer.Exit({Verdict.FAIL: 10, Verdict.UNKNOWN: 11}.get(verdict, 0))
