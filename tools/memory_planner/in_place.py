"""The least memory that a compiler can do with which lets operators write over their inputs.

Vendor compilers (X-CUBE-AI, TinyEngine) compute elementwise operators in place, let a sliding window's
output follow its input through the same memory, and never store what padding or a convolution before
pooling would produce. This is what none of them goes below; `overlap` has what one of them does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping

import numpy as np

from ..graph import ModelGraph, Op, Subgraph
from .kernels.kernel_call import UnplannableError
from .liveness import Ints

VIEWS = frozenset({"RESHAPE", "SQUEEZE", "EXPAND_DIMS"})
ELEMENTWISE = frozenset(
    {
        "ABS", "ADD", "CAST", "CEIL", "COS", "DEQUANTIZE", "DIV", "ELU", "EXP", "FLOOR", "GELU", "HARD_SWISH",
        "LEAKY_RELU", "LOG", "LOGISTIC", "MAXIMUM", "MINIMUM", "MUL", "NEG", "PRELU", "QUANTIZE", "RELU",
        "RELU6", "RELU_N1_TO_1", "ROUND", "RSQRT", "SIN", "SOFTMAX", "SQRT", "SQUARE", "SQUARED_DIFFERENCE",
        "SUB", "TANH",
    }
)  # fmt: skip
_WINDOWS = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D", "MAX_POOL_2D", "AVERAGE_POOL_2D"})
_POOLS = frozenset({"MAX_POOL_2D", "AVERAGE_POOL_2D"})
_OVERLAPPING = VIEWS | ELEMENTWISE | _WINDOWS


def in_place_live_bytes(graph: ModelGraph) -> Ints:
    """Bytes that must be held while each operator of the main subgraph runs.

    Raises:
        UnplannableError: a shape is not known.
    """
    sub = graph.main
    sizes = {t.index: _size(sub, t.index) for t in sub.tensors if not t.is_constant}
    readers: dict[int, list[Op]] = defaultdict(list)
    for op in sub.ops:
        for tensor in set(op.inputs) & sizes.keys():
            readers[tensor].append(op)
    outputs = set(sub.outputs)
    never_stored = {op.outputs[0] for op in sub.ops if _is_folded(op, outputs, readers)}
    last = _last_uses(sub, sizes, never_stored)
    live = np.zeros(len(sub.ops), dtype=np.int64)
    alive = {t for t in sub.inputs if t in sizes} | {t for t in sizes if sub.tensors[t].is_variable}
    held = sum(sizes[t] for t in alive)
    ends = _ends(last, alive)
    for op in sub.ops:
        produced = [t for t in dict.fromkeys(op.outputs) if t in sizes and t not in never_stored]
        held += sum(sizes[t] for t in produced if t not in alive)
        alive.update(produced)
        dying = [t for t in ends[op.index] if t in alive and t not in produced]
        overlap = 0
        if op.kind in _OVERLAPPING and dying and produced:
            overlap = min(max(sizes[t] for t in dying), sizes[produced[0]])
        live[op.index] = held - overlap
        gone = dying + [t for t in produced if last.get(t, -1) <= op.index]
        held -= sum(sizes[t] for t in gone)
        alive.difference_update(gone)
    return live


def _ends(last: Mapping[int, int], given: Iterable[int]) -> dict[int, list[int]]:
    """Tensors by the operator after which they may go; what nobody reads goes after the first."""
    ends: dict[int, list[int]] = defaultdict(list)
    for tensor in {*last, *given}:
        ends[max(0, last.get(tensor, 0))].append(tensor)
    return ends


def _size(sub: Subgraph, tensor: int) -> int:
    size = sub.tensors[tensor].bytes
    if size is None:
        raise UnplannableError(f"the size of tensor {tensor} is not known before the model runs")
    return size


def _is_folded(op: Op, outputs: Container[int], readers: dict[int, list[Op]]) -> bool:
    """Padding that one window reads, or a convolution whose only reader is a pooling."""
    if len(op.outputs) != 1 or op.outputs[0] in outputs:
        return False
    reading = readers.get(op.outputs[0], [])
    if len(reading) != 1:
        return False
    if op.kind in ("PAD", "PADV2"):
        return reading[0].kind in _WINDOWS
    return op.kind in ("CONV_2D", "DEPTHWISE_CONV_2D") and reading[0].kind in _POOLS


def _last_uses(sub: Subgraph, sizes: dict[int, int], never_stored: set[int]) -> dict[int, int]:
    """The operator after which each tensor may go; what is never stored keeps its sources instead."""
    last = dict.fromkeys(sub.outputs, len(sub.ops))
    last |= {t: len(sub.ops) for t in sizes if sub.tensors[t].is_variable}
    for op in reversed(sub.ops):
        until = op.index
        if op.outputs and op.outputs[0] in never_stored:
            until = last.get(op.outputs[0], op.index)
        for tensor in op.inputs:
            if tensor in sizes:
                last[tensor] = max(last.get(tensor, -1), until)
    return last
