"""Writes the operators of `runtimes/onnxruntime.yaml` from the kernels that the installed library registers.

`python -m edgewright.hardware_db.registered_onnxruntime` on a machine with onnxruntime and onnx. Types are
those of the newest definition that has a kernel. int8 and uint8 count wherever float32 has a kernel: it
computes between dequantise and quantise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import onnx
import onnxruntime
import yaml
from onnxruntime.capi import onnxruntime_pybind11_state as state

from .loader import RUNTIMES_DIR

_FILE = RUNTIMES_DIR / "onnxruntime.yaml"
_PROVIDER = "CPUExecutionProvider"
NEWEST = 2**31 - 1
_DOMAINS = {"": "", "com.microsoft": "", "ai.onnx.ml": "ai.onnx.ml."}
"""And how the reader of models marks the operators of each."""
TYPES = {
    "float": "float32", "double": "float64", "float16": "float16", "bfloat16": "bfloat16", "bool": "bool",
    "string": "string", "int2": "int2", "int4": "int4", "int8": "int8", "int16": "int16", "int32": "int32",
    "int64": "int64", "uint4": "uint4", "uint8": "uint8", "uint16": "uint16", "uint32": "uint32",
    "uint64": "uint64", "uint2": "uint2", "float4e2m1": "float4", "float8e4m3fn": "float8",
    "float8e4m3fnuz": "float8", "float8e5m2": "float8", "float8e5m2fnuz": "float8",
    "complex64": "complex64", "complex128": "complex128",
}  # fmt: skip
_BEYOND = 999
_SAID = {
    "ir_version": r"max supported IR version: (\d+)", "opset": r"domain ai\.onnx is till opset (\d+)",
}  # fmt: skip
"""How the library says which files it does not open."""
_MADE_OF = {"CastLike": "Cast", "Bernoulli": "RandomUniformLike"}
"""Of operators whose definition depends on the types of their inputs, the one that its kernels come to."""
_DATA_INPUT = {"Where": 1}
"""Position of the input that tells the type, where it is not the first."""
_UNNAMED = "variant"
"""Types that the reader of models has no name for: sequences, optional ones."""
_BY_HAND = ("options", "weight_dtypes")
"""What the file says of a node beside its registration."""
BETWEEN_SCALES = ("int8", "uint8")
_MADE_BY_THE_READER = {
    "BITWISE_XOR": ("BitwiseXor",),
    "FILL": ("ConstantOfShape",),
    "HARD_SWISH": ("HardSwish",),
    "L2_POOL_2D": ("LpPool",),
    "LOCAL_RESPONSE_NORMALIZATION": ("LRN",),
    "NON_MAX_SUPPRESSION_V4": ("NonMaxSuppression",),
    "ONE_HOT": ("OneHot",),
    "RANGE": ("Range",),
    "RELU_0_TO_1": ("HardSigmoid",),
    "RIGHT_SHIFT": ("BitShift",),
    "RSQRT": ("LayerNormalization", "InstanceNormalization"),
    "SCATTER_ND": ("ScatterND",),
    "SHAPE": ("Shape",),
    "SQUARED_DIFFERENCE": ("Sub", "Mul"),
    "WHERE": ("NonZero",),
}
"""TFLite names that ONNX nodes are read as, beside those that the file has."""


@dataclass(frozen=True)
class Registered:
    """What the library has for an operator."""

    dtypes: set[str]
    """Of the data, as the newest definition that has a kernel takes them."""
    opsets: tuple[int, ...]
    """Versions of ONNX's own operators whose definition has a kernel, or is made of others that have."""


def operators(before: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every operator with the types of its first input; what else the file says of one is kept."""
    nodes = registered()
    made: dict[str, dict[str, Any]] = {}
    for name, entry in before.items():
        if not name.startswith("CUSTOM:"):
            named = [each for each in re.findall(r"\w+", entry["locator"]) if each in nodes]
            kept = {key: value for key, value in entry.items() if key not in _entry(nodes, ())}
            made[name] = kept | _entry(nodes, named) if named else entry
    for name, read_from in _MADE_BY_THE_READER.items():
        made.setdefault(name, _entry(nodes, read_from))
    for node, found in nodes.items():
        name, opsets = f"CUSTOM:{node}", {"opsets": list(found.opsets)} if found.opsets else {}
        kept = {key: value for key, value in before.get(name, {}).items() if key in _BY_HAND}
        made[name] = kept | opsets | _entry(nodes, (node,))
    return dict(sorted(made.items()))


def _entry(nodes: Mapping[str, Registered], named: Sequence[str]) -> dict[str, Any]:
    dtypes = _written(nodes[node].dtypes for node in named)
    return {"dtypes": dtypes, "source": "registered", "locator": ", ".join(named)}


def registered() -> dict[str, Registered]:
    """By operator as the reader of models marks it."""
    kernels: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for kernel in state.get_all_opkernel_def():
        if kernel.provider == _PROVIDER:
            kernels[kernel.domain, kernel.op_name].append(kernel)
    found: dict[str, Registered] = {}
    for domain, kind in sorted(kernels):
        of_version = {
            version: (schema, fitting)
            for version, schema in _library()[domain, kind].items()
            if (fitting := [k for k in kernels[domain, kind] if _computes(k, version)])
        }
        name = f"{_DOMAINS.get(domain)}{kind}"
        if domain in _DOMAINS and of_version and name not in found:
            schema, fitting = of_version[max(of_version)]
            dtypes = set[str]().union(*(_of_data(schema, kernel.type_constraints) for kernel in fitting))
            opsets = () if domain else tuple(sorted(of_version))
            found[name] = Registered(dtypes, opsets)
    _add_functions(found)
    return dict(sorted(found.items()))


def _computes(kernel: Any, version: int) -> bool:
    """Whether a kernel is taken for a definition; an open end holds for the one that it starts with."""
    start, end = kernel.version_range
    return bool(start == version or (end != NEWEST and start < version <= end))


_NOTHING = Registered(set(), ())


@cache
def _library() -> dict[tuple[str, str], dict[int, Any]]:
    """Definitions that the library knows, by domain, operator and version."""
    known: dict[tuple[str, str], dict[int, Any]] = defaultdict(dict)
    for schema in state.get_all_operator_schema():
        known[schema.domain, schema.name][int(schema.since_version)] = schema
    return known


def _add_functions(found: dict[str, Registered]) -> None:
    """An operator without a kernel runs as those that it is defined by, which may be such operators too."""
    with_kernels = frozenset(found)
    history: Sequence[Any] = onnx.defs.get_all_schemas_with_history()
    waiting = [s for s in history if not s.domain and s.since_version in _library().get(("", s.name), ())]
    while covered := [schema for schema in waiting if _is_covered(schema, found)]:
        waiting = [schema for schema in waiting if schema not in covered]
        for schema in sorted(covered, key=lambda each: int(each.since_version)):
            own = found.get(schema.name, _NOTHING)
            dtypes = (
                own.dtypes
                if schema.name in with_kernels
                else _of_data(_library()["", schema.name][schema.since_version], {})
            )
            if made_of := _MADE_OF.get(schema.name):
                dtypes = dtypes & found[made_of].dtypes
            opsets = {schema.since_version, *own.opsets}
            found[schema.name] = Registered(dtypes, tuple(sorted(opsets)))


def _is_covered(schema: Any, found: Mapping[str, Registered]) -> bool:
    """What is made once the types are known counts as covered, but for what comes to one known kernel."""
    kinds: set[str] = {node.op_type for node in schema.function_body.node} if schema.has_function else set()
    if schema.has_context_dependent_function:
        kinds = {_MADE_OF[schema.name]} if schema.name in _MADE_OF else set()
    elif not kinds:
        return False
    return all(_has(kind, schema.since_version, found) for kind in kinds - {"Constant"})


def _has(kind: str, opset: int, found: Mapping[str, Registered]) -> bool:
    defined = max((version for version in _library().get(("", kind), ()) if version <= opset), default=0)
    return kind in found and defined in found[kind].opsets


def _of_data(schema: Any, constraints: Mapping[str, Iterable[str]]) -> set[str]:
    if not schema.inputs:
        return {_UNNAMED}
    if schema.name == "ConstantOfShape":
        return {_name(text) for types in constraints.values() for text in types}
    said = schema.inputs[_DATA_INPUT.get(schema.name, 0)].typeStr
    allowed = {each.type_param_str: each.allowed_type_strs for each in schema.type_constraints}
    return {_name(text) for text in constraints.get(said) or allowed.get(said) or (said,)}


def _name(text: str) -> str:
    inner = re.fullmatch(r"tensor\((\w+)\)", text)
    return TYPES.get(inner[1], _UNNAMED) if inner else _UNNAMED


def _written(kinds: Iterable[set[str]]) -> list[str]:
    types = set().union(*kinds)
    if "float32" in types:
        types.update(BETWEEN_SCALES)
    return sorted(types)


def opens() -> dict[str, int]:
    """The highest versions of files, tried: the library tells them only where it refuses."""
    highest: dict[str, int] = {}
    while not highest.keys() >= _SAID.keys():
        tried = {field: highest.get(field, _BEYOND) for field in _SAID}
        said = _refusal(**tried)
        for field, pattern in _SAID.items():
            if found := re.search(pattern, said):
                highest[field] = int(found[1])
    return highest


def _refusal(ir_version: int, opset: int) -> str:
    values = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in "xy"]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "g", values[:1], values[1:])
    model = onnx.helper.make_model(
        graph, ir_version=ir_version, opset_imports=[onnx.helper.make_opsetid("", opset)]
    )
    try:
        onnxruntime.InferenceSession(model.SerializeToString(), providers=[_PROVIDER])
    except Exception as refused:
        return str(refused)
    raise LookupError(f"IR version {ir_version} and opset {opset} are not refused")


def definitions_computed(kind: str, first: int, last: int) -> list[int]:
    """Versions of ONNX's operator that a kernel for these is taken for."""
    kernel = SimpleNamespace(version_range=(first, last))
    return [version for version in _library().get(("", kind), ()) if _computes(kernel, version)]


def write_operators(file: Path, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Put these in place of the operators of a runtime's file."""
    head, _, _ = file.read_text(encoding="utf-8").partition("\noperators:\n")
    lines = ["\noperators:\n"]
    for name, entry in sorted(entries.items()):
        lines.append(f"  {name}:\n")
        for key, value in entry.items():
            flow = yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False)
            lines.append(f"    {key}: {flow.replace('...', '').strip()}\n")
    file.write_text(head + "".join(lines), encoding="utf-8")


def main() -> None:
    text = _FILE.read_text(encoding="utf-8")
    write_operators(_FILE, operators(yaml.safe_load(text)["operators"]))
    print(f"onnxruntime {onnxruntime.__version__}: opens {opens()}")


if __name__ == "__main__":
    main()
