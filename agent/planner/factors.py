"""A factor that somebody claims: twice as fast, 100 times less, half the energy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...tools.core.records import dataclass
from ..figures import number_in
from ..number_words import NUMBER_WORDS
from ..patterns import compiled
from .words import entries, patterns

_WORDS: Mapping[str, float] = entries("factor_words")
_VAGUE: Mapping[str, float] = entries("vague_factors")
_SAYS, _AS_TEXT = patterns("factors"), entries("factors")
_FACTOR = compiled(
    rf"(?<![\w.])(?P<number>\d+(?:[.,]\d+)?|{NUMBER_WORDS})[\s-]?(?:x|×|times|fold)(?!\w)"
    rf"(?!\s?{_AS_TEXT['of_them']})|"
    rf"{_AS_TEXT['by']}|"
    rf"\b(?P<vague>{'|'.join(_VAGUE)}) of times\b|"
    rf"\b(?P<word>{'|'.join(_WORDS)})\b(?! (?:(?:the|of|its|a) )*(?:{_AS_TEXT['changed']})\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Factor:
    """So many times as much or as little."""

    value: float
    text: str
    start: int
    end: int
    compares: bool
    """Whether it says what of, or how it came: four times faster, hoped for 4x; else it may count things."""


_OFTEN = compiled(
    r"\s(?:per|an?|each|every)\s(?:s(?:ec(?:ond)?)?|min(?:ute)?|h(?:our)?|day|night|week|month|year)\b", re.I
)
_OF_A_NAME = 1000.0
"""From so many times on it is the number of a name: a 9700x."""


def factors_in(text: str) -> Iterator[Factor]:
    """Every factor that is named, in the order of the text."""
    for found in _FACTOR.finditer(text):
        words, number = found["word"], found["number"] or found["many"]
        if found["vague"]:
            value = _VAGUE[found["vague"].casefold()]
        else:
            value = _WORDS[words.casefold()] if words else number_in(number.casefold())
        before = text[: found.start()]
        compares = _SAYS["compared"].match(text, found.end()) or _SAYS["came"].search(before)
        supposed = _SAYS["supposed"].search(before) is not None
        if value and value < _OF_A_NAME:
            yield Factor(
                value,
                found["by"] or found[0],
                found.start(),
                found.end(),
                bool(compares or found["by"]) and not supposed and not _OFTEN.match(text, found.end()),
            )


def factor_in(text: str) -> float | None:
    """How many times as much or as little; None where no factor is named."""
    return next((one.value for one in factors_in(text)), None)


def factor_words(text: str) -> str:
    """The words of it; empty without one."""
    return next((one.text for one in factors_in(text)), "")
