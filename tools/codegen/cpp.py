"""C++ literals, names and comments of strings that nobody vouches for."""

from __future__ import annotations

import math
import re

import numpy as np

from ..graph import DType, Tensor

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}", re.ASCII)
_PLAIN = frozenset(range(0x20, 0x7F)) - frozenset(b'"\\?')
_TYPES = {
    DType.FLOAT32: "float",
    DType.INT8: "int8_t",
    DType.UINT8: "uint8_t",
    DType.INT16: "int16_t",
    DType.INT32: "int32_t",
    DType.UINT32: "uint32_t",
    DType.INT64: "int64_t",
    DType.BOOL: "bool",
}
"""Of those that typed_input_tensor takes (tflite-micro tensorflow/lite/portable_type_to_tflitetype.h)."""


def is_identifier(text: str) -> bool:
    return _IDENTIFIER.fullmatch(text) is not None


def string_literal(text: str) -> str:
    """A literal of the text's UTF-8: no quote, backslash, trigraph or control character gets out of it."""
    return '"' + "".join(chr(b) if b in _PLAIN else f"\\{b:03o}" for b in text.encode()) + '"'


def comment(text: str) -> str:
    """One line of comment; what could end or continue it is left out."""
    kept = "".join(c if " " <= c <= "~" and c not in "\\?" else " " for c in text)
    return f"// {kept.strip()}"


def float_literal(value: float) -> str | None:
    """A float32 that reads back the same; None where it is not finite."""
    if not math.isfinite(value):
        return None
    text = str(np.float32(value))
    return f"{text}f" if any(c in text for c in ".e") else f"{text}.0f"


def element_type(tensor: Tensor) -> str | None:
    """None for types that C++ has no name for."""
    return _TYPES.get(tensor.dtype)
