"""Whether a file is linked firmware, by how it begins: asked of many files, so nothing else is loaded."""

from __future__ import annotations

import os

from ....hardware_db.errors import InputError
from ...core.files import regular_file

ELF_MAGIC = b"\x7fELF"
_HEAD_BYTES = 1 << 16
_HEADS = (b"Linker script and memory map", b"Memory Configuration", b"Memory Map of the image",
          b"Archive member included", b"Component: ARM Compiler", b"Component: Arm Compiler",
          b"IAR ELF Linker")  # fmt: skip


def is_firmware(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as an ELF or a linker's map; False where it cannot be read."""
    try:
        with regular_file(path).open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except (OSError, ValueError, InputError):
        return False
    return head.startswith(ELF_MAGIC) or any(words in head for words in _HEADS)
