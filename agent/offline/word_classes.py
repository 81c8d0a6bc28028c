"""Classes of words that mean much the same to an engineer who asks."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("word_classes.txt")
_ENTRY = re.compile(r"^(\w+): ((?:.|\n )*)", re.MULTILINE)
_SHORTEST_STEM = 2


@cache
def classes_of(word: str) -> tuple[str, ...]:
    """The classes that a word belongs to."""
    exact, stems = _tables()
    found = list(exact.get(word, ()))
    for length in range(_SHORTEST_STEM, len(word) + 1):
        found += stems.get(word[:length], ())
    return tuple(dict.fromkeys(found))


def class_words() -> frozenset[str]:
    """Every whole word of a class."""
    return frozenset(_tables()[0])


@cache
def _tables() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    exact: dict[str, list[str]] = {}
    stems: dict[str, list[str]] = {}
    for name, words in _ENTRY.findall(_FILE.read_text(encoding="utf-8")):
        for word in words.split():
            table, key = (stems, word[:-1]) if word.endswith("*") else (exact, word)
            table.setdefault(key, []).append(name)
    return exact, stems
