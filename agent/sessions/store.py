"""The folder of saved conversations: which there are, and which one is meant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from glob import escape
from pathlib import Path

from ...hardware_db.errors import AmbiguousNameError, InputError, UnknownNameError, UsageError, nearest
from ...tools.core.records import dataclass
from .database import latest_time, write_log
from .former import FORMER_SUFFIX, convert_former
from .lock import SessionLock
from .reading import readable_entries
from .transcript import LOCK_SUFFIX, SESSIONS, STATE_VARIABLE, SUFFIX, Transcript, state_directory

_NONE_YET = 'edgewright ask "…" and edgewright chat save what is said.'
_HELD = f"{SUFFIX}[-.]*"
"""Files beside the log that hold what was said too: ahead of it, and damaged ones."""
_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(frozen=True)
class Stored:
    """A session's file. `bytes` counts what is beside it too."""

    path: Path
    changed: datetime
    bytes: int

    @property
    def id(self) -> str:
        return self.path.stem


def stored_sessions() -> list[Stored]:
    """Every session, the one last spoken in first; those of an earlier version are converted.

    Raises:
        InputError: there is no home directory, or the folder cannot be read.
    """
    try:
        folder = state_directory() / SESSIONS
        convert_former(folder)
        suffixes = (SUFFIX, FORMER_SUFFIX)
        paths = [path for path in folder.iterdir() if path.suffix in suffixes] if folder.is_dir() else []
        found = [stored for path in paths if (stored := _stored(path))]
        return sorted(found, key=_how_late, reverse=True)
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
    lock = SessionLock(stored.path.with_suffix(LOCK_SUFFIX))
    try:
        stored.path.unlink(missing_ok=True)
        for beside in (*_beside(stored.path), stored.path.with_suffix(LOCK_SUFFIX)):
            beside.unlink(missing_ok=True)
    finally:
        lock.release()


def copy_session(stored: Stored) -> str:
    """The id of a new session in which the same was said, as far as this version can read it.

    Raises:
        InputError: there is nothing that can be read, or no room to write.
    """
    entries = readable_entries(stored.path)
    copy = Transcript()
    if copy.path is None:
        raise InputError(copy.warning or "The copy cannot be written.")
    try:
        write_log(copy.path, entries)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"The copy cannot be written: {reason}.", hint="Make room for it.") from None
    return copy.session


def _stored(path: Path) -> Stored | None:
    try:
        status = path.stat()
        total = status.st_size + sum(other.stat().st_size for other in _beside(path))
    except OSError:
        return None
    return Stored(path, _last_spoken_in(path, status.st_mtime), total)


def _how_late(stored: Stored) -> tuple[bool, datetime]:
    """What was written while the clock was ahead goes behind the rest: it would be the latest for years."""
    ahead = stored.changed > datetime.now(UTC) + _CLOCKS_DIFFER
    return not ahead, stored.changed


def _beside(path: Path) -> list[Path]:
    return [*path.parent.glob(f"{escape(path.stem)}{_HELD}")]


def _last_spoken_in(path: Path, changed_s: float) -> datetime:
    try:
        latest = datetime.fromisoformat(latest_time(path) or "")
    except ValueError:
        return datetime.fromtimestamp(changed_s, UTC)
    return latest if latest.tzinfo else latest.replace(tzinfo=UTC)
