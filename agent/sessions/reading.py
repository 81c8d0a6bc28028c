"""A saved conversation as it stands in its log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...hardware_db.errors import InputError
from .database import Entry, Log, NoLogError, read_log
from .former import FORMER_SUFFIX
from .saved import SavedSession, SavedTurn, take


def read_session(path: Path) -> SavedSession:
    """Raises InputError: the file cannot be opened, or holds no event that can be read."""
    log = _log_in(path)
    session = SavedSession(path.stem, newer=log.newer, damaged=log.damaged)
    read = sum(take(session, entry.kind, _line(entry)) for entry in log.entries)
    if log.entries and not read and not log.newer:
        raise _no_conversation(path)
    return session


def readable_entries(path: Path) -> list[Entry]:
    """The events that this version can read, as they are. Raises as `read_session`."""
    read_session(path)
    return [e for e in _log_in(path).entries if take(SavedSession("", [SavedTurn("")]), e.kind, _line(e))]


def _log_in(path: Path) -> Log:
    try:
        return read_log(path)
    except NoLogError:
        if path.suffix == FORMER_SUFFIX:
            raise InputError(
                f"Session {path.stem} was saved by an earlier version and could not be converted.",
                hint=f"Close it there, and see that {path.parent} can be written.",
            ) from None
        raise _no_conversation(path) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"Session {path.stem} cannot be read: {reason}.",
            hint="edgewright sessions list shows what there is.",
        ) from None


def _no_conversation(path: Path) -> InputError:
    return InputError(
        f"Session {path.stem} cannot be read: it holds no event of a conversation.",
        hint=f"It lies at {path}.",
    )


def _line(entry: Entry) -> Any:
    try:
        return {"time": entry.time, **json.loads(entry.data)}
    except (ValueError, TypeError, RecursionError):
        return None
