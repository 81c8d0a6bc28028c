"""Exported PyTorch programs (.pt2) and ExecuTorch programs (.pte), written without PyTorch.

The network of both: a 3×3 convolution of 8 channels over 3×32×32, its norm, ReLU6, the mean of each channel,
and a dense layer of 10: 3·3·3·8·32·32 + 8·10 = 221,264 MACs, as torch.utils.flop_counter counts them too.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import Any

from .flatbuffer_trees import Node, encode

FLOAT, INT64 = 7, 5
"""ScalarType of PyTorch's export schema."""
TENSORS: dict[str, list[int]] = {
    "w": [8, 3, 3, 3], "b": [8], "scale": [8], "shift": [8], "mean": [8], "var": [8],
    "dense": [10, 8], "dense_bias": [10], "x": [1, 3, 32, 32], "conv": [1, 8, 32, 32],
    "norm": [1, 8, 32, 32], "relu": [1, 8, 32, 32], "pooled": [1, 8], "y": [1, 10],
}  # fmt: skip
WEIGHTS = ("w", "b", "scale", "shift", "mean", "var", "dense", "dense_bias")


def meta(shape: list[Any], dtype: int = FLOAT) -> dict[str, Any]:
    sizes = [size if isinstance(size, dict) else {"as_int": size} for size in shape]
    return {"dtype": dtype, "sizes": sizes, "strides": [], "layout": 7, "storage_offset": {"as_int": 0}}


def tensor(name: str) -> dict[str, Any]:
    return {"as_tensor": {"name": name}}


def call(target: str, made: list[str], **arguments: Any) -> dict[str, Any]:
    """A node; a string among the arguments is a tensor's name."""
    given = [{"name": name, "arg": _argument(value), "kind": 1} for name, value in arguments.items()]
    return {
        "target": f"torch.ops.{target}",
        "inputs": given,
        "outputs": [tensor(m) for m in made],
        "metadata": {},
    }


def _argument(value: Any) -> dict[str, Any]:
    match value:
        case None:
            return {"as_none": True}
        case bool():
            return {"as_bool": value}
        case str():
            return tensor(value)
        case int():
            return {"as_int": value}
        case float():
            return {"as_float": value}
        case list() if value and isinstance(value[0], str):
            return {"as_tensors": [{"name": name} for name in value]}
        case list():
            return {"as_ints": value}
    return dict(value)


CALLS = [
    call("aten.conv2d.default", ["conv"], input="x", weight="w", bias="b", stride=[1, 1], padding=[1, 1]),
    call(
        "aten.batch_norm.default",
        ["norm"],
        input="conv",
        weight="scale",
        bias="shift",
        mean="mean",
        var="var",
    ),
    call("aten.relu6.default", ["relu"], self="norm"),
    call("aten.mean.dim", ["pooled"], self="relu", dim=[2, 3]),
    call("aten.linear.default", ["y"], input="pooled", weight="dense", bias="dense_bias"),
]


def program(
    calls: list[dict[str, Any]] | None = None,
    tensors: dict[str, Any] | None = None,
    weights: tuple[str, ...] = WEIGHTS,
    inputs: tuple[str, ...] = ("x",),
    outputs: tuple[str, ...] = ("y",),
) -> dict[str, Any]:
    """An ExportedProgram as its JSON has it."""
    values = {
        name: shape if isinstance(shape, dict) else meta(shape)
        for name, shape in (tensors or TENSORS).items()
    }
    given = [{"parameter": {"arg": {"name": name}, "parameter_name": name}} for name in weights]
    given += [{"user_input": {"arg": tensor(name)}} for name in inputs]
    graph = {
        "inputs": [tensor(name) for name in (*weights, *inputs)],
        "outputs": [tensor(name) for name in outputs],
        "nodes": CALLS if calls is None else calls,
        "tensor_values": values, "sym_int_values": {}, "sym_bool_values": {},
    }  # fmt: skip
    signature = {"input_specs": given, "output_specs": [{"user_output": {"arg": tensor(o)}} for o in outputs]}
    return {
        "graph_module": {"graph": graph, "signature": signature, "module_call_graph": []},
        "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 17},
    }  # fmt: skip


def pt2(held: dict[str, Any] | None = None, folder: str = "net/", **members: bytes) -> bytes:
    """The archive that torch.export.save writes since 2.8."""
    held = program() if held is None else held
    shapes = {name: size for name, size in TENSORS.items() if name in WEIGHTS}
    config = {
        name: {"path_name": f"weight_{n}", "is_param": True, "use_pickle": False}
        for n, name in enumerate(shapes)
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr(f"{folder}models/model.json", json.dumps(held))
        packed.writestr(f"{folder}data/weights/model_weights_config.json", json.dumps({"config": config}))
        for n, shape in enumerate(shapes.values()):
            packed.writestr(f"{folder}data/weights/weight_{n}", bytes(4 * _product(shape)))
        packed.writestr(f"{folder}data/sample_inputs/model.pt", b"\x80\x04cos\nsystem\n")
        for name, content in members.items():
            packed.writestr(name, content)
    return made.getvalue()


def _product(shape: list[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


class _Plan:
    """Values of an execution plan, each by its place."""

    def __init__(self) -> None:
        self.values: list[Node] = []

    def put(self, kind: int, content: Node) -> int:
        self.values.append({0: ("B", kind), 1: content})
        return len(self.values) - 1

    def whole(self, number: int) -> int:
        return self.put(2, {0: ("q", number)})

    def numbers(self, numbers: list[int]) -> int:
        places = [self.whole(number) for number in numbers]
        return self.put(7, {0: ("q", places)})

    def tensor(self, shape: list[int], *, weight: int = 0, at: int = 0) -> int:
        fields: dict[int, Node] = {0: ("b", 6), 2: ("i", shape), 5: ("I", weight)}
        if not weight:
            fields[6] = {0: ("I", 1), 1: ("I", at), 2: ("I", 0)}
        return self.put(5, fields)


def pte(delegate: str = "", size: int = 64) -> bytes:
    """The same network; where `delegate` names a backend, the dense layer is its, in `size` bytes."""
    plan, none = _Plan(), -1
    at = {
        name: plan.tensor(shape, weight=n + 1)
        for n, (name, shape) in enumerate(TENSORS.items())
        if name in WEIGHTS
    }
    for n, (name, shape) in enumerate(TENSORS.items()):
        if name not in WEIGHTS:
            at[name] = plan.tensor(shape, at=16 * n)
    at["view"] = plan.tensor([8, 1], at=16 * list(TENSORS).index("pooled"))
    none = plan.put(1, {})
    spare = [plan.tensor([0]) for _ in range(2)]
    pair, one, off = plan.numbers([1, 1]), plan.whole(1), plan.put(3, {0: ("B", 0)})
    eps = plan.put(4, {0: ("d", 1e-5)})
    calls = [
        (
            0,
            [
                at["x"],
                at["w"],
                at["b"],
                pair,
                pair,
                pair,
                off,
                plan.numbers([0, 0]),
                one,
                at["conv"],
                at["conv"],
            ],
        ),
        (1, [at["conv"], at["scale"], at["shift"], at["mean"], at["var"], eps, eps, at["norm"], *spare]),
        (2, [at["norm"], plan.put(4, {0: ("d", 0.0)}), plan.put(4, {0: ("d", 6.0)}), at["relu"], at["relu"]]),
        (3, [at["relu"], plan.numbers([-1, -2]), off, none, at["pooled"], at["pooled"]]),
        (4, [at["pooled"], at["dense"], at["dense_bias"], at["y"], at["y"]]),
    ]
    names = ("convolution", "_native_batch_norm_legit_no_training", "hardtanh", "mean", "linear")
    instructions = [{0: ("B", 1), 1: {0: ("i", op), 1: ("i", args)}} for op, args in calls]
    if delegate:
        instructions[-1] = {0: ("B", 2), 1: {0: ("i", 0), 1: ("i", [at["pooled"], at["y"]])}}
    fields: dict[int, Node] = {
        0: "forward", 2: plan.values, 3: ("i", [at["x"]]), 4: ("i", [at["y"]]), 5: [{2: instructions}],
        6: [{0: f"aten::{name}", 1: "out"} for name in names],
        7: [{0: delegate, 1: {0: ("b", 0), 1: ("I", 0)}}] if delegate else [],
    }  # fmt: skip
    stored = [{0: ("B", [0] * 16)}, *({0: ("B", [0] * (4 * _product(TENSORS[name])))} for name in WEIGHTS)]
    return encode({0: ("I", 0), 1: [fields], 2: stored, 3: [{0: ("B", [0] * size)}]}, b"ET12")


def with_header(content: bytes) -> bytes:
    """As ExecuTorch writes it: a second header, and the root moved behind it."""
    (root,) = struct.unpack_from("<I", content)
    return (
        struct.pack("<I", root + 32)
        + content[4:8]
        + b"eh00"
        + struct.pack("<IQQQ", 32, len(content), 0, 0)[:28]
        + content[8:]
    )
