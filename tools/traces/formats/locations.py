"""Locations as MLIR prints them: `loc(callsite("model.mlir":18:11 at "model.mlir":2:3))`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PLACE = re.compile(r'"([^"]{1,400})":(\d{1,9}):(\d{1,6})')
_OPERATOR = re.compile(
    r"\s*(?:[%(][^=]{0,400}=\s*)?(?:torch\.operator\s+\"([\w.]{1,80})\"|\"?((?:tosa|linalg|torq_hl|onnx)\.[\w.]{1,80})\"?)"
)
_CALLER = re.compile(r'\sat\s+"[^"]{1,400}":\d{1,9}:\d{1,6}')


def short_location(location: str) -> str:
    """Files without their folders, and who calls left out: `model.mlir:18:11 + model.mlir:20:3`."""
    places = _PLACE.findall(_CALLER.sub("", location))
    found = [
        f"{path.replace(chr(92), '/').rpartition('/')[2]}:{line}:{column}" for path, line, column in places
    ]
    return " + ".join(dict.fromkeys(found)) or location.strip()


def lines_of(location: str) -> tuple[int, ...]:
    """Lines of the model's source that a shortened location names."""
    places = re.findall(r"[^\s:]{1,200}:(\d{1,9}):\d{1,6}", location)
    return tuple(dict.fromkeys(int(line) for line in places))


def operators_of(lines: Sequence[str]) -> dict[int, str]:
    """Line of a file of MLIR → the operator that it applies."""
    found: dict[int, str] = {}
    for at, line in enumerate(lines, 1):
        if (match := _OPERATOR.match(line)) is not None:
            found[at] = match[1] or match[2]
    return found
