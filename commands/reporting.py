"""A report to hand on."""

from __future__ import annotations

from pathlib import Path
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
    from ..tools.reports.html.write import WrittenReport


app = typer.Typer()


@app.command()
def report(
    model: Model, target: Target,
    output: Annotated[Path, typer.Option("--output", "-o", help="A new .html or .md file.")],
    runtime: Runtime = None, clock: Clock = None, batch: Batch = 1, threads: Threads = 1, shape: Shape = None,
    max_latency: MaxLatency = None, min_rate: MinRate = None, max_ram: MaxRam = None, reserve: Reserve = None,
    max_flash: MaxFlash = None, max_energy: MaxEnergy = None, max_power: MaxPower = None,
    max_price: MaxPrice = None, dtype: Only = None, headroom: Headroom = None, budget: Budget = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite that file.")] = False,
    json: Json = False,
) -> None:  # fmt: skip
    """Write one file with verdict, time, roofline, memory, placement, what would help and the sources.

    Exit code 0 whatever the verdict is; `check` tells it by its exit code.
    """
    from ..tools.reports.html.write import write_report

    flags = {
        "latency": max_latency, "rate": min_rate, "ram": max_ram, "flash": max_flash,
        "energy": max_energy, "power": max_power, "price": max_price, "reserve": reserve,
    }  # fmt: skip
    limits = limits_from(flags, budget, dtype=dtype, headroom=headroom)

    def written(graph: ModelGraph | str, place: Deployment) -> Result:
        return write_report(graph, place, output, limits, force=force)

    told = {f"max_{name}": text for name, text in flags.items() if name != "reserve"}
    told |= {"reserve": reserve, "budget": str(budget) if budget else None, "output": str(output)}
    where = Where(target, runtime, clock, batch, threads, shape)
    run_analysis("write_report", written, model, where, json, _text, **told)


def _text(written: WrittenReport) -> str:
    return f"{written.output}: {written.bytes:,} bytes, {written.verdict}"
