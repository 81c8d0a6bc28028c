"""What is found damaged where the package keeps things, and what becomes of it; nothing is thrown away that
was said or measured."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ASIDE = "damaged"
"""Ending of what cannot be read, beside where it lay."""
_BEING_WRITTEN_S = 60.0


class Damage(NamedTuple):
    """Something that cannot be used as it lies there."""

    file: Path
    found: str
    """What is wrong with it."""
    mend: Callable[[], str]
    """Does what can be done and says what that was; raises OSError."""


def set_aside(file: Path) -> Path:
    """Rename a file to one that nothing reads, and return it."""
    return file.replace(_free(file))


def copy_aside(file: Path) -> Path:
    """A copy of a file under such a name, whole or not there."""
    place = _free(file)
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        shutil.copy2(file, part)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
    return place


def unusable(file: Path, found: str) -> Damage:
    """Of a file that holds nothing that can be saved: it is set aside."""
    return Damage(file, found, lambda: f"set aside as {set_aside(file)}")


def left_over(folder: Path, pattern: str) -> Iterator[Damage]:
    """Files that a killed process was writing: nobody was shown that they were saved."""
    with contextlib.suppress(OSError):
        for file in sorted(folder.glob(pattern)):
            if abs(time.time() - file.stat().st_mtime) > _BEING_WRITTEN_S:
                yield Damage(file, "left by a process that was killed while it wrote", _remover(file))


def _remover(file: Path) -> Callable[[], str]:
    def remove() -> str:
        file.unlink(missing_ok=True)
        return "removed"

    return remove


def _free(file: Path) -> Path:
    endings = ("", *(f".{number}" for number in range(2, 1_000)))
    names = (file.with_name(f"{file.name}.{ASIDE}{ending}") for ending in endings)
    return next(name for name in names if not name.exists())
