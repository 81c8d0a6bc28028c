"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

Model = Annotated[str, typer.Argument(help="A .tflite or .onnx file, or a name such as mobilenet_v2:int8.")]
Target = Annotated[str, typer.Option("--target", "-t", help="Id, nickname or part number.")]
Runtime = Annotated[str | None, typer.Option("--runtime", "-r", help="Kernel library; else the usual one.")]
Clock = Annotated[str | None, typer.Option("--clock", help="Core clock, such as 80MHz; else the maximum.")]
Batch = Annotated[int, typer.Option("--batch", help="Inferences computed at once.")]
Threads = Annotated[int, typer.Option("--threads", help="Cores used at once.")]
Shape = Annotated[str | None, typer.Option("--shape", help="Input shape, such as 1,96,96,3.")]
MaxLatency = Annotated[str | None, typer.Option("--max-latency", help="For one inference, such as 50ms.")]
MinRate = Annotated[str | None, typer.Option("--min-rate", help="Inferences per second, such as 20fps.")]
MaxRam = Annotated[str | None, typer.Option("--max-ram", help="Such as 256KiB.")]
Reserve = Annotated[str | None, typer.Option("--reserve", help="RAM for stack, heap, application: 64KiB.")]
MaxFlash = Annotated[str | None, typer.Option("--max-flash", help="Such as 1MiB.")]
MaxEnergy = Annotated[str | None, typer.Option("--max-energy", help="For one inference, such as 1mJ.")]
MaxPower = Annotated[str | None, typer.Option("--max-power", help="While computing, such as 0.5W.")]
MaxPrice = Annotated[str | None, typer.Option("--max-price", help="Of one target, such as 20USD.")]
Only = Annotated[str | None, typer.Option("--dtype", help="The only type allowed, such as int8.")]
Headroom = Annotated[
    float | None, typer.Option("--headroom", help="Share of the target's memory to keep free.")
]
Budget = Annotated[Path | None, typer.Option("--budget", help="A YAML file of limits, instead of flags.")]
Weight = Annotated[
    list[str] | None, typer.Option("--weight", help="What a figure counts for, such as energy=3.")
]
RedactNames = Annotated[
    bool, typer.Option("--redact-names", help="Show t0, op0 … for every name out of a model file.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def redact_if(wanted: bool) -> None:
    """For the rest of this process."""
    if wanted:
        from ..tools.model_formats.redaction import redact_names

        redact_names()


class Where(NamedTuple):
    """What an analysis command was told of the deployment."""

    target: str
    runtime: str | None
    clock: str | None
    batch: int
    threads: int
    shape: str | None
