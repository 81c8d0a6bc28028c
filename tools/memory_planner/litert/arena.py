"""Where LiteRT's ArenaPlanner puts each tensor.

Follows google-ai-edge/LiteRT at f6745779, tflite/arena_planner.cc and simple_memory_arena.cc.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...graph import ModelGraph
from ...graph.memoize import memoized
from ..liveness import Buffer, Ints
from ..packing import Packing, gap_starts, stack_for
from .sharing import merged_buffers


def litert_offsets(graph: ModelGraph, buffers: Sequence[Buffer], steps: int, alignment: int) -> Ints:
    """Offset of each buffer, in the order given.

    The model's inputs and outputs are never overwritten. Largest first, of equals the one needed first;
    each goes into the tightest gap between tensors alive at the same time, else behind the last of them.
    What an operator writes over its input lies where that does.
    """
    own, holders = merged_buffers(graph.main, buffers)
    made = memoized(
        graph, "litert arena", (tuple(own), steps, alignment), lambda: _placed(graph, own, steps, alignment)
    )
    placed = made.tolist()
    by_tensor = {b.tensor: offset for b, offset in zip(own, placed, strict=True) if b.subgraph == 0}
    taken = iter(placed)
    return np.array(
        [
            by_tensor[holders[b.tensor]] if b.subgraph == 0 and b.tensor in holders else next(taken)
            for b in buffers
        ],
        dtype=np.int64,
    )


def _placed(graph: ModelGraph, buffers: Sequence[Buffer], steps: int, alignment: int) -> Ints:
    spans = litert_spans(graph, buffers, steps)
    for_good = [first == 0 and last == steps for first, last in spans]
    order = sorted(
        range(len(buffers)),
        key=lambda i: (not for_good[i], 0 if for_good[i] else -buffers[i].bytes, spans[i][0], i),
    )
    offsets = np.zeros(len(buffers), dtype=np.int64)
    placed, stack = Packing(len(buffers)), stack_for(spans, buffers)
    for index in order:
        (first, last), size = spans[index], buffers[index].bytes
        top = None if stack is None else stack.top_without_gaps(first, last)
        offset = _tightest_gap(*placed.alive_between(first, last), size, alignment) if top is None else top
        placed.place(offset, size, first, last)
        if stack is not None:
            stack.place(offset, -(-size // alignment) * alignment, first, last)
        offsets[index] = offset
    return offsets


def litert_spans(graph: ModelGraph, buffers: Sequence[Buffer], steps: int) -> list[tuple[int, int]]:
    """First and last step of each buffer, `steps` for those that stay."""
    inputs = set(graph.main.inputs)
    ends = inputs.union(graph.main.outputs)
    return [_span(b, inputs, ends, steps) for b in buffers]


def _span(buffer: Buffer, inputs: set[int], ends: set[int], steps: int) -> tuple[int, int]:
    if buffer.subgraph != 0:
        return buffer.first, buffer.last
    first = 0 if buffer.tensor in inputs else max(0, buffer.first)
    return first, steps if buffer.tensor in ends else buffer.last


def _tightest_gap(starts: Ints, ends: Ints, size: int, alignment: int) -> int:
    gaps = gap_starts(ends)
    aligned = -(-gaps // alignment) * alignment
    room = starts - aligned[:-1]
    fitting = np.flatnonzero(room >= size)
    return int(aligned[fitting[np.argmin(room[fitting])]] if len(fitting) else aligned[-1])
