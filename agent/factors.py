"""A factor that somebody claims: twice as fast, 100 times less, half the energy."""

from __future__ import annotations

import re

from .figures import number_in
from .number_words import NUMBER_WORDS

_WORDS = {"twice": 2.0, "double": 2.0, "doubles": 2.0, "doubled": 2.0, "doubling": 2.0, "triple": 3.0,
          "triples": 3.0, "thrice": 3.0, "quadruple": 4.0, "half": 2.0, "halve": 2.0,
          "twofold": 2.0, "threefold": 3.0, "fourfold": 4.0, "eightfold": 8.0, "tenfold": 10.0}  # fmt: skip
_CHANGED = (
    r"precision|resolution|inputs?|clock|frequency|widths?|channels|filters|pixels|side|size|images?|layers"
)
"""What is halved as a change, and is no claim."""
_OF_THEM = r"(?:(?:used|old|new|nvidia|geforce|radeon|tesla|quadro|arc|rtx|gtx|rx|jetson)\s)*[a-z]{0,3}\d"
"""`2x RTX 3090` counts cards."""
_FACTOR = re.compile(
    rf"(?<![\w.])(?P<number>\d+(?:[.,]\d+)?|{NUMBER_WORDS})[\s-]?(?:x|×|times|fold)(?!\w)(?!\s?{_OF_THEM})|"
    rf"\b(?P<word>{'|'.join(_WORDS)})\b(?! (?:(?:the|of|its|a) )*(?:{_CHANGED})\b)",
    re.IGNORECASE,
)


def factor_in(text: str) -> float | None:
    """How many times as much or as little; None where no factor is named."""
    found = _FACTOR.search(text)
    if found is None:
        return None
    return _WORDS[found["word"].casefold()] if found["word"] else number_in(found["number"].casefold())


def factor_words(text: str) -> str:
    """The words of it; empty without one."""
    found = _FACTOR.search(text)
    return found[0] if found else ""
