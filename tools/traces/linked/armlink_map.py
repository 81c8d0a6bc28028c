"""The map that armlink writes (--map --info sizes): "Memory Map of the image", region by region.

Columns: base, perhaps load address, size, type, attribute, index, section, object; as in one of ARM Compiler
for an STM32F401, whose totals are 952 bytes of ROM and 1,632 of RAM.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.sanitize import clean_text
from .image import Image, Region, Symbol, demangled

_HEAD = "Memory Map of the image"
_EXECUTION = re.compile(
    r"^\s*Execution Region (\S{1,80}) \((?:Exec b|B)ase: 0x([0-9a-fA-F]+),(?: Load base: 0x[0-9a-fA-F]+,)? "
    r"Size: 0x([0-9a-fA-F]+), Max: 0x([0-9a-fA-F]+)"
)
_ROW = re.compile(
    r"^\s+0x([0-9a-fA-F]{1,16})\s+(?:(?:0x[0-9a-fA-F]{1,16}|COMPRESSED|-)\s+)?0x([0-9a-fA-F]{1,16})\s+"
    r"(Code|Data|Zero|PAD|Ven)(?:\s+(RO|RW|XO))?(?:\s+\d+)?(?:\s+\*)?(?:\s+(\S{1,300}))?(?:\s+(\S.*))?\s*$"
)
_PARTS = re.compile(r"^(?:i\.|t\.|\.(?:text|rodata|constdata|data|bss)\.)")


def read(lines: Sequence[str]) -> Image | None:
    start = next((at for at, line in enumerate(lines) if _HEAD in line), None)
    if start is None:
        return None
    found: list[Symbol] = []
    regions: list[Region] = []
    region = ""
    for line in lines[start:]:
        if (head := _EXECUTION.match(line)) is not None:
            region = clean_text(head[1])
            regions.append(Region(region, int(head[2], 16), int(head[4], 16), None))
        elif region and (row := _ROW.match(line)) is not None and int(row[2], 16):
            found.append(_symbol(row, region))
    return Image("map of armlink", tuple(found), tuple(regions)) if found else None


def _symbol(row: re.Match[str], region: str) -> Symbol:
    kind, rights, section = row[3], row[4] or "", clean_text(row[5] or "")
    named = _PARTS.sub("", section)
    name = demangled(named) if named != section else ""
    in_ram = kind == "Zero" or rights == "RW"
    return Symbol(
        name, int(row[1], 16), int(row[2], 16), region, section, clean_text(row[6] or "", 200),
        in_flash=kind != "Zero", in_ram=in_ram, is_code=kind in ("Code", "Ven"),
    )  # fmt: skip
