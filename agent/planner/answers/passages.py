"""Sections of docs/ as answers: which may answer, and what is quoted of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from ...pages import Subject
from .own_data import COMPUTED
from .phrases import lines

if TYPE_CHECKING:
    from ...library import Passage

SURE, POSSIBLE = 0.2, 0.05
"""Chances of a section from which on it is said as the answer, and as the nearest there is.

By `python -m tests.evaluation.fit_pages` 137 of 150 questions reach the first; 9 in 10 of these are answered.
"""
APT = 0.5
"""The same where the question was taken for another one, of a model that it does not name."""
_LONGEST, _SHORTEST = 100, 15
"""Words of a page that are quoted at most, what is computed for it included, and at least."""


def search(
    words: str, limit: int, least: float = 0.0, meant: Sequence[Subject] = tuple(Subject)
) -> Sequence[Passage]:
    """Sections whose chance to answer is `least` or more."""
    from ...library import search_pages

    found = search_pages(words, limit=limit, meant=meant)
    return found if found and found[0].chance >= least else ()


def quoted(passage: Passage) -> str:
    """What is computed for it, its summary, and where it stands."""
    computed = COMPUTED[passage.computed]() if passage.computed else ""
    words = (passage.summary.strip() or passage.text).split()
    longest = _LONGEST - len(computed.split())
    text = " ".join(words[:longest]) + (" …" if len(words) > longest else "") if longest > _SHORTEST else ""
    return lines(computed, text, f"From {passage.place}.")


def shortened(passage: Passage, words: int) -> str:
    """Its first sentences, up to so many words, and where they stand."""
    sentences = re.split(r"(?<=[.!?]) ", passage.summary.strip() or passage.text)
    lengths = list(accumulate(len(each.split()) for each in sentences))
    kept = " ".join(each for each, total in zip(sentences, lengths, strict=True) if total <= words)
    return f"{kept} (from {passage.place})" if kept else ""
