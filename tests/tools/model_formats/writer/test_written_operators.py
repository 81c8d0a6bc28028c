"""What the builder and the quantiser say of an operator, held against what LiteRT makes of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.requantize import to_float16, to_int8
from edgewright.tools.model_formats.writer.tflite import write_tflite

Array = npt.NDArray[Any]
Layer = Callable[[GraphBuilder, int], int]

LAYERS: dict[str, Layer] = {
    "conv2d same": lambda b, x: b.conv2d(x, 5, 3, stride=2, activation="RELU6"),
    "conv2d valid": lambda b, x: b.conv2d(x, 5, (3, 2), stride=(2, 1), padding="VALID"),
    "conv2d dilated": lambda b, x: b.conv2d(x, 5, 3, dilation=2, padding="VALID", activation="RELU"),
    "depthwise": lambda b, x: b.depthwise_conv2d(x, 3, stride=2),
    "depthwise multiplied": lambda b, x: b.depthwise_conv2d(x, 3, multiplier=2, padding="VALID"),
    "transpose conv same": lambda b, x: b.transpose_conv2d(x, 3, 4, stride=2),
    "transpose conv valid": lambda b, x: b.transpose_conv2d(x, 3, 3, stride=2, padding="VALID"),
    "dense": lambda b, x: b.fully_connected(x, 7, activation="RELU"),
    "average pool": lambda b, x: b.average_pool2d(x, (3, 2)),
    "max pool same": lambda b, x: b.max_pool2d(x, 3, stride=2, padding="SAME"),
    "add": lambda b, x: b.add(x, b.conv2d(x, 4, 1), activation="RELU"),
    "broadcast multiply": lambda b, x: b.arithmetic("MUL", x, b.mean(x, keep_dims=True)),
    "subtract": lambda b, x: b.arithmetic("SUB", x, b.unary("RELU", x)),
    "concat": lambda b, x: b.concat([x, b.conv2d(x, 2, 1, activation="RELU"), b.unary("TANH", x)]),
    "concat rows": lambda b, x: b.concat([x, x], axis=1),
    "mean": lambda b, x: b.mean(x),
    "softmax": lambda b, x: b.softmax(b.fully_connected(b.flatten(x), 4)),
    "logistic": lambda b, x: b.unary("LOGISTIC", x),
    "hard swish": lambda b, x: b.unary("HARD_SWISH", x),
    "pad": lambda b, x: b.pad(x, [(0, 0), (1, 2), (3, 0), (0, 0)]),
    "transpose": lambda b, x: b.transpose(x, (0, 2, 1, 3)),
    "reshape": lambda b, x: b.reshape(x, (2, -1)),
    "resize nearest": lambda b, x: b.resize(x, (13, 5)),
    "resize bilinear": lambda b, x: b.resize(x, (20, 16), kind="RESIZE_BILINEAR"),
    "no int8 kernel": lambda b, x: b.conv2d(b.unary("COS", b.conv2d(x, 3, 1)), 2, 1),
}


def network(layer: Layer) -> ModelGraph:
    b = GraphBuilder("one layer")
    return b.build([layer(b, b.input((1, 9, 8, 4)))])


VARIANTS: dict[str, Callable[[ModelGraph], ModelGraph]] = {
    "float32": lambda graph: graph,
    "int8": to_int8,
    "int8 with float32 around": lambda graph: to_int8(graph, float_io=True),
    "float16 weights": lambda graph: to_float16(graph, native=False),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("layer", LAYERS)
def test_litert_runs_what_is_written_and_agrees_on_the_output(
    layer: str, variant: str, run_litert: Callable[[bytes], list[Array]]
) -> None:
    graph = network(LAYERS[layer])
    changed = VARIANTS[variant](graph)
    (out,) = run_litert(write_tflite(changed))
    assert out.shape == changed.outputs[0].shape == graph.outputs[0].shape
    assert out.dtype == changed.outputs[0].dtype.value
    assert np.isfinite(out.astype(float)).all()


@pytest.mark.parametrize("layer", LAYERS)
def test_int8_computes_what_its_own_scales_promise(
    layer: str, run_litert: Callable[[bytes], list[Array]]
) -> None:
    graph = network(LAYERS[layer])
    (inside,) = run_litert(write_tflite(to_int8(graph)))
    (around,) = run_litert(write_tflite(to_int8(graph, float_io=True)))
    assert inside.dtype == np.int8
    assert around.dtype == np.float32
    assert len(np.unique(around)) > 1
