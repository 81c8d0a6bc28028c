"""Sizes of model files as other tools tell them, each file in a process of its own with limits.

`python sizes_elsewhere.py onnx|tflite` reads names of files, one a line, and writes a line of JSON for each. It
imports nothing of Edgewright, so that it runs in an environment that has onnx-tool or LiteRT alone.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import resource
import sys
import tempfile
from collections import Counter
from typing import Any

_SECONDS, _MEMORY = 30, 6 << 30
_PRODUCTS = {"Conv", "ConvInteger", "Gemm", "MatMul", "MatMulInteger", "QLinearConv", "QLinearMatMul"}
_BIASED = {"Conv": 3, "ConvInteger": 0, "Gemm": 3, "QLinearConv": 9}
"""Number of inputs with which onnx-tool counts an addition of the bias at every output."""


def of_onnx(path: str) -> dict[str, Any]:
    """onnx-tool's totals, and its MACs taken apart: products, additions of biases, and each other operator."""
    import onnx_tool

    model = onnx_tool.Model(path, {"verbose": False})
    model.graph.graph_reorder_nodes()
    model.graph.shape_infer({})
    model.graph.profile()
    if not model.graph.valid_profile:
        raise ValueError("onnx-tool found no shapes")
    products, biases, rest = 0.0, 0.0, Counter[str]()
    for node in model.graph.nodemap.values():
        shapes = [list(model.graph.tensormap[name].get_shape()) for name in node.input]
        count = float(node.macs[0])
        if node.op_type in _PRODUCTS:
            outputs = math.prod(model.graph.tensormap[node.output[0]].get_shape())
            added = outputs if len(node.input) == _BIASED.get(node.op_type, 0) else 0
            products, biases = products + count - added, biases + added
        elif node.op_type in {"LSTM", "GRU"}:
            products += (math.prod(shapes[1]) + math.prod(shapes[2])) * shapes[0][0] * shapes[0][1]
            rest[node.op_type] += count
        else:
            rest[node.op_type] += count
    others = {kind: count for kind, count in rest.items() if count}
    return {
        "macs": float(model.graph.macs[0]), "products": products, "biases": biases, "others": others,
        "parameters": int(model.graph.params),
    }  # fmt: skip


def of_tflite(path: str) -> dict[str, Any]:
    """LiteRT's shapes of the main subgraph's operators, MACs by the formulas below, bytes of its constants."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    with open(path, "rb") as file:
        content = file.read()
    found: dict[str, Any] = constants_of(content)
    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=kernels)
    interpreter.allocate_tensors()
    found["outputs"] = [each["shape"].tolist() for each in interpreter.get_output_details()]
    shapes = {each["index"]: each["shape"].tolist() for each in interpreter.get_tensor_details()}
    macs = 0
    for op in interpreter._get_ops_details():
        kind = op["op_name"]
        if kind in _UNCOUNTED:
            found["uncounted"] = kind
            continue
        if kind in _FORMULAS:
            inputs = [shapes.get(int(index), []) for index in op["inputs"]]
            macs += _FORMULAS[kind](inputs, shapes[int(op["outputs"][0])])
    found["macs"] = macs
    return found


def constants_of(content: bytes) -> dict[str, Any]:
    """Bytes of the buffers that a tensor names, each once, out of the flatbuffer itself."""
    import tflite

    model = tflite.Model.GetRootAsModel(content, 0)
    used = set[int]()
    for number in range(model.SubgraphsLength()):
        subgraph = model.Subgraphs(number)
        used |= {subgraph.Tensors(each).Buffer() for each in range(subgraph.TensorsLength())}
    buffers = [model.Buffers(each) for each in used]
    return {"constant_bytes": sum(each.DataLength() or each.Size() for each in buffers)}


def _conv(inputs: list[list[int]], output: list[int]) -> int:
    filters = inputs[1]
    return math.prod(output) * filters[1] * filters[2] * filters[3]


def _depthwise(inputs: list[list[int]], output: list[int]) -> int:
    return math.prod(output) * inputs[1][1] * inputs[1][2]


def _transposed(inputs: list[list[int]], _: list[int]) -> int:
    batch, height, width, channels = inputs[2]
    out_channels, kernel_height, kernel_width, _depth = inputs[1]
    return batch * height * width * channels * kernel_height * kernel_width * out_channels


def _dense(inputs: list[list[int]], _: list[int]) -> int:
    units, depth = inputs[1]
    return math.prod(inputs[0]) // depth * units * depth


def _conv_3d(inputs: list[list[int]], output: list[int]) -> int:
    return math.prod(output) * math.prod(inputs[1][:4])


def _matmul(inputs: list[list[int]], output: list[int]) -> int:
    """rows × depth, rows and columns being the output's last two, whichever side is transposed."""
    rows = output[-2]
    return math.prod(output) * (math.prod(inputs[0][-2:]) // rows if rows else 0)


def _svdf(inputs: list[list[int]], _: list[int]) -> int:
    return (math.prod(inputs[1]) + math.prod(inputs[2])) * inputs[0][0]


def _lstm(inputs: list[list[int]], _: list[int]) -> int:
    weights = sum(math.prod(inputs[each]) for each in (*range(1, 12), 16) if inputs[each])
    return weights * math.prod(inputs[0][:-1])


def _rnn(inputs: list[list[int]], _: list[int]) -> int:
    return (math.prod(inputs[1]) + math.prod(inputs[2])) * math.prod(inputs[0][:-1])


_FORMULAS = {
    "CONV_2D": _conv, "DEPTHWISE_CONV_2D": _depthwise, "TRANSPOSE_CONV": _transposed, "FULLY_CONNECTED": _dense,
    "CONV_3D": _conv_3d, "BATCH_MATMUL": _matmul, "SVDF": _svdf, "UNIDIRECTIONAL_SEQUENCE_LSTM": _lstm,
    "UNIDIRECTIONAL_SEQUENCE_RNN": _rnn, "RNN": _rnn,
}  # fmt: skip
_UNCOUNTED = {"LSTM", "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "CONV_3D_TRANSPOSE", "WHILE",
              "IF", "CALL", "STABLEHLO_COMPOSITE", "STABLEHLO_DOT_GENERAL", "STABLEHLO_CONVOLUTION"}  # fmt: skip


def outputs_by_onnxruntime(path: str) -> dict[str, Any]:
    """Shapes of what ONNX Runtime computes of zeros; where it refuses zeros, those that it infers."""
    import numpy as np
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    types = {"float": "float32", "double": "float64", "float16": "float16", "string": "object"}
    asked = {}
    for each in session.get_inputs():
        kind = each.type.removeprefix("tensor(").removesuffix(")")
        asked[each.name] = np.zeros(
            [d if isinstance(d, int) else 1 for d in each.shape], types.get(kind, kind)
        )
    try:
        made = session.run(None, asked)
    except Exception:
        inferred = [[d if isinstance(d, int) else -1 for d in each.shape] for each in session.get_outputs()]
        return {"outputs": inferred}
    return {"outputs": [list(np.shape(each)) if isinstance(each, np.ndarray) else None for each in made]}


_ASKED = {"onnx": of_onnx, "onnxruntime": outputs_by_onnxruntime, "tflite": of_tflite}


def limited(tool: str, path: str, answer: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        found = _ASKED[tool](path)
    except BaseException as refused:
        found = {"refused": f"{type(refused).__name__}: {refused}"[:200]}
    os.write(answer, json.dumps(found).encode())


def main(tool: str) -> None:
    with contextlib.suppress(ImportError):
        __import__(
            {"onnx": "onnx_tool", "onnxruntime": "onnxruntime"}.get(tool, "ai_edge_litert.interpreter")
        )
    out, quiet = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1), os.dup2(quiet, 2)
    for line in sys.stdin:
        with tempfile.TemporaryFile() as answer:
            if (child := os.fork()) == 0:
                limited(tool, line.rstrip("\n"), answer.fileno())
                os._exit(0)
            _, status = os.waitpid(child, 0)
            answer.seek(0)
            said = answer.read() or json.dumps({"refused": f"ended with status {status}"}).encode()
            os.write(out, said + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
