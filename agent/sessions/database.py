"""The log of a session in SQLite: one table of events that only grows. Needs no LLM library."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

VERSION = 1
"""Of the table, in SQLite's user_version."""
_TABLE = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL
)"""
_APPEND = "INSERT INTO events (time, kind, data) VALUES (?, ?, ?)"
_READ = "SELECT seq, time, kind, data FROM events ORDER BY seq"
_LATEST = "SELECT time FROM events WHERE time != '' ORDER BY seq DESC LIMIT 1"


class Entry(NamedTuple):
    """An event: when (ISO 8601), what kind, and a JSON object with the rest."""

    time: str
    kind: str
    data: str


class Log(NamedTuple):
    """What a file holds. `newer`: a later version of this product wrote it. `damaged`: events are missing."""

    entries: list[Entry]
    newer: bool
    damaged: bool


class NoLogError(Exception):
    """The file is no database, or not one of ours."""


class LogWriter:
    """Appends to a file that only its owner can read, written ahead: a crash leaves whole events only."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened: os.stat_result | None = None
        self._connection: sqlite3.Connection | None = None

    def append(self, entries: Iterable[Entry]) -> None:
        """All of them or none.

        Raises:
            OSError: they cannot be written.
        """
        try:
            connection = self._connected()
            with connection:
                connection.executemany(_APPEND, entries)
        except sqlite3.Error as error:
            self.close()
            raise OSError(str(error)) from error

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        """Opened again where the file was moved or removed since: SQLite would not notice."""
        if self._connection is None or not self._in_place():
            self.close()
            os.close(os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600))
            self._connection = sqlite3.connect(self._file, check_same_thread=False)
            weakref.finalize(self, self._connection.close)
            # A file that holds nothing yet is not worth waiting for the disk.
            empty = self._file.stat().st_size == 0
            self._connection.execute(f"PRAGMA synchronous = {'OFF' if empty else 'NORMAL'}")
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(f"{_TABLE}; PRAGMA user_version = {VERSION};")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._opened = self._file.stat()
        return self._connection

    def _in_place(self) -> bool:
        with suppress(OSError):
            return self._opened is not None and os.path.samestat(self._opened, self._file.stat())
        return False


def write_log(file: Path, entries: Iterable[Entry]) -> None:
    """A file with these events, or none at all where that fails.

    Raises:
        OSError: it cannot be written.
    """
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    writer = LogWriter(part)
    try:
        writer.append(entries)
        writer.close()
        file.with_name(f"{file.name}-wal").unlink(missing_ok=True)  # of the file that goes
        part.replace(file)
    finally:
        writer.close()
        part.unlink(missing_ok=True)


def read_log(file: Path) -> Log:
    """What can be read of it; nothing of a file that is about to be made.

    Raises:
        NoLogError: the file holds no log, or none of it can be read.
        OSError: it cannot be opened.
    """
    file.open("rb").close()
    try:
        with closing(_reading(file)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            if not tables:
                return Log([], newer=False, damaged=False)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            entries, damaged = _entries(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter where its own tables are damaged
        raise NoLogError(str(error)) from error
    return Log(entries, version > VERSION, damaged)


def check_log(file: Path) -> str:
    """What SQLite finds wrong with a log that it can read; empty where nothing is."""
    with suppress(sqlite3.Error), closing(_reading(file)) as connection:
        said = [text for (text,) in connection.execute("PRAGMA integrity_check(1)")]
        return "" if said == ["ok"] else " ".join(said)
    return "it cannot be checked"


def latest_time(file: Path) -> str | None:
    """When the last event was written; None where that cannot be read."""
    with suppress(sqlite3.Error), closing(_reading(file)) as connection:
        latest = connection.execute(_LATEST).fetchone()
        return latest[0] if latest else None
    return None


def _reading(file: Path) -> sqlite3.Connection:
    """Changes nothing. A log that nobody has open is read as it lies, as its folder may be read-only."""
    as_it_lies = "" if file.with_name(f"{file.name}-wal").exists() else "&immutable=1"
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro{as_it_lies}", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _entries(connection: sqlite3.Connection) -> tuple[list[Entry], bool]:
    """The events, and whether some are lost: then those before and behind the damage."""
    found: dict[int, Entry] = {}
    try:
        found.update((seq, Entry(*rest)) for seq, *rest in connection.execute(_READ))
    except sqlite3.DatabaseError:
        with suppress(sqlite3.DatabaseError):
            found.update((seq, Entry(*rest)) for seq, *rest in connection.execute(f"{_READ} DESC"))
        if not found:
            raise
        return [found[seq] for seq in sorted(found)], True
    return list(found.values()), False
