"""Energy, batteries and the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import run_analysis

if TYPE_CHECKING:
    from ..tools.core.deployment import Deployment
    from ..tools.core.quantity import Result
    from ..tools.graph import ModelGraph


app = typer.Typer()


@app.command()
def energy(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    rate: Annotated[str | None, typer.Option(help="How often it runs, such as 10/s; else nonstop.")] = None,
    every: Annotated[str | None, typer.Option(help="Or the time from one to the next, such as 10s.")] = None,
    battery: Annotated[str | None, typer.Option(help="Such as CR2032, 18650 or 'LiPo 500 mAh'.")] = None,
    battery_mah: Annotated[float | None, typer.Option(help="Capacity of a battery of your own.")] = None,
    battery_v: Annotated[float | None, typer.Option(help="Its nominal voltage.")] = None,
    sleep_ua: Annotated[float | None, typer.Option(help="Current asleep in microamperes.")] = None,
    wakeup_us: Annotated[float | None, typer.Option(help="Time to wake up in microseconds.")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Tell duty cycle, average power and battery life at a rate: exit code 10 where it cannot be reached."""
    from ..tools import Verdict, estimate_energy_budget
    from ..tools.core.units import Dimension, parse_measure

    asked: dict[str, Any] = {
        "rate_hz": None if rate is None else parse_measure(rate, Dimension.RATE_HZ),
        "period_s": None if every is None else parse_measure(every, Dimension.TIME_MS) / 1e3,
        "battery": battery, "battery_mah": battery_mah, "battery_v": battery_v,
        "sleep_ua": sleep_ua, "wakeup_us": wakeup_us,
    }  # fmt: skip

    def budget(graph: ModelGraph | str, place: Deployment) -> Result:
        return estimate_energy_budget(graph, place, **asked)

    where = Where(target, runtime, clock, batch, threads, shape)
    report = run_analysis("estimate_energy_budget", budget, model, where, json, **asked)
    verdict = getattr(report, "verdict", Verdict.UNKNOWN)
    raise typer.Exit({Verdict.FAIL: 10, Verdict.UNKNOWN: 11}.get(verdict, 0))


@app.command()
def frequency(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    clocks: Annotated[str | None, typer.Option(help="Such as 48MHz,96MHz; else eight steps.")] = None,
    max_latency: Annotated[str | None, typer.Option(help="For one inference, such as 50ms.")] = None,
    max_power: Annotated[str | None, typer.Option(help="While computing, such as 0.5W.")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Sweep the clock: latency, power, energy, energy-delay product, and the clock that needs least."""
    from ..tools import limits_from_text, sweep_frequency
    from ..tools.core.units import Dimension, parse_measure

    limits = limits_from_text({"latency": max_latency, "power": max_power})
    steps = clocks and [parse_measure(text, Dimension.CLOCK_MHZ) for text in clocks.split(",")]

    def sweep(graph: ModelGraph | str, place: Deployment) -> Result:
        return sweep_frequency(graph, place, steps or None, limits)

    where = Where(target, runtime, clock, batch, threads, shape)
    told: dict[str, Any] = {"max_latency": max_latency, "max_power": max_power, "clocks": clocks}
    run_analysis("sweep_frequency", sweep, model, where, json, **told)
