"""The model files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...hardware_db.errors import InputError
from ..core.quantity import Result
from ..core.sanitize import clean_text
from .recognised import MODEL_SUFFIXES

_DEEPEST = 3
"""Folders below the one that is asked for."""
_MOST = 200


class FoundModelFile(Result):
    """A file that looks like a model by its name."""

    name: str
    """Path below the folder that was asked for."""
    bytes: int
    """Its size."""


class ModelFileList(Result):
    """The model files of a folder."""

    schema_version: str = "1.0"
    files: tuple[FoundModelFile, ...]
    """One row a file, by name."""
    more: bool
    """There are more than were looked at."""

    def headline(self) -> str:
        return f"{len(self.files)} model files"


def list_model_files(directory: Path | str = ".") -> ModelFileList:
    """The model files in a folder and some levels below it; hidden folders are left out.

    Raises:
        InputError: no folder.

    Example:
        >>> list_model_files("/usr/lib/no-such-folder")
        Traceback (most recent call last):
        edgewright.hardware_db.errors.InputError: '/usr/lib/no-such-folder' is no folder.
    """
    root = Path(directory)
    if not root.is_dir():
        raise InputError(f"{str(directory)!r} is no folder.")
    found = sorted(_files(root))
    rows = [
        FoundModelFile(name=clean_text(str(path.relative_to(root))), bytes=path.stat().st_size)
        for path in found[:_MOST]
    ]
    return ModelFileList(files=tuple(rows), more=len(found) > _MOST)


def _files(root: Path) -> Iterator[Path]:
    for folder, inner, names in os.walk(root):
        at = Path(folder)
        is_deepest = len(at.relative_to(root).parts) >= _DEEPEST
        inner[:] = [] if is_deepest else [name for name in inner if not name.startswith((".", "__"))]
        yield from (at / name for name in names if Path(name).suffix.casefold() in MODEL_SUFFIXES)
