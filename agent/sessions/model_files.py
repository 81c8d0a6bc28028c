"""Which model file a tool call read, so that it can be told later whether it is still the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...hardware_db.errors import EdgewrightError
from ..workspace import Workspace


def file_of_call(arguments: Mapping[str, Any], workspace: Workspace) -> dict[str, str]:
    """`source` and `sha256` of the model file that a call reads; empty where it reads none, such as for a
    named architecture."""
    named = arguments.get("model")
    try:
        source = workspace.model_source(named if isinstance(named, str) else None)
        path = workspace.directory / source
        status = path.stat()
        if not path.is_file():
            return {}
        return {"source": source, "sha256": _sha256(path, status.st_mtime_ns, status.st_size)}
    except (EdgewrightError, OSError, ValueError):
        return {}


@lru_cache(maxsize=64)
def _sha256(path: Path, _changed_ns: int, _bytes: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
