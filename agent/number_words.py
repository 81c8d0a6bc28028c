"""Numbers in English words: `twenty-five`, `two hundred and ten`, `one and a half`, `a dozen`."""

from __future__ import annotations

import re

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: float(n) for n, word in enumerate(_ONES)} | {
    word: float(10 * n) for n, word in enumerate(_TENS, 2)
}
_LARGE = {"hundred": 100.0, "thousand": 1e3, "lakh": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9}
_GROUPS = {
    "half a million": 5e5,
    "half a billion": 5e8,
    "a dozen": 12.0,
    "half a dozen": 6.0,
    "a couple of": 2.0,
    "a pair of": 2.0,
}
SHARES = {
    "two thirds": 2 / 3, "three quarters": 0.75, "half": 0.5, "quarter": 0.25, "third": 1 / 3, "fifth": 0.2,
    "thousandth": 1e-3, "hundredth": 0.01, "tenth": 0.1,
}  # fmt: skip
"""Parts of a whole, the longest names first."""
_WORD = "|".join(sorted((*_SMALL, *_LARGE), key=len, reverse=True))
_MOST_WORDS = 16
"""Of one number; what goes on without end is none, and is not to be looked through from each of its words."""
NUMBER_WORDS = (
    rf"\b(?:{'|'.join(sorted(_GROUPS, key=len, reverse=True))}"
    rf"|(?:an?\s(?=hundred|thousand|million|billion))?(?:{_WORD})"
    rf"(?:(?:[\s-]|\sand\s)(?:{_WORD})){{0,{_MOST_WORDS - 1}}}(?:\sand\sa\shalf)?)\b"
)
"""Pattern of a number in words, without groups."""


def word_value(text: str) -> float:
    """The number that words matched by NUMBER_WORDS state."""
    folded = " ".join(text.lower().split())
    if folded in _GROUPS:
        return _GROUPS[folded]
    total = part = 0.0
    for word in re.findall(r"[a-z]+", folded):
        if word in _SMALL:
            part += _SMALL[word]
        elif word == "hundred":
            part = (part or 1.0) * 100
        elif word in _LARGE:
            total, part = total + (part or 1.0) * _LARGE[word], 0.0
        elif word == "half":
            part += 0.5
    return total + part
