"""The ONNX model that an IR is put into: its nodes, its shapes, and small constants with their content."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.records import dataclass
from ...core.sanitize import clean_text
from ..onnx.loading import package
from ..tflite.reader import DamagedError, Readable
from .network import Layer, Network, Port

_OPSET = 20
_CONTENT_BYTES = 8192
_TYPES: dict[str, tuple[int, float, str]] = {
    "f32": (1, 4, "<f4"), "u8": (2, 1, "u1"), "i8": (3, 1, "i1"), "u16": (4, 2, "<u2"), "i16": (5, 2, "<i2"),
    "i32": (6, 4, "<i4"), "i64": (7, 8, "<i8"), "boolean": (9, 1, "?"), "f16": (10, 2, "<f2"),
    "f64": (11, 8, "<f8"), "u32": (12, 4, "<u4"), "u64": (13, 8, "<u8"), "bf16": (16, 2, ""),
    "u4": (21, 0.5, ""), "i4": (22, 0.5, ""), "string": (8, 0, ""),
}  # fmt: skip
"""By element type: TensorProto's number, bytes of an element, numpy's name."""
PRECISIONS = {
    "FP32": 1, "U8": 2, "I8": 3, "U16": 4, "I16": 5, "I32": 6, "I64": 7, "STRING": 8, "BOOL": 9, "FP16": 10,
    "FP64": 11, "U32": 12, "U64": 13, "BF16": 16, "U4": 21, "I4": 22,
}  # fmt: skip
FLOAT = 1


@dataclass(frozen=True)
class Weights:
    """A constant that is written where it is read: as it lies, or with its dimensions in another way."""

    layer: Layer
    dimensions: tuple[int, ...]
    element: str
    is_scaled: bool = False
    """Integers that a scale makes numbers of."""
    is_widened: bool = False
    """In half precision, read in full."""


class Model:
    """Values are named as the IR names the tensors of its inputs, else by layer and port."""

    def __init__(self, network: Network, content: Readable) -> None:
        self.onnx: Any = package()
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self.weights: dict[str, Weights] = {}
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self._infos: list[Any] = []
        self._sources = network.sources
        self._content = content
        self._made: set[str] = set()
        self._domains: set[str] = set()
        self._ports = {(layer.number, port.number) for layer in network.layers for port in layer.outputs}
        self._names: dict[tuple[str, str], str] = {}

    def source(self, layer: Layer, at: int) -> str:
        """The name of what an input reads; empty where there is no such input.

        Raises:
            DamagedError: nothing is connected there.
        """
        if at >= len(layer.inputs):
            return ""
        source = self._sources.get((layer.number, layer.inputs[at].number))
        if source is None or source not in self._ports:
            raise DamagedError(f"an input of a {layer.kind} is not connected")
        return self.name(*source)

    def read(self, layer: Layer, at: int) -> str:
        """The same, and a constant stands in the model from here on."""
        name = self.source(layer, at)
        return self.constant(name) if name in self.weights else name

    def reads(self, layer: Layer) -> list[str]:
        return [self.read(layer, at) for at in range(len(layer.inputs))]

    def name(self, layer: str, port: str) -> str:
        return self._names.get((layer, port), f"{layer}.{port}")

    def rename(self, layer: Layer, name: str) -> None:
        self._names[layer.number, layer.outputs[0].number] = name

    def made(self, layer: Layer, at: int = 0) -> str:
        return self.name(layer.number, layer.outputs[at].number)

    def all_made(self, layer: Layer) -> list[str]:
        return [self.made(layer, at) for at in range(len(layer.outputs))]

    def put(self, kind: str, inputs: Sequence[str], outputs: Sequence[str] | str, **attributes: Any) -> None:
        made = [outputs] if isinstance(outputs, str) else list(outputs)
        domain, _, kind = kind.rpartition(".")
        self._domains.add(domain)
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), made, domain=domain, **attributes))

    def then(self, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        """A node between others; the name of its output."""
        name = f"between/{len(self.nodes)}"
        self.put(kind, inputs, name, **attributes)
        return name

    def integers(self, values: Sequence[int], *, is_scalar: bool = False) -> str:
        array = np.array(values[0] if is_scalar else list(values), dtype=np.int64)
        return self._initializer(f"list/{len(self.initializers)}", array)

    def number(self, value: float) -> str:
        return self._initializer(f"number/{len(self.initializers)}", np.array(value, dtype=np.float32))

    def factors(self, dimensions: Sequence[int]) -> str:
        """Numbers that are one each."""
        return self._absent(f"factors/{len(self.initializers)}", dimensions, FLOAT)

    def constant(self, name: str, dimensions: Sequence[int] | None = None) -> str:
        """Weights as an initializer: small ones with their content, others as data that lies elsewhere."""
        weights = self.weights[name]
        shape = tuple(weights.dimensions if dimensions is None else dimensions)
        label = name if dimensions is None else f"{name}/{'x'.join(map(str, shape))}"
        if label in self._made:
            return label
        self._made.add(label)
        number, _, code = _TYPES[weights.element]
        if weights.is_scaled:
            held = self._absent(f"{label}/integers", shape, number)
            scale = self.number(1.0)
            zero = self._initializer(f"{label}/zero", np.zeros((), code)) if code else ""
            self.put("DequantizeLinear", [held, scale, zero] if zero else [held, scale], label)
            return label
        content = None if weights.is_widened else self._held(weights, code)
        if content is None:
            return self._absent(label, shape, FLOAT if weights.is_widened else number)
        whole = content.astype(np.int64) if weights.element == "i32" else content
        return self._initializer(label, whole.reshape(shape))

    def content(self, name: str) -> list[int] | None:
        """Of a small constant of integers; None where it is computed."""
        weights = self.weights.get(name)
        if weights is None:
            return None
        held = self._held(weights, _TYPES[weights.element][2])
        return None if held is None else [int(v) for v in held.reshape(-1)]

    def _held(self, weights: Weights, code: str) -> np.ndarray[Any, Any] | None:
        count = math.prod(weights.dimensions)
        at, size = weights.layer.whole("offset"), weights.layer.whole("size")
        if not code or size > _CONTENT_BYTES or count * np.dtype(code).itemsize != size:
            return None
        return np.frombuffer(bytes(self._content[at : at + size]), dtype=code)

    def hold(self, layer: Layer) -> None:
        """A layer Const: it holds the bytes that its type and its dimensions need, and the file has them."""
        element = layer.data["element_type"]
        dimensions = layer.outputs[0].dimensions
        if element not in _TYPES:
            raise DamagedError(f"a constant is of type {clean_text(element, 20)}, which is not known here")
        at, size = layer.whole("offset"), layer.whole("size")
        needed = math.ceil(math.prod(dimensions) * _TYPES[element][1])
        if min(at, size, *dimensions, 0) < 0 or needed > size or at + size > len(self._content):
            raise DamagedError(f"a constant needs {needed:,} bytes, which its file does not hold for it")
        self.weights[self.made(layer)] = Weights(layer, dimensions, element)

    def declare(self, layer: Layer) -> None:
        """What the IR states of the outputs of a layer that ONNX has no operator for."""
        self._infos += [self.info(self.name(layer.number, port.number), port) for port in layer.outputs]

    def info(self, name: str, port: Port) -> Any:
        dimensions = [None if size < 0 else size for size in port.dimensions]
        return self.onnx.helper.make_tensor_value_info(name, PRECISIONS.get(port.precision, 0), dimensions)

    def finished(self) -> bytes:
        helper = self.onnx.helper
        known = {each.name for each in (*self.inputs, *self.outputs)}
        graph = helper.make_graph(
            self.nodes, "network", self.inputs, self.outputs, self.initializers,
            value_info=[info for info in self._infos if info.name not in known],
        )  # fmt: skip
        others = sorted(self._domains - {""})
        opsets = [helper.make_opsetid("", _OPSET), *(helper.make_opsetid(domain, 1) for domain in others)]
        made: bytes = helper.make_model(graph, opset_imports=opsets).SerializeToString()
        return made

    def _initializer(self, name: str, array: np.ndarray[Any, Any]) -> str:
        self.initializers.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def _absent(self, name: str, dimensions: Sequence[int], number: int) -> str:
        tensor = self.onnx.TensorProto(
            name=name, dims=dimensions, data_type=number, data_location=self.onnx.TensorProto.EXTERNAL
        )
        self.initializers.append(tensor)
        return name
