"""What is known: targets, runtimes, architectures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .options import Json, Runtime
from .printing import print_result

targets_app = typer.Typer(help="What is known about hardware.", invoke_without_command=True)
runtimes_app = typer.Typer(help="What is known about kernel libraries.", invoke_without_command=True)
models_app = typer.Typer(help="Architectures that are known by name.", invoke_without_command=True)
app = typer.Typer()
app.add_typer(targets_app, name="targets")
app.add_typer(runtimes_app, name="runtimes")
app.add_typer(models_app, name="models")


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
    from ..tools import list_targets
    from ..tools.core.units import Dimension, parse_measure

    texts = {
        "min_ram_bytes": (min_ram, Dimension.BYTES), "min_flash_bytes": (min_flash, Dimension.BYTES),
        "max_power_mw": (max_power, Dimension.POWER_MW),
    }  # fmt: skip
    bounds: dict[str, Any] = {n: parse_measure(text, unit) for n, (text, unit) in texts.items() if text}
    asked = {"core": core, "runtime": runtime, "max_price_usd": max_price, **bounds}
    print_result("list_targets", list_targets(target_class, **asked), {"class": target_class, **asked}, json)


@targets_app.command("diff")
def targets_diff(
    one: Annotated[str, typer.Argument(help="A target.")],
    other: Annotated[str, typer.Argument(help="Another.")],
    json: Json = False,
) -> None:
    """Show the figures in which two targets differ."""
    from ..tools import diff_targets

    print_result("diff_targets", diff_targets(one, other), {"one": one, "other": other}, json)


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
    from ..tools.core.units import Dimension, parse_measure
    from ..tools.hardware_catalog.additions import add_target

    clock_mhz = None if clock is None else parse_measure(clock, Dimension.CLOCK_MHZ)
    file = add_target(
        name, like=like, directory=directory, source=source, clock_mhz=clock_mhz, supply_v=supply, force=force
    )
    typer.echo(f"{file}: no problem found. Use it with --hardware-dir {directory}.")


@targets_app.command("show")
def targets_show(name: Annotated[str, typer.Argument(help="A target.")], json: Json = False) -> None:
    """Show regions, peaks, conflicts and sources of a target."""
    from ..tools import get_target

    print_result("get_target", get_target(name), {"target": name}, json)


@targets_app.command("lint")
def targets_lint() -> None:
    """Check every file of the hardware database."""
    from ..hardware_db.lint import lint

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
    from ..tools import list_runtimes

    print_result("list_runtimes", list_runtimes(), {}, json)


@runtimes_app.command("show")
def runtimes_show(name: Annotated[str, typer.Argument(help="A runtime.")], json: Json = False) -> None:
    """Show operators, types and sources of a runtime."""
    from ..tools import get_runtime

    print_result("get_runtime", get_runtime(name), {"runtime": name}, json)


@models_app.callback()
def models(context: typer.Context, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        models_list(json=json)


@models_app.command("list")
def models_list(json: Json = False) -> None:
    """List the architectures that need no file."""
    from ..tools.hardware_catalog.architectures import list_architectures

    print_result("list_architectures", list_architectures(), {}, json)


@models_app.command("write")
def models_write(
    name: Annotated[str, typer.Argument(help="An architecture, such as kws or mobilenet_v2:0.35:96:int8.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The .tflite file to write.")],
    seed: Annotated[int, typer.Option(help="Of the random weights.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write an architecture with random weights as a .tflite file (int8 unless a type is named)."""
    from ..tools.model_formats.writer.save import save_tflite
    from ..tools.model_zoo.named import build_architecture, names_dtype

    graph = build_architecture(name) if names_dtype(name) else build_architecture(name, dtype="int8")
    size = save_tflite(graph, output, seed=seed, force=force)
    typer.echo(f"{output}: {size:,} bytes, random weights", err=True)
