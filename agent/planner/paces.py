"""How fast people type, read and speak, which a language model's tokens a second are held against."""

from __future__ import annotations

from typing import NamedTuple

from .words import patterns
from .writing import WORDS_A_TOKEN

_THAN = patterns("paces")["than"]


class Pace(NamedTuple):
    words_a_minute: int
    done: str
    """What people do at it, and who measured it."""

    @property
    def tokens_per_s(self) -> float:
        return self.words_a_minute / 60 / WORDS_A_TOKEN

    @property
    def told(self) -> str:
        return f"{self.words_a_minute} words a minute, {self.done}"


_READ_ALOUD = Pace(183, "which adults read aloud on average (Brysbaert, 2019)")
_PACES = {
    "typ": Pace(52, "which people type on average (Dhakal et al., CHI 2018)"),
    "rea": Pace(238, "which adults read on average (Brysbaert, 2019)"),
    "spe": _READ_ALOUD, "tal": _READ_ALOUD,
}  # fmt: skip
"""By how the word for it begins: of 168,000 people, of 190 studies of silent reading, 77 of reading aloud."""


def pace_in(question: str) -> Pace | None:
    """What is held against it; None where nothing people do is."""
    found = _THAN.search(question)
    return None if found is None else _PACES[found["does"][:3].casefold()]
