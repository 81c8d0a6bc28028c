"""The map that IAR's linker writes (--map): "PLACEMENT SUMMARY" and "ENTRY LIST".

Columns: section, kind, address, size, object; of an entry name, address, size, type, binding, object. As in
maps of the versions 6.50 to 9.30, whose newer ones set the digits of addresses apart (0x800'0130). What is
copied at the start stands twice: as initializer bytes in flash, and as itself in RAM.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from .image import MOST_SYMBOLS, Image, Region, Symbol, covered, demangled

HEAD = "IAR ELF Linker"
_PLACEMENT, _ENTRIES = "*** PLACEMENT SUMMARY", "*** ENTRY LIST"
_KINDS = {
    "ro code": (True, False, True), "const": (True, False, False), "ro data": (True, False, False),
    "inited": (False, True, False), "rw data": (False, True, False), "zero": (False, True, False),
    "uninit": (False, True, False), "rw code": (False, True, True),
}  # fmt: skip
"""Kind → whether it takes flash, whether it takes RAM, whether it is code."""
_HEX = r"0x([0-9a-fA-F']{1,24})"
_ROW = re.compile(
    rf"^\s{{2,}}(?:(\S.{{0,200}}?)\s+)?({'|'.join(_KINDS)})\s+{_HEX}\s+{_HEX}\s+(\S.{{0,200}}?)\s*$"
)
_NAME_ALONE = re.compile(r"^\s{2,}(\S{1,300})\s*$")
_REGION = re.compile(rf'^"(\w{{1,20}})":\s+place in\s+\[from {_HEX} to {_HEX}\]')
_ENTRY = re.compile(
    rf"^(?:(\S.{{0,300}}?)\s+)?{_HEX}\s+{_HEX}\s+(Code|Data)\s+(?:Gb|Lc|Wk)\s+(\S.{{0,200}}?)\s*$"
)
_ENTRY_NAME = re.compile(r"^([^\s\[-]\S{0,300})\s*$")
_FOLDER = re.compile(r"^(?:(\S.{0,300}): \[(\d{1,4})\]|\[(\d{1,4})\] = (\S.{0,300}))$")
_IN_FOLDER = re.compile(r"^(.*?)\s*\[(\d{1,4})\]$")
_LIBRARY = re.compile(r"([^/\\]+\.a)$", re.IGNORECASE)


def read(lines: Sequence[str]) -> Image | None:
    """
    Raises:
        InputError: a map that ends before its sections, or with more symbols than a firmware has.
    """
    start = next((at for at, line in enumerate(lines) if line.startswith(_PLACEMENT)), None)
    if start is None or not any(HEAD in line for line in lines[: start + 1]):
        return None
    entries = next((at for at, line in enumerate(lines) if line.startswith(_ENTRIES)), len(lines))
    folders = _folders(lines[start:])
    parts = sorted(_parts(lines[start:entries], folders), key=lambda part: part.address)
    named = sorted(_entries(lines[entries:]), key=lambda one: one.address)
    if len(parts) + len(named) > MOST_SYMBOLS:
        raise InputError(f"The map has more than {MOST_SYMBOLS:,} symbols.", hint="Give a firmware's.")
    if not parts:
        raise InputError(
            f"Line {start + 1}: the map ends where its sections should begin.",
            hint="It is cut off; link anew.",
        )
    found: list[Symbol] = []
    at = 0
    for part in parts:
        while at < len(named) and named[at].address < part.address:
            at += 1
        inside = []
        while at < len(named) and named[at].address < part.address + part.size:
            inside.append(named[at])
            at += 1
        found += (_dressed(one, part) for one in covered(part, inside))
    return Image("map of IAR's linker", tuple(found), tuple(_regions(lines[start:entries])))


def _dressed(symbol: Symbol, part: Symbol) -> Symbol:
    return part._replace(name=symbol.name, address=symbol.address, size=symbol.size)


def _folders(lines: Sequence[str]) -> dict[str, str]:
    """Number of a folder or library → its name, where it is a library."""
    found = {}
    for line in lines:
        if (match := _FOLDER.match(line)) is not None:
            library = _LIBRARY.search(match[1] or match[4])
            found[match[2] or match[3]] = "" if library is None else library[1]
    return found


def _parts(lines: Sequence[str], folders: dict[str, str]) -> Iterator[Symbol]:
    waiting = ""
    for line in lines:
        row = _ROW.match(line)
        if row is None:
            alone = _NAME_ALONE.match(line)
            waiting = "" if alone is None else alone[1]
            continue
        section = clean_text(row[1] or waiting)
        waiting = ""
        size = _number(row[4])
        if size:
            in_flash, in_ram, is_code = _KINDS[row[2]]
            yield Symbol(
                "", _number(row[3]), size, section, section, _object(row[5], folders),
                in_flash=in_flash, in_ram=in_ram, is_code=is_code,
            )  # fmt: skip


def _object(text: str, folders: dict[str, str]) -> str:
    """`exit.o [3]` is dl7M_tln.a(exit.o)."""
    match = _IN_FOLDER.match(text)
    if match is None:
        return clean_text(text, 200)
    library = folders.get(match[2], "")
    return clean_text(f"{library}({match[1]})" if library else match[1], 200)


def _entries(lines: Sequence[str]) -> Iterator[Symbol]:
    """With a size; a function's address has the bit that says Thumb."""
    waiting = ""
    for line in lines:
        row = _ENTRY.match(line.strip() if waiting else line)
        if row is None:
            alone = _ENTRY_NAME.match(line)
            waiting = "" if alone is None else alone[1]
            continue
        name, waiting = row[1] or waiting, ""
        is_code = row[4] == "Code"
        address = _number(row[2]) & ~1 if is_code else _number(row[2])
        yield Symbol(demangled(clean_text(name)), address, _number(row[3]), "", is_code=is_code)


def _regions(lines: Sequence[str]) -> Iterator[Region]:
    for line in lines:
        if (found := _REGION.match(line)) is not None:
            first, last = _number(found[2]), _number(found[3])
            if last >= first:
                yield Region(found[1], first, last - first + 1, None)


def _number(digits: str) -> int:
    return int(digits.replace("'", "") or "0", 16)
