"""The map that GNU ld writes (-Wl,-Map=firmware.map): memory regions, output sections, and what is in them.

Form as GNU ld 2.40 writes it: a name too long for its column stands alone, address and size on the next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from .image import MOST_SYMBOLS, Image, Region, Symbol, covered, demangled, is_loaded, places, region_at

HEADS = ("Linker script and memory map",)
_REGION = re.compile(r"^(\S{1,80})\s+0x([0-9a-f]{1,16})\s+0x([0-9a-f]{1,16})(?:\s+([a-zA-Z!]{1,9}))?\s*$")
_OUTPUT = re.compile(r"^([.\w][^\s(]{0,200})(?:\s+0x([0-9a-f]{1,16})\s+0x([0-9a-f]{1,16})(.*))?$")
_INPUT = re.compile(
    r"^ (\*fill\*|COMMON|[.\w][^\s(]{0,300})(?:\s+0x([0-9a-f]{1,16})\s+0x([0-9a-f]{1,16})(?:\s+(.*))?)?$"
)
_NEXT = re.compile(r"^\s{8,}0x([0-9a-f]{1,16})\s+0x([0-9a-f]{1,16})(.*)$")
_SYMBOL = re.compile(r"^\s{12,}0x([0-9a-f]{1,16})\s+([A-Za-z_.$][\w.$@]{0,300})$")
_PARTS = re.compile(
    r"^\.(?:text|rodata|data|bss|literal|iram1|dram1|sram|noinit|sdata|sbss|rodata1)\.(?:str\d*\.)?"
)
_ZEROED = re.compile(r"(?:^|\.)(?:[ts]?bss|noinit)|heap|stack")
"""Sections without contents, which a map may give a load address all the same."""
_QUOTED = re.compile(r'^".*"\.')


class _Place(NamedTuple):
    section: str
    address: int
    size: int
    rest: str


def read(lines: Sequence[str]) -> Image | None:
    """
    Raises:
        InputError: a map that ends before its sections, or with more symbols than a firmware has.
    """
    start = next((at for at, line in enumerate(lines) if line.startswith(HEADS)), None)
    if start is None:
        return None
    regions = tuple(_regions(lines[:start]))
    found: list[Symbol] = []
    for output, parts in _outputs(lines[start + 1 :]):
        region = region_at(output.address, [one for one in regions if one.name != "*default*"])
        found += _section(output, parts, region)
        if len(found) > MOST_SYMBOLS:
            raise InputError(f"The map has more than {MOST_SYMBOLS:,} symbols.", hint="Give a firmware's.")
    if not found:
        raise InputError(
            f"Line {start + 1}: the map ends where its sections should begin.",
            hint="It is cut off; link anew.",
        )
    return Image("map of GNU ld", tuple(found), regions)


def _regions(lines: Sequence[str]) -> Iterator[Region]:
    at = next((at for at, line in enumerate(lines) if line.startswith("Memory Configuration")), len(lines))
    for line in lines[at + 1 :]:
        if (found := _REGION.match(line)) is not None and int(found[3], 16):
            rights = (found[4] or "").casefold()
            writable = None if not rights else "w" in rights.partition("!")[0]
            yield Region(clean_text(found[1]), int(found[2], 16), int(found[3], 16), writable)


def _outputs(lines: Sequence[str]) -> Iterator[tuple[_Place, list[Symbol]]]:
    """Each output section that is loaded, with what the linker put into it."""
    output: _Place | None = None
    parts: list[Symbol] = []
    waiting, inside = "", False
    for text in lines:
        line = text
        if line.startswith(("Cross Reference Table", "OUTPUT(")):
            break
        if waiting and (found := _NEXT.match(line)) is not None:
            line = f"{' ' if inside else ''}{waiting} 0x{found[1]} 0x{found[2]}{found[3]}"
        waiting = ""
        if (found := _OUTPUT.match(line)) is not None:
            if found[2] is None:
                waiting, inside = found[1], False
                continue
            if output is not None and output.size and is_loaded(output.section):
                yield output, parts
            output, parts = _Place(clean_text(found[1]), int(found[2], 16), int(found[3], 16), found[4]), []
        elif (found := _INPUT.match(line)) is not None:
            if found[2] is None:
                waiting, inside = found[1], True
            elif found[1] != "*fill*" and int(found[3], 16):
                parts.append(_part(found[1], int(found[2], 16), int(found[3], 16), found[4] or ""))
        elif parts and (found := _SYMBOL.match(line)) is not None:
            parts.append(Symbol(demangled(clean_text(found[2])), int(found[1], 16), 0, ""))
    if output is not None and output.size and is_loaded(output.section):
        yield output, parts


def _part(section: str, address: int, size: int, source: str) -> Symbol:
    """Of an object file; where a function or variable has a section of its own, that names it."""
    named = _QUOTED.sub("", _PARTS.sub("", section))
    name = demangled(clean_text(named)) if named != section and not named.isdigit() else ""
    return Symbol(name, address, size, "", clean_text(section), clean_text(source.strip(), 200))


def _section(output: _Place, parts: Sequence[Symbol], region: Region | None) -> Iterator[Symbol]:
    copied = "load address" in output.rest
    in_place = region is not None and bool(region.writable) and not copied
    zeroed = in_place or bool(_ZEROED.search(output.section))
    is_code = "text" in output.section
    in_flash, in_ram = places(output.section, region, zeroed=zeroed, is_code=is_code)
    in_ram = in_ram or copied
    whole = Symbol("", output.address, output.size, output.section, "", "", in_flash, in_ram, is_code)
    for part in covered(whole, _split(parts)):
        yield part._replace(
            section=output.section, in_flash=in_flash, in_ram=in_ram, is_code=is_code,
        )  # fmt: skip


def _split(parts: Sequence[Symbol]) -> Iterator[Symbol]:
    """Parts of object files, those with several symbols cut at these."""
    held: Symbol | None = None
    inside: list[Symbol] = []
    for part in (*parts, None):
        if part is not None and not part.size:
            inside.append(part)
            continue
        if held is not None:
            yield from _cut(held, inside)
        held, inside = part, []


def _cut(part: Symbol, symbols: Sequence[Symbol]) -> Iterator[Symbol]:
    end = part.address + part.size
    known = sorted({one.address: one for one in symbols if part.address <= one.address < end}.values(),
                   key=lambda one: one.address)  # fmt: skip
    if not known or (part.name and len(known) == 1):
        yield part if part.name or not known else part._replace(name=known[0].name)
        return
    edges = [part.address, *(one.address for one in known[1:]), end]
    for one, begin, stop in zip(known, edges, edges[1:], strict=False):
        yield part._replace(name=one.name, address=begin, size=stop - begin)
