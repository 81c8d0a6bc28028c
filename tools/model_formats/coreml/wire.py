"""Protocol buffers read field by field, without the schema that wrote them, and only where asked.

As protobuf.dev/programming-guides/encoding describes them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TypeAlias

from ...core.sanitize import clean_bytes
from ..tflite.reader import DamagedError, Readable

_MOST_FIELDS = 4_000_000
"""Of a whole file."""
Part: TypeAlias = int | memoryview


class Budget:
    """Fields that may still be read of a file."""

    def __init__(self) -> None:
        self._left = _MOST_FIELDS

    def spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise DamagedError(f"it has more than {_MOST_FIELDS:,} fields")


class Message:
    """The fields of one message, by number; those that it holds are read when they are asked for."""

    def __init__(self, data: memoryview, budget: Budget) -> None:
        self._budget = budget
        self._fields: dict[int, list[Part]] = {}
        for number, value in _fields(data):
            budget.spend()
            self._fields.setdefault(number, []).append(value)

    def __contains__(self, number: int) -> bool:
        return number in self._fields

    def numbers(self) -> set[int]:
        return set(self._fields)

    def each(self, number: int) -> Iterator[Message]:
        for value in self._fields.get(number, ()):
            yield Message(_bytes(value), self._budget)

    def one(self, number: int) -> Message:
        """The last of them, as protocol buffers have it; an empty one where there is none."""
        found = self._fields.get(number)
        return Message(_bytes(found[-1]) if found else memoryview(b""), self._budget)

    def whole(self, number: int, default: int = 0) -> int:
        value = self._fields.get(number, [default])[-1]
        if not isinstance(value, int):
            raise DamagedError("a number stands where none may")
        return value - (1 << 64) if value >= 1 << 63 else value

    def text(self, number: int) -> str:
        found = self.texts(number)
        return found[-1] if found else ""

    def texts(self, number: int) -> list[str]:
        return [clean_bytes(bytes(_bytes(value)[:1024])) for value in self._fields.get(number, ())]

    def content(self, number: int) -> memoryview:
        """The bytes of a list of numbers that are stored one behind the other."""
        return _bytes(self._fields.get(number, [memoryview(b"")])[-1])

    def length(self, number: int, width: int) -> int:
        """Bytes of a list of numbers of so many bytes each, packed or one field each."""
        return sum(width if isinstance(value, int) else len(value) for value in self._fields.get(number, ()))

    def packed(self, number: int, most: int) -> tuple[int, ...]:
        """A list of whole numbers, packed or one field each; empty where it has more than `most`."""
        found: list[int] = []
        for value in self._fields.get(number, ()):
            found += [value] if isinstance(value, int) else _varints(value, most)
        return tuple(v - (1 << 64) if v >= 1 << 63 else v for v in found) if len(found) <= most else ()

    def floats(self, number: int, code: str, most: int) -> tuple[float, ...]:
        """A list of numbers of one `struct` code; empty where it has more than `most`."""
        width, found = struct.calcsize("<" + code), list[float]()
        for value in self._fields.get(number, ()):
            held = value.to_bytes(width, "little") if isinstance(value, int) else value
            if len(held) > most * width or len(held) % width:
                return ()
            found += struct.unpack(f"<{len(held) // width}{code}", held)
        return tuple(found) if len(found) <= most else ()


def _bytes(value: Part) -> memoryview:
    if isinstance(value, int):
        raise DamagedError("a number stands where a message should")
    return value


def _varints(data: memoryview, most: int) -> list[int]:
    found, at = list[int](), 0
    while at < len(data) and len(found) <= most:
        value, at = _varint(data, at)
        found.append(value)
    return found


def _varint(data: Readable, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise DamagedError("it ends within a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & ((1 << 64) - 1), at
    raise DamagedError("a number is longer than any is")


def field_numbers(data: Readable, most: int) -> Iterator[int]:
    """Numbers of the outermost fields, of which none is read. Raises DamagedError."""
    for count, (number, _, _) in enumerate(_spans(data)):
        if count >= most:
            raise DamagedError(f"it has more than {most:,} fields")
        yield number


def _fields(data: memoryview) -> Iterator[tuple[int, Part]]:
    for number, start, end in _spans(data):
        yield number, end if start < 0 else data[start:end]


def _spans(data: Readable) -> Iterator[tuple[int, int, int]]:
    """Number of each field, with where it lies; with -1 and its value where it is a number."""
    at, size = 0, len(data)
    while at < size:
        tag, at = _varint(data, at)
        number, kind = tag >> 3, tag & 7
        match kind:
            case 0:
                value, at = _varint(data, at)
                yield number, -1, value
                continue
            case 1 | 5:
                length = 8 if kind == 1 else 4
            case 2:
                length, at = _varint(data, at)
            case _:
                raise DamagedError(f"a field is of kind {kind}, which protocol buffers have no more")
        if at + length > size:
            raise DamagedError(f"a field of {length:,} bytes lies beyond its end")
        if kind == 2:
            yield number, at, at + length
        else:
            yield number, -1, int.from_bytes(data[at : at + length], "little")
        at += length
