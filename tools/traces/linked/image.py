"""What was linked: sections and the symbols in them, whoever wrote it down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

NO_SYMBOL = ""
"""Name of what no symbol covers: padding, literals, vectors."""
MOST_SYMBOLS = 400_000
_NEVER_LOADED = re.compile(
    r"\.(?:debug|zdebug|comment|note|stab|ARM\.attributes|riscv\.attributes|xtensa\.info|xt\.|gnu\.|symtab|"
    r"strtab|shstrtab)"
)
_IN_FLASH = re.compile(r"\.flash|mram|rom", re.IGNORECASE)
_IN_RAM = re.compile(r"ram(?!e)|tcm|ddr|noinit|\.bss|heap|stack|\.data", re.IGNORECASE)


class Region(NamedTuple):
    name: str
    origin: int
    size: int
    writable: bool | None

    def holds(self, address: int) -> bool:
        return self.origin <= address < self.origin + self.size


class Symbol(NamedTuple):
    name: str
    address: int
    size: int
    section: str
    """Of the output."""
    part: str = ""
    """Section of the object file, which names a function or variable where each has its own."""
    object: str = ""
    in_flash: bool = True
    in_ram: bool = False
    is_code: bool = False
    begins: bytes = b""
    """Its first bytes, where the file holds them."""


class Image(NamedTuple):
    format: str
    symbols: tuple[Symbol, ...]
    regions: tuple[Region, ...] = ()
    warnings: tuple[str, ...] = ()
    used: tuple[tuple[str, int], ...] = ()
    """Region of the linker script, and bytes in it."""


def is_loaded(section: str) -> bool:
    """Whether it is part of what runs, rather than of what a debugger reads."""
    return not _NEVER_LOADED.match(section)


def places(section: str, region: Region | None, *, zeroed: bool, is_code: bool) -> tuple[bool, bool]:
    """Whether a section takes flash and whether it takes RAM; what is copied at the start takes both."""
    name = section if region is None or region.name == "*default*" else f"{section} {region.name}"
    if zeroed:
        return False, True
    if region is not None and region.writable is False and not _IN_RAM.search(section):
        return True, False
    if _IN_FLASH.search(name) and not _IN_RAM.search(section):
        return True, False
    in_ram = bool(_IN_RAM.search(name)) or (region is not None and bool(region.writable) and not is_code)
    return True, in_ram


def covered(section: Symbol, inside: Iterable[Symbol]) -> Iterator[Symbol]:
    """Symbols of a section without what they share, and a nameless one for the rest: they sum to it.

    Several names for one address (aliases) count once, under the longest of them.
    """
    begin, end = section.address, section.address + section.size
    reach, left = begin, section.size
    for symbol in sorted(inside, key=lambda one: (one.address, -one.size, one.name)):
        own = min(symbol.address + symbol.size, end) - max(symbol.address, reach)
        if own > 0 and symbol.address >= begin:
            yield symbol._replace(size=own)
            reach = min(symbol.address + symbol.size, end)
            left -= own
    if left > 0:
        yield section._replace(name=NO_SYMBOL, size=left)


_MANGLED = re.compile(r"_ZN?[KL]?(?:St)?((?:\d+[A-Za-z_]\w*)+)")


def demangled(name: str) -> str:
    """`_ZN6tflite16MicroInterpreter6InvokeEv` is tflite::MicroInterpreter::Invoke; others stay."""
    found = _MANGLED.match(name)
    if found is None:
        return name
    rest, parts = found[1], []
    while (digits := re.match(r"\d{1,3}", rest)) is not None:
        size = int(digits[0])
        rest = rest[digits.end() :]
        if not 0 < size <= len(rest):
            break
        parts.append("(anonymous)" if rest[:size].startswith("_GLOBAL__N") else rest[:size])
        rest = rest[size:]
    return "::".join(parts) or name


def region_at(address: int, regions: Sequence[Region]) -> Region | None:
    named = [region for region in regions if region.holds(address)]
    return min(named, key=lambda region: region.size, default=None)
