"""Short ways to write graphs down, tensor by tensor."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Subgraph, Tensor

Part = Callable[[int, DType], Tensor]
"""A tensor at an index, in the type of the case that it belongs to."""
SCALE = Quantization((0.5,), (0,))
BIAS_SCALE = Quantization((0.25,), (0,))
"""Kernels ask for the product of the input's and the weights' scale."""
QUANTISED = frozenset({DType.INT4, DType.INT8, DType.UINT8, DType.INT16})
BIAS: dict[DType, DType] = {DType.FLOAT32: DType.FLOAT32, DType.INT8: DType.INT32, DType.INT16: DType.INT64}
WEIGHTS = {DType.FLOAT32: DType.FLOAT32, DType.INT8: DType.INT8, DType.INT16: DType.INT8}


def tensor(index: int, shape: Sequence[int], dtype: DType, **more: Any) -> Tensor:
    quantization = SCALE if dtype in QUANTISED else None
    return Tensor(index, f"t{index}", tuple(shape), dtype, **{"quantization": quantization, **more})


def constant(index: int, shape: Sequence[int], dtype: DType, **more: Any) -> Tensor:
    made = tensor(index, shape, dtype, **more)
    return replace(made, stored_bytes=made.bytes or 0, is_constant=True)


def data(*shape: int, dtype: DType | None = None, **more: Any) -> Part:
    """Computed at run time."""
    return lambda index, of_case: tensor(index, shape, dtype or of_case, **more)


def ranged(
    *shape: int, int8: tuple[float, int], int16: tuple[float, int], dtype: DType | None = None
) -> Part:
    """Computed at run time, with the (scale, zero point) that a kernel insists on."""

    def made(index: int, of_case: DType) -> Tensor:
        kind = dtype or of_case
        if kind not in {DType.INT8, DType.INT16}:
            return tensor(index, shape, kind)
        scale, zero = int8 if kind is DType.INT8 else int16
        return tensor(index, shape, kind, quantization=Quantization((scale,), (zero,)))

    return made


def fixed(*shape: int, dtype: DType | None = None, **more: Any) -> Part:
    """A constant in the type of the case."""
    return lambda index, of_case: constant(index, shape, dtype or of_case, **more)


def integers(*values: int, shape: Sequence[int] | None = None) -> Part:
    made = (len(values),) if shape is None else tuple(shape)
    return lambda index, _: constant(index, made, DType.INT32, values=tuple(values))


def weights(*shape: int, axis: int = 0) -> Part:
    """Quantised by channel where the case is."""

    def made(index: int, of_case: DType) -> Tensor:
        if of_case is DType.FLOAT32:
            return constant(index, shape, of_case)
        count = shape[axis]
        scales = Quantization((0.5,) * count, (0,) * count, axis)
        return constant(index, shape, WEIGHTS.get(of_case, of_case), quantization=scales)

    return made


def bias(count: int, dtype: DType | None = None) -> Part:
    def made(index: int, of_case: DType) -> Tensor:
        kind = dtype or BIAS.get(of_case, DType.INT32)
        return constant(index, (count,), kind, quantization=None if kind.is_float else BIAS_SCALE)

    return made


def state(*shape: int, dtype: DType | None = None) -> Part:
    return lambda index, of_case: tensor(index, shape, dtype or of_case, is_variable=True)


def model(
    tensors: Sequence[Tensor],
    ops: Sequence[Op],
    inputs: Sequence[int],
    outputs: Sequence[int],
    name: str = "main",
) -> Subgraph:
    return Subgraph(name, tuple(tensors), tuple(ops), tuple(inputs), tuple(outputs))


def graph(name: str, *subgraphs: Subgraph) -> ModelGraph:
    return ModelGraph(name, "architecture", "0", None, subgraphs)


def single(
    kind: str,
    dtype: DType,
    inputs: Sequence[Part | None],
    outputs: Sequence[Part],
    options: dict[str, OptionValue],
) -> ModelGraph:
    """One operator; what is neither constant nor state among its inputs is the model's. None: absent."""
    present = [part for part in inputs if part is not None]
    tensors = [part(index, dtype) for index, part in enumerate((*present, *outputs))]
    at = iter(range(len(present)))
    taken = tuple(-1 if part is None else next(at) for part in inputs)
    made = tuple(range(len(present), len(tensors)))
    op = Op(0, kind, taken, made, options=options)
    asked = [t.index for t in tensors[: len(present)] if not (t.is_constant or t.is_variable)]
    return graph(f"{kind.lower()} {dtype}", model(tensors, [op], asked, made))


def elements(shape: Sequence[int]) -> int:
    return math.prod(shape)
