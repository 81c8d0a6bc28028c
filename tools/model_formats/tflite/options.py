"""An operator's builtin options, decoded from what the `tflite` package's option classes say of them.

Each accessor of such a class is run once against a table that only notes what is asked of it: which
field, of which type, with which default. The decoder is built from those notes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from ...core.records import dataclass
from ...graph import OptionValue
from .reader import OFFSET, Field, Reader, TableKind
from .schema import enumeration, schema_class

_ENUMERATIONS = {
    "padding": "Padding",
    "fused_activation_function": "ActivationFunctionType",
    "weights_format": "FullyConnectedOptionsWeightsFormat",
    "type": "LSHProjectionType",
    "combiner": "CombinerType",
    "kernel_type": "LSTMKernelType",
    "mode": "MirrorPadMode",
    "quantized_bias_type": "TensorType",
    "in_data_type": "TensorType",
    "out_data_type": "TensorType",
    "out_type": "TensorType",
    "output_type": "TensorType",
    "idx_out_type": "TensorType",
    "key_dtype": "TensorType",
    "value_dtype": "TensorType",
    "comparison_direction": "StablehloComparisonDirection",
    "compare_type": "StablehloComparisonType",
    "algorithm": "RngAlgorithm",
    "reduce_function": "ReduceWindowFunction",
    "composite_attributes_format": "CustomOptionsFormat",
}
_DERIVED_ACCESSORS = ("AsNumpy", "Length", "IsNone")


@dataclass(frozen=True, eq=False)
class Option:
    name: str
    field: Field
    form: str
    """number, text, or the `struct` code of a vector's elements."""
    names: Mapping[int, str]
    """Of an enumeration's values."""


@dataclass(frozen=True, eq=False)
class OptionTable:
    kind: TableKind
    options: tuple[Option, ...]


@cache
def option_table(union: str, number: int) -> OptionTable | None:
    """The table that member `number` of BuiltinOptions or BuiltinOptions2 is; None for one not known."""
    name = enumeration(union).get(number, "NONE")
    if name == "NONE":
        return None
    options = tuple(_learn_options(schema_class(name)))
    return OptionTable(
        TableKind(f"options {name}", tuple(o.field for o in options), cost=4 + 2 * len(options)), options
    )


def read_options(reader: Reader, union: str, number: int, at: int) -> dict[str, OptionValue]:
    """Options by snake_case name. Bytes are reported by their number, text in names ending in _untrusted."""
    table = option_table(union, number) if at else None
    if table is None:
        return {}
    found: dict[str, OptionValue] = {}
    for option, value in zip(table.options, reader.read(table.kind, at), strict=True):
        if option.form == "number":
            found[option.name] = option.names.get(value, value) if option.names else value
        elif not value:
            continue
        elif option.form == "text":
            found[f"{option.name}_untrusted"] = reader.text(value)
        elif option.form == "B":
            found[f"{option.name}_bytes"] = reader.vector(value, 1)[1]
        else:
            found[option.name] = reader.numbers(value, option.form)
    return found


def _learn_options(options_class: Any) -> list[Option]:
    accessors = [
        name for name in vars(options_class) if name != "Init" and not name.startswith(("_", "GetRootAs"))
    ]
    return [
        _learn_option(options_class, name, is_vector=f"{name}Length" in accessors)
        for name in accessors
        if not name.endswith((*_DERIVED_ACCESSORS, "BufferHasIdentifier"))
    ]


def _learn_option(options_class: Any, accessor: str, *, is_vector: bool) -> Option:
    notes: dict[str, Any] = {}
    ask = getattr(options_class, accessor)
    index = (0,) if is_vector else ()
    ask(SimpleNamespace(_tab=_noting_table(notes)), *index)
    default = ask(SimpleNamespace(_tab=SimpleNamespace(Offset=lambda _: 0)), *index)
    code = notes["flags"].packer_type.format.strip("<") if "flags" in notes else ""
    number = (notes["slot"] - 4) // 2
    name = re.sub(r"(?<=.)(?=[A-Z])", "_", accessor).lower()
    if is_vector:
        return Option(name, Field(number, OFFSET), code, {})
    if not code:
        return Option(name, Field(number, OFFSET), "text", {})
    names = enumeration(_ENUMERATIONS[name]) if name in _ENUMERATIONS and code in "biI" else {}
    return Option(name, Field(number, code, default), "number", names)


def _noting_table(notes: dict[str, Any]) -> SimpleNamespace:
    def offset(slot: int) -> int:
        notes["slot"] = slot
        return 1

    def get(flags: Any, _: int) -> int:
        notes["flags"] = flags
        return 0

    return SimpleNamespace(Pos=0, Offset=offset, Get=get, Vector=lambda _: 0, String=lambda _: b"")
