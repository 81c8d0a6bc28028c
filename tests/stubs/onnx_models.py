"""Small .onnx files."""

from pathlib import Path

import pytest


def small_onnx(path: Path) -> Path:
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper

    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 16, 16])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 14, 14])
    w = helper.make_tensor("w", TensorProto.FLOAT, [8, 3, 3, 3], [0.1] * 216)
    v = helper.make_tensor("v", TensorProto.FLOAT, [8, 8, 1, 1], [0.1] * 64)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], name="c1"),
        helper.make_node("Sigmoid", ["a"], ["b"], name="s1"),
        helper.make_node("Conv", ["b", "v"], ["y"], name="c2"),
    ]
    graph = helper.make_graph(nodes, "g", [x], [y], [w, v])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path
