"""How likely the questions of a section are to be put in such words: naive Bayes over what they say."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from .thesaurus import senses, stem

TABLES = """
CREATE TABLE said(words TEXT, section INTEGER, count INTEGER, PRIMARY KEY (words, section)) WITHOUT ROWID;
CREATE TABLE rarity(words TEXT PRIMARY KEY, total INTEGER, weight REAL) WITHOUT ROWID;
CREATE TABLE sizes(section INTEGER PRIMARY KEY, size INTEGER);
"""
"""What questions say: stems, pairs of them, and the senses that words have."""
_HAVING = "SELECT * FROM {} WHERE words IN ({})"
_PRIOR = 30.0
"""So many words as all sections have them stand beside those of each."""
_RARE = 5.0
"""Logarithm of how rare a word is from which on it counts whole."""


def fill(database: sqlite3.Connection, asked: Sequence[tuple[int, str]]) -> None:
    """Counts what the questions say, each with its section, into TABLES."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    sizes, rows = Counter[int](), Counter[str]()
    for section, text in asked:
        said = [*_said(text)]
        sizes[section] += len(said)
        rows.update(dict.fromkeys(said, 1))
        for each in said:
            counts[each][section] += 1
    most = math.log(len(asked) + 1)
    database.executemany(
        "INSERT INTO said VALUES (?, ?, ?)",
        ((each, section, count) for each, found in counts.items() for section, count in found.items()),
    )
    database.executemany(
        "INSERT INTO rarity VALUES (?, ?, ?)",
        (
            (each, counts[each].total(), min((most - math.log(n + 0.5)) / _RARE, 1.0))
            for each, n in rows.items()
        ),
    )
    database.executemany("INSERT INTO sizes VALUES (?, ?)", sizes.items())


class Likeness:
    """Of questions by section: `rows` are what a statement finds in a database with TABLES."""

    def __init__(self, rows: Callable[..., Iterable[tuple[Any, ...]]]) -> None:
        self._rows = rows
        self._sizes: dict[int, int] = dict(rows("SELECT section, size FROM sizes"))
        self._total = sum(self._sizes.values()) or 1
        self._unsaid = {section: math.log1p(size / _PRIOR) for section, size in self._sizes.items()}
        """What a word that a section's questions do not say counts against it."""

    def of(self, question: str, *, but: tuple[int, str] | None = None) -> dict[int, float]:
        """How much likelier the questions of each section say so than all do: logarithm over √ of its length.

        Args:
            but: section and words of a question that is left out.
        """
        left_out, less = (but[0], Counter(_said(but[1]))) if but else (-1, Counter[str]())
        asked = [*dict.fromkeys(_said(question))]
        known = {
            each: (total, weight)
            for each, total, weight in self._having(asked, "rarity")
            if total > less[each]
        }
        said = [each for each in asked if each in known]
        summed = sum(known[each][1] for each in said)
        found = {section: -summed * unsaid for section, unsaid in self._unsaid.items()}
        if left_out in found:
            found[left_out] = -summed * math.log1p((self._sizes[left_out] - less.total()) / _PRIOR)
        shares = {each: _PRIOR * (total - less[each]) / self._total for each, (total, _) in known.items()}
        for each, section, count in self._having(said, "said"):
            others = count - less[each] if section == left_out else count
            found[section] += known[each][1] * math.log1p(others / shares[each])
        length = math.sqrt(len(said) or 1)
        return {section: value / length for section, value in found.items()}

    def _having(self, said: Sequence[str], table: str) -> Iterable[tuple[Any, ...]]:
        places = ", ".join("?" * len(said))
        return self._rows(_HAVING.format(table, places), *said)


def _said(text: str) -> Iterator[str]:
    words: Sequence[str] = re.findall(r"[a-z0-9]{2,}", text.casefold())
    stems = [stem(word) for word in words]
    yield from stems
    yield from (f"{one} {other}" for one, other in pairwise(stems))
    yield from (f"={sense}" for _, sense in senses(words))
