"""What is known: targets, runtimes, architectures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..agent.registry import tool_named
from ..hardware_db.errors import UsageError
from ..tools.core.units import Dimension, parse_measure
from .generated import Asked, plain
from .options import Json
from .printing import echo

targets_app = typer.Typer(help="What is known about hardware.", invoke_without_command=True)
runtimes_app = typer.Typer(help="What is known about kernel libraries.", invoke_without_command=True)
models_app = typer.Typer(help="Architectures that are known by name.", invoke_without_command=True)
app = typer.Typer()
app.add_typer(targets_app, name="targets")
app.add_typer(runtimes_app, name="runtimes")
app.add_typer(models_app, name="models")
GROUPS = {"targets": targets_app, "runtimes": runtimes_app, "models": models_app}


@targets_app.callback()
def targets(context: typer.Context, json: Json = False) -> None:
    _listed(context, "list_targets", json)


@runtimes_app.callback()
def runtimes(context: typer.Context, json: Json = False) -> None:
    _listed(context, "list_runtimes", json)


@models_app.callback()
def models(context: typer.Context, json: Json = False) -> None:
    _listed(context, "list_architectures", json)


def _listed(context: typer.Context, function: str, json: bool) -> None:
    if context.invoked_subcommand is None:
        plain(Asked(tool_named(function), {}, json, context.obj))


@targets_app.command("add")
def targets_add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Id of the new target, such as drone-board.")],
    like: Annotated[str, typer.Option("--like", help="The target it differs from.")],
    directory: Annotated[Path, typer.Option("--output", "-o", help="Directory of your hardware files.")],
    source: Annotated[str, typer.Option("--source", help="What your figures are from: a document, a page.")],
    clock: Annotated[str | None, typer.Option(help="Maximum clock of the core, such as 400MHz.")] = None,
    supply: Annotated[float | None, typer.Option(help="Supply in volts.")] = None,
    ram: Annotated[str | None, typer.Option(help="Of its largest RAM, such as 512KiB.")] = None,
    flash: Annotated[str | None, typer.Option(help="Of its largest flash, such as 2MiB.")] = None,
    external_ram: Annotated[
        str | None, typer.Option(help="PSRAM or SDRAM beside the chip, such as 8MiB.")
    ] = None,
    external_bandwidth: Annotated[
        float | None, typer.Option(help="Of --external-ram, in MB/s, where it is known.")
    ] = None,
    sleep_ua: Annotated[float | None, typer.Option(help="Asleep with its RAM kept, in microamperes.")] = None,
    active_power: Annotated[
        str | None, typer.Option(help="Of the whole board while it computes, such as 120mW.")
    ] = None,
    energy_per_mac: Annotated[
        float | None, typer.Option(help="Of the whole board for a MAC, in pJ; --active-power goes before.")
    ] = None,
    accelerates: Annotated[
        str | None, typer.Option(help="Operators that its accelerator takes: CONV_2D,FULLY_CONNECTED.")
    ] = None,
    accelerator_macs: Annotated[
        float | None, typer.Option(help="Of --accelerates: int8 MACs that it computes in a cycle.")
    ] = None,
    accelerator_clock: Annotated[
        str | None, typer.Option(help="Of --accelerates: its clock, where it is not the core's.")
    ] = None,
    price: Annotated[str | None, typer.Option(help="Such as 20USD.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:  # fmt: skip
    """Write a file for a target of your own, which says where it differs from another, and lint it."""
    from ..tools.hardware_catalog.additions import OwnFigures, add_target
    from ..tools.hardware_catalog.own_accelerator import OwnAccelerator

    def read(text: str | None, dimension: Dimension) -> float | None:
        return None if text is None else parse_measure(text, dimension)

    if (accelerates is None) != (accelerator_macs is None):
        raise UsageError(
            "An accelerator needs its operators and its rate.",
            hint="Give --accelerates CONV_2D,… with --accelerator-macs.",
        )
    accelerator = None
    if accelerates is not None and accelerator_macs is not None:
        clock_of_it = read(accelerator_clock, Dimension.CLOCK_MHZ)
        accelerator = OwnAccelerator(tuple(accelerates.split(",")), accelerator_macs, clock_of_it)
    figures = OwnFigures(
        ram_bytes=read(ram, Dimension.BYTES), flash_bytes=read(flash, Dimension.BYTES), sleep_ua=sleep_ua,
        external_ram_bytes=read(external_ram, Dimension.BYTES),
        external_bytes_per_s=None if external_bandwidth is None else 1e6 * external_bandwidth,
        price_usd=read(price, Dimension.PRICE_USD), active_mw=read(active_power, Dimension.POWER_MW),
        energy_per_mac_pj=energy_per_mac, accelerator=accelerator,
    )  # fmt: skip
    file = add_target(
        name, like=like, directory=directory, source=source, clock_mhz=read(clock, Dimension.CLOCK_MHZ),
        supply_v=supply, figures=figures, force=force, settings=context.obj.settings(),
    )  # fmt: skip
    echo(f"{file}: no problem found. Use it with --hardware-dir {directory}.")


@targets_app.command("lint")
def targets_lint() -> None:
    """Check every file of the hardware database."""
    from ..hardware_db.lint import lint

    report = lint()
    echo(str(report))
    raise typer.Exit(1 if report.problems else 0)


@models_app.command("write")
def models_write(
    name: Annotated[str, typer.Argument(help="An architecture, such as kws or mobilenet_v2:0.35:96:int8.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The .tflite file to write.")],
    seed: Annotated[int, typer.Option(help="Of the random weights.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write an architecture with random weights as a .tflite file (int8 unless a type is named)."""
    from ..tools.model_formats.writer.save import save_architecture

    size = save_architecture(name, output, seed=seed, force=force)
    echo(f"{output}: {size:,} bytes, random weights", err=True)
