"""Where in a .tflite file numbers, indices, offsets and lengths stand, by the schema's tables.

Field numbers are those of schema.fbs in tensorflow/tensorflow, tensorflow/compiler/mlir/lite/schema.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

Sites = Mapping[str, tuple[tuple[int, str], ...]]
"""By what stands there: position and format of `struct`."""
_QUANTIZATION = {0: ["f"], 1: ["f"], 2: ["f"], 3: ["q"], 6: "i"}
_TENSOR = {0: ["i"], 1: "b", 2: "I", 3: ["B"], 4: _QUANTIZATION, 5: "b", 7: ["i"]}
_OPERATOR: dict[int, Any] = {0: "I", 1: ["i"], 2: ["i"], 3: "B", 4: None, 5: ["B"], 6: "b", 8: ["i"]}
_SUBGRAPH = {0: [_TENSOR], 1: ["i"], 2: ["i"], 3: [_OPERATOR], 4: ["B"]}
_CODE = {0: "b", 1: ["B"], 2: "i", 3: "i"}
_MODEL = {0: "I", 1: [_CODE], 2: [_SUBGRAPH], 4: [{0: ["B"]}], 5: ["i"], 6: [{0: ["B"], 1: "I"}]}
_NAMES = {id(_QUANTIZATION): "quantization", id(_TENSOR): "tensor", id(_OPERATOR): "operator",
          id(_SUBGRAPH): "subgraph", id(_CODE): "code", id(_MODEL): "model"}  # fmt: skip
_MOST = 20_000


@lru_cache(maxsize=64)
def sites(content: bytes) -> Sites:
    """Empty for a file whose offsets lead out of it."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    try:
        for number, (role, at, code) in enumerate(
            _table(content, struct.unpack_from("<I", content)[0], _MODEL, 0)
        ):
            struct.unpack_from("<" + code, content, at)
            found[role].append((at, code))
            if number > _MOST:
                break
    except struct.error:
        return {}
    return {role: tuple(places) for role, places in found.items()}


def _table(
    data: bytes, at: int, kind: Mapping[int, Any] | None, depth: int
) -> Iterator[tuple[str, int, str]]:
    if depth > 8:
        return
    layout = at - struct.unpack_from("<i", data, at)[0]
    size = struct.unpack_from("<H", data, layout)[0]
    places = [
        struct.unpack_from("<H", data, layout + 4 + 2 * n)[0] for n in range(max(0, min(size, 400) // 2 - 2))
    ]
    name = _NAMES.get(id(kind), "options")
    for number, place in enumerate(places):
        if not place:
            continue
        yield "layout", layout + 4 + 2 * number, "H"
        if kind is None:
            yield from ((f"options {number}", at + place, code) for code in ("b", "i"))
            continue
        yield from _field(data, at + place, kind.get(number), f"{name} {number}", depth)


def _field(data: bytes, at: int, kind: Any, role: str, depth: int) -> Iterator[tuple[str, int, str]]:
    if isinstance(kind, str):
        yield role, at, kind
    elif isinstance(kind, list):
        yield f"offset of {role}", at, "I"
        yield from _vector(data, at + struct.unpack_from("<I", data, at)[0], kind[0], role, depth)
    elif isinstance(kind, dict) or role == "operator 4":
        yield f"offset of {role}", at, "I"
        yield from _table(data, at + struct.unpack_from("<I", data, at)[0], kind, depth + 1)


def _vector(data: bytes, at: int, kind: Any, role: str, depth: int) -> Iterator[tuple[str, int, str]]:
    count = min(struct.unpack_from("<I", data, at)[0], 4096)
    yield f"length of {role}", at, "I"
    if isinstance(kind, str):
        width = struct.calcsize(kind)
        yield from ((role, at + 4 + n * width, kind) for n in range(min(count, 64)))
        return
    for number in range(count):
        place = at + 4 + 4 * number
        yield f"offset to {role}", place, "I"
        yield from _table(data, place + struct.unpack_from("<I", data, place)[0], kind, depth + 1)
