"""Which constants a network learned: by the part that an input plays in its operator."""

from __future__ import annotations

from collections.abc import Iterator

from ..dtypes import DType
from ..model import ModelGraph, Op, Subgraph
from ..tensor import Tensor
from .families import ARITHMETIC, RECURRENT

_WEIGHTED = RECURRENT | {
    "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV", "CONV_3D", "CONV_3D_TRANSPOSE",
    "BATCH_MATMUL", "STABLEHLO_CONVOLUTION", "STABLEHLO_DOT_GENERAL",
}  # fmt: skip
"""Their constants are weights and biases, of whatever type."""

_SETTINGS: dict[str, tuple[int, ...]] = {
    "TRANSPOSE_CONV": (0,),
    "CONV_3D_TRANSPOSE": (0,),
    "PADV2": (2,),
    "MAXIMUM": (0, 1),
    "MINIMUM": (0, 1),
    "TILE": (0,),
    "FILL": (1,),
    "ONE_HOT": (2, 3),
    "RANGE": (0, 1, 2),
    "NON_MAX_SUPPRESSION_V4": (2, 3, 4),
    "NON_MAX_SUPPRESSION_V5": (2, 3, 4, 5),
}
"""Inputs that say how to compute, though their type could be that of a weight."""

_INDEX_TYPES = frozenset({DType.INT64, DType.INT32, DType.INT16, DType.UINT64, DType.UINT32, DType.UINT16})
_NEVER = frozenset({DType.BOOL, DType.STRING, DType.RESOURCE, DType.VARIANT})


def learned_parameters(graph: ModelGraph) -> tuple[Tensor, ...]:
    """Weights, biases, tables and folded normalisations of all subgraphs; shared data once.

    Shapes, axes, paddings, indices and the like are settings: unquantised integers that feed no operator
    with weights, single numbers in arithmetic, and the inputs that are settings by their position.
    """
    seen: set[int] = set()
    found: list[Tensor] = []
    for tensor in (t for subgraph in graph.subgraphs for t in _learned(subgraph)):
        if tensor.buffer is None or tensor.buffer not in seen:
            found.append(tensor)
        if tensor.buffer is not None:
            seen.add(tensor.buffer)
    return tuple(found)


def parameter_count(graph: ModelGraph) -> int:
    """Elements of the learned constants; a sparse one counts its dense shape."""
    return sum(tensor.elements or 0 for tensor in learned_parameters(graph))


def _learned(subgraph: Subgraph) -> list[Tensor]:
    indices = {i for op in subgraph.ops for i in _learned_inputs(op, subgraph.tensors)}
    return [subgraph.tensors[i] for i in sorted(indices)]


def _learned_inputs(op: Op, tensors: tuple[Tensor, ...]) -> Iterator[int]:
    settings = _SETTINGS.get(op.kind, ())
    for position, index in enumerate(op.inputs):
        if index < 0 or position in settings or not tensors[index].is_constant:
            continue
        if op.kind in _WEIGHTED or _could_be_learned(op, tensors[index]):
            yield index


def _could_be_learned(op: Op, tensor: Tensor) -> bool:
    if tensor.dtype in _NEVER or (op.kind in ARITHMETIC and tensor.elements == 1):
        return False
    return tensor.dtype not in _INDEX_TYPES or tensor.quantization is not None
