"""What each operator takes where a compiler lets outputs follow inputs through the same memory.

The offsets in the C code that X-CUBE-AI generated for published projects (`cube_scratch` names them) show
when it does: elementwise operators run in place; padding grows its input in place; a window's output starts
a row of its own before the (padded) input, or ends a row before the input's end where it is larger. They
do not where the input is needed later.
"""

from __future__ import annotations

import numpy as np

from ..core.records import dataclass
from ..graph import ModelGraph, Tensor
from .compiled_steps import POOLS, Step, compiled_steps, outputs_of, readers_of, tensor_bytes, window_of
from .in_place import ELEMENTWISE, in_place_live_bytes
from .kernels.cube_scratch import scratch_bytes
from .liveness import Ints

UNPADDED_CHANNELS = (1, 3)
"""Kernels for images pad on the fly."""
_WIDENING_AT_MOST = 2
"""A 1x1 convolution to more times its channels than this was given memory of its own by 7.3 and 8.1."""


@dataclass(frozen=True)
class _Layout:
    steps: list[Step]
    tensors: tuple[Tensor, ...]
    readers: dict[int, list[int]]
    last: dict[int, int]
    """Position of the step that reads a tensor last; beyond all for outputs."""
    overlapping: bool

    def size(self, tensor: int) -> int:
        return tensor_bytes(self.tensors[tensor])


def overlapped_bytes(graph: ModelGraph, *, overlapping: bool = True) -> Ints:
    """Bytes taken while each operator of the main subgraph runs, its scratch buffers among them.

    Args:
        overlapping: False gives every buffer memory of its own.

    Raises:
        UnplannableError: a shape is not known.
    """
    steps = compiled_steps(graph.main)
    readers = readers_of(steps)
    last = {t: positions[-1] for t, positions in readers.items()}
    last |= dict.fromkeys(outputs_of(graph, steps), len(steps))
    last |= {t.index: len(steps) for t in graph.tensors if t.is_variable}
    layout = _Layout(steps, graph.tensors, readers, last, overlapping)
    alive = {t for t in graph.main.inputs if not graph.tensors[t].is_constant}
    alive |= {t.index for t in graph.tensors if t.is_variable}
    taken = np.zeros(len(graph.ops), dtype=np.int64)
    held = sum(layout.size(t) for t in alive)
    never_read = [t for t in alive if t not in last]
    for position, step in enumerate(steps):
        touched = {*step.inputs, *step.outputs}
        own = sum(layout.size(t) for t in touched if t in alive)
        taken[step.op.index] = held - own + _own_bytes(layout, position)
        made = [t for t in dict.fromkeys(step.outputs) if t not in alive]
        alive.update(made)
        gone = [t for t in (*touched, *never_read) if t in alive and last.get(t, -1) <= position]
        alive.difference_update(gone)
        held += sum(layout.size(t) for t in made) - sum(layout.size(t) for t in gone)
        never_read = []
    return taken


def _own_bytes(layout: _Layout, position: int) -> int:
    """Inputs, outputs and scratch of a step."""
    step = layout.steps[position]
    dying = [t for t in step.inputs if layout.last.get(t, -1) <= position]
    kept = sum(layout.size(t) for t in step.inputs if layout.last.get(t, -1) > position)
    gone = sum(layout.size(t) for t in dying)
    made = sum(layout.size(t) for t in step.outputs)
    if window_of(step, layout.tensors) is not None:
        return kept + _window_bytes(layout, position, gone) + scratch_bytes(step, layout.tensors)
    if layout.overlapping and dying and step.op.kind in ELEMENTWISE | POOLS:
        largest = max(layout.size(t) for t in dying)
        if made <= largest:
            padded = padded_bytes(step, layout.tensors) or 0
            return kept + max(gone, padded)
    return kept + gone + made + scratch_bytes(step, layout.tensors)


def _window_bytes(layout: _Layout, position: int, gone: int) -> int:
    """Input and output of a convolution; the input is `gone` bytes, none if it is needed later."""
    step = layout.steps[position]
    padded = padded_bytes(step, layout.tensors)
    read = max(gone, padded or 0) if layout.overlapping else gone + (padded or 0)
    output = step.outputs[0]
    made = layout.size(output)
    if not (layout.overlapping and gone and _follows_its_input(step, layout.tensors, padded)):
        return read + made
    shape = layout.tensors[output].shape
    row = made // max(1, shape[1] if len(shape) > 1 else 1)
    following = read + max(row, row + made - read)
    return min(following + _growth_before(layout, output, following), read + made)


def _growth_before(layout: _Layout, tensor: int, room: int) -> int:
    """What its padding needs before a tensor that has to grow in place, for want of room for another."""
    following = layout.readers.get(tensor, [])
    if len(following) != 1 or layout.last.get(tensor) != following[0]:
        return 0
    padded, made = padded_bytes(layout.steps[following[0]], layout.tensors) or 0, layout.size(tensor)
    return max(0, padded - made) if made + padded > room else 0


def _follows_its_input(step: Step, tensors: tuple[Tensor, ...], padded: int | None) -> bool:
    weights = window_of(step, tensors)
    if weights is None or step.op.kind == "DEPTHWISE_CONV_2D" or step.pool is not None:
        return True
    if weights[1] == weights[2] == 1:
        return weights[0] <= _WIDENING_AT_MOST * weights[3]
    return padded is not None or weights[3] in UNPADDED_CHANNELS


def padded_bytes(step: Step, tensors: tuple[Tensor, ...]) -> int | None:
    """Bytes of the input with its padding around it; None where the kernel reads it as it is."""
    if step.padding is not None:
        return tensor_bytes(tensors[step.padding.outputs[0]])
    weights = window_of(step, tensors)
    if weights is None or step.op.option_str("padding", "") != "SAME" or weights[1] == weights[2] == 1:
        return None
    data = tensors[step.op.inputs[0]]
    _, height, width, channels = data.shape
    if step.op.kind == "CONV_2D" and channels in UNPADDED_CHANNELS:
        return None
    around = (height + weights[1] - 1) * (width + weights[2] - 1)
    return tensor_bytes(data) // max(1, height * width) * around


def planned_bytes(graph: ModelGraph, live_by_op: Ints) -> Ints:
    """`overlapped_bytes` where `live_by_op` has to be held instead of what the graph by itself has to hold.

    Raises:
        UnplannableError: a shape is not known.
    """
    least = np.maximum(1, in_place_live_bytes(graph))
    more = np.maximum(1.0, overlapped_bytes(graph) / least)
    return np.rint(live_by_op * more).astype(np.int64)
