"""Code to paste."""

from __future__ import annotations

from pathlib import Path
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
def code(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None,
    one_type: Annotated[
        bool, typer.Option("--one-type", help="Link kernels of the model's own type alone (CMSIS-NN).")
    ] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder for the files.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
    json: Json = False,
) -> None:  # fmt: skip
    """Write the code that runs a model: arena, operators, interpreter; or the command that makes it."""
    from ..tools import firmware_code, write_firmware

    def written(graph: ModelGraph | str, place: Deployment) -> Result:
        made = firmware_code(graph, place, one_type=one_type)
        return made if output is None else write_firmware(made, output, force=force)

    where = Where(target, runtime, clock, batch, threads, shape)
    told: dict[str, Any] = {"one_type": one_type, "output": None if output is None else str(output)}
    run_analysis("firmware_code", written, model, where, json, **told)
