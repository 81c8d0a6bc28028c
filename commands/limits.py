"""Limits that a deployment must meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .limit_flags import limits_from
from .options import (
    Batch,
    Budget,
    Clock,
    Headroom,
    Json,
    MaxEnergy,
    MaxFlash,
    MaxLatency,
    MaxPower,
    MaxPrice,
    MaxRam,
    MinRate,
    Model,
    Only,
    Reserve,
    Runtime,
    Shape,
    Target,
    Threads,
    Where,
)
from .printing import run_analysis

if TYPE_CHECKING:
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.graph import ModelGraph


app = typer.Typer()


@app.command()
def check(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    max_latency: MaxLatency = None, min_rate: MinRate = None, max_ram: MaxRam = None, reserve: Reserve = None,
    max_flash: MaxFlash = None, max_energy: MaxEnergy = None, max_power: MaxPower = None,
    max_price: MaxPrice = None, dtype: Only = None, headroom: Headroom = None, budget: Budget = None,
    baseline: Annotated[str | None, typer.Option(help="The version before: tell what changed.")] = None,
    max_regression: Annotated[
        str | None, typer.Option(help="How much more than the baseline any figure may take, such as 5%.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="text, markdown, junit or sarif.")] = "text",
    json: Json = False,
) -> None:  # fmt: skip
    """Check a model against limits: exit code 10 when one fails, 11 when one cannot be known."""
    from ..tools import UsageError, Verdict, check_constraints
    from ..tools.reports.gate import writer
    from ..tools.verdicts.limits import allowing_percent

    flags = {
        "latency": max_latency, "rate": min_rate, "ram": max_ram, "flash": max_flash,
        "energy": max_energy, "power": max_power, "price": max_price, "reserve": reserve,
    }  # fmt: skip
    limits = limits_from(flags, budget, dtype=dtype, headroom=headroom)
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
