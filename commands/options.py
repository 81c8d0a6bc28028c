"""Options that many commands share."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

Model = Annotated[str, typer.Argument(help="A .tflite or .onnx file, or a name such as mobilenet_v2:int8.")]
Target = Annotated[str, typer.Option("--target", "-t", help="Id, nickname or part number.")]
Runtime = Annotated[str | None, typer.Option("--runtime", "-r", help="Kernel library; else the usual one.")]
Clock = Annotated[str | None, typer.Option("--clock", help="Core clock, such as 80MHz; else the maximum.")]
Batch = Annotated[int, typer.Option("--batch", help="Inferences computed at once.")]
Threads = Annotated[int, typer.Option("--threads", help="Cores used at once.")]
Shape = Annotated[str | None, typer.Option("--shape", help="Input shape, such as 1,96,96,3.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


class Where(NamedTuple):
    """What an analysis command was told of the deployment."""

    target: str
    runtime: str | None
    clock: str | None
    batch: int
    threads: int
    shape: str | None
