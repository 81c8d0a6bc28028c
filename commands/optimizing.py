"""What to change, and how far one can go."""

from __future__ import annotations

import functools
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
from .printing import print_document, run_analysis
from .progress import bar

if TYPE_CHECKING:
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.graph import ModelGraph

app = typer.Typer()

Technique = Annotated[
    list[str] | None,
    typer.Option(
        "--technique", help="Only these, alone and in this order, such as prune-30@4,7: see --list."
    ),
]
Search = Annotated[str, typer.Option("--search", help="greedy, beam or grid: which combinations are tried.")]
MostChanges = Annotated[int | None, typer.Option("--changes", help="No longer combinations than this.")]
Sensitivity = Annotated[bool, typer.Option("--sensitivity", help="Also change each layer alone.")]
Every = Annotated[bool, typer.Option("--all", help="Also what brings little or does not apply.")]
Rows = Annotated[int, typer.Option("--top", help="Rows of each table.", min=1)]


def _list_techniques(asked: bool) -> None:
    if not asked:
        return
    from ..tools.optimization_simulator.describe import technique_list

    print_document(technique_list())
    raise typer.Exit


List = Annotated[
    bool,
    typer.Option("--list", help="List the techniques.", callback=_list_techniques, is_eager=True),
]


@app.command()
def optimize(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    goal: Annotated[str, typer.Option("--goal", help="latency, energy, ram or flash.")] = "latency",
    only: Technique = None, search: Search = "greedy", changes: MostChanges = None,
    sensitivity: Sensitivity = False, top: Rows = 12, every: Every = False, _listed: List = False,
    max_latency: MaxLatency = None, min_rate: MinRate = None, max_ram: MaxRam = None, reserve: Reserve = None,
    max_flash: MaxFlash = None, max_energy: MaxEnergy = None, max_power: MaxPower = None,
    dtype: Only = None, headroom: Headroom = None, budget: Budget = None,
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
    """Simulate changes of the model and the deployment, alone and together; or apply one and compare."""
    from ..tools import simulate_optimizations
    from ..tools.core.document import describe

    where = Where(target, runtime, clock, batch, threads, shape)
    if technique is not None:
        _apply(model, where, technique, output, data, force, json)
        return
    _refuse(output, data, force)
    flags = {
        "latency": max_latency, "rate": min_rate, "ram": max_ram, "flash": max_flash,
        "energy": max_energy, "power": max_power, "reserve": reserve,
    }  # fmt: skip
    limits = limits_from(flags, budget, dtype=dtype, headroom=headroom)

    def simulate(graph: ModelGraph | str, place: Deployment) -> Result:
        with bar() as progress:
            return simulate_optimizations(
                graph, place, goal, technique=only or None, limits=limits, search=search,
                most_changes=changes, sensitivity=sensitivity, progress=progress,
            )  # fmt: skip

    told = {
        "goal": goal, "technique": only, "search": search, "most_changes": changes,
        "sensitivity": sensitivity, "limits": limits.model_dump(mode="json", exclude_defaults=True),
    }  # fmt: skip
    shown = functools.partial(describe, top=top, every=every)
    run_analysis("simulate_optimizations", simulate, model, where, json, shown, **told)


@app.command()
def limit(
    model: Model, target: Target,
    variable: Annotated[
        str,
        typer.Option("--variable", help="input, width, clock, ram, batch, rate, battery-life or depth."),
    ],
    runtime: Runtime = None, clock: Clock = None, batch: Batch = 1, threads: Threads = 1, shape: Shape = None,
    max_latency: MaxLatency = None, min_rate: MinRate = None, max_ram: MaxRam = None, reserve: Reserve = None,
    max_flash: MaxFlash = None, max_energy: MaxEnergy = None, max_power: MaxPower = None,
    dtype: Only = None, headroom: Headroom = None, budget: Budget = None,
    battery: Annotated[str | None, typer.Option(help="Such as CR2032, 18650 or 'LiPo 500 mAh'.")] = None,
    battery_mah: Annotated[float | None, typer.Option(help="Capacity of a battery of your own.")] = None,
    battery_v: Annotated[float | None, typer.Option(help="Its nominal voltage.")] = None,
    sleep_ua: Annotated[float | None, typer.Option(help="Current asleep in µA; else the database's.")] = None,
    wakeup_us: Annotated[float | None, typer.Option(help="Time to wake up in µs.")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Find how large, slow or often still meets limits, and what binds: exit code 10 where nothing does."""
    from ..tools import find_limit

    flags = {
        "latency": max_latency, "rate": min_rate, "ram": max_ram, "flash": max_flash,
        "energy": max_energy, "power": max_power, "reserve": reserve,
    }  # fmt: skip
    limits = limits_from(flags, budget, dtype=dtype, headroom=headroom)
    cell = {
        "battery": battery, "battery_mah": battery_mah, "battery_v": battery_v,
        "sleep_ua": sleep_ua, "wakeup_us": wakeup_us,
    }  # fmt: skip

    def found(graph: ModelGraph | str, place: Deployment) -> Result:
        return find_limit(
            graph, place, limits, variable,
            battery=battery, battery_mah=battery_mah, battery_v=battery_v,
            sleep_ua=sleep_ua, wakeup_us=wakeup_us,
        )  # fmt: skip

    where = Where(target, runtime, clock, batch, threads, shape)
    told = {"variable": variable, "limits": limits.model_dump(mode="json", exclude_defaults=True), **cell}
    answer = run_analysis("find_limit", found, model, where, json, **told)
    feasible = getattr(answer, "feasible", None)
    raise typer.Exit(0 if feasible else 11 if feasible is None else 10)


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
            str(graph), technique, target_file, deployment=place, data=data, force=force,
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
