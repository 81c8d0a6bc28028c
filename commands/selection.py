"""Which hardware to take."""

from __future__ import annotations

import functools
from typing import Annotated, Any

import typer

from .limit_flags import limits_from, weights_from
from .options import (
    Budget,
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
    Weight,
)
from .printing import print_result

app = typer.Typer()

Targets = Annotated[list[str] | None, typer.Option("--target", "-t", help="Id, nickname or part number.")]


@app.command()
def recommend(
    model: Model,
    max_latency: MaxLatency = None, min_rate: MinRate = None, max_ram: MaxRam = None, reserve: Reserve = None,
    max_flash: MaxFlash = None, max_energy: MaxEnergy = None, max_power: MaxPower = None,
    max_price: MaxPrice = None, dtype: Only = None, headroom: Headroom = None, budget: Budget = None,
    template: Annotated[
        str | None,
        typer.Option(help="Start from: keyword-spotting, battery-camera, drone, wearable, gateway."),
    ] = None,
    weight: Weight = None,
    target: Targets = None,
    runtime: Annotated[list[str] | None, typer.Option("--runtime", "-r", help="Only these.")] = None,
    classes: Annotated[list[str] | None, typer.Option("--class", help="Only these, such as mcu.")] = None,
    shape: Shape = None,
    top: Annotated[int, typer.Option(help="Rows of each table.", min=1)] = 10,
    every: Annotated[bool, typer.Option("--all", help="Every runtime of every target.")] = False,
    json: Json = False,
) -> None:  # fmt: skip
    """Rank all hardware for a model, with a reason for each that fails: exit code 10 if none passes."""
    from ..tools import parse_model, recommend_hardware
    from ..tools.reports.text.selection import ranking_text

    flags = {
        "latency": max_latency, "rate": min_rate, "ram": max_ram, "flash": max_flash,
        "energy": max_energy, "power": max_power, "price": max_price, "reserve": reserve,
    }  # fmt: skip
    limits = limits_from(flags, budget, dtype=dtype, headroom=headroom)
    asked: dict[str, Any] = {
        "template": template, "weights": weights_from(weight), "targets": target, "runtimes": runtime,
        "classes": classes,
    }  # fmt: skip
    report = recommend_hardware(model if shape is None else parse_model(model, shape=shape), limits, **asked)
    inputs = {"model": model, "shape": shape, "limits": limits.model_dump(mode="json", exclude_defaults=True)}
    text = functools.partial(ranking_text, top=top, every=every)
    print_result("recommend_hardware", report, inputs | asked, json, text)
    if not report.passing:
        raise typer.Exit(11 if report.unknown else 10)


@app.command()
def compare(
    model: Model,
    target: Targets = None,
    runtime: Runtime = None,
    weight: Weight = None,
    max_latency: MaxLatency = None, max_ram: MaxRam = None, max_energy: MaxEnergy = None,
    max_power: MaxPower = None,
    shape: Shape = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Compare targets side by side: who wins in which figure, and why. A target may be TARGET/RUNTIME."""
    from ..tools import compare_deployments, deployment, parse_model

    flags = {"latency": max_latency, "ram": max_ram, "energy": max_energy, "power": max_power}
    places = []
    for text in target or ():
        name, _, kernels = text.partition("/")
        places.append(deployment(name, kernels or runtime))
    report = compare_deployments(
        model if shape is None else parse_model(model, shape=shape),
        places, limits_from(flags, None), weights=weights_from(weight),
    )  # fmt: skip
    inputs = {"model": model, "targets": target, "runtime": runtime, "shape": shape, **flags}
    print_result("compare_deployments", report, inputs, json)
