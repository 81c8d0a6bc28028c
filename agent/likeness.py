"""How likely the questions of a section are to be put in such words: naive Bayes over what they say."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from .thesaurus import senses, stem

_PRIOR = 30.0
"""So many words as all sections have them stand beside those of each."""
_RARE = 5.0
"""Logarithm of how rare a word is from which on it counts whole."""


class Likeness:
    """Of questions by section: stems, pairs of them, and the senses that words have."""

    def __init__(self, asked: Iterable[tuple[int, str]]) -> None:
        self._rows = [(section, Counter(_said(text))) for section, text in asked]
        self._counts: dict[str, Counter[int]] = defaultdict(Counter)
        self._sizes, rows = Counter[int](), Counter[str]()
        for section, said in self._rows:
            rows.update(said.keys())
            self._sizes[section] += said.total()
            for each, count in said.items():
                self._counts[each][section] += count
        self._total = self._sizes.total() or 1
        most = math.log(len(self._rows) + 1)
        self._weight = {each: min((most - math.log(n + 0.5)) / _RARE, 1.0) for each, n in rows.items()}

    def of(self, question: str, *, but: int | None = None) -> dict[int, float]:
        """How much likelier the questions of each section say so than all do: logarithm over √ of its length.

        Args:
            but: place of a question that is left out.
        """
        left_out, less = self._rows[but] if but is not None else (-1, Counter[str]())
        said = [each for each in dict.fromkeys(_said(question)) if self._counts[each].total() > less[each]]
        weight = sum(self._weight[each] for each in said)
        found = {
            section: -weight * math.log1p((size - (less.total() if section == left_out else 0)) / _PRIOR)
            for section, size in self._sizes.items()
        }
        for each in said:
            share = _PRIOR * (self._counts[each].total() - less[each]) / self._total
            for section, count in self._counts[each].items():
                known = count - (less[each] if section == left_out else 0)
                found[section] += self._weight[each] * math.log1p(known / share)
        return {section: value / math.sqrt(len(said) or 1) for section, value in found.items()}


def _said(text: str) -> Iterator[str]:
    words: Sequence[str] = re.findall(r"[a-z0-9]{2,}", text.casefold())
    stems = [stem(word) for word in words]
    yield from stems
    yield from (f"{one} {other}" for one, other in pairwise(stems))
    yield from (f"={sense}" for _, sense in senses(words))
