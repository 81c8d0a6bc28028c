"""Words that stand before and behind `the first`, `the cheapest`, and how many are meant together."""

from __future__ import annotations

from ..quantities import Family, find_figures
from .query import Role
from .words import entries, patterns

BESIDE = {name: frozenset(words.split()) for name, words in entries("beside_a_pointer").items()}
NOUNS = {role: BESIDE[role.value] for role in (Role.TARGET, Role.MODEL)}
"""What `the first` is, by the word behind it."""
IN_A_TABLE = BESIDE["in_a_table"].union([""], *NOUNS.values())
"""What may stand behind `the second` where it is a row, unlike a layer or an inference."""
OF_ALL = patterns("pointing")["of_all"]
"""Several that are meant together, of which no one alone is."""


def counted(question: str) -> int:
    """How many are meant together: both of them, all three, but not in three sentences; 0 where none says."""
    found = (one for one in find_figures(question) if one.spoken and one.family is Family.COUNT)
    return next((int(one.value) for one in found if one.value > 1 and one.noun not in BESIDE["of_text"]), 0)
