"""Ordinary words of the trade that are misspelt by one letter or two that changed places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from .intent_model import intent_model
from .word_classes import class_words

_WORD = re.compile(r"(?<![\w./-])[A-Za-z]{4,}(?![\w./-]*\w)")
_SHORT = 5
"""Shorter words are mended only where two letters changed places."""
_MORE = frozenset(
    ("batch", "thread", "threads", "input", "width", "milliseconds", "second", "model", "does", "will")
)


def mended(question: str) -> str:
    """The question with such words put right where there is one way to."""
    return _WORD.sub(lambda match: _mended(match[0]), question)


@cache
def _mended(word: str) -> str:
    small = word.casefold()
    known, meant = _vocabulary()
    if small in known or not word.islower():
        return word
    swapped = {other for other in _swaps(small) if other in meant}
    near = swapped or (
        {other for other in meant if _one_off(small, other)} if len(small) >= _SHORT else set()
    )
    return near.pop() if len(near) == 1 else word


@cache
def _vocabulary() -> tuple[frozenset[str], frozenset[str]]:
    """Words that questions use, and those of the trade."""
    meant = frozenset(word for word in class_words() if len(word) >= 4) | _MORE
    return frozenset(intent_model().features) | meant, meant


def _swaps(word: str) -> Iterator[str]:
    yield from (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))


def _one_off(one: str, other: str) -> bool:
    """One letter more, less or another, not the first."""
    if one[0] != other[0] or abs(len(one) - len(other)) > 1:
        return False
    short, long = sorted((one, other), key=len)
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
