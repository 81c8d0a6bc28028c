"""ELF files of a firmware, as a linker writes them: sections, a program header each, symbols."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

WRITE, ALLOC, EXECUTE = 1, 2, 4


class Part(NamedTuple):
    name: str
    address: int
    data: bytes
    flags: int
    zeroed: int = 0
    """Bytes of a section without contents."""


class Named(NamedTuple):
    name: str
    address: int
    size: int
    part: int
    """Position of its section."""
    kind: int = 1
    """1 an object, 2 a function."""


def made(parts: Sequence[Part], named: Sequence[Named], *, wide: bool = False, order: str = "<") -> bytes:
    names, offsets = b"\0", {}
    for text in [part.name for part in parts] + [one.name for one in named] + [".symtab", ".strtab"]:
        offsets[text] = len(names)
        names += text.encode() + b"\0"
    head = 64 if wide else 52
    body, rows = b"", [struct.pack(order + ("IIQQQQIIQQ" if wide else "10I"), *[0] * 10)]
    for part in parts:
        size, kind = (part.zeroed, 8) if part.zeroed else (len(part.data), 1)
        rows.append(
            _section(order, wide, offsets[part.name], kind, part.flags, part.address, head + len(body), size)
        )
        body += part.data
    table = b"".join(_symbol(order, wide, offsets[one.name], one) for one in named)
    link = len(parts) + 2
    rows.append(_section(order, wide, offsets[".symtab"], 2, 0, 0, head + len(body), len(table), link))
    body += table
    rows.append(_section(order, wide, offsets[".strtab"], 3, 0, 0, head + len(body), len(names)))
    body += names
    ident = b"\x7fELF" + bytes((2 if wide else 1, 1 if order == "<" else 2, 1)) + bytes(9)
    place = head + len(body)
    fields = (2, 40, 1, 0, 0, place, 0, head, 0, 0, 64 if wide else 40, len(rows), len(rows) - 1)
    return (
        ident
        + struct.pack(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"), *fields)
        + body
        + b"".join(rows)
    )


def _section(
    order: str,
    wide: bool,
    name: int,
    kind: int,
    flags: int,
    address: int,
    offset: int,
    size: int,
    link: int = 0,
) -> bytes:
    fields = (name, kind, flags, address, offset, size, link, 0, 4, 0)
    return struct.pack(order + ("IIQQQQIIQQ" if wide else "10I"), *fields)


def _symbol(order: str, wide: bool, name: int, one: Named) -> bytes:
    info = 16 | one.kind
    address = one.address | (one.kind == 2 and not wide)
    if wide:
        return struct.pack(order + "IBBHQQ", name, info, 0, one.part + 1, address, one.size)
    return struct.pack(order + "IIIBBH", name, address, one.size, info, 0, one.part + 1)
