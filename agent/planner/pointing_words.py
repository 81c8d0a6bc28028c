"""Words that stand before and behind `the first`, `the cheapest`: what they point at."""

from __future__ import annotations

import re

from ..quantities import Family, find_figures
from .query import Role

OF_ALL = re.compile(
    r"\b(?:both|n?either|(?:the|all|these|those) (?:two|three|four)|(?:the|that)(?: same)? pair|"
    r"all(?= of (?:them|these|those)| one after| together| at once| in turn))\b(?! (?:of us|times))",
    re.I,
)
"""Several that are meant together, of which no one alone is."""
_OF_TEXT = frozenset(
    ("sentence", "sentences", "line", "lines", "word", "words", "bullet", "bullets", "points", "paragraphs",
     "years", "months", "weeks", "days", "hours")
)  # fmt: skip
"""What is no board and no network, though it is counted."""

NOUNS = {
    Role.TARGET: frozenset(
        ("board", "boards", "chip", "chips", "card", "cards", "gpu", "mcu", "module", "machine", "box",
         "device", "part", "hardware")
    ),
    Role.MODEL: frozenset(("model", "models", "network", "networks", "net", "nets")),
}  # fmt: skip
"""What `the first` is, by the word behind it."""
IN_A_TABLE = frozenset(
    ("", "one", "ones", "option", "row", "entry", "candidate", "choice", "pick", "best", "then", "and",
     "but", "at", "with", "in", "you", "of", "is", "cost", "from", "instead", "please", "so", "suggestion",
     "much", "worse", "better", "slower", "faster", "cheaper", "for", "that", "or")
).union(*NOUNS.values())  # fmt: skip
"""What may stand behind `the second` where it is a row, unlike a layer or an inference."""
TAKES = frozenset(
    ("take", "taking", "pick", "choose", "with", "use", "using", "buy", "order", "on", "about", "of", "and",
     "does", "would", "will", "for", "or")
)  # fmt: skip
"""What stands before `the cheapest` where it is taken, unlike where it is asked for."""
ASKS_FOR = frozenset(
    ("is", "are", "was", "be", "which", "what", "find", "name", "get", "give", "want", "need", "show", "me",
     "has", "have", "recommend", "as", "by", "to")
)  # fmt: skip
"""What stands before `the cheapest one` where it is asked for."""


def counted(question: str) -> int:
    """How many are meant together: both of them, all three, but not in three sentences; 0 where none says."""
    found = (one for one in find_figures(question) if one.spoken and one.family is Family.COUNT)
    return next((int(one.value) for one in found if one.value > 1 and one.noun not in _OF_TEXT), 0)
