"""TFLite files written byte by byte, so that tests can make them hostile."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import flatbuffers
import pytest

Node = Any
"""A table is a dict from field number to value, a vector of tables a list of dicts, a scalar (code, number),
a vector of numbers (code, [numbers]), text a str or bytes. The same object in two places is written once."""

_PREPEND = {
    "?": "Bool", "b": "Int8", "B": "Uint8", "h": "Int16", "H": "Uint16", "i": "Int32", "I": "Uint32",
    "q": "Int64", "Q": "Uint64", "f": "Float32", "d": "Float64",
}  # fmt: skip


class _Encoder:
    def __init__(self) -> None:
        self.builder = flatbuffers.Builder(1024)
        self.written: dict[int, int] = {}

    def place(self, node: Node) -> int:
        if id(node) not in self.written:
            self.written[id(node)] = self._write(node)
        return self.written[id(node)]

    def _write(self, node: Node) -> int:
        match node:
            case str() | bytes():
                return int(self.builder.CreateString(node))
            case dict():
                return self._table(node)
            case list():
                return self._tables([self.place(table) for table in node])
            case (str() as code, list() as numbers):
                return self._numbers(code, numbers)
        raise TypeError(node)

    def _tables(self, places: list[int]) -> int:
        self.builder.StartVector(4, len(places), 4)
        for place in reversed(places):
            self.builder.PrependUOffsetTRelative(place)
        return int(self.builder.EndVector())

    def _numbers(self, code: str, numbers: list[Any]) -> int:
        width = struct.calcsize("<" + code)
        self.builder.StartVector(width, len(numbers), max(width, 4))
        raw = struct.pack(f"<{len(numbers)}{code}", *numbers)
        self.builder.head -= len(raw)
        self.builder.Bytes[self.builder.head : self.builder.head + len(raw)] = raw
        return int(self.builder.EndVector())

    def _table(self, fields: dict[int, Node]) -> int:
        places = {number: self.place(value) for number, value in fields.items() if not _is_scalar(value)}
        self.builder.StartObject(max(fields, default=-1) + 1)
        for number, value in fields.items():
            if number in places:
                self.builder.PrependUOffsetTRelativeSlot(number, places[number], 0)
            else:
                code, scalar = value
                getattr(self.builder, f"Prepend{_PREPEND[code]}Slot")(number, scalar, None)
        return int(self.builder.EndObject())


def _is_scalar(node: Node) -> bool:
    return isinstance(node, tuple) and not isinstance(node[1], list)


def _encode(tree: Node) -> bytes:
    encoder = _Encoder()
    encoder.builder.Finish(encoder.place(tree), file_identifier=b"TFL3")
    return bytes(encoder.builder.Output())


def _one_convolution() -> dict[int, Node]:
    """A 3×3 int8 CONV_2D from 8×8×1 to 8×8×2: tensors are input, weights, bias, output."""

    def tensor(shape: list[int], dtype: int, buffer: int, name: str, scales: list[float]) -> dict[int, Node]:
        quantization = {2: ("f", scales), 3: ("q", [0] * len(scales)), 6: ("i", 0)}
        return {0: ("i", shape), 1: ("b", dtype), 2: ("I", buffer), 3: name, 4: quantization}

    tensors = [
        tensor([1, 8, 8, 1], 9, 0, "image", [0.5]),
        tensor([2, 3, 3, 1], 9, 1, "weights", [0.25, 0.125]),
        tensor([2], 2, 2, "bias", [0.125, 0.0625]),
        tensor([1, 8, 8, 2], 9, 0, "features", [1.0]),
    ]
    options = {0: ("b", 0), 1: ("i", 1), 2: ("i", 1), 3: ("b", 1)}
    operator = {0: ("I", 0), 1: ("i", [0, 1, 2]), 2: ("i", [3]), 3: ("B", 1), 4: options}
    subgraph = {0: tensors, 1: ("i", [0]), 2: ("i", [3]), 3: [operator], 4: "main"}
    return {
        0: ("I", 3),
        1: [{0: ("b", 3), 2: ("i", 3), 3: ("i", 3)}],
        2: [subgraph],
        3: "a test model",
        4: [{}, {0: ("B", list(range(18)))}, {0: ("B", [0] * 8)}],
    }


@pytest.fixture(scope="session")
def encode() -> Callable[[Node], bytes]:
    """Writes a tree of plain values as a FlatBuffer with TFLite's identifier."""
    return _encode


@pytest.fixture
def tree() -> dict[int, Node]:
    """One small quantised convolution, as a tree that a test may change before it is encoded."""
    return _one_convolution()


@pytest.fixture(scope="session")
def small_model() -> bytes:
    return _encode(_one_convolution())
