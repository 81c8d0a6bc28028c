"""An ONNX file as plain data: nodes, shapes and constants. Weights are dropped as they are read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from ....hardware_db.errors import ModelFileError, UsageError
from ...core.records import dataclass
from ...core.sanitize import clean_text
from ...graph import DType
from ...graph.model import BEFORE, MISFIT, UNDEFINED
from ..tflite.reader import DamagedError
from .inference import mistyped
from .loading import graphs, load, names_from_around, package
from .quantized import Written, plain_operators
from .shapes import infer_shapes

Shape = tuple[int, ...]
Attribute = int | float | str | tuple[int, ...] | tuple[float, ...]

_LARGEST_CONTENT = 1024
_LARGEST_FILE = 1 << 31
_OWN_DOMAINS = frozenset({"", "ai.onnx", "com.microsoft"})
"""Of operators that mean what their names say; others may call anything Conv."""
_ONNX_OWN = frozenset({"", "ai.onnx"})
_CONTENT_TYPES = frozenset({DType.INT64, DType.INT32})


@dataclass(frozen=True)
class Value:
    """What is known of a tensor: a dimension of -1 is not known until run time."""

    shape: Shape | None
    dtype: DType


@dataclass(frozen=True)
class Constant:
    shape: Shape
    dtype: DType
    content: tuple[float, ...] | None = None
    """Of small ones and of single numbers; None for weights."""

    @property
    def elements(self) -> int:
        return math.prod(self.shape)


@dataclass
class Node:
    kind: str
    inputs: list[str]
    """Names; empty for an optional input that is absent."""
    outputs: list[str]
    attributes: dict[str, Attribute] = field(default_factory=dict)
    activation: str = "NONE"
    """TFLite's name of what is computed on the output at once."""
    origin: str = ""
    """The operator with the opset version that defined it, where ONNX itself did."""
    bodies: dict[str, Document] = field(default_factory=dict)
    """The graphs that it holds, by attribute."""
    captured: tuple[str, ...] = ()
    """What these read of the graph around: as the file names it, of the last of `inputs`."""

    def integer_of(self, name: str, default: int) -> int:
        value = self.attributes.get(name, default)
        return int(value) if isinstance(value, (int, float)) else default

    def number(self, name: str, default: float) -> float:
        value = self.attributes.get(name, default)
        return float(value) if isinstance(value, (int, float)) else default

    def integers(self, name: str) -> tuple[int, ...] | None:
        value = self.attributes.get(name)
        return tuple(int(v) for v in value) if isinstance(value, tuple) else None

    def text(self, name: str, default: str) -> str:
        value = self.attributes.get(name, default)
        return value if isinstance(value, str) else default

    def has(self, position: int) -> bool:
        return position < len(self.inputs) and self.inputs[position] != ""


@dataclass
class Document:
    nodes: list[Node]
    values: dict[str, Value]
    constants: dict[str, Constant]
    inputs: list[str]
    outputs: list[str]
    opset: int
    ir_version: int

    def value(self, name: str) -> Value:
        if name in self.constants:
            return Value(self.constants[name].shape, self.constants[name].dtype)
        return self.values.get(name, Value(None, DType.FLOAT32))

    def readers(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            for name in node.inputs:
                found.setdefault(name, []).append(node)
        return found

    def producers(self) -> dict[str, Node]:
        return {name: node for node in self.nodes for name in node.outputs}


def read_document(data: bytes, name: str, shapes: Mapping[str | int, Shape]) -> Document:
    """Nodes in execution order, with the shapes that follow from `shapes` of the inputs.

    A batch that the file leaves open is taken as 1.

    Raises:
        ModelFileError: no ONNX model, or a damaged one.
        UsageError: the `onnx` package is not installed, or no such input.
    """
    if len(data) >= _LARGEST_FILE:
        raise ModelFileError(
            f"{name!r} is larger than 2 GiB.", hint="Export it with its weights as external data."
        )
    model = load(data, name)
    ir_version = model.ir_version
    model, written = _inferred(model, name, shapes)
    opset = max((o.version for o in model.opset_import if o.domain in {"", "ai.onnx"}), default=1)
    return _document(model.graph, (opset, ir_version), frozenset(), written)


def _document(
    graph: Any, versions: tuple[int, int], around: frozenset[str], written: Mapping[str, Written]
) -> Document:
    """One graph of a file, where the names `around` it are known too."""
    constants = dict(_constants(graph))
    names = [i.name for i in graph.input if i.name not in constants]
    values: dict[str, Value] = {}
    for stated in (*graph.input, *graph.output, *graph.value_info):
        if stated.name not in values or values[stated.name].shape is None:
            values[stated.name] = _value(stated)
    known = around.union(values, constants, *(node.output for node in graph.node)) - {""}
    nodes = [_node(n, known, versions, written) for n in graph.node if n.op_type != "Constant"]
    return Document(nodes, values, constants, names, [o.name for o in graph.output], *versions)


def _inferred(model: Any, name: str, shapes: Mapping[str | int, Shape]) -> tuple[Any, Mapping[str, Written]]:
    """The model without its weights, and with every shape that follows from those of the inputs.

    Beside it what the file has in place of some nodes, by the name of their first output.
    """
    graph = model.graph
    everywhere = [*graphs(graph)]
    written: dict[str, Written] = {}
    for each in everywhere:
        written |= plain_operators(each)
    held = {i.name for i in graph.initializer}
    given = [i for i in graph.input if i.name not in held]
    _set_shapes(given, shapes)
    if shapes:
        del graph.value_info[:]
        for output in graph.output:
            output.type.tensor_type.ClearField("shape")
    known = {opset.domain for opset in model.opset_import}
    for domain in sorted({node.domain for each in everywhere for node in each.node} - known):
        model.opset_import.add(domain=domain, version=1)
    for each in everywhere:
        _drop_weights(each)
    try:
        found = infer_shapes(package(), model)
    except DamagedError:
        raise
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelFileError(
            f"Shapes in {name!r} contradict each other: {clean_text(first, 160)}",
            hint="Check the input shape, or export the model again.",
        ) from error
    wrong = "" if written else mistyped(package(), found)
    mistaken = (node for each in graphs(found.graph) for node in each.node if wrong and node.op_type == wrong)
    return found, written | {node.output[0]: (MISFIT, "") for node in mistaken if node.output}


def _drop_weights(graph: Any) -> None:
    for tensor in (*graph.initializer, *(a.t for n in graph.node for a in n.attribute if a.HasField("t"))):
        if math.prod(tensor.dims) > _LARGEST_CONTENT:
            for data in ("raw_data", "float_data", "int32_data", "int64_data", "double_data", "uint64_data"):
                tensor.ClearField(data)


def _set_shapes(given: list[Any], shapes: Mapping[str | int, Shape]) -> None:
    """A dimension below 1 stays open."""
    for info in given:
        dimensions = info.type.tensor_type.shape.dim
        if dimensions and not dimensions[0].HasField("dim_value"):
            dimensions[0].dim_value = 1
    named = {info.name: info for info in given} | {str(i): info for i, info in enumerate(given)}
    for key, shape in shapes.items():
        if str(key) not in named:
            known = ", ".join(repr(info.name[:80]) for info in given[:5])
            raise UsageError(f"The model has no input {key!r}.", hint=f"Inputs: {known}.")
        dimensions = named[str(key)].type.tensor_type.shape
        left = {at: dim.dim_param for at, dim in enumerate(dimensions.dim)}
        del dimensions.dim[:]
        for at, size in enumerate(shape):
            dimension = dimensions.dim.add()
            if size > 0 or at == 0:
                dimension.dim_value = max(size, 1)
            else:
                dimension.dim_param = left.get(at, "")


def _constants(graph: Any) -> Iterator[tuple[str, Constant]]:
    for tensor in graph.initializer:
        yield tensor.name, _constant(tensor)
    for sparse in graph.sparse_initializer:
        dtype = _dtype(sparse.values.data_type)
        yield sparse.values.name, Constant(tuple(sparse.dims), dtype)
    for node in graph.node:
        if node.op_type != "Constant" or not node.output:
            continue
        for attribute in node.attribute:
            if attribute.name == "value":
                yield node.output[0], _constant(attribute.t)
            elif attribute.name in {"value_int", "value_ints"}:
                many = (*attribute.ints,) or (attribute.i,)
                shape = (len(many),) if attribute.name == "value_ints" else ()
                yield node.output[0], Constant(shape, DType.INT64, tuple(float(v) for v in many))
            elif attribute.name in {"value_string", "value_strings"}:
                shape = (len(attribute.strings),) if attribute.name == "value_strings" else ()
                yield node.output[0], Constant(shape, DType.STRING)
            elif attribute.name == "sparse_value":
                sparse = attribute.sparse_tensor
                yield node.output[0], Constant(tuple(sparse.dims), _dtype(sparse.values.data_type))
            elif attribute.name in {"value_float", "value_floats"}:
                numbers = (*attribute.floats,) or (attribute.f,)
                shape = (len(numbers),) if attribute.name == "value_floats" else ()
                yield node.output[0], Constant(shape, DType.FLOAT32, numbers)


def _constant(tensor: Any) -> Constant:
    shape, dtype = tuple(tensor.dims), _dtype(tensor.data_type)
    elements = math.prod(shape)
    wanted = elements <= _LARGEST_CONTENT and (dtype in _CONTENT_TYPES or elements <= 16)
    return Constant(shape, dtype, _content(tensor) if wanted else None)


def _content(tensor: Any) -> tuple[float, ...] | None:
    external = tensor.data_location == tensor.EXTERNAL
    if external:
        return None
    try:
        return tuple(float(v) for v in package().numpy_helper.to_array(tensor).reshape(-1))
    except Exception:
        return None


def _value(info: Any) -> Value:
    tensor = info.type.tensor_type
    if not info.type.HasField("tensor_type"):
        return Value(None, DType.VARIANT)
    shape = None
    if tensor.HasField("shape"):
        shape = tuple(
            d.dim_value if d.HasField("dim_value") and d.dim_value >= 0 else -1 for d in tensor.shape.dim
        )
    return Value(shape, _dtype(tensor.elem_type))


def _node(
    node: Any, known: frozenset[str], versions: tuple[int, int], written: Mapping[str, Written]
) -> Node:
    """What the graphs that an operator holds read of the outer one counts among its inputs."""
    attributes = {a.name: value for a in node.attribute if (value := _attribute(a)) is not None}
    held = {a.name: a.g for a in node.attribute if a.HasField("g")}
    bodies = {name: _document(graph, versions, known, written) for name, graph in held.items()}
    captured = tuple(dict.fromkeys(name for name in names_from_around(held.values()) if name in known))
    kind = node.op_type if node.domain in _OWN_DOMAINS else f"{node.domain}.{node.op_type}"
    inputs = [*node.input, *captured]
    return Node(
        kind, inputs, list(node.output), attributes,
        origin=_origin(node, versions[0], written.get(node.output[0]) if node.output else None),
        bodies=bodies, captured=captured,
    )  # fmt: skip


def _origin(node: Any, opset: int, written: Written | None) -> str:
    """The node's kind and the version of its definition; what the file has where that was `written` anew."""
    kind, domain = written or (node.op_type, node.domain)
    if kind == MISFIT:
        return MISFIT
    if domain and domain not in _ONNX_OWN and not domain.startswith("ai.onnx.preview"):
        return f"{kind}-1" if written else ""
    try:
        schema = package().defs.get_schema(kind, opset, "")
    except package().defs.SchemaError:
        return f"{kind}{BEFORE}" if package().defs.has(kind) else UNDEFINED
    if domain not in _ONNX_OWN:
        return UNDEFINED
    fits = written is not None or _has_inputs(node, schema)
    return f"{kind}-{schema.since_version}" if fits else MISFIT


def _has_inputs(node: Any, schema: Any) -> bool:
    """No more than the definition has, and all that it cannot do without."""
    if not schema.min_input <= len(node.input) <= schema.max_input:
        return False
    optional = package().defs.OpSchema.FormalParameterOption.Optional
    wanted = zip(node.input, schema.inputs, strict=False)
    return all(name or each.option == optional for name, each in wanted)


def _attribute(attribute: Any) -> Attribute | None:
    onnx = package()
    kinds = onnx.AttributeProto
    match attribute.type:
        case kinds.INT:
            return int(attribute.i)
        case kinds.FLOAT:
            return float(attribute.f)
        case kinds.STRING:
            return bytes(attribute.s)[:64].decode("utf-8", "replace")
        case kinds.INTS:
            return tuple(attribute.ints)
        case kinds.FLOATS:
            return tuple(attribute.floats)
    return None


def _dtype(element: int) -> DType:
    return _DTYPES.get(element, DType.VARIANT)


_DTYPES = {
    1: DType.FLOAT32, 2: DType.UINT8, 3: DType.INT8, 4: DType.UINT16, 5: DType.INT16, 6: DType.INT32,
    7: DType.INT64, 8: DType.STRING, 9: DType.BOOL, 10: DType.FLOAT16, 11: DType.FLOAT64,
    12: DType.UINT32, 13: DType.UINT64, 14: DType.COMPLEX64, 15: DType.COMPLEX128, 16: DType.BFLOAT16,
    17: DType.FLOAT8, 18: DType.FLOAT8, 19: DType.FLOAT8, 20: DType.FLOAT8, 21: DType.UINT4, 22: DType.INT4,
    23: DType.FLOAT4, 24: DType.FLOAT8, 25: DType.UINT2, 26: DType.INT2,
}  # fmt: skip
"""By TensorProto.DataType; types that no target here computes in stay unnamed."""
