"""Graph to graph: weights in fewer bits, activations as they are."""

from __future__ import annotations

from ...hardware_db.errors import UsageError
from ..core.records import dataclass, replace
from .dtypes import DType
from .folding import with_plain_constants
from .int8_rules import WEIGHTS, weight_scale
from .model import ModelGraph, Op, Subgraph
from .serialize import graph_sha256
from .tensor import Quantization, Tensor

_WEIGHTS = {**WEIGHTS, "BATCH_MATMUL": 1, "EMBEDDING_LOOKUP": 1}
_FULL = frozenset(_WEIGHTS)
_FOUR_BITS = frozenset({"CONV_2D", "EMBEDDING_LOOKUP", "FULLY_CONNECTED"})
_GREATEST = {DType.INT8: 127, DType.INT4: 7}


@dataclass(frozen=True)
class WeightScheme:
    name: str
    """As it enters a graph's history."""
    weights: DType
    kinds: frozenset[str]
    """Operators whose weights it takes."""
    unpacks: bool
    """A DEQUANTIZE before the first reader makes float32 of them; else kernels take them as they are."""


DYNAMIC_RANGE = WeightScheme("dynamic range", DType.INT8, _FULL, unpacks=False)
WEIGHTS_INT8 = WeightScheme("int8 weights", DType.INT8, _FULL, unpacks=True)
WEIGHTS_INT4 = WeightScheme("int4 weights", DType.INT4, _FOUR_BITS | {"BATCH_MATMUL"}, unpacks=True)
WEIGHTS_FLOAT16 = WeightScheme("float16 weights", DType.FLOAT16, _FULL - {"BATCH_MATMUL"}, unpacks=True)
"""ai-edge-quantizer 0.10.0: default_policy.py (dynamic_wi8_afp32, weightonly_wi8_afp32, weightonly_wi4_afp32)
and algorithms/nonlinear_quantize/float_casting.py; biases stay float32 in all of them."""


def with_stored_weights(graph: ModelGraph, scheme: WeightScheme) -> ModelGraph:
    """The same model with the weights of its layers stored as `scheme` does. Scales are assumed.

    Args:
        graph: a graph with float32 weights; of its subgraphs only the main one changes.
        scheme: which weights become what.

    Raises:
        UsageError: no operator that the scheme takes has constant weights in float32.
    """
    plain = with_plain_constants(graph)
    main = plain.main
    readers = _readers(main, scheme)
    if not readers:
        kinds = ", ".join(sorted(scheme.kinds))
        raise UsageError(f"{graph.name} has no float32 weights of {kinds}.")
    packed = {index: _packed(main.tensors[index], op, scheme) for index, op in readers.items()}
    rewritten = _unpacked(main, packed) if scheme.unpacks else _replaced(main, packed)
    made = replace(
        plain,
        subgraphs=(rewritten, *plain.subgraphs[1:]),
        file_bytes=None,
        history=(*graph.history, scheme.name),
    )
    return replace(made, sha256=graph_sha256(made))


def _readers(main: Subgraph, scheme: WeightScheme) -> dict[int, Op]:
    """The first operator that reads each float32 constant as its weights, if all its readers do."""
    found: dict[int, Op] = {}
    for op in main.ops:
        index = weights_of(op)
        if op.kind in scheme.kinds and index >= 0 and _is_float_constant(main.tensors[index]):
            found.setdefault(index, op)
    if scheme.unpacks:
        return found
    other = {i for op in main.ops for i in op.inputs if op.kind not in scheme.kinds or i != weights_of(op)}
    return {index: op for index, op in found.items() if index not in other}


def weights_of(op: Op) -> int:
    """Index of the tensor that holds an operator's weights; -1 where it has none."""
    at = _WEIGHTS.get(op.kind)
    return op.inputs[at] if at is not None and at < len(op.inputs) else -1


def _is_float_constant(tensor: Tensor) -> bool:
    return tensor.is_constant and tensor.dtype is DType.FLOAT32


def _packed(tensor: Tensor, op: Op, scheme: WeightScheme) -> Tensor:
    stored = scheme.weights.storage_bytes(tensor.elements or 0) or 0
    return replace(
        tensor,
        dtype=scheme.weights,
        stored_bytes=stored,
        quantization=_scale(op, tensor, scheme.weights),
        sparsity=None,
    )


def _scale(op: Op, tensor: Tensor, dtype: DType) -> Quantization | None:
    greatest = _GREATEST.get(dtype)
    if greatest is None:
        return None
    if op.kind == "EMBEDDING_LOOKUP":
        rows = tensor.shape[0] if tensor.shape else 1
        return Quantization((1 / greatest,) * rows, (0,) * rows)
    return weight_scale(op, tensor, dense_per_channel=True, greatest=greatest)


def _replaced(main: Subgraph, packed: dict[int, Tensor]) -> Subgraph:
    tensors = tuple(packed.get(tensor.index, tensor) for tensor in main.tensors)
    return replace(main, tensors=tensors)


def _unpacked(main: Subgraph, packed: dict[int, Tensor]) -> Subgraph:
    tensors = [packed.get(tensor.index, tensor) for tensor in main.tensors]
    ops: list[Op] = []
    unpacked: dict[int, int] = {}
    for op in main.ops:
        for index in op.inputs:
            if index in packed and index not in unpacked:
                unpacked[index] = len(tensors)
                tensors.append(_made(main.tensors[index], len(tensors)))
                ops.append(Op(len(ops), "DEQUANTIZE", (index,), (unpacked[index],)))
        inputs = tuple(unpacked.get(index, index) for index in op.inputs)
        ops.append(replace(op, index=len(ops), inputs=inputs))
    return replace(main, tensors=tuple(tensors), ops=tuple(ops))


def _made(stored: Tensor, index: int) -> Tensor:
    return replace(
        stored,
        index=index,
        name_untrusted=f"{stored.name_untrusted}_dequant",
        is_constant=False,
        stored_bytes=0,
        quantization=None,
        sparsity=None,
        buffer=None,
    )
