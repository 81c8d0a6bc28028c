"""How a compiler lays a C structure out: what `sizeof` and `alignof` give on a machine.

A structure is written as its members in order, each a code with an optional count before it:
`p` pointer or size_t, `i` int, int32 or float, `e` an enumeration without a fixed type, `d` double or
int64, `h` 16 bits, `b` 8 bits or bool; or another structure.
"""

from __future__ import annotations

import functools
import re

from ....hardware_db import Core
from ...core.records import dataclass

_MEMBER = re.compile(r"(\d*)([piedhb])")
_32_BIT_APPLICATION_CORES = ("cortex-a5", "cortex-a7", "cortex-a8", "cortex-a9", "cortex-a15", "cortex-a32")
_64_BIT_FAMILIES = ("x86-64", "aarch64", "armv8-a", "armv9-a", "rv64", "cortex-a", "neoverse", "carmel")


@dataclass(frozen=True)
class Struct:
    members: tuple[str | Struct, ...]


def struct(*members: str | Struct) -> Struct:
    """`struct("2p i", other)`: two pointers, an int, then another structure."""
    return Struct(members)


@dataclass(frozen=True)
class Layout:
    size: int
    align: int


@dataclass(frozen=True)
class Abi:
    pointer_bytes: int
    enum_bytes: int = 4
    """Of an enumeration of few values: 1 where the compiler packs them (-fshort-enums)."""

    def layout(self, record: Struct) -> Layout:
        return _layout(self, record)

    def sizeof(self, record: Struct) -> int:
        return self.layout(record).size


@functools.cache
def _layout(abi: Abi, record: Struct) -> Layout:
    size, align = 0, 1
    for part in _parts(abi, record):
        size = rounded_up(size, part.align) + part.size
        align = max(align, part.align)
    return Layout(rounded_up(size, align), align)


def _parts(abi: Abi, record: Struct) -> list[Layout]:
    parts: list[Layout] = []
    for member in record.members:
        if isinstance(member, Struct):
            parts.append(_layout(abi, member))
            continue
        for count, code in _MEMBER.findall(member):
            parts += [_scalar(abi, code)] * int(count or 1)
    return parts


def _scalar(abi: Abi, code: str) -> Layout:
    size = {"p": abi.pointer_bytes, "e": abi.enum_bytes, "i": 4, "d": 8, "h": 2, "b": 1}[code]
    return Layout(size, size)


def rounded_up(value: int, to: int) -> int:
    return -(-value // to) * to


def abi_of(core: Core) -> Abi:
    """The layout of the usual compiler for a core.

    Compilers for bare-metal Arm pack an enumeration into as few bytes as hold it (the default of the
    AAPCS); those for Xtensa, RISC-V and x86-64 give it an int.
    """
    isa = core.isa.value
    if isa.startswith(("cortex-m", "cortex-r")):
        return Abi(pointer_bytes=4, enum_bytes=1)
    is_64_bit = isa.startswith(_64_BIT_FAMILIES) and isa not in _32_BIT_APPLICATION_CORES
    return Abi(pointer_bytes=8 if is_64_bit else 4)
