"""Writes the operators of `runtimes/onnxruntime.yaml` from the kernels that the installed library registers.

`python -m edgewright.hardware_db.registered_onnxruntime` on a machine with onnxruntime and onnx. What the
library keeps for old opsets does not count. int8 and uint8 count wherever float32 has a kernel: it computes
between dequantise and quantise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import onnx
import onnxruntime
import yaml
from onnxruntime.capi import onnxruntime_pybind11_state as state

from .loader import RUNTIMES_DIR

_FILE = RUNTIMES_DIR / "onnxruntime.yaml"
_PROVIDER = "CPUExecutionProvider"
_NEWEST = 2**31 - 1
_DOMAINS = {"": "", "com.microsoft": "", "ai.onnx.ml": "ai.onnx.ml."}
"""And how the reader of models marks the operators of each."""
_HOLD_GRAPHS = frozenset({"If", "Loop", "Scan", "SequenceMap"})
"""What they run decides whether they do."""
_TYPES = {
    "float": "float32", "double": "float64", "float16": "float16", "bfloat16": "bfloat16", "bool": "bool",
    "string": "string", "int2": "int2", "int4": "int4", "int8": "int8", "int16": "int16", "int32": "int32",
    "int64": "int64", "uint4": "uint4", "uint8": "uint8", "uint16": "uint16", "uint32": "uint32",
    "uint64": "uint64", "complex64": "complex64", "complex128": "complex128",
}  # fmt: skip
_DATA_INPUT = {"Where": 1}
"""Position of the input that tells the type, where it is not the first."""
_UNNAMED = "variant"
"""Types that the reader of models has no name for: floats of 8 and 4 bits, sequences, optional ones."""
_BETWEEN_SCALES = ("int8", "uint8")
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


def operators(before: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every operator with the types of its first input; what else the file says of one is kept."""
    types = data_types()
    made: dict[str, dict[str, Any]] = {}
    for name, entry in before.items():
        if not name.startswith("CUSTOM:"):
            named = [each for each in re.findall(r"\w+", entry["locator"]) if each in types]
            kept = {key: value for key, value in entry.items() if key not in _entry(types, ())}
            made[name] = kept | _entry(types, named) if named else entry
    for name, nodes in _MADE_BY_THE_READER.items():
        made.setdefault(name, _entry(types, nodes))
    for node in types:
        made[f"CUSTOM:{node}"] = _entry(types, (node,))
    return dict(sorted(made.items()))


def _entry(types: Mapping[str, set[str]], nodes: Sequence[str]) -> dict[str, Any]:
    dtypes = _written(types[node] for node in nodes)
    return {"dtypes": dtypes, "source": "registered", "locator": ", ".join(nodes)}


def data_types() -> dict[str, set[str]]:
    """Types of the data for which the newest kernels exist, by operator as the reader of models marks it."""
    schemas = _newest_schemas()
    found: dict[str, set[str]] = defaultdict(set)
    for kernel in state.get_all_opkernel_def():
        if kernel.provider != _PROVIDER or kernel.domain not in _DOMAINS or kernel.op_name in _HOLD_GRAPHS:
            continue
        schema = schemas.get((kernel.domain, kernel.op_name))
        if kernel.version_range[1] == _NEWEST and schema is not None:
            found[_DOMAINS[kernel.domain] + kernel.op_name] |= _of_data(schema, kernel.type_constraints)
    standard: Sequence[Any] = onnx.defs.get_all_schemas()
    for schema in standard:
        known = schemas.get(("", schema.name))
        if schema.domain or known is None or schema.name in found or schema.name in _HOLD_GRAPHS:
            continue
        if schema.has_context_dependent_function or (schema.has_function and _is_covered(schema, found)):
            found[schema.name] = _of_data(known, {})
    return dict(sorted(found.items()))


def _newest_schemas() -> dict[tuple[str, str], Any]:
    newest: dict[tuple[str, str], Any] = {}
    for schema in sorted(state.get_all_operator_schema(), key=lambda each: int(each.since_version)):
        newest[schema.domain, schema.name] = schema
    return newest


def _is_covered(schema: Any, found: Mapping[str, set[str]]) -> bool:
    """An operator without a kernel runs as those that it is defined by."""
    return all(node.op_type in found or node.op_type == "Constant" for node in schema.function_body.node)


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
    return _TYPES.get(inner[1], _UNNAMED) if inner else _UNNAMED


def _written(kinds: Iterable[set[str]]) -> list[str]:
    types = set().union(*kinds)
    if "float32" in types:
        types.update(_BETWEEN_SCALES)
    return sorted(types)


def main() -> None:
    text = _FILE.read_text(encoding="utf-8")
    head, _, _ = text.partition("\noperators:\n")
    lines = ["\noperators:\n"]
    for name, entry in operators(yaml.safe_load(text)["operators"]).items():
        lines.append(f"  {name}:\n")
        for key, value in entry.items():
            flow = yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False)
            lines.append(f"    {key}: {flow.replace('...', '').strip()}\n")
    _FILE.write_text(head + "".join(lines), encoding="utf-8")
    print(f"onnxruntime {onnxruntime.__version__}: {len(lines)} lines")


if __name__ == "__main__":
    main()
