"""Where a model's memory goes, over regions and over time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Batch, Clock, Json, Model, Runtime, Shape, Target, Threads, Where
from .printing import run_analysis

if TYPE_CHECKING:
    from ..tools.deployments import Deployment
    from ..tools.graph import ModelGraph
    from ..tools.quantity import Result


app = typer.Typer()

_QUIET_S = 2.0

Reserve = Annotated[
    str | None, typer.Option("--reserve", help="RAM for stack, heap, application, such as 64KiB.")
]


BestOrder = Annotated[
    bool, typer.Option("--best-order", help="Seek the order of operators and the packing that need least.")
]
TimeLimit = Annotated[
    float, typer.Option("--time-limit", help="Seconds for that; Ctrl-C ends it with the best found.")
]


@app.command()
def memory(
    model: Model, target: Target, runtime: Runtime = None, clock: Clock = None, batch: Batch = 1,
    threads: Threads = 1, shape: Shape = None, reserve: Reserve = None, best_order: BestOrder = False,
    time_limit: TimeLimit = 5.0, json: Json = False,
) -> None:  # fmt: skip
    """Plan arena and flash, place them in the target's memory regions, and price other places."""
    from ..tools import plan_memory

    where = Where(target, runtime, clock, batch, threads, shape)
    if best_order:
        _seek_order(model, where, time_limit, json)
        return
    reserve_bytes = bytes_of(reserve)

    def planned(graph: ModelGraph | str, place: Deployment) -> Result:
        return plan_memory(graph, place, reserve_bytes=reserve_bytes)

    run_analysis("plan_memory", planned, model, where, json, reserve_bytes=reserve_bytes or None)


def _seek_order(model: str, where: Where, time_limit_s: float, json: bool) -> None:
    from ..tools import best_memory_order

    begin = time.monotonic()

    def tell(line: str) -> None:
        if time.monotonic() - begin > _QUIET_S:
            typer.echo(line, err=True)

    def sought(graph: ModelGraph | str, place: Deployment) -> Result:
        return best_memory_order(graph, place, time_limit_s=time_limit_s, progress=tell)

    run_analysis("best_memory_order", sought, model, where, json, time_limit_s=time_limit_s)


def bytes_of(text: str | None) -> int:
    from ..tools.units import Dimension, parse_measure

    return 0 if text is None else int(parse_measure(text, Dimension.BYTES))
