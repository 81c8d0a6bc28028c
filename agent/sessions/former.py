"""Sessions of earlier versions, a JSON object a line, turned into logs; the originals are kept."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from .database import Entry, write_log
from .lock import SessionInUseError, SessionLock
from .transcript import SUFFIX

FORMER_SUFFIX = ".jsonl"
KEPT = "former"
"""Folder beside the logs that the originals go to."""
_NO_DATA = ("schema_version", "time", "kind")
_BESIDE = (".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite.damaged", FORMER_SUFFIX)


def convert_former(folder: Path) -> None:
    """A file that is in use or cannot be converted is left as it is."""
    for file in [*folder.glob(f"*{FORMER_SUFFIX}")]:
        with suppress(SessionInUseError, OSError):
            _convert(file)


def _convert(file: Path) -> None:
    lock = SessionLock(file)
    try:
        log, kept = file.with_suffix(SUFFIX), file.parent / KEPT
        if not log.exists():
            write_log(log, [_entry(line) for line in _lines(file)])
        kept.mkdir(mode=0o700, exist_ok=True)
        for suffix in _BESIDE:
            with suppress(FileNotFoundError):
                file.with_suffix(suffix).replace(kept / f"{file.stem}{suffix}")
    finally:
        lock.release()


def _lines(file: Path) -> list[str]:
    """The last one only if it is whole: a crash in the middle of a write cut it, and nobody was shown that
    it had been saved."""
    *lines, last = file.read_bytes().decode("utf-8", "replace").split("\n")
    with suppress(ValueError, RecursionError):
        json.loads(last)
        lines.append(last)
    return [line for line in lines if line.strip()]


def _entry(line: str) -> Entry:
    """A line that cannot be read becomes an event that cannot: it is counted, and not lost."""
    try:
        event = json.loads(line)
        data = {name: value for name, value in event.items() if name not in _NO_DATA}
        return Entry(str(event["time"]), str(event["kind"]), json.dumps(data))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Entry("", "unreadable", json.dumps(line))
