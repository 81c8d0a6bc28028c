"""Sections and symbols of an ELF file, 32 and 64 bits, either byte order.

Layouts as in the System V ABI, chapter 4 (Object Files): Elf32_Ehdr, Elf32_Shdr, Elf32_Sym, Elf32_Phdr and
their 64-bit forms.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_bytes
from .image import MOST_SYMBOLS, Image, Symbol, covered, demangled, is_loaded, places
from .recognising import ELF_MAGIC

_ARM, _SYMTAB, _NOBITS, _LOAD = 40, 2, 8, 1
_WRITE, _ALLOC, _EXECUTE = 1, 2, 4
_OBJECT, _FUNCTION, _FILE = 1, 2, 4
_LONGEST_NAME = 300
_BEGINS = 8
Rows = npt.NDArray[Any]


def _layouts(order: Literal["<", ">"], wide: bool) -> dict[str, np.dtype[Any]]:
    at = "u8" if wide else "u4"
    head = [("type", "u2"), ("machine", "u2"), ("version", "u4"), ("entry", at), ("phoff", at), ("shoff", at),
            ("flags", "u4"), ("ehsize", "u2"), ("phentsize", "u2"), ("phnum", "u2"), ("shentsize", "u2"),
            ("shnum", "u2"), ("shstrndx", "u2")]  # fmt: skip
    section = [("name", "u4"), ("type", "u4"), ("flags", at), ("addr", at), ("offset", at), ("size", at),
               ("link", "u4"), ("info", "u4"), ("align", at), ("entsize", at)]  # fmt: skip
    if wide:
        symbol = [
            ("name", "u4"),
            ("info", "u1"),
            ("other", "u1"),
            ("shndx", "u2"),
            ("value", at),
            ("size", at),
        ]
        program = [("type", "u4"), ("flags", "u4"), ("offset", at), ("vaddr", at), ("paddr", at),
                   ("filesz", at), ("memsz", at), ("align", at)]  # fmt: skip
    else:
        symbol = [
            ("name", "u4"),
            ("value", at),
            ("size", at),
            ("info", "u1"),
            ("other", "u1"),
            ("shndx", "u2"),
        ]
        program = [("type", "u4"), ("offset", at), ("vaddr", at), ("paddr", at), ("filesz", at),
                   ("memsz", at), ("flags", "u4"), ("align", at)]  # fmt: skip
    rows = {"head": head, "section": section, "symbol": symbol, "program": program}
    return {name: np.dtype(fields).newbyteorder(order) for name, fields in rows.items()}


def read(data: bytes) -> Image | None:
    """
    Raises:
        InputError: a table that lies beyond the file, or a file without sections.
    """
    if not data.startswith(ELF_MAGIC):
        return None
    if len(data) < 52 or data[4] not in (1, 2) or data[5] not in (1, 2):
        raise _broken("its header is cut off or names no known class")
    layout = _layouts("<" if data[5] == 1 else ">", data[4] == 2)
    head = _table(data, 16, 1, layout["head"], "header")[0]
    if not head["shnum"] or head["shentsize"] != layout["section"].itemsize:
        raise _broken("it has no section table")
    sections = _table(data, int(head["shoff"]), int(head["shnum"]), layout["section"], "section table")
    if head["shstrndx"] >= len(sections):
        raise _broken("the names of its sections lie in no section")
    strings = _bytes(data, sections[head["shstrndx"]], "names of sections")
    names = [_name(strings, int(row["name"])) for row in sections]
    loads = _loads(data, head, layout)
    thumb = int(head["machine"]) == _ARM
    tables = np.flatnonzero(sections["type"] == _SYMTAB)
    symbols: dict[int, list[Symbol]] = defaultdict(list)
    for table in tables:
        _symbols(data, sections, int(table), layout["symbol"], thumb, symbols)
    warnings = () if len(tables) else ("it has no symbol table (stripped): sections alone are known",)
    found: list[Symbol] = []
    for at, row in enumerate(sections):
        if row["flags"] & _ALLOC and row["size"] and is_loaded(names[at]):
            whole = _section(names[at], row, loads)
            found += covered(whole, (_in(whole, one, data, row) for one in symbols[at]))
    return Image("ELF", tuple(found), warnings=warnings)


def _section(name: str, row: Rows, loads: Rows) -> Symbol:
    address, size = int(row["addr"]), int(row["size"])
    zeroed = int(row["type"]) == _NOBITS
    flags = int(row["flags"])
    inside = [one for one in loads if one["vaddr"] <= address < one["vaddr"] + max(1, int(one["memsz"]))]
    copied = any(one["vaddr"] != one["paddr"] for one in inside)
    in_flash, in_ram = places(name, None, zeroed=zeroed, is_code=bool(flags & _EXECUTE))
    in_ram = in_ram or bool(flags & _WRITE) or (copied and not zeroed)
    return Symbol("", address, size, name, "", "", in_flash, in_ram, bool(flags & _EXECUTE))


def _in(section: Symbol, symbol: Symbol, data: bytes, row: Rows) -> Symbol:
    begin = symbol.address - section.address + int(row["offset"])
    held = section.in_flash and 0 <= begin < len(data)
    return symbol._replace(
        section=section.section, in_flash=section.in_flash, in_ram=section.in_ram, is_code=section.is_code,
        begins=data[begin : begin + _BEGINS] if held else b"",
    )  # fmt: skip


def _loads(data: bytes, head: Rows, layout: dict[str, np.dtype[Any]]) -> Rows:
    if not head["phnum"] or head["phentsize"] != layout["program"].itemsize:
        return np.zeros(0, layout["program"])
    rows = _table(data, int(head["phoff"]), int(head["phnum"]), layout["program"], "program table")
    kept: Rows = rows[rows["type"] == _LOAD]
    return kept


def _symbols(
    data: bytes,
    sections: Rows,
    at: int,
    layout: np.dtype[Any],
    thumb: bool,
    found: dict[int, list[Symbol]],
) -> None:
    table = sections[at]
    count = int(table["size"]) // layout.itemsize
    if count > MOST_SYMBOLS:
        raise _broken(f"it counts {count:,} symbols, more than {MOST_SYMBOLS:,}")
    if table["link"] >= len(sections):
        raise _broken("the names of its symbols lie in no section")
    rows = _table(data, int(table["offset"]), count, layout, "symbol table")
    strings = _bytes(data, sections[table["link"]], "names of symbols")
    kinds, binds = rows["info"] & 15, rows["info"] >> 4
    kept = (rows["size"] > 0) & (rows["shndx"] < len(sections)) & np.isin(kinds, (0, _OBJECT, _FUNCTION))
    file = ""
    for index in np.flatnonzero(kept | (kinds == _FILE)):
        row = rows[index]
        if kinds[index] == _FILE:
            file = _name(strings, int(row["name"]))
            continue
        address = int(row["value"]) & (~1 if thumb and kinds[index] == _FUNCTION else ~0)
        name = demangled(_name(strings, int(row["name"])))
        made = file if binds[index] == 0 else ""
        found[int(row["shndx"])].append(Symbol(name, address, int(row["size"]), "", object=made))


def _table(data: bytes, offset: int, count: int, layout: np.dtype[Any], what: str) -> Rows:
    if offset + count * layout.itemsize > len(data):
        raise _broken(f"its {what} lies beyond its end, at byte {offset:,} of {len(data):,}")
    return np.frombuffer(data, layout, count, offset)


def _bytes(data: bytes, section: Rows, what: str) -> bytes:
    begin, size = int(section["offset"]), int(section["size"])
    if begin + size > len(data):
        raise _broken(f"the {what} lie beyond its end, at byte {begin:,} of {len(data):,}")
    return data[begin : begin + size]


def _name(strings: bytes, at: int) -> str:
    end = strings.find(b"\0", at, at + _LONGEST_NAME)
    return clean_bytes(strings[at : end if end >= 0 else at + _LONGEST_NAME])


def _broken(why: str) -> InputError:
    return InputError(
        f"The ELF is broken: {why}.", hint="Take the file that the linker wrote; nothing was imported."
    )
