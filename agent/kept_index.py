"""The search index, kept beside the pages as Python keeps its bytecode, and built anew where they changed."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import tempfile
from contextlib import closing, suppress
from dataclasses import asdict, fields
from pathlib import Path

from .pages import DOCS, Section, page_files, sections
from .search_index import SearchIndex
from .search_tables import fill

_BUILT_BY = ("kept_index.py", "likeness.py", "pages.py", "search_tables.py", "stop_words.py", "thesaurus.py")
_WORDS = ("elsewhere.txt", "thesaurus.txt")
_TUPLES = tuple(field.name for field in fields(Section) if "tuple" in str(field.type))
_FILE = "search.sqlite"
_TABLE = "CREATE TABLE kept(key TEXT, sections TEXT)"


def kept_index(folder: Path = DOCS / "__pycache__") -> SearchIndex:
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
    made_of = [*page_files(), *(here / name for name in (*_BUILT_BY, *_WORDS))]
    stats = [(file.name, file.stat()) for file in made_of if file.exists()]
    listed = [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]
    return hashlib.sha256(repr((sqlite3.sqlite_version, listed)).encode()).hexdigest()


def _read(file: Path, key: str) -> SearchIndex | None:
    if not file.is_file():
        return None
    database = sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    kept = database.execute("SELECT sections FROM kept WHERE key = ?", [key]).fetchone()
    if kept is None:
        database.close()
        return None
    return SearchIndex(database, [_section(fields) for fields in json.loads(kept[0])])


def _section(given: dict[str, object]) -> Section:
    as_tuples = {name: _as_tuple(given[name]) for name in _TUPLES}
    return Section(**{**given, **as_tuples})  # type: ignore[arg-type]


def _as_tuple(given: object) -> object:
    return tuple(map(_as_tuple, given)) if isinstance(given, list) else given


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
            every = json.dumps([asdict(section) for section in index.sections])
            database.execute("INSERT INTO kept VALUES (?, ?)", [key, every])
            database.commit()
        Path(name).chmod(0o644)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)


if __name__ == "__main__":
    _keep(SearchIndex.of(sections()), DOCS / "__pycache__" / _FILE, _key())
