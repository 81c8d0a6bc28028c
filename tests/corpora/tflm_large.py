"""Networks of thousands of operators."""

from __future__ import annotations

import random

from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Tensor

from .tflm_parts import graph, model

_CONV: dict[str, OptionValue] = {
    "padding": "SAME", "stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1,
    "fused_activation_function": "NONE",
}  # fmt: skip
_ADD: dict[str, OptionValue] = {"fused_activation_function": "NONE"}
_BACK = 40
_SCALE = Quantization((0.5,), (0,))


def large_network(operators: int, seed: int = 0) -> ModelGraph:
    """int8 convolutions of many widths, with an addition to something computed up to 40 layers earlier."""
    draw = random.Random(seed)
    tensors: list[Tensor] = []

    def data(channels: int, side: int = 12) -> int:
        shape = (1, side, side, channels)
        tensors.append(Tensor(len(tensors), "", shape, DType.INT8, quantization=_SCALE))
        return len(tensors) - 1

    def constant(shape: tuple[int, ...], dtype: DType) -> int:
        stored = dtype.storage_bytes(_product(shape)) or 0
        tensors.append(Tensor(len(tensors), "", shape, dtype, stored, is_constant=True, quantization=_SCALE))
        return len(tensors) - 1

    def channels(index: int) -> int:
        return tensors[index].shape[3]

    made = [data(8)]
    ops: list[Op] = []
    while len(ops) < operators:
        x = made[-1]
        alike = [i for i in made[-_BACK:] if channels(i) == channels(x)]
        if len(ops) % 3 == 2:
            out = data(channels(x))
            ops.append(Op(len(ops), "ADD", (x, draw.choice(alike)), (out,), options=_ADD))
        else:
            count = draw.choice((4, 8, 8, 16, 24))
            weights = constant((count, 3, 3, channels(x)), DType.INT8)
            biases = constant((count,), DType.INT32)
            out = data(count)
            ops.append(Op(len(ops), "CONV_2D", (x, weights, biases), (out,), options=_CONV))
        made.append(out)
    return graph("large", model(tensors, ops, [made[0]], [made[-1]]))


def _product(shape: tuple[int, ...]) -> int:
    size = 1
    for dimension in shape:
        size *= dimension
    return size
