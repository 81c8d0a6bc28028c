"""Operators of TFLite that a question names: `LSTM`, `depthwise conv`, `Softmax`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ....tools.model_formats.tflite.schema import enumeration

_COMMON = re.compile(
    "add|and|or|not|if|while|where|call|less|equal|sum|mean|range|fill|pack|split|select|shape|rank|"
    "max|min|pow|exp|log|sign|floor|round|custom|delegate|real|abs|neg|div|sub|square|any|all|tile|"
    "unique|reverse|cast|pad|one|hot|top|large|scale|compare|once|var|handle|batch|matrix|local|"
    "space|depth|response|map|random|uniform|dynamic|update|nearest|neighbor|non|segment|table|"
    "static|assign|read|variable|bucket|list|get|set|size|sequence|greater|logical|mod|for|to|nd",
    re.IGNORECASE,
)
"""Words of English too: operators where they are written in capitals."""
_SHORT = {"CONV": "CONV_2D", "DEPTHWISE": "DEPTHWISE_CONV_2D", "DENSE": "FULLY_CONNECTED"}


def operators_named(question: str) -> Sequence[str]:
    """Names of operators, each of which a word of the question is a whole part of."""
    words = {word.upper() for word in re.findall(r"[A-Za-z][A-Za-z0-9_]{2,}", question) if _is_name(word)}
    short = [_SHORT[word] for word in words if word in _SHORT]
    return short or [name for name in _names() if words & {name, *name.split("_")}]


def _is_name(word: str) -> bool:
    return word.isupper() or not _COMMON.fullmatch(word)


@cache
def _names() -> tuple[str, ...]:
    return tuple(
        name for name in enumeration("BuiltinOperator").values() if not name.startswith("PLACEHOLDER")
    )
