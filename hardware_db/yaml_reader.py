"""YAML as the hardware files use it, read from hands that are not trusted.

The library that knows YAML loads with the first file: what is shipped is read without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import HardwareFileError, YamlPath

MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True)
class Document:
    """What a file says and on which line (from 1) it says it."""

    path: Path
    data: Any
    lines: dict[YamlPath, int] = field(repr=False)

    def line_of(self, path: YamlPath) -> int:
        """Line of a field, or of the nearest thing above it that the file has."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_yaml(path: Path) -> Document:
    """Read one file.

    Raises:
        HardwareFileError: unreadable, over a megabyte, not UTF-8, not YAML, nested too deep, or using
            anchors, aliases, tags, several documents or one key twice.
    """
    from .yaml_events import data_in

    lines: dict[YamlPath, int] = {}
    return Document(path, data_in(path, _read_text(path), lines), lines)


def _read_text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise HardwareFileError(
                "cannot be read: no regular file", file=path, hint="Name a readable YAML file."
            )
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise HardwareFileError(
            f"cannot be read: {error.strerror}", file=path, hint="Name a readable YAML file."
        ) from error
    if len(raw) > MAX_FILE_BYTES:
        raise HardwareFileError(
            f"larger than {MAX_FILE_BYTES} bytes",
            file=path,
            hint="Describe one target or runtime in each file.",
        )
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise HardwareFileError("not UTF-8", file=path, line=line, hint="Save it as UTF-8.") from error
