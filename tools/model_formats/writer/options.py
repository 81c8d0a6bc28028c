"""An operator's options as the table that the schema has for its kind."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import flatbuffers
import numpy as np
from flatbuffers import number_types

from ....hardware_db.errors import UsageError, nearest
from ...graph import Op, OptionValue
from ..tflite.options import Option, option_table
from ..tflite.schema import enumeration

UNIONS = ("BuiltinOptions", "BuiltinOptions2")
_SHARED = {
    **dict.fromkeys(("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"), "Pool2DOptions"),
    **dict.fromkeys(
        ("MEAN", "SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_ANY", "REDUCE_ALL"),
        "ReducerOptions",
    ),
    **dict.fromkeys(("MAXIMUM", "MINIMUM"), "MaximumMinimumOptions"),
    **dict.fromkeys(("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL", "MULTINOMIAL"), "RandomOptions"),
    "L2_NORMALIZATION": "L2NormOptions",
    "UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNNOptions",
    "CONV_3D_TRANSPOSE": "Conv3DOptions",
}
"""Operators whose table is not called as they are."""
_FLAGS = {
    "?": number_types.BoolFlags, "b": number_types.Int8Flags, "B": number_types.Uint8Flags,
    "h": number_types.Int16Flags, "H": number_types.Uint16Flags, "i": number_types.Int32Flags,
    "I": number_types.Uint32Flags, "q": number_types.Int64Flags, "Q": number_types.Uint64Flags,
    "f": number_types.Float32Flags, "d": number_types.Float64Flags,
}  # fmt: skip


@cache
def options_of(kind: str) -> tuple[str, int] | None:
    """(union, member) of the table for an operator; None where it has none."""
    name = _SHARED.get(kind, f"{kind.replace('_', '')}options").casefold()
    for union in UNIONS:
        for number, member in enumeration(union).items():
            if member.casefold() == name:
                return union, number
    return None


def write_options(builder: flatbuffers.Builder, op: Op) -> tuple[str, int, int] | None:
    """(union, member, offset) of the table written; None for an operator that has none.

    Raises:
        UsageError: an option that the schema does not have for this operator, or with an impossible value.
    """
    found = options_of(op.kind)
    table = option_table(*found) if found else None
    if found is None or table is None:
        return None
    left = dict(op.options)
    slots = [(option, _value(builder, option, left, op)) for option in table.options]
    if left:
        raise UsageError(f"{op.label} cannot be written with an option {min(left)!r}.")
    builder.StartObject(max((option.field.number for option in table.options), default=-1) + 1)
    for option, value in slots:
        if value is None:
            continue
        if option.form == "number":
            flags = _FLAGS[option.field.code]
            builder.PrependSlot(flags, option.field.number, value, option.field.default)
        else:
            builder.PrependUOffsetTRelativeSlot(option.field.number, value, 0)
    return *found, builder.EndObject()


def _value(
    builder: flatbuffers.Builder, option: Option, left: dict[str, OptionValue], op: Op
) -> int | float | bool | None:
    """What goes into the slot: a number, or the offset of a text or vector; None to leave it out."""
    match option.form:
        case "number":
            return _number(option, left.pop(option.name, None), op)
        case "text":
            text = left.pop(f"{option.name}_untrusted", None)
            return None if text is None else int(builder.CreateString(str(text)))
        case "B":
            left.pop(f"{option.name}_bytes", None)
            return None
        case code:
            listed = left.pop(option.name, None)
            if not isinstance(listed, tuple):
                return None
            return int(builder.CreateNumpyVector(np.array(listed, dtype=f"<{code}")))


def _number(option: Option, value: OptionValue | None, op: Op) -> int | float | bool | None:
    if isinstance(value, str):
        numbers = {name: number for number, name in option.names.items()}
        if value not in numbers:
            raise UsageError(f"{op.label} has no {option.name} {value!r}.", hint=nearest_hint(value, numbers))
        return numbers[value]
    if isinstance(value, tuple):
        raise UsageError(f"{option.name} of {op.label} is one number, not {value!r}.")
    return value


def nearest_hint(name: str, known: Iterable[str]) -> str:
    spellings = {each.casefold(): each for each in known}
    near = [spellings[each] for each in nearest(name, spellings)]
    return f"Nearest: {', '.join(near)}." if near else ""
