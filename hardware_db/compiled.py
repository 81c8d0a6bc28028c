"""The shipped files, validated once and stored as JSON: `entries.tsv`, generated and checked against them.

Reading YAML with line numbers takes several times as long. A line holds kind, id, digest of the file that it
was made from, and the entry; a file that was changed since is read as it is.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from .schema import Runtime, Target

ENTRIES_FILE = Path(__file__).parent / "entries.tsv"

Entry = TypeVar("Entry", Target, Runtime)


def compiled(path: Path, model: type[Entry]) -> Entry | None:
    """What a shipped file describes; None where it changed since, or is not among the entries."""
    found = _entries().get((path.parent, path.stem))
    if found is None or found[0] != _digest(path):
        return None
    try:
        return model.model_validate_json(found[1])
    except ValueError:
        return None


def entries_text(entries: Iterator[tuple[Path, Target | Runtime]]) -> str:
    """All entries as they are stored; those that extend another file are left out."""
    return "".join(
        "\t".join(
            (
                path.parent.name,
                path.stem,
                _digest(path),
                entry.model_dump_json(by_alias=True, exclude_defaults=True),
            )
        )
        + "\n"
        for path, entry in entries
        if not any(line.startswith(b"extends:") for line in path.read_bytes().splitlines())
    )


@functools.cache
def _entries() -> dict[tuple[Path, str], tuple[str, bytes]]:
    """Folder and id → digest and JSON."""
    found: dict[tuple[Path, str], tuple[str, bytes]] = {}
    try:
        lines = ENTRIES_FILE.read_bytes().splitlines()
    except OSError:
        return found
    for line in lines:
        folder, _, rest = line.partition(b"\t")
        name, _, rest = rest.partition(b"\t")
        digest, _, entry = rest.partition(b"\t")
        found[ENTRIES_FILE.parent / folder.decode(), name.decode()] = digest.decode(), entry
    return found


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
