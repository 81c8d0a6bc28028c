"""How far estimates are from measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Json
from .printing import print_result

app = typer.Typer()


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
    from ..tools import validate as validated

    report = validated(
        against, device_class=device_class, runtime=runtime, in_sample=in_sample, plot=plot, output=output
    )
    inputs = {"against": str(against) if against else None, "class": device_class, "runtime": runtime}
    print_result("validate", report, inputs | {"in_sample": in_sample}, json)
