"""The folder of saved conversations: which there are, and which one is meant."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ...hardware_db.errors import AmbiguousNameError, InputError, UnknownNameError, UsageError, nearest
from .lock import SessionLock
from .reading import readable_lines
from .transcript import SESSIONS, STATE_VARIABLE, SUFFIX, Transcript, state_directory

_NONE_YET = 'edgewright ask "…" and edgewright chat save what is said.'
_BESIDE = (".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite.damaged")


@dataclass(frozen=True)
class Stored:
    """A session's file. `bytes` counts those beside it too."""

    path: Path
    changed: datetime
    bytes: int

    @property
    def id(self) -> str:
        return self.path.stem


def checkpoint_file(transcript: Path) -> Path:
    return transcript.with_suffix(".sqlite")


def stored_sessions() -> list[Stored]:
    """Every session, the one last spoken in first.

    Raises:
        InputError: there is no home directory, or the folder cannot be read.
    """
    try:
        folder = state_directory() / SESSIONS
        paths = [path for path in folder.iterdir() if path.suffix == SUFFIX] if folder.is_dir() else []
        found = [stored for path in paths if (stored := _stored(path))]
        return sorted(found, key=lambda stored: stored.changed, reverse=True)
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = f"Set {STATE_VARIABLE} to the directory that holds them."
        raise InputError(f"The saved sessions cannot be read: {reason}.", hint=hint) from None


def latest_session() -> Stored:
    """Raises UsageError: there is none."""
    stored = stored_sessions()
    if not stored:
        raise UsageError("There is no saved session to continue.", hint=_NONE_YET)
    return stored[0]


def find_session(name: str) -> Stored:
    """The session of this id, or the only one whose id starts or ends so.

    Raises:
        UnknownNameError: none, or several.
    """
    stored = stored_sessions()
    for one in stored:
        if one.id == name:
            return one
    alike = [one for one in stored if name and (one.id.startswith(name) or one.id.endswith(name))]
    match alike:
        case [one]:
            return one
        case []:
            hint = "edgewright sessions list shows them all." if stored else _NONE_YET
            raise UnknownNameError("session", name, nearest(name, [one.id for one in stored], 3), hint=hint)
        case _:
            raise AmbiguousNameError("session", name, [one.id for one in alike])


def delete_session(stored: Stored) -> None:
    """Raises SessionInUseError: somebody is talking in it."""
    lock = SessionLock(stored.path)
    try:
        for suffix in _BESIDE:
            stored.path.with_suffix(suffix).unlink(missing_ok=True)
        stored.path.unlink(missing_ok=True)
    finally:
        lock.release()


def copy_session(stored: Stored) -> str:
    """The id of a new session in which the same was said, as far as this version can read it.

    Raises:
        InputError: there is nothing that can be read, or no room to write.
    """
    lines = readable_lines(stored.path)
    copy = Transcript()
    if copy.path is None:
        raise InputError(copy.warning or "The copy cannot be written.")
    try:
        descriptor = os.open(copy.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.writelines(line + b"\n" for line in lines)
    except OSError as error:
        copy.path.unlink(missing_ok=True)
        raise InputError(f"The copy cannot be written: {error.strerror}.", hint="Make room for it.") from None
    return copy.session


def _stored(path: Path) -> Stored | None:
    try:
        status = path.stat()
        beside = [path.with_suffix(suffix) for suffix in _BESIDE]
        total = status.st_size + sum(other.stat().st_size for other in beside if other.exists())
    except OSError:
        return None
    return Stored(path, datetime.fromtimestamp(status.st_mtime, UTC), total)
