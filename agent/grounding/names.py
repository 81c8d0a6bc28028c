"""What looks like a number and is none: names, versions, dates, list numbering, conventions."""

from __future__ import annotations

import re
from collections.abc import Iterable

BLANK = "¤"
"""Stands for each character of what was taken out, so that positions stay."""

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_FILE_ENDINGS = "tflite|onnx|pth?|ya?ml|json|csv|md|txt|html?|pdf|hpp|h|cc|cpp|c|py|ld|svd|dts|bin"
_ONE, _TWO = "(?:1|one|an?|each|every|single)", "(?:2|two)"
_OPERATIONS = r"(?:FLOPs?|flops?|operations|ops)"
_IS = (
    r" ?(?:=|is|are|being|counts? (?:as|for)|counted as|as|makes?|equals?|means?|stands? for|"
    r"corresponds? to|does)"
)
_NO_NUMBERS = (
    r"https?://\S+",
    rf"[\w.~/\\-]*\w\.(?:{_FILE_ENDINGS})\b",
    r"\b\d{4}-\d\d-\d\d\b|\b20\d\d-[01]\d\b",
    rf"\b{_MONTH} \d{{1,2}}(?:, \d{{4}})?\b|\b(?:\d{{1,2}} )?{_MONTH} \d{{4}}\b",
    r"\b[vV]?\d+\.\d+\.\d+[\w.+-]*|\b[vV]\d+(?:\.\d+)*\b",
    r"\b(?:version|release|revision|rev\.?) \d+(?:\.\d+)*\b",
    r"(?m:^[ \t>]*(?:\(?\d{1,3}[.)])(?=\s))",
    r"\b90[\s-]?%[\s-](?:confidence |prediction |uncertainty )?(?:[Ii]nterval|band|range|confidence|"
    r"probability|certainty|likelihood|chance)",
    r"\b[Ii]nterval(?:le|lo)? (?:de confiance |de confianza )?(?:à|al?|del?) 90\s?%",
    r"\b90 ?%(?=(?: CI)?:? \d[\d.,]*(?: ?[^\W\d]+)? ?(?:–|-|to ))|\b90 ?% CI\b",
    r"(?<=\d) ?(?:/ ?|out of |of )100\b(?! ?%)",
    rf"(?:\b{_ONE} MAC\b|\bMACs?\b)(?: \w+)?{_IS} {_TWO}(?: floating[- ]point)? {_OPERATIONS}\b(?! each)",
    rf"(?<![.\d])\b{_TWO} {_OPERATIONS} (?:per|for|in|to|make up|make) (?:{_ONE} )?MAC\b",
    r"\b(?:1 )?[KMG]i?B (?:=|is) (?:1024|1000|1,024|1,000|1 024) (?:B|bytes|[KM]i?B)\b",
    r"\b\d{1,2}[ -]?bits?\b",
    r"\b\d+(?:st|nd|rd|th)\b",
    r"\b[1-4][dD]\b",
)
_PLAIN = re.compile("|".join(_NO_NUMBERS))
_WORD = re.compile(r"(?<![\w.,])[A-Za-zµ_]\w*(?:(?:[-@.+:](?=\w)|'(?=s))\w+)*")
_NOT_PART_OF_NAME = frozenset(
    ("sub", "under", "over", "about", "approx", "roughly", "by", "to", "of", "at", "in", "below", "above",
     "within", "non", "pre", "x", "up")
)  # fmt: skip


def without_names(text: str, names: Iterable[str] = ()) -> str:
    """The text with everything blanked that is spelt with digits but says no quantity."""
    for name in sorted(names, key=len, reverse=True):
        if any(c.isdigit() for c in name):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w|:\d)", _blank, text, flags=re.IGNORECASE)
    return _WORD.sub(_blank_name, _PLAIN.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return BLANK * len(match[0])


def _blank_name(match: re.Match[str]) -> str:
    word = match[0]
    if not any(c.isdigit() for c in word):
        return word
    first, joiner, _ = word.partition("-")
    if joiner and first.casefold() in _NOT_PART_OF_NAME:
        return word
    key, colon, value = word.partition(":")
    if colon and value[:1].isdigit() and not any(c.isdigit() for c in key):
        return word
    return BLANK * len(word)
