"""Sections in SQLite's full-text search, in memory, and what each word of a question tells."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from threading import Lock

from .pages import Section
from .stop_words import STOP_WORDS

TOPIC, OTHER = 4.0, 3.0
"""Most that a word weighs that some section is about, and any other word."""
IN_TEXT = 0.5
"""What a word in a section's text counts, beside one in its heading, its title or what people call it."""
OF_A_ROW = 0.5
"""What a row of the glossary counts: it is short, which bm25 takes for apt."""
_COLUMNS = {"section": 5.0, "aliases": 5.0, "title": 3.0, "summary": 2.0, "text": 1.0}
"""How much a word counts for bm25 by where it stands."""
_TOPIC_COLUMNS = 3
_ABOUT = "{section aliases title} : "
_MISSPELT, _LONG_ENOUGH = 0.85, 5


@dataclass(frozen=True)
class Word:
    """A word of a question: numbers of the sections about it, of those that have it, and its weight."""

    text: str
    topic_of: frozenset[int]
    found_in: frozenset[int]
    weight: float

    def weight_in(self, section: int) -> float:
        return self.weight * (1 if section in self.topic_of else IN_TEXT if section in self.found_in else 0)


class SearchIndex:
    """One statement at a time, from any thread."""

    def __init__(self, sections: Iterable[Section]) -> None:
        self.sections = tuple(sections)
        self._lock = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        rows = [_columns(section) for section in self.sections]
        self._topics = frozenset(_split(" ".join(" ".join(row[:_TOPIC_COLUMNS]) for row in rows)))
        columns = ", ".join(_COLUMNS)
        self._database.execute(
            f"CREATE VIRTUAL TABLE pages USING fts5({columns}, tokenize = 'porter unicode61')"
        )
        self._database.executemany(
            f"INSERT INTO pages(rowid, {columns}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608
            [(number, *row) for number, row in enumerate(rows)],
        )

    def words(self, question: str) -> list[Word]:
        """The words of a question that say what it is about: no figure, unless a section is about it."""
        wanted = dict.fromkeys(_split(_spelt(question)))
        return [
            self._word(text)
            for text in wanted
            if text not in STOP_WORDS
            and (not text[0].isdigit() or text in self._topics)
            and not text.isdigit()
        ]

    def having_any(self, words: list[Word]) -> list[tuple[int, float]]:
        """Sections with any of the words, each with its relevance by bm25."""
        if not words:
            return []
        weights = ", ".join(map(str, _COLUMNS.values()))
        found = self._rows(" OR ".join(f'"{word.text}"' for word in words), f"-bm25(pages, {weights})")
        return [(number, rank * (OF_A_ROW if self.sections[number].is_row else 1)) for number, rank in found]

    def _word(self, text: str) -> Word:
        found = self._with(text)
        if not found and len(text) >= _LONG_ENOUGH:
            alike = [topic for topic in self._topics if topic[:2] == text[:2]]
            text = next(iter(get_close_matches(text, alike, 1, _MISSPELT)), text)
            found = self._with(text)
        topic_of = self._with(text, _ABOUT)
        rarity = math.log((len(self.sections) + 1) / (len(found) + 0.5))
        return Word(text, topic_of, found, min(rarity, TOPIC if topic_of else OTHER))

    def _with(self, word: str, where: str = "") -> frozenset[int]:
        return frozenset(number for number, _ in self._rows(f'{where}"{word}"', "0"))

    def _rows(self, query: str, value: str) -> list[tuple[int, float]]:
        statement = f"SELECT rowid, {value} FROM pages WHERE pages MATCH ?"  # noqa: S608
        with self._lock:
            return self._database.execute(statement, [query]).fetchall()


def _columns(section: Section) -> tuple[str, ...]:
    heading, title = (section.heading, section.title) if section.heading else (section.title, "")
    return tuple(map(_spelt, (heading, " ; ".join(section.aliases), title, section.summary, section.prose)))


def _split(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]{2,}", text)


def _spelt(text: str) -> str:
    """In lower case, and quantisation as quantization: the pages use either."""
    return re.sub(r"is(?=(?:e[drs]?|ing|ations?)\b)", "iz", text.lower())
