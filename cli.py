"""The command line: parse, call one function, print, exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from .tools.deployments import Deployment
    from .tools.graph import ModelGraph
    from .tools.quantity import Result

app = typer.Typer(
    help="Does a neural network fit a piece of hardware, how fast is it there, and what holds it back?",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
targets_app = typer.Typer(help="What is known about hardware.", invoke_without_command=True)
runtimes_app = typer.Typer(help="What is known about kernel libraries.", invoke_without_command=True)
models_app = typer.Typer(help="Architectures that are known by name.", invoke_without_command=True)
app.add_typer(targets_app, name="targets")
app.add_typer(runtimes_app, name="runtimes")
app.add_typer(models_app, name="models")

Model = Annotated[str, typer.Argument(help="A .tflite file, or an architecture such as mobilenet_v2:int8.")]
Target = Annotated[str, typer.Option("--target", "-t", help="Id, nickname or part number.")]
Runtime = Annotated[str | None, typer.Option("--runtime", "-r", help="Kernel library; else the usual one.")]
Clock = Annotated[str | None, typer.Option("--clock", help="Core clock, such as 80MHz; else the maximum.")]
Batch = Annotated[int, typer.Option("--batch", help="Inferences computed at once.")]
Threads = Annotated[int, typer.Option("--threads", help="Cores used at once.")]
Shape = Annotated[str | None, typer.Option("--shape", help="Input shape, such as 1,96,96,3.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def version(wanted: bool) -> None:
    if wanted:
        from . import __version__

        typer.echo(f"edgewright {__version__}")
        raise typer.Exit


class Where(NamedTuple):
    """What an analysis command was told of the deployment."""

    target: str
    runtime: str | None
    clock: str | None
    batch: int
    threads: int
    shape: str | None


@app.callback()
def top(
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
    hardware_dir: Annotated[
        list[Path] | None, typer.Option("--hardware-dir", help="Directory of your own hardware files.")
    ] = None,
) -> None:
    if hardware_dir:
        from .hardware_db import use_directories
        from .hardware_db.index import user_problems

        use_directories(hardware_dir)
        for problem in user_problems():
            typer.echo(f"edgewright: left out: {problem}", err=True)


@app.command()
def inspect(model: Model, shape: Shape = None, json: Json = False) -> None:
    """Show what a model file holds: operators, types, parameters, MACs."""
    from .tools import parse_model, summarize_model

    _print(
        "inspect", summarize_model(parse_model(model, shape=shape)), {"model": model, "shape": shape}, json
    )


ANALYSES = {
    "analyze": ("analyze_model", "Profile a model on a target: summary, memory, layers, what to change."),
    "roofline": ("analyze_roofline", "Tell whether a model is memory- or compute-bound, and where."),
    "estimate": ("estimate_performance", "Estimate latency, energy and power, per layer and in total."),
    "evidence": ("evidence", "List the published measurements that stand behind an estimate."),
    "memory": ("plan_memory", "Plan arena and flash, and place them in the target's memory regions."),
    "compat": ("score_compatibility", "Tell for every operator whether it runs, where, and why not."),
}
"""Commands that are one function of a model and a deployment: name → function of `tools`, help."""


def analysis_command(function: str) -> Callable[..., None]:
    def run(
        model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
        threads: Threads = 1, shape: Shape = None, json: Json = False,
    ) -> None:  # fmt: skip
        from . import tools

        where = Where(target, runtime, clock, batch, threads, shape)
        _analysis(function, getattr(tools, function), model, where, json)

    return run


for name, (function, help_text) in ANALYSES.items():
    app.command(name, help=help_text)(analysis_command(function))


@app.command()
def optimize(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    goal: Annotated[str, typer.Option("--goal", help="latency, energy, ram or flash.")] = "latency",
    json: Json = False,
) -> None:  # fmt: skip
    """Simulate changes of the model and the deployment, best first."""
    from .tools import simulate_optimizations

    def simulate(graph: ModelGraph | str, place: Deployment) -> Result:
        return simulate_optimizations(graph, place, goal)

    where = Where(target, runtime, clock, batch, threads, shape)
    _analysis("simulate_optimizations", simulate, model, where, json, goal=goal)


@app.command()
def check(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    max_latency: Annotated[str | None, typer.Option(help="For one inference, such as 50ms.")] = None,
    min_rate: Annotated[str | None, typer.Option(help="Inferences per second, such as 20fps.")] = None,
    max_ram: Annotated[str | None, typer.Option(help="Such as 256KiB.")] = None,
    max_flash: Annotated[str | None, typer.Option(help="Such as 1MiB.")] = None,
    max_energy: Annotated[str | None, typer.Option(help="For one inference, such as 1mJ.")] = None,
    max_power: Annotated[str | None, typer.Option(help="While computing, such as 0.5W.")] = None,
    dtype: Annotated[str | None, typer.Option(help="The only type allowed, such as int8.")] = None,
    headroom: Annotated[float | None, typer.Option(help="Share of the target's memory to keep free.")] = None,
    budget: Annotated[Path | None, typer.Option(help="A YAML file of limits, instead of flags.")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """Check a model against limits: exit code 10 when one fails, 11 when one cannot be known."""
    from .tools import UsageError, Verdict, check_constraints, limits_from_text, read_budget

    flags = {
        "latency": max_latency, "rate": min_rate, "ram": max_ram, "flash": max_flash,
        "energy": max_energy, "power": max_power,
    }  # fmt: skip
    more = {
        name: value for name, value in {"dtype": dtype, "headroom": headroom}.items() if value is not None
    }
    if budget is not None and (more or any(flags.values())):
        raise UsageError("Limits come from --budget or from flags, not from both.", hint="Drop one of them.")
    limits = read_budget(budget) if budget is not None else limits_from_text(flags, **more)

    def checked(graph: ModelGraph | str, place: Deployment) -> Result:
        return check_constraints(graph, place, limits)

    told = {f"max_{name}": text for name, text in flags.items()} | {"budget": str(budget) if budget else None}
    where = Where(target, runtime, clock, batch, threads, shape)
    report = _analysis("check_constraints", checked, model, where, json, **told)
    verdict = getattr(report, "verdict", Verdict.UNKNOWN)
    raise typer.Exit({Verdict.FAIL: 10, Verdict.UNKNOWN: 11}.get(verdict, 0))


@app.command()
def validate(
    against: Annotated[Path | None, typer.Option(help="A CSV of measurements of your own.")] = None,
    device_class: Annotated[str | None, typer.Option("--class", help="mcu, cpu, gpu or npu.")] = None,
    runtime: Annotated[str | None, typer.Option("--runtime", "-r", help="Only of this runtime.")] = None,
    in_sample: Annotated[bool, typer.Option("--in-sample", help="Also errors on what was fitted.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw predicted against measured: .svg, .html.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write predictions: .csv.")] = None,
    json: Json = False,
) -> None:
    """Tell how far estimates are from measurements that they were not fitted to."""
    from .tools import validate as validated

    report = validated(
        against, device_class=device_class, runtime=runtime, in_sample=in_sample, plot=plot, output=output
    )
    inputs = {"against": str(against) if against else None, "class": device_class, "runtime": runtime}
    _print("validate", report, inputs | {"in_sample": in_sample}, json)


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
    from .tools import Verdict, estimate_energy_budget
    from .tools.units import Dimension, parse_measure

    asked: dict[str, Any] = {
        "rate_hz": None if rate is None else parse_measure(rate, Dimension.RATE_HZ),
        "period_s": None if every is None else parse_measure(every, Dimension.TIME_MS) / 1e3,
        "battery": battery, "battery_mah": battery_mah, "battery_v": battery_v,
        "sleep_ua": sleep_ua, "wakeup_us": wakeup_us,
    }  # fmt: skip

    def budget(graph: ModelGraph | str, place: Deployment) -> Result:
        return estimate_energy_budget(graph, place, **asked)

    where = Where(target, runtime, clock, batch, threads, shape)
    report = _analysis("estimate_energy_budget", budget, model, where, json, **asked)
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
    from .tools import limits_from_text, sweep_frequency
    from .tools.units import Dimension, parse_measure

    limits = limits_from_text({"latency": max_latency, "power": max_power})
    steps = clocks and [parse_measure(text, Dimension.CLOCK_MHZ) for text in clocks.split(",")]

    def sweep(graph: ModelGraph | str, place: Deployment) -> Result:
        return sweep_frequency(graph, place, steps or None, limits)

    where = Where(target, runtime, clock, batch, threads, shape)
    told = {"max_latency": max_latency, "max_power": max_power, "clocks": clocks}
    _analysis("sweep_frequency", sweep, model, where, json, **told)


@targets_app.callback()
def targets(context: typer.Context, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        targets_list(json=json)


@targets_app.command("list")
def targets_list(
    target_class: Annotated[str | None, typer.Option("--class", help="Such as mcu, npu or gpu.")] = None,
    core: Annotated[str | None, typer.Option(help="Such as cortex-m7 or rv32.")] = None,
    runtime: Runtime = None,
    min_ram: Annotated[str | None, typer.Option(help="Such as 256KiB, all regions added up.")] = None,
    min_flash: Annotated[str | None, typer.Option(help="Such as 1MiB.")] = None,
    max_power: Annotated[str | None, typer.Option(help="While computing, such as 0.5W.")] = None,
    max_price: Annotated[float | None, typer.Option(help="In US dollars.")] = None,
    json: Json = False,
) -> None:  # fmt: skip
    """List the targets; one whose figure is not known does not meet a condition on it."""
    from .tools import list_targets
    from .tools.units import Dimension, parse_measure

    texts = {
        "min_ram_bytes": (min_ram, Dimension.BYTES), "min_flash_bytes": (min_flash, Dimension.BYTES),
        "max_power_mw": (max_power, Dimension.POWER_MW),
    }  # fmt: skip
    bounds: dict[str, Any] = {n: parse_measure(text, unit) for n, (text, unit) in texts.items() if text}
    asked = {"core": core, "runtime": runtime, "max_price_usd": max_price, **bounds}
    _print("list_targets", list_targets(target_class, **asked), {"class": target_class, **asked}, json)


@targets_app.command("diff")
def targets_diff(
    one: Annotated[str, typer.Argument(help="A target.")],
    other: Annotated[str, typer.Argument(help="Another.")],
    json: Json = False,
) -> None:
    """Show the figures in which two targets differ."""
    from .tools import diff_targets

    _print("diff_targets", diff_targets(one, other), {"one": one, "other": other}, json)


@targets_app.command("add")
def targets_add(
    name: Annotated[str, typer.Argument(help="Id of the new target, such as drone-board.")],
    like: Annotated[str, typer.Option("--like", help="The target it differs from.")],
    directory: Annotated[Path, typer.Option("--output", "-o", help="Directory of your hardware files.")],
    source: Annotated[str, typer.Option("--source", help="What your figures are from: a document, a page.")],
    clock: Annotated[str | None, typer.Option(help="Maximum clock of the core, such as 400MHz.")] = None,
    supply: Annotated[float | None, typer.Option(help="Supply in volts.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:  # fmt: skip
    """Write a file for a target of your own, which says where it differs from another, and lint it."""
    from .tools.catalog.additions import add_target
    from .tools.units import Dimension, parse_measure

    clock_mhz = None if clock is None else parse_measure(clock, Dimension.CLOCK_MHZ)
    file = add_target(
        name, like=like, directory=directory, source=source, clock_mhz=clock_mhz, supply_v=supply, force=force
    )
    typer.echo(f"{file}: no problem found. Use it with --hardware-dir {directory}.")


@targets_app.command("show")
def targets_show(name: Annotated[str, typer.Argument(help="A target.")], json: Json = False) -> None:
    """Show regions, peaks, conflicts and sources of a target."""
    from .tools import get_target

    _print("get_target", get_target(name), {"target": name}, json)


@targets_app.command("lint")
def targets_lint() -> None:
    """Check every file of the hardware database."""
    from .hardware_db.lint import lint

    report = lint()
    typer.echo(str(report))
    raise typer.Exit(1 if report.problems else 0)


@runtimes_app.callback()
def runtimes(context: typer.Context, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        runtimes_list(json=json)


@runtimes_app.command("list")
def runtimes_list(json: Json = False) -> None:
    """List the runtimes."""
    from .tools import list_runtimes

    _print("list_runtimes", list_runtimes(), {}, json)


@runtimes_app.command("show")
def runtimes_show(name: Annotated[str, typer.Argument(help="A runtime.")], json: Json = False) -> None:
    """Show operators, types and sources of a runtime."""
    from .tools import get_runtime

    _print("get_runtime", get_runtime(name), {"runtime": name}, json)


@models_app.callback()
def models(context: typer.Context, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        models_list(json=json)


@models_app.command("list")
def models_list(json: Json = False) -> None:
    """List the architectures that need no file."""
    from .tools.catalog.architectures import list_architectures

    _print("list_architectures", list_architectures(), {}, json)


@models_app.command("write")
def models_write(
    name: Annotated[str, typer.Argument(help="An architecture, such as kws or mobilenet_v2:0.35:96:int8.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The .tflite file to write.")],
    seed: Annotated[int, typer.Option(help="Of the random weights.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write an architecture with random weights as a .tflite file (int8 unless a type is named)."""
    from .tools.model_parser.architectures import build_architecture, names_dtype
    from .tools.model_writer import save_tflite

    graph = build_architecture(name) if names_dtype(name) else build_architecture(name, dtype="int8")
    size = save_tflite(graph, output, seed=seed, force=force)
    typer.echo(f"{output}: {size:,} bytes, random weights", err=True)


@app.command()
def ask(
    question: Annotated[list[str] | None, typer.Argument(help="The question; - reads it from stdin.")] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="The model it is about.")] = None,
    target: Annotated[str | None, typer.Option("--target", "-t", help="The target it is about.")] = None,
    runtime: Runtime = None,
    llm: Annotated[str | None, typer.Option("--llm", help="A model's name, or offline.")] = None,
    json: Json = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 6 if a number is from no tool.")] = False,
    audit: Annotated[bool, typer.Option("--audit", help="Show where each number comes from.")] = False,
) -> None:
    """Answer one question."""
    from .agent.one_shot import ask_once

    raise typer.Exit(
        ask_once(
            question or [],
            model=model,
            target=target,
            runtime=runtime,
            llm=llm,
            json=json,
            strict=strict,
            audit=audit,
        )
    )


@app.command()
def chat(
    model: Annotated[str | None, typer.Option("--model", "-m", help="The model it is about.")] = None,
    target: Annotated[str | None, typer.Option("--target", "-t", help="The target it is about.")] = None,
    llm: Annotated[str | None, typer.Option("--llm", help="A model's name, or offline.")] = None,
) -> None:
    """Talk about models and hardware."""
    gc.enable()
    from .agent.repl import run_chat

    raise typer.Exit(run_chat(model=model, target=target, llm=llm))


def _analysis(
    tool: str, function: Callable[..., Result], model: str, where: Where, json: bool, **told: Any
) -> Result:
    from .tools import deployment, parse_model
    from .tools.units import Dimension, parse_measure

    clock_mhz = None if where.clock is None else parse_measure(where.clock, Dimension.CLOCK_MHZ)
    place = deployment(
        where.target, where.runtime, clock_mhz=clock_mhz, batch=where.batch, threads=where.threads
    )
    result = function(model if where.shape is None else parse_model(model, shape=where.shape), place)
    inputs = where._asdict() | {"clock": None, "clock_mhz": clock_mhz}
    _print(tool, result, {"model": model, **inputs, **told}, json)
    return result


def _print(tool: str, result: Result, inputs: dict[str, Any], json: bool) -> None:
    from .tools.reports import as_text, envelope

    if json:
        import json as json_module

        typer.echo(json_module.dumps(envelope(tool, inputs, result), ensure_ascii=False, indent=1))
    else:
        typer.echo(as_text(result))


def main() -> None:
    """Run the command line; every error a user can cause is one line and an exit code.

    One command makes little garbage and ends soon: collecting it would cost a tenth of the run.
    """
    gc.disable()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        from .hardware_db.errors import EdgewrightError

        if not isinstance(error, EdgewrightError):
            raise
        print(f"edgewright: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
