"""A FlatBuffer read with every offset checked before it is followed, on a budget.

A file may let thousands of tables share one large vector, so that honest-looking bounds still cost
quadratic time. Whatever is read is therefore charged, each time it is read, against a small multiple
of the file's size.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import field
from typing import Any, Final

from ...core.records import dataclass
from ...core.sanitize import LONGEST, clean_bytes

Readable = bytes | bytearray | memoryview | mmap.mmap

OFFSET: Final = "O"
"""Type code of a field that points to a table, a vector or a string."""
_VTABLE_COST = 64
_BUDGET_FACTOR = 2
_BUDGET_FLOOR = 4096
_STRING_BYTES = 4 * LONGEST + 4
"""As much of a string as its cleaned form can need."""
_WIDTHS = {code: struct.calcsize("<" + code) for code in "?bBhHiIqQfd"}
_U16, _U32, _I32 = struct.Struct("<H"), struct.Struct("<I"), struct.Struct("<i")


class DamagedError(Exception):
    """What the bytes claim cannot be true."""


@dataclass(frozen=True)
class Field:
    """One field of a kind of table: its number in the schema, `struct` code or OFFSET, and default."""

    number: int
    code: str
    default: Any = 0


@dataclass(frozen=True, eq=False)
class TableKind:
    """The fields of one kind of table that are read, in the order in which `Reader.read` returns them."""

    name: str
    fields: tuple[Field, ...]
    cost: int
    """Bytes that one such table is charged: no more than twice what an honest one takes in a file."""
    defaults: tuple[Any, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "defaults", tuple(f.default for f in self.fields))


@dataclass(frozen=True)
class _Layout:
    """How the tables of one vtable store one kind's fields: one `unpack` reads them all."""

    unpack: struct.Struct
    table_bytes: int
    places: tuple[tuple[int, int], ...]
    """Per stored field its index in the kind, and for an offset field its place in the table, else 0."""


class Reader:
    """Tables, vectors and strings of one FlatBuffer; positions are absolute, 0 stands for absent."""

    def __init__(self, data: Readable) -> None:
        self.data = data
        self.size = len(data)
        self._left = _BUDGET_FACTOR * self.size + _BUDGET_FLOOR
        self._layouts: dict[tuple[TableKind, int], _Layout] = {}

    def spend(self, cost: int) -> None:
        """Charge `cost` bytes that are about to be read."""
        self._left -= cost
        if self._left < 0:
            raise DamagedError("its parts share the same bytes so often that reading it would not end")

    def root(self) -> int:
        if self.size < 4:
            raise self._beyond(0, "the root")
        return int(_U32.unpack_from(self.data, 0)[0])

    def read(self, kind: TableKind, at: int) -> list[Any]:
        """The fields of the table at `at`; an offset field as the position that it points to."""
        self.spend(kind.cost)
        if at + 4 > self.size:
            raise self._beyond(at, kind.name)
        vtable = at - _I32.unpack_from(self.data, at)[0]
        layout = self._layouts.get((kind, vtable)) or self._learn(kind, vtable)
        if at + layout.table_bytes > self.size:
            raise self._beyond(at, kind.name)
        values = list(kind.defaults)
        for (index, place), value in zip(
            layout.places, layout.unpack.unpack_from(self.data, at), strict=True
        ):
            values[index] = value if not place else at + place + value if value else 0
        return values

    def numbers(self, at: int, code: str) -> tuple[Any, ...]:
        """The vector of numbers at `at`, of one `struct` code; empty where absent."""
        if not at:
            return ()
        start, count = self.vector(at, _WIDTHS[code])
        self.spend(4 + count * _WIDTHS[code])
        return struct.unpack_from(f"<{count}{code}", self.data, start)

    def tables(self, kind: TableKind, at: int) -> list[int]:
        """Positions of the tables that the vector at `at` lists: no more than can still be read."""
        if not at:
            return []
        start, count = self.vector(at, 4)
        if count * kind.cost > self._left:
            raise DamagedError(f"a list of {count} tables at byte {at} cannot fit in its {self.size} bytes")
        return [start + 4 * i + offset for i, offset in enumerate(self.numbers(at, "I"))]

    def text(self, at: int) -> str:
        """The string at `at`, cleaned; empty where absent."""
        if not at:
            return ""
        start, length = self.vector(at, 1)
        kept = min(length, _STRING_BYTES)
        self.spend(4 + kept)
        return clean_bytes(bytes(self.data[start : start + kept]))

    def vector(self, at: int, width: int) -> tuple[int, int]:
        """(start, number of elements) of the vector at `at`, which lies within the file."""
        if at + 4 > self.size:
            raise self._beyond(at, "a list")
        count: int = _U32.unpack_from(self.data, at)[0]
        if at + 4 + count * width > self.size:
            raise self._beyond(at, f"a list of {count} elements")
        return at + 4, count

    def _beyond(self, at: int, what: str) -> DamagedError:
        return DamagedError(f"{what} at byte {at} lies beyond its {self.size} bytes")

    def _learn(self, kind: TableKind, vtable: int) -> _Layout:
        self.spend(_VTABLE_COST)
        if vtable < 0 or vtable + 4 > self.size:
            raise self._beyond(vtable, "a table's layout")
        length, table_bytes = struct.unpack_from("<HH", self.data, vtable)
        if vtable + length > self.size:
            raise self._beyond(vtable, "a table's layout")
        stored: list[tuple[int, int, str]] = []
        for index, wanted in enumerate(kind.fields):
            slot = 4 + 2 * wanted.number
            place = _U16.unpack_from(self.data, vtable + slot)[0] if slot + 2 <= length else 0
            if place:
                stored.append((place, index, wanted.code))
        layout = _layout(kind, sorted(stored), table_bytes)
        self._layouts[kind, vtable] = layout
        return layout


def _layout(kind: TableKind, stored: list[tuple[int, int, str]], table_bytes: int) -> _Layout:
    pattern, end = "<", 0
    for place, _, code in stored:
        if place < max(end, 4):
            raise DamagedError(f"fields of {kind.name} overlap")
        stored_as = "I" if code == OFFSET else code
        pattern += f"{place - end}x{stored_as}"
        end = place + _WIDTHS[stored_as]
    if end > table_bytes:
        raise DamagedError(f"{kind.name} is longer than it says")
    places = tuple((index, place if code == OFFSET else 0) for place, index, code in stored)
    return _Layout(struct.Struct(pattern), table_bytes, places)
