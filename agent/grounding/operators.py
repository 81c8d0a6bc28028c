"""Which kind of operator a text speaks of: those of a model have few names, however they are spelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

OPERATOR = "operator "
"""Stands before the name of a kind of operator, where one is told instead of the number of a layer."""
_KINDS = (
    ("DEPTHWISE", r"depth-?wise(?:[ _-]conv\w*)?"),
    ("CONV_2D", r"CONV_2D|point-?wise(?:[ _-]conv\w*)?|conv2d"),
    ("SOFTMAX", r"soft-?max"),
    ("FULLY_CONNECTED", r"fully[ _-]connected|dense layer"),
    ("AVERAGE_POOL", r"average[ _-]pool\w*|avg[ _-]?pool\w*"),
    ("MAX_POOL", r"max[ _-]?pool\w*"),
    ("RESHAPE", r"reshape"),
    ("HARD_SWISH", r"hard[ _-]?swish"),
)
_ANY = re.compile(
    "|".join(rf"(?P<{name}>(?<![\w-])(?:{words})(?!\w))" for name, words in _KINDS), re.IGNORECASE
)


def is_operator(said: str, own: str) -> bool:
    return own.upper().startswith(said.removeprefix(OPERATOR)) or own == "DELEGATE"


def operators_in(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _ANY.finditer(text):
        yield match.start(), match.end(), str(match.lastgroup)
