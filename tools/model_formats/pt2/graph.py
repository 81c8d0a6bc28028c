"""The graph of an exported program: tensors with their shapes, and calls in execution order.

Names and numbers are those of pytorch/pytorch torch/_export/serde/schema.py (versions 5 to 8).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ...core.records import dataclass
from ...core.sanitize import clean_text
from ...graph import DType
from ..aten import Argument, Call, Name
from ..onnx.document import Value
from ..tflite.reader import DamagedError
from .sizes import computed, names_in

_DTYPES = {
    1: DType.UINT8, 2: DType.INT8, 3: DType.INT16, 4: DType.INT32, 5: DType.INT64, 6: DType.FLOAT16,
    7: DType.FLOAT32, 8: DType.FLOAT64, 10: DType.COMPLEX64, 11: DType.COMPLEX128, 12: DType.BOOL,
    13: DType.BFLOAT16, 28: DType.UINT16,
}  # fmt: skip
_MOST_DIMENSIONS = 64
_DEEPEST = 8
"""Of graphs within graphs."""
_INLINED = ("wrap_with_set_grad_enabled", "wrap_with_autocast")
"""Higher-order operators that only run the graph that they hold."""


@dataclass(frozen=True)
class Sizes:
    """What names of open dimensions stand for."""

    known: Mapping[str, int]

    def of(self, size: Any) -> int:
        if "as_int" in size:
            return _dimension(size["as_int"])
        expression = size["as_expr"]
        found = computed(str(expression["expr_str"]), self.known)
        if found is None and isinstance(hint := expression.get("hint"), dict):
            found = _dimension(hint.get("as_int", -1))
        return -1 if found is None else found

    def tensor(self, meta: Any) -> Value:
        if len(meta["sizes"]) > _MOST_DIMENSIONS:
            raise DamagedError(f"a tensor has {len(meta['sizes'])} dimensions")
        return Value(tuple(map(self.of, meta["sizes"])), _DTYPES.get(meta["dtype"], DType.VARIANT))


def open_sizes(graph: Any, inputs: list[str]) -> dict[str, int]:
    """The names of open dimensions of the inputs: a batch is 1, any other as the example had it."""
    found: dict[str, int] = {}
    for name in inputs:
        for at, size in enumerate(graph["tensor_values"][name]["sizes"]):
            expression = size.get("as_expr")
            if expression is None:
                continue
            hint = (expression.get("hint") or {}).get("as_int")
            for each in names_in(str(expression["expr_str"])):
                if at == 0:
                    found[each] = 1
                elif isinstance(hint, int):
                    found.setdefault(each, hint)
    return found


def calls_in(graph: Any, sizes: Sizes, values: dict[str, Value]) -> Iterator[Call]:
    """The calls, and in `values` what is known of every tensor."""
    yield from _calls(graph, sizes, values, {}, "", 0)


def _calls(
    graph: Any, sizes: Sizes, values: dict[str, Value], names: dict[str, str], prefix: str, depth: int
) -> Iterator[Call]:
    """Of a graph whose names are `names` outside it, else those of its own behind `prefix`."""
    if depth > _DEEPEST:
        raise DamagedError(f"its graphs hold each other more than {_DEEPEST} deep")
    for name, meta in graph["tensor_values"].items():
        values.setdefault(names.get(name, prefix + name), sizes.tensor(meta))
    scope = _Scope(graph, sizes, names, prefix)
    for at, node in enumerate(graph["nodes"]):
        library, target, overload = _target(str(node["target"]))
        if target in _INLINED and library == "higher_order":
            yield from _inner(node, scope, values, f"{prefix}{at}/", depth)
            continue
        given = [(each["name"], each.get("kind"), scope.argument(each["arg"])) for each in node["inputs"]]
        yield Call(
            target if library == "aten" else f"{library}.{target}",
            overload,
            tuple(value for _, kind, value in given if kind != 2),
            tuple(scope.outputs(node["outputs"])),
            {str(name): value for name, kind, value in given if kind == 2},
        )


def _inner(node: Any, scope: _Scope, values: dict[str, Value], prefix: str, depth: int) -> Iterator[Call]:
    """The calls of the graph that an operator holds, with its inputs and outputs by their outer names."""
    arguments = [each["arg"] for each in node["inputs"]]
    at, held = next((i, a["as_graph"]) for i, a in enumerate(arguments) if "as_graph" in a)
    outer = [scope.argument(a) for a in arguments[at + 1 :]]
    inner = held["graph"]
    names: dict[str, str] = {}
    for entry, given in zip(inner["inputs"], outer, strict=False):
        if "as_tensor" in entry and isinstance(given, Name):
            names[entry["as_tensor"]["name"]] = given
    made = list(scope.outputs(node["outputs"]))
    held_outputs = [name for entry in inner["outputs"] for name in _tensor_names(entry)]
    handed: list[tuple[str, str]] = []
    for name, outside in zip(held_outputs, made, strict=False):
        if name in names:
            handed.append((names[name], outside))
        else:
            names[name] = outside
    yield from _calls(inner, scope.sizes, values, names, prefix, depth + 1)
    for name, outside in handed:
        yield Call("alias", "default", (Name(name),), (outside,))


class _Scope:
    """What names and sizes mean within one graph."""

    def __init__(self, graph: Any, sizes: Sizes, names: Mapping[str, str], prefix: str) -> None:
        self.sizes = sizes
        self._names, self._prefix = names, prefix
        self._integers = graph.get("sym_int_values") or {}

    def name(self, name: str) -> Name:
        return Name(self._names.get(name, self._prefix + name))

    def outputs(self, entries: Any) -> Iterator[str]:
        for entry in entries:
            yield from (self.name(name) for name in _tensor_names(entry))

    def argument(self, entry: Any) -> Argument:
        (kind, value), *_ = entry.items()
        match kind:
            case "as_tensor":
                return self.name(value["name"])
            case "as_tensors":
                return tuple(self.name(each["name"]) for each in value)
            case "as_optional_tensors":
                return tuple(
                    self.name(each["as_tensor"]["name"]) if "as_tensor" in each else None for each in value
                )
            case "as_optional_tensor":
                return self.name(value["as_tensor"]["name"]) if "as_tensor" in value else None
            case "as_sym_int":
                return self._integer(value)
            case "as_sym_ints":
                return tuple(self._integer(each) for each in value)
            case "as_int" | "as_float" | "as_bool" | "as_string":
                return value if isinstance(value, (int, float, str)) else None
            case "as_ints" | "as_floats" | "as_bools":
                return tuple(each for each in value if isinstance(each, (int, float)))
            case "as_sym_float":
                return float(value.get("as_float") or 0.0)
        return None

    def _integer(self, entry: Any) -> int:
        if "as_int" in entry:
            return int(entry["as_int"])
        return self.sizes.of(self._integers[entry["as_name"]])


def _tensor_names(entry: Any) -> Iterator[str]:
    if "as_tensor" in entry:
        yield entry["as_tensor"]["name"]
    elif "as_tensors" in entry:
        yield from (each["name"] for each in entry["as_tensors"])


def _target(text: str) -> tuple[str, str, str]:
    """torch.ops.aten.conv2d.default: library, name and overload."""
    parts = clean_text(text).removeprefix("torch.ops.").split(".")
    if len(parts) < 2:
        return "python", parts[0], ""
    return parts[0], parts[1], parts[2] if len(parts) > 2 else ""


def _dimension(size: Any) -> int:
    if not isinstance(size, int) or not -1 <= size < 1 << 62:
        raise DamagedError(f"a tensor has a dimension of {clean_text(str(size), 40)}")
    return int(size)


def bytes_of(value: Value) -> int:
    shape = value.shape or ()
    return (value.dtype.storage_bytes(math.prod(max(d, 0) for d in shape)) or 0) if shape else 0
