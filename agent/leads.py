"""With what the answer of a section begins: yes or no, or the row of its list that a question names."""

from __future__ import annotations

import re

from .pages import Section
from .stop_words import STOP_WORDS

_YES_OR_NO = re.compile(
    r"(?:^|[.?!;:,]\s+|\band\s+|\bso\s+|\bbut\s+)(?:is|are|does|do|did|can|could|will|would|should|may|must|"
    r"has|have|am)\s",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not?|never|without|nothing|only|or)\b|n'?t\b", re.IGNORECASE)
"""What turns a question round, or makes it a choice."""
_ROW = re.compile(r"(?:^|; )(\d+): ([^;.]+)")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?![\w.,]*\d|\w)")
_WORD = re.compile(r"[a-z0-9]{2,}")
_MOST_OF_IT = 0.6
"""Share of the words of a known question that have to stand in the one that is asked."""


def lead(question: str, section: Section) -> str:
    """`No.`, or `10: a check says FAIL.`; empty where the section answers as it stands."""
    rows = dict(_ROW.findall(section.summary))
    named = [number for number in dict.fromkeys(_NUMBER.findall(question)) if number in rows]
    if named:
        return " ".join(f"{number}: {rows[number]}." for number in named)
    if not section.polar or not _YES_OR_NO.search(question) or _DENIED.search(question):
        return ""
    asked = _words(question)
    near = max(section.questions, key=lambda known: len(asked & _words(known)))
    apt = len(asked & _words(near)) >= _MOST_OF_IT * len(_words(near))
    return next((f"{word}." for word, known in section.polar if known == near), "") if apt else ""


def _words(text: str) -> frozenset[str]:
    words = _WORD.findall(text.casefold())
    return frozenset(word.removesuffix("s") for word in words if word not in STOP_WORDS)
