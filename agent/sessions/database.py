"""The SQLite file of a session: one row a message, and their order. Needs no LLM library."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from ...hardware_db.errors import InputError
from .lock import SessionInUseError

VERSION = 1
"""Of the tables, in SQLite's user_version."""
ORDER = "order"
_TABLES = """
CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_BUSY_S = 0.2
_TAKEN = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class NewerSessionError(InputError):
    """Written by a version of this product that this one does not know."""

    def __init__(self, session: str) -> None:
        super().__init__(
            f"Session {session} was written by a newer version of edgewright.",
            hint=f"Update, or go on with what this one can read: edgewright sessions copy {session}",
        )


class DamagedFileError(Exception):
    """The file is no database, or not one of ours."""


def open_database(file: Path) -> sqlite3.Connection:
    """For one process alone, which writes ahead so that a crash leaves the state before or the state after.

    Raises:
        OSError, sqlite3.Error: it cannot be written.
    """
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = sqlite3.connect(file, timeout=_BUSY_S, check_same_thread=False)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(f"{_TABLES} PRAGMA user_version = {VERSION};")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def read_bodies(file: Path) -> list[str]:
    """The messages as JSON, oldest first; none where there is no file.

    Raises:
        NewerSessionError: the file's version is not known here.
        SessionInUseError: another process has it.
        DamagedFileError: it cannot be read.
    """
    if not file.exists():
        return []
    try:
        with closing(sqlite3.connect(file, timeout=_BUSY_S)) as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise NewerSessionError(file.stem)
            if version == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                return []
            bodies = dict(connection.execute("SELECT id, body FROM messages"))
            order = connection.execute("SELECT value FROM state WHERE name = ?", (ORDER,)).fetchone()
            return [bodies[name] for name in json.loads(order[0])] if order else []
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode in _TAKEN:
            raise SessionInUseError(file.stem) from None
        raise DamagedFileError(str(error)) from error
    except (sqlite3.Error, ValueError, LookupError, TypeError) as error:
        raise DamagedFileError(str(error)) from error
