"""The pages of docs/ that explain, found by what they say: an index in memory, a section a passage."""

from __future__ import annotations

import math
import re
import sqlite3
from difflib import get_close_matches
from functools import cache, cached_property
from threading import Lock
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from .pages import Section, sections
from .stop_words import STOP_WORDS

ENOUGH = 0.5
"""Least share of a question, by weight of its words, that a passage must speak of to be an answer."""
_WEIGHTS = {"section": 5.0, "aliases": 5.0, "title": 3.0, "summary": 2.0, "text": 1.0}
"""How much a word counts by where it stands, for bm25."""
_OF_A_ROW = 0.5
"""What a row of the glossary counts: it is short, which bm25 takes for apt."""
_MISSPELT = 0.82
_LONG_ENOUGH_TO_MISSPELL = 5


class Passage(BaseModel):
    """A section of a page; `summary` answers alone, `score` is the share of the question it speaks of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: str
    """Its file in docs/, such as `concepts/roofline.md`."""
    title: str
    section: str
    summary: str
    text: str
    sources: tuple[str, ...]
    """Addresses that the section cites."""
    score: float


def search_pages(question: str, limit: int = 3) -> tuple[Passage, ...]:
    """Sections that speak of what a question asks, the best first; none where the pages do not."""
    index = _index()
    words = index.words(question)
    weight = sum(word.weight for word in words)
    if not weight:
        return ()
    found = []
    for number in index.ranked(words):
        score = sum(word.weight for word in words if number in word.found) / weight
        if score >= ENOUGH:
            found.append((number, score))
    return tuple(_passage(index.sections[number], score) for number, score in found[:limit])


def _passage(section: Section, score: float) -> Passage:
    return Passage(
        page=section.page, title=section.title, section=section.heading, summary=section.summary,
        text=section.text, sources=section.sources, score=round(score, 3),
    )  # fmt: skip


class _Word(NamedTuple):
    """A word of a question, the numbers of the sections that have it, and how much it tells."""

    text: str
    found: frozenset[int]
    weight: float


class _Index:
    """SQLite's full-text search over all sections; one statement at a time."""

    def __init__(self) -> None:
        self.sections = tuple(sections())
        self._lock = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        columns = ", ".join(_WEIGHTS)
        self._database.execute(
            f"CREATE VIRTUAL TABLE sections USING fts5({columns}, tokenize = 'porter unicode61')"
        )
        self._database.executemany(
            f"INSERT INTO sections(rowid, {columns}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608
            [(number, *_columns(section)) for number, section in enumerate(self.sections)],
        )

    @cached_property
    def _known(self) -> frozenset[str]:
        """Every word of the pages."""
        return frozenset(_split(" ".join(" ".join(_columns(section)) for section in self.sections)))

    def words(self, question: str) -> list[_Word]:
        """The words of a question that say what it is about; what no page has weighs most."""
        wanted = dict.fromkeys(_split(_spelt(question)))
        return [self._word(text) for text in wanted if text not in STOP_WORDS and self._may_tell(text)]

    def _may_tell(self, text: str) -> bool:
        """Not a figure, nor one with a unit that no page has."""
        return not text.isdigit() and (not text[0].isdigit() or text in self._known)

    def ranked(self, words: list[_Word]) -> list[int]:
        """Numbers of the sections with any of the words, by bm25."""
        weights = ", ".join(map(str, _WEIGHTS.values()))
        found = self._rows(" OR ".join(f'"{word.text}"' for word in words), f"-bm25(sections, {weights})")
        return [number for number, _ in sorted(found, key=self._relevance, reverse=True)]

    def _relevance(self, row: tuple[int, float]) -> float:
        number, by_words = row
        return by_words * (_OF_A_ROW if self.sections[number].is_row else 1)

    def _word(self, text: str) -> _Word:
        found = self._with(text)
        if not found and len(text) >= _LONG_ENOUGH_TO_MISSPELL:
            alike = [word for word in self._known if word[0] == text[0]]
            text = next(iter(get_close_matches(text, alike, 1, _MISSPELT)), text)
            found = self._with(text)
        return _Word(text, found, math.log((len(self.sections) + 1) / (len(found) + 0.5)))

    def _with(self, word: str) -> frozenset[int]:
        return frozenset(number for number, _ in self._rows(f'"{word}"', "0"))

    def _rows(self, query: str, value: str) -> list[tuple[int, float]]:
        statement = f"SELECT rowid, {value} FROM sections WHERE sections MATCH ?"  # noqa: S608
        with self._lock:
            return self._database.execute(statement, [query]).fetchall()


@cache
def _index() -> _Index:
    return _Index()


def _columns(section: Section) -> tuple[str, ...]:
    heading, aliases = section.heading or section.title, " ; ".join(section.aliases)
    return tuple(map(_spelt, (heading, aliases, section.title, section.summary, section.text)))


def _split(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]{2,}", text)


def _spelt(text: str) -> str:
    """In lower case, and quantisation as quantization: the pages use either."""
    return re.sub(r"is(?=(?:e[drs]?|ing|ations?)\b)", "iz", text.lower())
