"""Which model file a tool call read, so that it can be reported later whether it is still the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...hardware_db.errors import EdgewrightError
from ..workspace import Workspace


def file_of_call(arguments: Mapping[str, Any], workspace: Workspace) -> dict[str, str]:
    """`source` and `sha256` of the model file that a call reads; empty where it reads none."""
    named = arguments.get("model")
    try:
        source = workspace.model_source(named if isinstance(named, str) else None)
    except EdgewrightError:
        return {}
    return model_identity(source, workspace.directory)


def model_identity(source: str, directory: Path) -> dict[str, str]:
    """`source` as it was named, and the SHA-256 of the file; empty for what is no file, such as a
    named architecture."""
    path = directory / source
    try:
        status = path.stat()
        if not path.is_file():
            return {}
        return {"source": source, "sha256": _sha256(path, status.st_mtime_ns, status.st_size)}
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=64)
def _sha256(path: Path, _changed_ns: int, _bytes: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
