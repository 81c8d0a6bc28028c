"""Kernels of a GPU as `nsys stats --report cuda_gpu_kern_sum --format csv` sums them up.

Columns `Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name` (Nsight
Systems' analysis guide, cuda_gpu_kern_sum); those of memory operations have `Count` and `Operation`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.sanitize import clean_text
from ..grid import grid_of
from ..recording import Doing, Recording, Span
from ..trace import Unit

_KERNELS = frozenset(("time", "total_time_ns", "instances", "name"))
_MOVES = frozenset(("time", "total_time_ns", "count", "operation"))
_ONCE = 2_000
"""Runs of one kernel, above which it is one span."""


def read(lines: Sequence[str]) -> Recording | None:
    grid = grid_of(lines, _KERNELS) or grid_of(lines, _MOVES)
    if grid is None or not grid.rows:
        return None
    moves = not grid.has("instances")
    lane, doing = ("copies", Doing.TRANSFER) if moves else ("GPU", Doing.COMPUTE)
    spans: list[Span] = []
    begin, times = 0.0, 0
    for row in grid.rows:
        total = row.number("total_time_ns") or 0.0
        often = int(row.number("instances", "count") or 1)
        name = clean_text(row.text("name", "operation"), 120)
        parts = often if 0 < often <= _ONCE else 1
        spans += [
            Span(name, begin + total * at / parts, begin + total * (at + 1) / parts, lane, doing)
            for at in range(parts)
        ]
        begin += total
        times += often
    return Recording(
        "kernels of a GPU, by Nsight Systems", Unit.NANOSECONDS, tuple(spans), written_by="tensorrt",
        notes=("sums over all launches: they lie behind each other here, as they are no timeline",),
        lines=len(grid.rows), facts={"launches": f"{times:,}"},
    )  # fmt: skip
