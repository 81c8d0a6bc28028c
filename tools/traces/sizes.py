"""Sizes by which an event of a trace is recognised as an operator's, or not."""

from __future__ import annotations

from ..graph import ModelGraph, Op

_BLOCKS = (8, 16)
"""Channels that runtimes compute at once: onnxruntime fills its tensors up to whole blocks."""
_WEIGHTS, _RANK = 1, 4


def output_sizes(graph: ModelGraph, op: Op) -> frozenset[int]:
    """Elements that its first output may be logged with: as they are, or with channels filled up."""
    tensor = graph.tensors[op.outputs[0]] if op.outputs else None
    if tensor is None or not tensor.elements or not tensor.shape:
        return frozenset()
    channels = tensor.shape[-1]
    pixels = tensor.elements // max(1, channels)
    return frozenset((tensor.elements, *(pixels * -(-channels // block) * block for block in _BLOCKS)))


def kernel_of(graph: ModelGraph, op: Op) -> tuple[int, int] | None:
    """Height and width of a convolution's weights; None of everything else."""
    if not op.kind.endswith("CONV_2D") or len(op.inputs) <= _WEIGHTS or op.inputs[_WEIGHTS] < 0:
        return None
    shape = graph.tensors[op.inputs[_WEIGHTS]].shape
    return (shape[1], shape[2]) if shape is not None and len(shape) == _RANK else None
