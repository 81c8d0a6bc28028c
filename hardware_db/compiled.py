"""The shipped files, validated once and stored as JSON: `entries.tsv`, generated and checked against them.

Reading YAML with line numbers takes several times as long. A line holds kind, id, digest of the file that it
was made from, and the entry; a file that was changed since is read as it is.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from .restoring import restored
from .schema import Runtime, Target

ENTRIES_FILE = Path(__file__).parent / "entries.tsv"

Entry = TypeVar("Entry", Target, Runtime)


def compiled(path: Path, model: type[Entry]) -> Entry | None:
    """What a shipped file describes; None where it changed since, or is not among the entries."""
    if path.parent.parent != ENTRIES_FILE.parent:
        return None
    digest, _, entry = _stored(f"{path.parent.name}\t{path.stem}\t".encode()).partition(b"\t")
    if digest.decode() != _digest(path):
        return None
    try:
        return restored(model, json.loads(entry))
    except (ValueError, TypeError, KeyError, AttributeError):
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


def _stored(head: bytes) -> bytes:
    """What stands behind `head` in its line; empty where no line begins so. JSON holds no tabs."""
    entries, places = _entries()
    return entries[places.get(head, slice(0))]


@functools.cache
def _entries() -> tuple[bytes, Mapping[bytes, slice]]:
    """All of them, and where each is: kind and id as they begin a line → the rest of it."""
    try:
        entries = ENTRIES_FILE.read_bytes()
    except OSError:
        return b"", {}
    found, at = dict[bytes, slice](), 0
    while (end := entries.find(b"\n", at)) >= 0:
        begin = entries.find(b"\t", entries.find(b"\t", at) + 1) + 1
        found[entries[at:begin]] = slice(begin, end)
        at = end + 1
    return entries, found


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
