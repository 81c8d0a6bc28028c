"""Sections in SQLite's full-text search, and what each word of a question tells."""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from threading import Lock
from typing import Any, NamedTuple

from ..tools.core.records import dataclass
from .likeness import Likeness
from .pages import Section, Subject
from .search_tables import COLUMNS, LONG_ENOUGH, NONE, fill, singular, spelt, split
from .stop_words import STOP_WORDS

TOPIC, OTHER = 4.0, 3.0
"""Most that a word weighs that some section is about, and any other word."""
IN_TEXT = 0.5
"""What a word in a section's text counts, beside one in its heading, its title or what people call it."""
_PAGES = "SELECT rowid, {} FROM pages WHERE pages MATCH ?"
_NEAR = "SELECT rowid, -bm25(asked) FROM asked WHERE asked MATCH ?"
_NAMES = "SELECT section, words FROM names WHERE one IN ({})"
_NEAREST = 5
"""So many of the questions of a section count, each by its place: one alone may share a word by chance."""
_ABOUT = "{section aliases title} : "
_SAID = "{section aliases title summary text} : "
_MISSPELT = 0.85
_WORDS_KEPT = 4096


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


class Strangeness(NamedTuple):
    """What speaks for no section."""

    always: float = 1.0
    unknown: float = 0.0
    """Share of the question's words, by weight, that no section has."""
    besides: float = 0.0
    """Share of them that none is about."""
    brief: float = 0.0
    """1 / √ of its words."""
    of_a_subject: float = 0.0
    """1 where it is known whether the field or the program is asked after."""
    asked: float = 0.0
    """How like it those questions are that no section answers; `alike`, `likeness` as a section has them."""
    alike: float = 0.0
    likeness: float = 0.0


class SearchIndex:
    """Over a database that `search_tables.fill` filled; one statement at a time, from any thread."""

    def __init__(self, database: sqlite3.Connection, sections: Sequence[Section]) -> None:
        self.sections = sections
        self._lock = Lock()
        self._database = database
        self._likeness = Likeness(self._rows)
        self._split = dict[int, frozenset[str]]()
        self._word = lru_cache(_WORDS_KEPT)(self._looked_up)
        self._of_another_subject = lru_cache(self._every_other_subject)
        self._topics = frozenset(word for (word,) in self._rows("SELECT word FROM topics"))

    @classmethod
    def of(cls, sections: Sequence[Section]) -> SearchIndex:
        """In memory, of these sections."""
        database = sqlite3.connect(":memory:", check_same_thread=False)
        fill(database, sections)
        return cls(database, sections)

    @cached_property
    def asked(self) -> list[tuple[int, str]]:
        """Number of a section, or NONE, and a question that it answers."""
        return self._rows("SELECT section, text FROM questions ORDER BY number")

    @cached_property
    def _is_row(self) -> list[float]:
        return [float(section.is_row) for section in self.sections]

    def _every_other_subject(self, meant: frozenset[Subject]) -> list[float]:
        """Of each section, 1 where it is about none of these."""
        return [float(bool(meant) and meant.isdisjoint(section.subjects)) for section in self.sections]

    def words(self, question: str) -> list[Word]:
        """The words of a question that say what it is about: no figure, unless a section is about it."""
        wanted = dict.fromkeys(split(spelt(question)))
        return [
            self._word(text)
            for text in wanted
            if text not in STOP_WORDS
            and (not text[0].isdigit() or text in self._topics)
            and not text.isdigit()
        ]

    def signals(
        self, question: str, meant: Collection[Subject] = (), *, but: int | None = None
    ) -> tuple[dict[int, Signals], Strangeness]:
        """What speaks for each section that anything speaks for, and for none.

        Args:
            but: number in `asked` of a question to leave out, for a fit that predicts it by the others.
        """
        words, said = self.words(question), dict.fromkeys(split(spelt(question)))
        size, weight = math.sqrt(len(said) or 1), sum(word.weight for word in words) or 1.0
        text, named, shares = self._having_any(words), self._named_in(words), _weights(words)
        asked, alike = self._near_asked(said, but)
        likeness = self._likeness.of(spelt(question), but=None if but is None else self.asked[but])
        of_them = frozenset(meant)
        rows, others = self._is_row, self._of_another_subject(of_them)
        found = {
            number: Signals(
                text.get(number, 0.0) / size,
                shares.get(number, 0.0) / weight,
                asked.get(number, 0.0) / size,
                alike.get(number, 0.0) ** 2,
                named.get(number, 0.0) / weight,
                rows[number],
                likeness.get(number, 0.0),
                others[number],
            )
            for number in (text.keys() | asked.keys()) - {NONE}
        }
        return found, Strangeness(
            unknown=sum(word.weight for word in words if not word.found_in) / weight,
            besides=sum(word.weight for word in words if not word.topic_of) / weight,
            brief=1 / size,
            of_a_subject=float(0 < len(of_them) < len(Subject)),
            asked=asked.get(NONE, 0.0) / size,
            alike=alike.get(NONE, 0.0) ** 2,
            likeness=likeness.get(NONE, 0.0),
        )

    def _having_any(self, words: list[Word]) -> dict[int, float]:
        """Sections with any of the words, each with its relevance by bm25."""
        weights = ", ".join(map(str, COLUMNS.values()))
        query = " OR ".join(f'"{word.text}"' for word in words)
        return dict(self._rows(_PAGES.format(f"-bm25(pages, {weights})"), query)) if words else {}

    def _near_asked(
        self, said: Collection[str], but: int | None
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Sections by the nearest of the questions that each answers: bm25 over place, small words too.

        And by how much the one that is most alike shares with it.
        """
        query, near = " OR ".join(f'"{word}"' for word in said), defaultdict[int, list[float]](list)
        alike, words, known = defaultdict[int, float](float), frozenset(said), self._split
        for row, rank in self._rows(_NEAR, query) if query else ():
            if row == but:
                continue
            section, text = self.asked[row]
            near[section].append(rank)
            if (here := known.get(row)) is None:
                here = known[row] = frozenset(split(text))
            both = len(words & here)
            if both > alike[section] * (every := len(words) + len(here) - both):
                alike[section] = both / every
        return {
            section: sum(rank / place for place, rank in enumerate(sorted(ranks)[: -_NEAREST - 1 : -1], 1))
            for section, ranks in near.items()
        }, alike

    def _named_in(self, words: list[Word]) -> dict[int, float]:
        """Sections whose heading or other name stands whole in the question: the weight of its words."""
        weights = {singular(word.text): word.weight for word in words}
        found = defaultdict[int, float](float)
        for number, name in self._rows(_NAMES.format(", ".join("?" * len(weights))), *weights):
            if weights.keys() >= {*name.split()}:
                found[number] = max(found[number], sum(weights[one] for one in name.split()))
        return found

    def _looked_up(self, text: str) -> Word:
        found = self._with(text)
        if not found and len(text) >= LONG_ENOUGH:
            alike = [topic for topic in self._topics if topic[:2] == text[:2]]
            text = next(iter(get_close_matches(text, alike, 1, _MISSPELT)), text)
            found = self._with(text)
        topic_of = self._with(text, _ABOUT)
        rarity = math.log((len(self.sections) + 1) / (len(found) + 0.5))
        return Word(text, topic_of, found, min(rarity, TOPIC if topic_of else OTHER))

    def _with(self, word: str, where: str = _SAID) -> frozenset[int]:
        return frozenset(number for number, _ in self._rows(_PAGES.format("0"), f'{where}"{word}"'))

    def _rows(self, statement: str, *values: str) -> list[Any]:
        with self._lock:
            return self._database.execute(statement, values).fetchall()


def _weights(words: Iterable[Word]) -> dict[int, float]:
    """Of each section that speaks of any of the words, what they weigh in it together."""
    found = defaultdict[int, float](float)
    for word in words:
        for section in word.topic_of | word.found_in:
            found[section] += word.weight_in(section)
    return found
