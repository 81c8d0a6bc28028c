"""What X-CUBE-AI's activations take at most: between buffers that overlap and buffers apart.

Overlapped as `overlap` has it, releases 7.1 to 8.1 are met to the byte. From 9.0 on the compiler overlaps
fewer, and by no rule that its generated code or published sizes show, so the estimate is the smaller of two
bounds that no published activation size of 9.0 to 10.2 exceeds: buffers apart, placed as a simple allocator
would, and a multiple of those overlapped. `tests/tools/memory_planner/test_cube_arena.py` scores both with
each family of networks left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.memoize import memoized
from .compiled_steps import compiled_steps, outputs_of, readers_of, tensor_bytes, window_of
from .kernels.cube_scratch import scratch_bytes
from .liveness import Buffer, Ints
from .overlap import UNPADDED_CHANNELS, overlapped_bytes, padded_bytes
from .packing import Packing, lowest_gap
from .tflm.greedy import aligned_sizes, greedy_offsets

APART_AT_MOST = 1.12
"""Published over apart: 1.065 at most (SqueezeNet 1.1 at 10.0), and a twentieth."""
OVERLAPPED_AT_MOST = 1.5
"""Published over overlapped: 1.431 at most (MLPerf Tiny's person detector at 9.0), and a twentieth."""
IMAGE_FIRST_AT_MOST = 1.2
"""The same where the peak is a convolution of an image, which every release overlaps: twice the surplus of
1.098 that was published at most (FD-MobileNet at 10.0)."""
_LAST_OVERLAPPING = 8
_WORD = 4


@dataclass(frozen=True)
class Bounds:
    """Bytes of a model's activations."""

    overlapped: int
    apart: int
    reads_image: bool
    """The peak of `overlapped` is a convolution that pads its image on the fly."""
    heads: int


def surplus(graph: ModelGraph, release: str) -> float:
    """Factor on the overlapped plan that no published activation size exceeds; 1 where it is met as it is.

    Args:
        graph: at the deployment's batch.
        release: of X-CUBE-AI, as 8.1; none is the newest.

    Raises:
        UnplannableError: a shape is not known.
    """
    bounds = memoized(graph, "cube bounds", None, lambda: bounds_of(graph))
    return at_most(bounds, release) / bounds.overlapped if bounds.overlapped else 1.0


def at_most(bounds: Bounds, release: str) -> float:
    """Bytes. Several outputs, as of detectors, stay in memory long and leave gaps: nothing overlaps there."""
    if _is_old(release):
        return float(max(bounds.overlapped, bounds.apart) if bounds.heads > 1 else bounds.overlapped)
    apart = APART_AT_MOST * bounds.apart
    if bounds.heads > 1:
        return max(bounds.overlapped, apart)
    factor = IMAGE_FIRST_AT_MOST if bounds.reads_image else OVERLAPPED_AT_MOST
    return max(bounds.overlapped, min(apart, factor * bounds.overlapped))


def bounds_of(graph: ModelGraph) -> Bounds:
    """
    Raises:
        UnplannableError: a shape is not known.
    """
    by_op = overlapped_bytes(graph)
    peak = int(by_op.argmax()) if len(by_op) else -1
    return Bounds(
        overlapped=int(by_op.max(initial=0)),
        apart=apart_bytes(graph),
        reads_image=any(
            step.op.index == peak and _reads_image(window_of(step, graph.tensors))
            for step in compiled_steps(graph.main)
        ),
        heads=len(graph.main.outputs),
    )


def apart_bytes(graph: ModelGraph) -> int:
    """Every buffer in memory of its own while it is alive, padding grown in place, scratch beside them.

    The larger of two placements: each buffer as it comes into the lowest gap, and the largest first.

    Raises:
        UnplannableError: a shape is not known.
    """
    buffers = _buffers(graph)
    return max(
        max((int(at) + buffer.bytes for at, buffer in zip(offsets, buffers, strict=True)), default=0)
        for offsets in (greedy_offsets(buffers, _WORD), _in_order(buffers))
    )


def _buffers(graph: ModelGraph) -> list[Buffer]:
    steps, tensors = compiled_steps(graph.main), graph.tensors
    readers = readers_of(steps)
    last = {t: positions[-1] for t, positions in readers.items()}
    last |= dict.fromkeys(outputs_of(graph, steps), len(steps))
    kept = [t.index for t in tensors if t.is_variable]
    first = dict.fromkeys((t for t in graph.main.inputs if not tensors[t].is_constant), 0) | dict.fromkeys(
        kept, 0
    )
    last |= dict.fromkeys(kept, len(steps))
    sizes = {t: tensor_bytes(tensors[t]) for t in first}
    beside: list[tuple[int, int]] = []
    for position, step in enumerate(steps):
        first |= {t: first.get(t, position) for t in step.outputs}
        sizes |= {t: tensor_bytes(tensors[t]) for t in step.outputs}
        beside.append((position, scratch_bytes(step, tensors)))
        padded = padded_bytes(step, tensors) or 0
        if padded and len(readers[step.inputs[0]]) == 1 and last[step.inputs[0]] == position:
            sizes[step.inputs[0]] = max(sizes.get(step.inputs[0], 0), padded)
        else:
            beside.append((position, padded))
    own = [Buffer(0, t, -1, sizes[t], at, max(at, last.get(t, at))) for t, at in first.items()]
    return own + [Buffer(0, None, steps[at].op.index, size, at, at) for at, size in beside if size]


def _in_order(buffers: Sequence[Buffer]) -> Ints:
    """Offsets, each buffer in the lowest gap of its time as the model runs."""
    sizes, placed = aligned_sizes(buffers, _WORD), Packing(len(buffers))
    offsets = np.zeros(len(buffers), dtype=np.int64)
    for index in sorted(range(len(buffers)), key=lambda i: buffers[i].first):
        buffer, size = buffers[index], int(sizes[index])
        offsets[index] = lowest_gap(*placed.alive_between(buffer.first, buffer.last), size)
        placed.place(int(offsets[index]), size, buffer.first, buffer.last)
    return offsets


def _reads_image(weights: tuple[int, ...] | None) -> bool:
    return weights is not None and weights[1] > 1 and weights[3] in UNPADDED_CHANNELS


def _is_old(release: str) -> bool:
    number = release.partition(".")[0]
    return number.isdecimal() and int(number) <= _LAST_OVERLAPPING
