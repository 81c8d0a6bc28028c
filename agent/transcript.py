"""The conversation on disk as it happens, one JSON object a line, so that nothing said is lost."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

STATE_VARIABLE = "EDGEWRIGHT_STATE_DIR"
SCHEMA_VERSION = "1.0"


def state_directory() -> Path:
    """EDGEWRIGHT_STATE_DIR, else the place that XDG has for state.

    Raises:
        RuntimeError: there is no home directory.
    """
    if chosen := os.environ.get(STATE_VARIABLE):
        return Path(chosen)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "edgewright"


class Transcript:
    """Appends to a file that only its owner can read.

    It never fails a conversation: where the file cannot be written, `warning` says so.
    """

    def __init__(self, path: Path | None = None, *, session: str | None = None) -> None:
        """`path` None: a file named after the session in the state directory."""
        started = datetime.now(UTC)
        self.session = session or f"{started:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        self.warning: str | None = None
        self.path: Path | None = None
        try:
            self.path = path or state_directory() / "sessions" / f"{self.session}.jsonl"
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, RuntimeError) as error:
            self._give_up(error)

    def write(self, kind: str, **data: Any) -> None:
        if self.path is None:
            return
        line = {"schema_version": SCHEMA_VERSION, "time": datetime.now(UTC).isoformat(), "kind": kind, **data}
        try:
            _append(self.path, json.dumps(line, default=str) + "\n")
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        self.path = None
        self.warning = (
            f"The conversation is not saved: {reason}. Set {STATE_VARIABLE} to a writable directory."
        )


def read_transcript(path: Path) -> list[Mapping[str, Any]]:
    """The lines that are whole; a last line that was cut by a crash is left out."""
    lines: list[Mapping[str, Any]] = []
    for text in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict):
            lines.append(line)
    return lines


def _append(path: Path, text: str) -> None:
    """In one write at the end of the file, so that lines of two writers do not mix."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, text.encode("utf-8"))
    finally:
        os.close(descriptor)
