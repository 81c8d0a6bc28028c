"""FlatBuffers written from trees of plain values, so that tests can make them hostile."""

from __future__ import annotations

import struct
from typing import Any

import flatbuffers

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


def encode(tree: Node, identifier: bytes = b"TFL3") -> bytes:
    encoder = _Encoder()
    encoder.builder.Finish(encoder.place(tree), file_identifier=identifier)
    return bytes(encoder.builder.Output())
