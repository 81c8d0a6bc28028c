"""The tables that sections of docs/ are found by: words, names, and the questions that they answer."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from . import likeness
from .pages import Section
from .patterns import compiled
from .stop_words import STOP_WORDS

COLUMNS = {"section": 5.0, "aliases": 5.0, "title": 3.0, "summary": 2.0, "text": 1.0, "asked": 1.0}
"""How much a word counts for bm25 by where it stands; questions of several words have their own table."""
_TOPIC_COLUMNS = 3
NONE = -1
"""Stands among the numbers of sections for what none of them answers: `elsewhere.txt`, a question a line."""
LONG_ENOUGH = 5
"""Letters of a word that may be misspelt, or of which a last s is an ending."""
_BRITISH = compiled(r"is(?=(?:e[drs]?|ing|ations?)\b)")
_STORED = "tokenize = 'porter unicode61', content = ''"
"""By stems, and without the text, which the sections hold."""
_TABLES = f"""
CREATE VIRTUAL TABLE pages USING fts5({", ".join(COLUMNS)}, {_STORED});
CREATE VIRTUAL TABLE asked USING fts5(words, {_STORED});
CREATE TABLE questions(number INTEGER PRIMARY KEY, section INTEGER, text TEXT);
CREATE TABLE names(one TEXT, section INTEGER, words TEXT);
CREATE INDEX by_one ON names(one);
CREATE TABLE topics(word TEXT PRIMARY KEY) WITHOUT ROWID;
"""
"""Names stand by one word of each."""

_INSERT = "INSERT INTO {} VALUES ({})"


def fill(database: sqlite3.Connection, sections: Sequence[Section]) -> None:
    """Makes the tables, of an empty database."""
    database.executescript(_TABLES + likeness.TABLES)
    rows = [_columns(section) for section in sections]
    topics = {word for row in rows for word in split(" ".join(row[:_TOPIC_COLUMNS]))}
    asked = [(number, text) for number, one in enumerate(sections) for text in _asked(one)]
    asked += [(NONE, text) for text in _asked_elsewhere()]
    names = [
        (min(name), at, " ".join(sorted(name))) for at, one in enumerate(sections) for name in _names(one)
    ]
    for table, found in (
        (f"pages(rowid, {', '.join(COLUMNS)})", [(number, *row) for number, row in enumerate(rows)]),
        ("asked(rowid, words)", [(number, text) for number, (_, text) in enumerate(asked)]),
        ("questions", [(number, *one) for number, one in enumerate(asked)]),
        ("names", names),
        ("topics", [(word,) for word in sorted(topics)]),
    ):
        places = ", ".join("?" * len(found[0])) if found else ""
        database.executemany(_INSERT.format(table, places), found)
    likeness.fill(database, asked)
    database.commit()


def _columns(section: Section) -> tuple[str, ...]:
    heading, title = (section.heading, section.title) if section.heading else (section.title, "")
    aliases = " ; ".join(section.aliases)
    asked = " ; ".join(one for one in section.questions if not _is_phrase(one))
    return tuple(map(spelt, (heading, aliases, title, section.summary, section.prose, asked)))


def _asked(section: Section) -> list[str]:
    """Its heading beside its title, what it is called, and what is asked of it: each for itself."""
    own = f"{section.title} {section.heading}"
    phrases = [text for text in (own, *section.aliases, *section.questions) if _is_phrase(text)]
    return spelt("\n".join(phrases)).split("\n")


def _asked_elsewhere() -> list[str]:
    text = Path(__file__).with_name("elsewhere.txt").read_text(encoding="utf-8")
    return [spelt(line) for line in text.splitlines() if line and not line.startswith("#")]


def _is_phrase(text: str) -> bool:
    """A word alone is like a question about anything that has it; the columns of its section hold it."""
    return " " in text


def _names(section: Section) -> list[frozenset[str]]:
    """The words of its heading, of each part of one such as "head, tail", and of each other name.

    Not of another name that small words belong to: what is left of such a phrase names something else.
    """
    heading = section.heading or section.title
    called = [heading, *re.split(r", | and ", heading), *(a for a in section.aliases if _is_name(a))]
    names = [frozenset(map(singular, _telling(name))) for name in called]
    return [name for name in names if name]


def _is_name(alias: str) -> bool:
    return len(_telling(alias)) == len(split(spelt(alias)))


def _telling(text: str) -> list[str]:
    return [word for word in split(spelt(text)) if word not in STOP_WORDS]


def singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > LONG_ENOUGH else word


_WORD = compiled(r"[a-z0-9]{2,}")


def split(text: str) -> list[str]:
    return _WORD.findall(text)


def spelt(text: str) -> str:
    """In lower case, and quantisation as quantization: the pages use either."""
    return _BRITISH.sub("iz", text.lower())
