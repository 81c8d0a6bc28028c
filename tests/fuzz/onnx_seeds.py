"""Small .onnx files of the kinds that exporters write, to be damaged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

Graph = tuple[list[Any], dict[str, Any], tuple[Any, ...]]
"""Nodes, constants by name, and the shape of the input `x`; the output is `y`."""


def _weights(*shape: int) -> Any:
    return np.full(shape, 0.1, np.float32)


def _numbers(*values: int) -> Any:
    return np.array(values, np.int64)


def _image() -> Graph:
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w"], ["a"], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2]),
        node("BatchNormalization", ["a", "s", "b", "m", "v"], ["n"]),
        node("Relu", ["n"], ["r"]),
        node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Conv", ["p", "d"], ["q"], group=8, kernel_shape=[3, 3]),
        node("GlobalAveragePool", ["q"], ["g"]),
        node("Flatten", ["g"], ["f"]),
        node("Gemm", ["f", "k", "c"], ["z"], transB=1),
        node("Softmax", ["z"], ["y"], axis=-1),
    ]
    vectors = {name: _weights(8) for name in "sbmv"}
    more = {"w": _weights(8, 3, 3, 3), "d": _weights(8, 1, 3, 3), "k": _weights(4, 8), "c": _weights(4)}
    return nodes, vectors | more, (1, 3, 32, 32)


def _attention() -> Graph:
    node = helper.make_node
    nodes = [
        *(node("MatMul", ["x", f"w{n}"], [n]) for n in "qkv"),
        node("Transpose", ["k"], ["t"], perm=[0, 2, 1]),
        node("MatMul", ["q", "t"], ["s"]),
        node("Softmax", ["s"], ["p"], axis=-1),
        node("MatMul", ["p", "v"], ["o"]),
        node("Add", ["o", "x"], ["e"]),
        node("LayerNormalization", ["e", "g"], ["n"], axis=-1),
        node("Gelu", ["n"], ["u"]),
        node("ReduceMean", ["u", "axes"], ["y"], keepdims=0),
    ]
    constants = {f"w{n}": _weights(16, 16) for n in "qkv"} | {"g": _weights(16), "axes": _numbers(1)}
    return nodes, constants, (1, 8, 16)


def _recurrent() -> Graph:
    node = helper.make_node
    nodes = [
        node("LSTM", ["x", "w", "r"], ["a", "h", ""], hidden_size=4),
        node("Squeeze", ["a", "one"], ["s"]),
        node("GRU", ["s", "gw", "gr"], ["", "y"], hidden_size=3),
    ]
    constants = {
        "w": _weights(1, 16, 5),
        "r": _weights(1, 16, 4),
        "gw": _weights(1, 9, 4),
        "gr": _weights(1, 9, 3),
    }
    return nodes, constants | {"one": _numbers(1)}, (6, 1, 5)


def _shapes() -> Graph:
    node = helper.make_node
    nodes = [
        node("Shape", ["x"], ["h"]),
        node("Gather", ["h", "zero"], ["n"], axis=0),
        node("Concat", ["n", "rest"], ["to"], axis=0),
        node("Reshape", ["x", "to"], ["a"]),
        node("Split", ["a"], ["b", "c"], axis=1, num_outputs=2),
        node("Concat", ["c", "b"], ["d"], axis=1),
        node("Slice", ["d", "from", "until", "axis"], ["e"]),
        node("Pad", ["e", "pads"], ["f"]),
        node("ReduceMax", ["f", "axis"], ["y"]),
    ]
    constants = {"zero": _numbers(0), "rest": _numbers(12), "from": _numbers(1), "until": _numbers(9)}
    return nodes, constants | {"axis": _numbers(1), "pads": _numbers(0, 1, 0, 1)}, ("batch", 3, 4)


def _grown() -> Graph:
    node = helper.make_node
    nodes = [
        node("ConvTranspose", ["x", "w"], ["a"], strides=[2, 2]),
        node("Resize", ["a", "", "scales"], ["b"], mode="nearest"),
        node("DepthToSpace", ["b"], ["c"], blocksize=2),
        node("Clip", ["c"], ["d"]),
        node("Mul", ["d", "half"], ["e"]),
        node("Where", ["yes", "e", "half"], ["y"]),
    ]
    constants = {"w": _weights(2, 4, 2, 2), "scales": np.array([1, 1, 2, 2], np.float32), "half": _weights(1)}
    return nodes, constants | {"yes": np.array([True])}, (1, 2, 8, 8)


def _quantised() -> Graph:
    node = helper.make_node
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        node("DequantizeLinear", ["q", "s", "z"], ["a"]),
        node("DequantizeLinear", ["w", "s", "z"], ["b"]),
        node("Conv", ["a", "b"], ["c"]),
        node("QuantizeLinear", ["c", "s", "z"], ["d"]),
        node("DequantizeLinear", ["d", "s", "z"], ["y"]),
    ]
    constants = {
        "s": np.array(0.1, np.float32),
        "z": np.array(0, np.int8),
        "w": np.ones((4, 2, 3, 3), np.int8),
    }
    return nodes, constants, (1, 2, 8, 8)


def _branches() -> Graph:
    made = [helper.make_tensor_value_info("o", TensorProto.FLOAT, (1, 8))]
    sides = {
        f"{name}_branch": helper.make_graph([helper.make_node(kind, ["x"], ["o"])], name, [], made)
        for name, kind in (("then", "Relu"), ("else", "Neg"))
    }
    nodes = [
        helper.make_node("If", ["go"], ["a"], **sides),
        helper.make_node("twice", ["a"], ["y"], domain="my"),
    ]
    return nodes, {"go": np.array(True)}, (1, 8)


def onnx_seeds() -> Iterator[bytes]:
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("my", 1)]
    doubled = [helper.make_node("Add", ["p", "p"], ["o"])]
    function = helper.make_function("my", "twice", ["p"], ["o"], doubled, opsets)
    for make in (_image, _attention, _recurrent, _shapes, _grown, _quantised, _branches):
        nodes, constants, shape = make()
        given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
        out = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        kept = [numpy_helper.from_array(values, name) for name, values in constants.items()]
        graph = helper.make_graph(nodes, "g", given, out, kept)
        model = helper.make_model(graph, opset_imports=opsets, functions=[function], ir_version=10)
        yield bytes(model.SerializeToString())
