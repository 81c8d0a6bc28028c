"""Sections in SQLite's full-text search, in memory, and what each word of a question tells."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from threading import Lock
from typing import NamedTuple

from .likeness import Likeness
from .pages import Section, Subject
from .stop_words import STOP_WORDS

TOPIC, OTHER = 4.0, 3.0
"""Most that a word weighs that some section is about, and any other word."""
IN_TEXT = 0.5
"""What a word in a section's text counts, beside one in its heading, its title or what people call it."""
_COLUMNS = {"section": 5.0, "aliases": 5.0, "title": 3.0, "summary": 2.0, "text": 1.0, "asked": 1.0}
"""How much a word counts for bm25 by where it stands; questions of several words have their own table."""
_STORED = "tokenize = 'porter unicode61', content = ''"
"""By stems, and without the text, which the sections hold."""
_NEAREST = 5
"""So many of the questions of a section count, each by its place: one alone may share a word by chance."""
_TOPIC_COLUMNS = 3
_ABOUT = "{section aliases title} : "
_SAID = "{section aliases title summary text} : "
_BRITISH = re.compile(r"is(?=(?:e[drs]?|ing|ations?)\b)")
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


class Signals(NamedTuple):
    """What speaks for a section, each in the same size for short and for long questions."""

    text: float = 0.0
    """Relevance of its text by bm25."""
    share: float = 0.0
    """Share of the question's words, by weight, that it speaks of."""
    asked: float = 0.0
    """How like the question those are that it is known to answer."""
    alike: float = 0.0
    """Words that the nearest of these shares with it, of those of both, squared: 1 is the same question."""
    named: float = 0.0
    """Share of the question that is nothing but what its heading names."""
    row: float = 0.0
    """1 of a row of the glossary: it is short, which bm25 takes for apt."""
    likeness: float = 0.0
    """How much likelier its questions say so than all do, by naive Bayes."""
    other_subject: float = 0.0
    """1 of a page on the field where the program is asked after, and the other way round."""


class SearchIndex:
    """One statement at a time, from any thread."""

    def __init__(self, sections: Iterable[Section]) -> None:
        self.sections = tuple(sections)
        self._lock = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        rows = [_columns(section) for section in self.sections]
        self._topics = frozenset(_split(" ".join(" ".join(row[:_TOPIC_COLUMNS]) for row in rows)))
        columns = ", ".join(_COLUMNS)
        self._database.execute(f"CREATE VIRTUAL TABLE pages USING fts5({columns}, {_STORED})")
        self._database.executemany(
            f"INSERT INTO pages(rowid, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            [(number, *row) for number, row in enumerate(rows)],
        )
        self.asked = [(number, text) for number, one in enumerate(self.sections) for text in _asked(one)]
        """Number of a section, and a question that it answers."""
        self._asked_words = [frozenset(_split(text)) for _, text in self.asked]
        self._likeness = Likeness(self.asked)
        self._names = defaultdict[str, list[tuple[int, frozenset[str]]]](list)
        """By one word of each name: the section's number, and all its words."""
        for number, section in enumerate(self.sections):
            for name in _names(section):
                self._names[min(name)].append((number, name))
        self._database.execute(f"CREATE VIRTUAL TABLE asked USING fts5(text, {_STORED})")
        self._database.executemany(
            "INSERT INTO asked(rowid, text) VALUES (?, ?)", enumerate(text for _, text in self.asked)
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

    def signals(
        self, question: str, meant: Collection[Subject] = (), *, but: int | None = None
    ) -> dict[int, Signals]:
        """What speaks for each section that anything speaks for.

        Args:
            but: number in `asked` of a question to leave out, for a fit that predicts it by the others.
        """
        words, said = self.words(question), dict.fromkeys(_split(_spelt(question)))
        size, weight = math.sqrt(len(said) or 1), sum(word.weight for word in words) or 1.0
        text, named, shares = self._having_any(words), self._named_in(words), _weights(words)
        asked, alike = self._near_asked(said, but)
        likeness = self._likeness.of(_spelt(question), but=but)
        return {
            number: Signals(
                text.get(number, 0.0) / size,
                shares.get(number, 0.0) / weight,
                asked.get(number, 0.0) / size,
                alike.get(number, 0.0) ** 2,
                named.get(number, 0.0) / weight,
                float(self.sections[number].is_row),
                likeness.get(number, 0.0),
                float(bool(meant) and not self.sections[number].subjects & set(meant)),
            )
            for number in text.keys() | asked.keys()
        }

    def _having_any(self, words: list[Word]) -> dict[int, float]:
        """Sections with any of the words, each with its relevance by bm25."""
        weights = ", ".join(map(str, _COLUMNS.values()))
        query = " OR ".join(f'"{word.text}"' for word in words)
        return dict(self._rows(query, f"-bm25(pages, {weights})")) if words else {}

    def _near_asked(
        self, said: Collection[str], but: int | None
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Sections by the nearest of the questions that each answers: bm25 over place, small words too.

        And by how much the one that is most alike shares with it.
        """
        query, near = " OR ".join(f'"{word}"' for word in said), defaultdict[int, list[float]](list)
        alike, words = defaultdict[int, float](float), frozenset(said)
        for row, rank in self._rows(query, "-bm25(asked)", "asked") if query else ():
            if row != but:
                section, here = self.asked[row][0], self._asked_words[row]
                near[section].append(rank)
                both = len(words & here)
                if both > alike[section] * (len(words) + len(here) - both):
                    alike[section] = both / (len(words) + len(here) - both)
        return {
            section: sum(rank / place for place, rank in enumerate(sorted(ranks)[: -_NEAREST - 1 : -1], 1))
            for section, ranks in near.items()
        }, alike

    def _named_in(self, words: list[Word]) -> dict[int, float]:
        """Sections whose heading or other name stands whole in the question: the weight of its words."""
        weights = {_singular(word.text): word.weight for word in words}
        found = defaultdict[int, float](float)
        for word in weights:
            for number, name in self._names.get(word, ()):
                if name <= weights.keys():
                    found[number] = max(found[number], sum(weights[one] for one in name))
        return found

    def _word(self, text: str) -> Word:
        found = self._with(text)
        if not found and len(text) >= _LONG_ENOUGH:
            alike = [topic for topic in self._topics if topic[:2] == text[:2]]
            text = next(iter(get_close_matches(text, alike, 1, _MISSPELT)), text)
            found = self._with(text)
        topic_of = self._with(text, _ABOUT)
        rarity = math.log((len(self.sections) + 1) / (len(found) + 0.5))
        return Word(text, topic_of, found, min(rarity, TOPIC if topic_of else OTHER))

    def _with(self, word: str, where: str = _SAID) -> frozenset[int]:
        return frozenset(number for number, _ in self._rows(f'{where}"{word}"', "0"))

    def _rows(self, query: str, value: str, table: str = "pages") -> list[tuple[int, float]]:
        statement = f"SELECT rowid, {value} FROM {table} WHERE {table} MATCH ?"  # noqa: S608
        with self._lock:
            return self._database.execute(statement, [query]).fetchall()


def _weights(words: Iterable[Word]) -> dict[int, float]:
    """Of each section that speaks of any of the words, what they weigh in it together."""
    found = defaultdict[int, float](float)
    for word in words:
        for section in word.topic_of | word.found_in:
            found[section] += word.weight_in(section)
    return found


def _columns(section: Section) -> tuple[str, ...]:
    heading, title = (section.heading, section.title) if section.heading else (section.title, "")
    aliases = " ; ".join(section.aliases)
    asked = " ; ".join(one for one in section.questions if not _is_phrase(one))
    return tuple(map(_spelt, (heading, aliases, title, section.summary, section.prose, asked)))


def _asked(section: Section) -> list[str]:
    """Its heading beside its title, what it is called, and what is asked of it: each for itself."""
    own = f"{section.title} {section.heading}"
    phrases = [text for text in (own, *section.aliases, *section.questions) if _is_phrase(text)]
    return _spelt("\n".join(phrases)).split("\n")


def _is_phrase(text: str) -> bool:
    """A word alone is like a question about anything that has it; the columns of its section hold it."""
    return " " in text


def _names(section: Section) -> list[frozenset[str]]:
    """The words of its heading, of each part of one such as "head, tail", and of each other name.

    Not of another name that small words belong to: what is left of such a phrase names something else.
    """
    heading = section.heading or section.title
    called = [heading, *re.split(r", | and ", heading), *(a for a in section.aliases if _is_name(a))]
    names = [frozenset(map(_singular, _telling(name))) for name in called]
    return [name for name in names if name]


def _is_name(alias: str) -> bool:
    return len(_telling(alias)) == len(_split(_spelt(alias)))


def _telling(text: str) -> list[str]:
    return [word for word in _split(_spelt(text)) if word not in STOP_WORDS]


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > _LONG_ENOUGH else word


def _split(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]{2,}", text)


def _spelt(text: str) -> str:
    """In lower case, and quantisation as quantization: the pages use either."""
    return _BRITISH.sub("iz", text.lower())
