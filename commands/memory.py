"""Where a model's memory goes, over regions and over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import run_analysis

if TYPE_CHECKING:
    from ..tools.deployments import Deployment
    from ..tools.graph import ModelGraph
    from ..tools.quantity import Result


app = typer.Typer()

Reserve = Annotated[
    str | None, typer.Option("--reserve", help="RAM for stack, heap, application, such as 64KiB.")
]


@app.command()
def memory(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None, reserve: Reserve = None, json: Json = False,
) -> None:  # fmt: skip
    """Plan arena and flash, place them in the target's memory regions, and price other places."""
    from ..tools import plan_memory

    reserve_bytes = bytes_of(reserve)

    def planned(graph: ModelGraph | str, place: Deployment) -> Result:
        return plan_memory(graph, place, reserve_bytes=reserve_bytes)

    where = Where(target, runtime, clock, batch, threads, shape)
    run_analysis("plan_memory", planned, model, where, json, reserve_bytes=reserve_bytes or None)


def bytes_of(text: str | None) -> int:
    from ..tools.units import Dimension, parse_measure

    return 0 if text is None else int(parse_measure(text, Dimension.BYTES))
