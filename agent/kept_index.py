"""The search index, kept beside the pages as Python keeps its bytecode, and built anew where they changed."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from ..hardware_db.kept import stamp
from .pages import KEPT, pages_as_they_are, sections
from .search_index import SearchIndex
from .search_tables import fill

_BUILT_BY = ("kept_index.py", "likeness.py", "search_tables.py", "stop_words.py", "thesaurus.py")
_WORDS = ("elsewhere.txt", "thesaurus.txt")
_FILE = "search.sqlite"
_TABLE = "CREATE TABLE kept(key TEXT)"


def kept_index(folder: Path = KEPT) -> SearchIndex:
    """Of the pages as they are: read from `folder`, else built and kept there where that can be written."""
    file, key = folder / _FILE, _key()
    with suppress(OSError, sqlite3.Error, ValueError, TypeError, KeyError):
        if (found := _read(file, key)) is not None:
            return found
    index = SearchIndex.of(sections())
    if not sys.dont_write_bytecode:
        with suppress(OSError, sqlite3.Error):
            _keep(index, file, key)
    return index


def _key() -> str:
    """Of names, sizes and times of all that the index is made of."""
    here = Path(__file__).parent
    made_of = stamp(here / name for name in (*_BUILT_BY, *_WORDS))
    return hashlib.sha256(f"{sqlite3.sqlite_version} {pages_as_they_are()} {made_of}".encode()).hexdigest()


def _read(file: Path, key: str) -> SearchIndex | None:
    if not file.is_file():
        return None
    database = sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    if database.execute("SELECT key FROM kept WHERE key = ?", [key]).fetchone() is None:
        database.close()
        return None
    return SearchIndex(database, sections())


def _keep(index: SearchIndex, file: Path, key: str) -> None:
    """Whole or not at all: another process may read meanwhile."""
    file.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix="search.", suffix=".new")
    os.close(handle)
    try:
        with closing(sqlite3.connect(name)) as database:
            database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            database.execute(_TABLE)
            fill(database, index.sections)
            database.execute("INSERT INTO kept VALUES (?)", [key])
            database.commit()
        Path(name).chmod(0o644)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)


if __name__ == "__main__":
    _keep(SearchIndex.of(sections()), KEPT / _FILE, _key())
