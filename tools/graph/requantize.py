"""Graph to graph: the same model with 8-bit integers or half-precision numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from ...hardware_db.errors import UsageError
from ..core.records import replace
from .dtypes import DType
from .folding import with_plain_constants
from .int8_rules import (
    BIAS,
    DATA,
    FIXED_SCALES,
    SAME_SCALE,
    WEIGHTS,
    activation_scale,
    bias_scale,
    weight_scale,
)
from .integer_schemes import CONVERTER_INT8, IntegerScheme
from .model import ModelGraph, Op, Subgraph
from .scales import activation_scales, is_float_data
from .serialize import graph_sha256
from .tensor import Quantization, Tensor


def to_int8(
    graph: ModelGraph,
    *,
    float_io: bool = False,
    scheme: IntegerScheme = CONVERTER_INT8,
    layers: Collection[int] | None = None,
) -> ModelGraph:
    """Quantise as TFLite's full-integer post-training quantisation does.

    Activations of the scheme's type, weights int8, those of convolutions per output channel, biases of what
    the accumulator counts in. Operators without a kernel of that type stay in float32 between a DEQUANTIZE
    and a QUANTIZE. Scales are assumed.

    Args:
        graph: a float32 graph; of its subgraphs only the main one changes.
        float_io: keep float32 inputs and outputs, at the price of a QUANTIZE and a DEQUANTIZE.
        scheme: whose quantisation, and whether activations are int8 or int16.
        layers: indices of the operators to quantise; None takes all.

    Raises:
        UsageError: no operator computes in float32 and has a kernel of that type.
    """
    plain = with_plain_constants(graph)
    main = plain.main
    chosen = {op.index for op in main.ops if _is_quantised(op, main, scheme)}
    if layers is not None:
        chosen &= set(layers)
    if not chosen:
        raise UsageError(
            f"Nothing in {graph.name} can be quantised: no operator with an {scheme.activations} kernel "
            "computes in float32."
        )
    quantized = _Integers(main, scheme, chosen, float_io=float_io).rewritten()
    return _changed(_with_outputs(plain, quantized.outputs), quantized, scheme.name)


def to_float16(graph: ModelGraph, *, native: bool = True) -> ModelGraph:
    """Half precision.

    Args:
        graph: a graph with float32 tensors; of its subgraphs only the main one changes.
        native: every float32 tensor becomes float16, which is what GPU runtimes run. Otherwise only the
            weights are stored in float16, each behind a DEQUANTIZE, which is what TFLite's converter writes.

    Raises:
        UsageError: no tensor is float32.
    """
    plain = with_plain_constants(graph)
    main = plain.main
    if not any(tensor.dtype is DType.FLOAT32 for tensor in main.tensors):
        raise UsageError(f"Nothing in {graph.name} can be halved: it has no float32 tensor.")
    if not native:
        return _changed(plain, _with_stored_halves(main), "float16 weights")
    tensors = tuple(_half(t) if t.dtype is DType.FLOAT32 else t for t in main.tensors)
    return _changed(plain, replace(main, tensors=tensors), "float16")


def to_float32(graph: ModelGraph) -> ModelGraph:
    """The same network as it was before it was quantised: each tensor that has a scale in float32.

    QUANTIZE and DEQUANTIZE stay, between two float tensors.

    Raises:
        UsageError: no integer tensor has a scale.
    """
    plain = with_plain_constants(graph)
    scaled = [t.quantization is not None and not t.dtype.is_float for t in plain.main.tensors]
    if not any(scaled):
        raise UsageError(f"Nothing in {graph.name} is quantised.")
    tensors = tuple(
        _as_float32(tensor) if of_scale else tensor
        for tensor, of_scale in zip(plain.main.tensors, scaled, strict=True)
    )
    return _changed(plain, replace(plain.main, tensors=tensors), "float32")


class _Integers:
    """Rewrites a subgraph; tensors keep their index, new ones are appended."""

    def __init__(self, main: Subgraph, scheme: IntegerScheme, ops: set[int], *, float_io: bool) -> None:
        self._main = main
        self._scheme = scheme
        self._float_io = float_io
        self._tensors = list(main.tensors)
        self._ops: list[Op] = []
        self._int8_ops = ops
        chosen = [op for op in main.ops if op.index in self._int8_ops]
        scales = activation_scales(main, chosen)
        self._scales = {index: scheme.activation_scale(scale) for index, scale in scales.items()}
        self._bound = _with_own_scale(chosen)
        self._int8 = self._home_in_int8(chosen)
        self._kept_float = {i for op in main.ops if op.index not in self._int8_ops for i in op.inputs}
        self._casts: dict[tuple[int, DType, Quantization | None], int] = {}
        self._copies: dict[tuple[int, DType, Quantization | None], int] = {}

    def rewritten(self) -> Subgraph:
        for index in self._int8:
            self._tensors[index] = self._quantized(self._tensors[index], self._scales[index])
        for op in self._main.ops:
            quantized = op.index in self._int8_ops
            inputs = self._int8_inputs(op) if quantized else tuple(map(self._as_float, op.inputs))
            version = self._scheme.version(op) if quantized else op.version
            self._emit(replace(op, inputs=inputs, version=version))
        outputs = self._main.outputs
        if self._float_io:
            outputs = tuple(map(self._as_float, outputs))
        elif self._scheme.all_interfaces:
            outputs = tuple(self._as_int8(i, self._scales[i]) if i in self._scales else i for i in outputs)
        return replace(self._main, tensors=tuple(self._tensors), ops=tuple(self._ops), outputs=outputs)

    def _home_in_int8(self, chosen: list[Op]) -> set[int]:
        """Activations that exist as int8 first: what int8 operators make, and the inputs that they read."""
        made = {i for op in chosen for i in op.outputs if i in self._scales}
        if self._float_io:
            return made
        given = self._scales.keys() & set(self._main.inputs)
        if self._scheme.all_interfaces:
            return made | given
        return made | (given & {i for op in chosen for i in op.inputs})

    def _int8_inputs(self, op: Op) -> tuple[int, ...]:
        inputs = list(op.inputs)
        for position, index in enumerate(inputs):
            if index in self._scales:
                scale = self._wanted_scale(op, index)
                bound = op.kind in self._scheme.rescales_inputs_of and index in self._bound
                inputs[position] = self._rescaled(index, scale) if bound else self._as_int8(index, scale)
        for position, index in enumerate(inputs):
            if self._is_float_constant(index):
                inputs[position] = self._constant(op, position, inputs)
        return tuple(inputs)

    def _is_float_constant(self, index: int) -> bool:
        if not 0 <= index < len(self._main.tensors):
            return False
        tensor = self._main.tensors[index]
        return tensor.is_constant and tensor.dtype is DType.FLOAT32

    def _wanted_scale(self, op: Op, index: int) -> Quantization:
        made = op.outputs[0] if op.outputs else -1
        return self._scales[made] if op.kind in SAME_SCALE and made in self._scales else self._scales[index]

    def _constant(self, op: Op, position: int, inputs: list[int]) -> int:
        tensor = self._main.tensors[inputs[position]]
        if position == BIAS.get(op.kind):
            data = _scale_of(self._tensors[inputs[DATA.get(op.kind, 0)]])
            weights = _scale_of(self._tensors[inputs[WEIGHTS[op.kind]]])
            return self._stored(tensor, _quantized(tensor, bias_scale(data, weights), self._scheme.biases))
        if position == WEIGHTS.get(op.kind):
            scale = weight_scale(op, tensor, dense_per_channel=self._scheme.dense_per_channel)
            return self._stored(tensor, _quantized(tensor, scale, DType.INT8))
        made = self._scales.get(op.outputs[0]) if op.kind in SAME_SCALE and op.outputs else None
        scale = made or self._scheme.activation_scale(activation_scale(None))
        return self._stored(tensor, self._quantized(tensor, scale))

    def _quantized(self, tensor: Tensor, scale: Quantization) -> Tensor:
        return _quantized(tensor, scale, self._scheme.activations)

    def _stored(self, old: Tensor, new: Tensor) -> int:
        """In place, unless something reads the constant in float32 or another quantisation."""
        held = self._tensors[old.index]
        if held == old and old.index not in self._kept_float:
            self._tensors[old.index] = new
            return old.index
        if held == new:
            return old.index
        key = (old.index, new.dtype, new.quantization)
        if key not in self._copies:
            self._copies[key] = self._append(replace(new, buffer=None))
        return self._copies[key]

    def _as_int8(self, index: int, scale: Quantization) -> int:
        tensor = self._tensors[index]
        if tensor.dtype is self._scheme.activations and tensor.quantization == scale:
            return index
        return self._rescaled(index, scale)

    def _rescaled(self, index: int, scale: Quantization) -> int:
        return self._cast("QUANTIZE", index, self._scheme.activations, scale, version=1)

    def _as_float(self, index: int) -> int:
        if index not in self._int8:
            return index
        return self._cast(
            "DEQUANTIZE", index, DType.FLOAT32, None, version=2 if self._scheme.renews_versions else 1
        )

    def _cast(self, kind: str, index: int, dtype: DType, scale: Quantization | None, *, version: int) -> int:
        key = (index, dtype, scale)
        if key not in self._casts:
            source = self._tensors[index]
            name = f"{source.name_untrusted}_{dtype}"
            self._casts[key] = self._append(
                replace(source, name_untrusted=name, dtype=dtype, quantization=scale, buffer=None)
            )
            self._emit(Op(0, kind, (index,), (self._casts[key],), version))
        return self._casts[key]

    def _append(self, tensor: Tensor) -> int:
        self._tensors.append(replace(tensor, index=len(self._tensors)))
        return len(self._tensors) - 1

    def _emit(self, op: Op) -> None:
        self._ops.append(replace(op, index=len(self._ops)))


def _is_quantised(op: Op, main: Subgraph, scheme: IntegerScheme) -> bool:
    if op.kind not in scheme.kernels:
        return False
    return any(is_float_data(main.tensors[i]) for i in (*op.inputs, *op.outputs) if i >= 0)


def _with_own_scale(ops: list[Op]) -> set[int]:
    """Activations whose scale somebody else decides than the one operator that reads them."""
    readers = Counter(index for op in ops for index in set(op.inputs))
    fixed = {index for op in ops if op.kind in FIXED_SCALES for index in op.outputs}
    return fixed | {index for index, count in readers.items() if count > 1}


def _quantized(tensor: Tensor, scale: Quantization, dtype: DType) -> Tensor:
    stored = dtype.storage_bytes(tensor.elements or 0) or 0 if tensor.is_constant else 0
    return replace(tensor, dtype=dtype, stored_bytes=stored, quantization=scale, sparsity=None)


def _scale_of(tensor: Tensor) -> Quantization:
    return tensor.quantization or activation_scale(None)


def _as_float32(tensor: Tensor) -> Tensor:
    stored = 4 * (tensor.elements or 0) if tensor.is_constant else 0
    return replace(tensor, dtype=DType.FLOAT32, stored_bytes=stored, quantization=None, sparsity=None)


def _half(tensor: Tensor) -> Tensor:
    return replace(tensor, dtype=DType.FLOAT16, stored_bytes=tensor.stored_bytes // 2)


def _with_stored_halves(main: Subgraph) -> Subgraph:
    tensors = list(main.tensors)
    casts: list[Op] = []
    for tensor in main.tensors:
        if tensor.is_constant and tensor.dtype is DType.FLOAT32:
            half = replace(
                _half(tensor), index=len(tensors), name_untrusted=f"{tensor.name_untrusted}_float16"
            )
            tensors.append(half)
            tensors[tensor.index] = replace(
                tensor, is_constant=False, stored_bytes=0, buffer=None, sparsity=None
            )
            casts.append(Op(len(casts), "DEQUANTIZE", (half.index,), (tensor.index,), 3))
    ops = [*casts, *(replace(op, index=op.index + len(casts)) for op in main.ops)]
    return replace(main, tensors=tuple(tensors), ops=tuple(ops))


def _with_outputs(graph: ModelGraph, outputs: tuple[int, ...]) -> ModelGraph:
    """The main subgraph's signatures, with each output's successor."""
    successor = dict(zip(graph.main.outputs, outputs, strict=True))
    renewed = [
        replace(s, outputs_untrusted=tuple((name, successor.get(i, i)) for name, i in s.outputs_untrusted))
        if s.subgraph == 0
        else s
        for s in graph.signatures
    ]
    return replace(graph, signatures=tuple(renewed))


def _changed(graph: ModelGraph, main: Subgraph, step: str) -> ModelGraph:
    made = replace(
        graph, subgraphs=(main, *graph.subgraphs[1:]), file_bytes=None, history=(*graph.history, step)
    )
    return replace(made, sha256=graph_sha256(made))
