"""With what the answer of a section begins: yes or no, or the row of its list that a question names."""

from __future__ import annotations

import re

from .pages import Section
from .patterns import compiled
from .stop_words import STOP_WORDS

_YES_OR_NO = compiled(
    r"(?:^|[.?!;:,]\s+|\band\s+|\bso\s+|\bbut\s+)"
    r"(?!\w+ you (?:please |kindly |maybe )?(?:tell|explain|say|show|describe|give|name|list|help)\b)"
    r"(?:is|are|does|do|did|can|could|will|would|should|may|must|"
    r"has|have|am)\s|(?:^|[.?!;:,]\s+)(?:true|right|correct)\b|"
    r"\b(?:true|right|correct|nonsense|is it|does ?n.t it|is ?n.t it|or not)\W*$",
    re.IGNORECASE,
)
_DENIED = compiled(r"\b(?:not?|never|without|nothing|only|or)\b|n'?t\b", re.IGNORECASE)
"""What turns a question round, or makes it a choice."""
_ROW = compiled(r"(?:^|; )(\d+): ([^;.]+)")
_NUMBER = compiled(r"(?<![\w.,])\d+(?![\w.,]*\d|\w)")
_WORD = compiled(r"[a-z0-9]{2,}")
CLAUSES = compiled(r"[.?!;:,]\s+")
_MOST_OF_IT, _A_PART = 0.6, 0.33
"""Share of a known question's words that a clause of what is asked must have, and of that clause's words."""


def lead(question: str, section: Section) -> str:
    """`No.`, or `10: a check says FAIL.`; empty where the section answers as it stands."""
    rows = dict(_ROW.findall(section.summary))
    named = [number for number in dict.fromkeys(_NUMBER.findall(question)) if number in rows]
    if named:
        return " ".join(f"{number}: {rows[number]}." for number in named)
    if not section.polar or not _YES_OR_NO.search(question):
        return ""
    known, verdicts = {one: _words(one) for one in section.questions}, {one: w for w, one in section.polar}
    shared, _, near, clause = max(
        (_shared(_words(clause), words), one in verdicts, one, clause)
        for clause in CLAUSES.split(question)
        for one, words in known.items()
    )
    apt = shared >= _MOST_OF_IT and not _DENIED.search(clause)
    return f"{verdicts[near]}." if apt and near in verdicts else ""


def _shared(asked: frozenset[str], known: frozenset[str]) -> float:
    """Share of what is known that is asked, where it is no small part of that."""
    both = len(asked & known)
    return both / len(known) if known and both >= _A_PART * len(asked) else 0.0


def _words(text: str) -> frozenset[str]:
    words = _WORD.findall(text.casefold())
    return frozenset(word.removesuffix("s") for word in words if word not in STOP_WORDS)
