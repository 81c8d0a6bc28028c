"""The conversation on disk as it happens, one event after the other, so that nothing said is lost."""

from __future__ import annotations

import json
import os
import platform
import secrets
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ... import __version__
from ..llm.keys import without_keys
from .database import Entry, LogWriter
from .lock import SessionInUseError, SessionLock

STATE_VARIABLE = "EDGEWRIGHT_STATE_DIR"
SESSIONS = "sessions"
SUFFIX = ".db"
LOCK_SUFFIX = ".lock"
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
    """Appends to the session's log, which only its owner can read and only one process at a time writes.

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
        self._log: LogWriter | None = None
        self._waiting: list[Entry] = []
        self._one_at_a_time = threading.Lock()
        try:
            self.path = path or _private(state_directory(), SESSIONS) / f"{self.session}{SUFFIX}"
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, RuntimeError) as error:
            self.path = None
            self._warn(error)
        if path is None:
            self._begin()

    def write(self, kind: str, **data: Any) -> None:
        with self._one_at_a_time:
            if self.path is None:
                return
            text = without_keys(json.dumps(data, default=str))
            self._waiting.append(Entry(datetime.now(UTC).isoformat(), kind, text))
            if kind != "session":
                self._flush(self.path)

    def lock(self) -> None:
        """Keep others from writing to this session for as long as this process lives.

        Raises:
            SessionInUseError: another process already does.
        """
        if self.path is not None and self._lock is None:
            self._lock = SessionLock(self.path.with_suffix(LOCK_SUFFIX))

    def close(self) -> None:
        """Let others go on with the session."""
        if self._log is not None:
            self._log.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _begin(self) -> None:
        """Waits for the first event: a conversation in which nothing was said leaves no file."""
        self.write(
            "session",
            id=self.session,
            version=__version__,
            python=platform.python_version(),
            platform=f"{platform.system()} {platform.machine()}",
        )

    def _flush(self, path: Path) -> None:
        try:
            self.lock()
            self._log = self._log or LogWriter(path)
            self._log.append(self._waiting)
        except SessionInUseError as error:
            self.path = None
            self.warning = f"The conversation is not saved: {error}"
        except OSError as error:
            self._warn(error)
            if sum(len(entry.data) for entry in self._waiting) > _MOST_WAITING:
                self.path = None
        else:
            self._waiting.clear()
            self.warning = None

    def _warn(self, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        self.warning = (
            f"The conversation is not saved: {reason}. Set {STATE_VARIABLE} to a writable directory."
        )


def _private(state: Path, folder: str) -> Path:
    """A folder of the state directory; both are the owner's alone where they are made here."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    (state / folder).mkdir(mode=0o700, exist_ok=True)
    return state / folder
