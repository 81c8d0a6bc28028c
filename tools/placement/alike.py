"""Operators that no rule can tell apart: where a model repeats its blocks, one of each is asked about."""

from __future__ import annotations

from collections.abc import Hashable

from ..graph import ModelGraph, Op, Subgraph, Tensor
from ..graph.memoize import memoized
from . import scales


def alike(graph: ModelGraph, subgraph: int) -> tuple[int, ...]:
    """Of each operator of a subgraph a number, shared by those of the same kind, settings and tensors.

    Rules read neither names nor positions nor weights; of a quantisation they count the scales, see
    where they lie, and how far those of inputs and outputs are apart.
    """
    return memoized(graph, "alike operators", subgraph, lambda: _numbers(graph.subgraphs[subgraph]))


def _numbers(subgraph: Subgraph) -> tuple[int, ...]:
    numbers: dict[Hashable, int] = {}
    tensors = [numbers.setdefault(_tensor(tensor), len(numbers)) for tensor in subgraph.tensors]
    found: dict[Hashable, int] = {}
    of_each = []
    for op in subgraph.ops:
        inputs = tuple([tensors[i] if i >= 0 else None for i in op.inputs])
        outputs = tuple([tensors[i] for i in op.outputs if i >= 0])
        key = (
            op.kind,
            op.custom_code_untrusted,
            op.version,
            op.origin,
            tuple(op.options.items()),
            inputs,
            outputs,
            _scales(op, subgraph),
        )
        of_each.append(found.setdefault(key, len(found)))
    return tuple(of_each)


def _scales(op: Op, subgraph: Subgraph) -> Hashable:
    inputs = [subgraph.tensors[i] if i >= 0 else None for i in op.inputs]
    return scales.seen(inputs, [subgraph.tensors[i] for i in op.outputs if i >= 0])


def _tensor(tensor: Tensor) -> Hashable:
    counted = (
        None if tensor.quantization is None else (len(tensor.quantization.scales), tensor.quantization.axis)
    )
    sparse = tensor.sparsity is not None
    return tensor.shape, tensor.dtype, tensor.is_constant, counted, sparse, tensor.values
