"""The conversation on disk as it happens, one JSON object a line, so that nothing said is lost."""

from __future__ import annotations

import errno
import json
import os
import platform
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ... import __version__
from ..llm.keys import without_keys
from .lock import SessionInUseError, SessionLock

STATE_VARIABLE = "EDGEWRIGHT_STATE_DIR"
SCHEMA_VERSION = "1.0"
SESSIONS = "sessions"
SUFFIX = ".jsonl"
_MOST_WAITING = 64 << 20
"""Characters that may wait for a disk to have room again."""


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
    """Appends to a file that only its owner can read and only one process at a time writes.

    It never fails a conversation: where the file cannot be written, `warning` says so, and what was said
    waits in memory for the next attempt.
    """

    def __init__(self, path: Path | None = None, *, session: str | None = None) -> None:
        """`path` None: a file named after the session in the state directory."""
        started = datetime.now(UTC)
        self.session = session or f"{started:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        self.warning: str | None = None
        self.path: Path | None = None
        self._lock: SessionLock | None = None
        self._waiting: list[str] = []
        try:
            self.path = path or _private(state_directory(), SESSIONS) / f"{self.session}{SUFFIX}"
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, RuntimeError) as error:
            self.path = None
            self._warn(error)
        if path is None:
            self._begin()

    def write(self, kind: str, **data: Any) -> None:
        if self.path is None:
            return
        line = {"schema_version": SCHEMA_VERSION, "time": datetime.now(UTC).isoformat(), "kind": kind, **data}
        self._waiting.append(without_keys(json.dumps(line, default=str)) + "\n")
        if kind != "session":
            self._flush(self.path)

    def lock(self) -> None:
        """Keep others from writing to this session for as long as this process lives.

        Raises:
            SessionInUseError: another process already does.
        """
        if self.path is not None and self._lock is None:
            self._lock = SessionLock(self.path)

    def close(self) -> None:
        """Let others go on with the session."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _begin(self) -> None:
        """Waits for the first line: a conversation in which nothing was said leaves no file."""
        self.write(
            "session",
            id=self.session,
            version=__version__,
            python=platform.python_version(),
            platform=f"{platform.system()} {platform.machine()}",
        )

    def _flush(self, path: Path) -> None:
        text = "".join(self._waiting)
        try:
            self.lock()
            _append(path, text)
        except SessionInUseError as error:
            self.path = None
            self.warning = f"The conversation is not saved: {error}"
        except OSError as error:
            self._warn(error)
            if len(text) > _MOST_WAITING:
                self.path = None
        else:
            self._waiting.clear()
            self.warning = None

    def _warn(self, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        self.warning = (
            f"The conversation is not saved: {reason}. Set {STATE_VARIABLE} to a writable directory."
        )


def read_transcript(path: Path) -> list[Mapping[str, Any]]:
    """The lines that are whole; a last line that was cut by a crash is left out."""
    lines: list[Mapping[str, Any]] = []
    for text in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(line, dict):
            lines.append(line)
    return lines


def _private(state: Path, folder: str) -> Path:
    """A folder of the state directory; both are the owner's alone where they are made here."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    (state / folder).mkdir(mode=0o700, exist_ok=True)
    return state / folder


def _append(path: Path, text: str) -> None:
    """All of it or nothing, on a line of its own even where a crash has cut the last one."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        end = os.lseek(descriptor, 0, os.SEEK_END)
        torn = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
        data = (b"\n" if torn else b"") + text.encode("utf-8")
        try:
            whole = os.write(descriptor, data) == len(data)
        except OSError:
            os.ftruncate(descriptor, end)
            raise
        if not whole:
            os.ftruncate(descriptor, end)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)
