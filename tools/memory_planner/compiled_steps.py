"""A graph as a compiler for microcontrollers runs it.

Views and arithmetic on shapes are gone, padding belongs to the window that reads it, and a pooling to the
convolution that feeds it.
"""

from __future__ import annotations

from collections import defaultdict

from ..core.records import dataclass, replace
from ..graph import ModelGraph, Op, Subgraph, Tensor
from .in_place import VIEWS
from .kernels.kernel_call import UnplannableError
from .liveness import Liveness

CONVOLUTIONS = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D"})
POOLS = frozenset({"MAX_POOL_2D", "AVERAGE_POOL_2D"})
_PADS = frozenset({"PAD", "PADV2", "MIRROR_PAD"})


@dataclass(frozen=True)
class Step:
    op: Op
    inputs: tuple[int, ...]
    """Tensors that are not constant, none twice, by the one that holds their bytes."""
    outputs: tuple[int, ...]
    padding: Op | None = None
    """The operator that pads the first input."""
    pool: Op | None = None
    """The pooling that the convolution runs into."""


def compiled_steps(sub: Subgraph) -> list[Step]:
    """Steps of a subgraph in order."""
    steps = _with_padding(_without_views(sub), sub)
    return _with_pools(steps, sub)


def folded_lives(graph: ModelGraph, lives: Liveness) -> Liveness:
    """Without the tensors of the main subgraph that no step stores; what they show or pad lives as long."""
    steps = compiled_steps(graph.main)
    stored = {t for step in steps for t in step.outputs} | set(graph.main.inputs)
    stored |= {t for t in graph.main.outputs if graph.main.tensors[t].is_constant is False}
    last = {t: step.op.index for step in steps for t in step.inputs}
    step_of = {op: step for step, op in enumerate(lives.op_of_step)}
    kept = [
        b
        if b.tensor not in last or not b.is_used or not graph.ops
        else b._replace(last=max(b.last, step_of[last[b.tensor]]))
        for b in lives.buffers
        if b.subgraph or b.tensor is None or b.tensor in stored or graph.tensors[b.tensor].is_variable
    ]
    return Liveness(tuple(kept), lives.op_of_step)


def tensor_bytes(tensor: Tensor) -> int:
    """
    Raises:
        UnplannableError: its shape is not known.
    """
    if tensor.bytes is None:
        raise UnplannableError(f"the size of tensor {tensor.index} is not known before the model runs")
    return tensor.bytes


def readers_of(steps: list[Step]) -> dict[int, list[int]]:
    """Positions of the steps that read each tensor."""
    found: dict[int, list[int]] = defaultdict(list)
    for position, step in enumerate(steps):
        for tensor in step.inputs:
            found[tensor].append(position)
    return found


def outputs_of(graph: ModelGraph, steps: list[Step]) -> frozenset[int]:
    """Tensors that hold the model's outputs."""
    known = {t for step in steps for t in step.outputs} | set(graph.main.inputs)
    holders = _holders(graph.main)
    return frozenset(holders.get(t, t) for t in graph.main.outputs if holders.get(t, t) in known)


def _holders(sub: Subgraph) -> dict[int, int]:
    """Tensor whose bytes a view shows, for every view."""
    holders: dict[int, int] = {}
    for op in sub.ops:
        if op.kind in VIEWS and op.inputs and op.outputs and not _is_constant(sub, op.inputs[0]):
            holders[op.outputs[0]] = holders.get(op.inputs[0], op.inputs[0])
    return holders


def _is_constant(sub: Subgraph, tensor: int) -> bool:
    return tensor < 0 or sub.tensors[tensor].is_constant


def _without_views(sub: Subgraph) -> list[Step]:
    holders, folded, steps = _holders(sub), set[int](), list[Step]()
    for op in sub.ops:
        read = [holders.get(t, t) for t in op.inputs if not _is_constant(sub, t)]
        computed = [t for t in read if t not in folded]
        if op.kind in ("SHAPE", "RANK") or (not computed and op.kind != "CUSTOM"):
            folded.update(op.outputs)
        elif op.kind not in VIEWS:
            steps.append(Step(op, tuple(dict.fromkeys(computed)), tuple(t for t in op.outputs if t >= 0)))
    return steps


def _with_padding(steps: list[Step], sub: Subgraph) -> list[Step]:
    readers, paddings, kept = readers_of(steps), dict[int, Step](), list[Step]()
    outputs = frozenset(sub.outputs)
    for step in steps:
        reading = readers.get(step.outputs[0], []) if step.outputs else []
        is_window = len(reading) == 1 and steps[reading[0]].op.kind in CONVOLUTIONS | POOLS
        if step.op.kind in _PADS and is_window and step.outputs[0] not in outputs:
            paddings[step.outputs[0]] = step
            continue
        padding = paddings.get(step.inputs[0]) if step.inputs else None
        if padding is None:
            kept.append(step)
        else:
            kept.append(replace(step, inputs=(*padding.inputs, *step.inputs[1:]), padding=padding.op))
    return kept


def _with_pools(steps: list[Step], sub: Subgraph) -> list[Step]:
    readers, kept, done = readers_of(steps), list[Step](), set[int]()
    outputs = frozenset(sub.outputs)
    for position, step in enumerate(steps):
        if position in done:
            continue
        reading = readers.get(step.outputs[0], []) if step.outputs else []
        pool = steps[reading[0]] if len(reading) == 1 and step.outputs[0] not in outputs else None
        if step.op.kind in CONVOLUTIONS and pool and pool.op.kind in POOLS and pool.padding is None:
            done.add(reading[0])
            kept.append(replace(step, outputs=pool.outputs, pool=pool.op))
        else:
            kept.append(step)
    return kept


def window_of(step: Step, tensors: tuple[Tensor, ...]) -> tuple[int, ...] | None:
    """Shape of a convolution's weights, in four dimensions; None of what is no such convolution."""
    op = step.op
    if op.kind not in CONVOLUTIONS or len(op.inputs) < 2 or op.inputs[1] < 0 or not step.outputs:
        return None
    weights = tensors[op.inputs[1]].shape
    is_image = len(tensors[op.inputs[0]].shape) == len(tensors[op.outputs[0]].shape) == len(weights) == 4
    return weights if is_image and min(weights) > 0 else None
