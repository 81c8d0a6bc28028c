"""What costs much to make of a file, kept beside it as Python keeps its bytecode."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .later import Later

if TYPE_CHECKING:
    import tomllib
else:
    tomllib = Later("tomllib")


def toml_in(file: Path) -> dict[str, Any]:
    """What a shipped TOML file says. Kept as JSON, of which the library reads the same in a twentieth."""
    text = file.read_bytes()
    kept, digest = file.parent / "__pycache__" / f"{file.name}.json", hashlib.sha256(text).hexdigest()
    with suppress(OSError, ValueError):
        made_of, _, tables = kept.read_bytes().partition(b"\n")
        if made_of.decode() == digest:
            found: dict[str, Any] = json.loads(tables)
            return found
    read = tomllib.loads(text.decode())
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            write_whole(kept, f"{digest}\n{json.dumps(read)}".encode())
    return read


def write_whole(file: Path, content: bytes) -> None:
    """All of it or nothing: another process may read meanwhile."""
    file.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.stem}.", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as whole:
            whole.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)
