"""Random convolutional networks, and one that is recurrent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Tensor
from edgewright.tools.graph.builder import GraphBuilder

from .tflm_parts import Part, bias, data, fixed, graph, model, state


def random_network(seed: int) -> ModelGraph:
    """Convolutions, residuals and branches of random width and depth, in one chain."""
    draw = np.random.default_rng(seed)
    b = GraphBuilder(f"random {seed}")
    side, channels = (int(n) for n in draw.integers((6, 1), (24, 6)))
    x = b.input((1, side, side, channels))
    seen: list[int] = []
    for _ in range(int(draw.integers(2, 12))):
        seen.append(x)
        x = _layer(b, x, seen, draw)
    return b.build([b.softmax(b.fully_connected(b.flatten(x), int(draw.integers(2, 20))))])


def _layer(b: GraphBuilder, x: int, seen: list[int], draw: np.random.Generator) -> int:
    height, width, channels = b.shape(x)[1:]
    alike = [t for t in seen if b.shape(t) == b.shape(x)]
    flat = [t for t in seen if b.shape(t)[1:3] == (height, width)]
    match draw.choice(["conv", "point", "depthwise", "add", "concat", "pool", "mean", "transpose", "pad"]):
        case "point":
            return b.conv2d(x, int(draw.integers(1, 24)), 1, activation="RELU")
        case "depthwise":
            return b.depthwise_conv2d(x, 3, stride=int(draw.integers(1, 3)) if height > 3 else 1)
        case "add":
            return b.add(x, alike[int(draw.integers(len(alike)))])
        case "concat":
            return b.concat([x, flat[int(draw.integers(len(flat)))]])
        case "pool" if height > 2 and width > 2:
            return b.average_pool2d(x, 2) if draw.integers(2) else b.max_pool2d(x, 2, stride=1)
        case "mean":
            return b.arithmetic("MUL", x, b.mean(x, keep_dims=True))
        case "transpose" if channels * height < 100:
            return b.transpose_conv2d(x, int(draw.integers(1, 6)), 3, stride=2)
        case "pad":
            return b.pad(x, [(0, 0), (1, 1), (0, 2), (0, 0)])
        case _:
            return b.conv2d(
                x, int(draw.integers(1, 16)), 3, stride=int(draw.integers(1, 3)), activation="RELU6"
            )


def to_int16(quantised: ModelGraph) -> ModelGraph:
    """Activations of an int8 network in int16, biases in int64; weights stay."""
    sub = quantised.main
    biases = {
        op.inputs[2] for op in sub.ops if len(op.inputs) == 3 and op.kind.endswith(("CONV_2D", "CONNECTED"))
    }
    biases |= {op.inputs[3] for op in sub.ops if op.kind == "TRANSPOSE_CONV"}
    sharp = {t for op in sub.ops if op.kind == "SOFTMAX" for t in op.outputs}

    def widened(tensor: Tensor) -> Tensor:
        if tensor.index in biases:
            return replace(tensor, dtype=DType.INT64, stored_bytes=2 * tensor.stored_bytes)
        if tensor.is_constant or tensor.dtype is not DType.INT8 or tensor.quantization is None:
            return tensor
        scale = 1 / 32768 if tensor.index in sharp else tensor.quantization.scales[0]
        return replace(tensor, dtype=DType.INT16, quantization=Quantization((scale,), (0,)))

    main = replace(sub, tensors=tuple(widened(t) for t in sub.tensors))
    return replace(quantised, subgraphs=(main,), sha256="")


def recurrent(steps: int, features: int, units: int) -> ModelGraph:
    """An LSTM without the optional parts, and a dense layer on each of its steps."""
    given: list[Part | None] = [data(1, steps, features)]
    given += [fixed(units, features)] * 4 + [fixed(units, units)] * 4 + [None] * 3 + [bias(units)] * 4
    given += [None] * 2 + [state(1, units)] * 2 + [None] * 4
    parts = [part for part in given if part is not None]
    parts += [data(1, steps, units), fixed(2, units), data(steps, 2)]
    tensors = [part(index, DType.FLOAT32) for index, part in enumerate(parts)]
    numbers = iter(range(len(parts)))
    taken = tuple(-1 if part is None else next(numbers) for part in given)
    hidden, dense, out = numbers
    options: dict[str, OptionValue] = {
        "fused_activation_function": "TANH", "cell_clip": 0.0, "proj_clip": 0.0, "time_major": False,
        "asymmetric_quantize_inputs": False,
    }  # fmt: skip
    ops = [
        Op(0, "UNIDIRECTIONAL_SEQUENCE_LSTM", taken, (hidden,), options=options),
        Op(1, "FULLY_CONNECTED", (hidden, dense), (out,), options={"keep_num_dims": False}),
    ]
    return graph("recurrent", model(tensors, ops, [0], [out]))
