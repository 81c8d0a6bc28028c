"""Where TFLite Micro's GreedyMemoryPlanner puts each buffer.

Follows tensorflow/tflite-micro at 90b983c2, lite/micro/memory_planner/greedy_memory_planner.cc.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..liveness import Buffer, Ints
from ..packing import Packing, lowest_gap, stack_for


def greedy_offsets(buffers: Sequence[Buffer], alignment: int, given: Mapping[int, int] | None = None) -> Ints:
    """Offset of each buffer, in the order given.

    Largest first; of equals the one added last. Each goes into the lowest gap that is large enough
    between buffers alive at the same time, else behind the last of them. Those `given` an offset, by
    position, keep it and are placed before all others, whatever they overlap.
    """
    given = given or {}
    sizes = aligned_sizes(buffers, alignment)
    newest_first = np.array([i for i in reversed(range(len(buffers))) if i not in given], dtype=np.int64)
    offsets = np.zeros(len(buffers), dtype=np.int64)
    placed = Packing(len(buffers))
    stack = None if given else stack_for([(b.first, b.last) for b in buffers], buffers)
    for index, offset in sorted(given.items()):
        placed.place(offset, int(sizes[index]), buffers[index].first, buffers[index].last)
        offsets[index] = offset
    for index in newest_first[np.argsort(-sizes[newest_first], kind="stable")]:
        buffer, size = buffers[index], int(sizes[index])
        top = None if stack is None else stack.top_without_gaps(buffer.first, buffer.last)
        offset = lowest_gap(*placed.alive_between(buffer.first, buffer.last), size) if top is None else top
        placed.place(offset, size, buffer.first, buffer.last)
        if stack is not None:
            stack.place(offset, size, buffer.first, buffer.last)
        offsets[index] = offset
    return offsets


def aligned_sizes(buffers: Sequence[Buffer], alignment: int) -> Ints:
    sizes = np.array([b.bytes for b in buffers], dtype=np.int64)
    return -(-sizes // alignment) * alignment
