"""What a question wants to know, by rules over its words."""

from __future__ import annotations

import re

from .deployment_words import ON_DEPLOYMENTS
from .intent import Intent
from .other_words import OF_THE_REST

_COMPILED = {intent: re.compile(words) for intent, words in (ON_DEPLOYMENTS | OF_THE_REST).items()}
"""For small letters alone: patterns for either take twice as long to compile."""
_ALSO_ASCII = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}


def intents_in(question: str) -> dict[Intent, int]:
    """Each intent that words speak for, with where the first of them stands, in that order."""
    small = _in_small_letters(question)
    found = {intent: match.start() for intent, words in _COMPILED.items() if (match := words.search(small))}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _in_small_letters(text: str) -> str:
    """With every character at its place: one that has no single small letter stays as it is."""
    if text.isascii():
        return text.lower()
    return "".join(
        letter.lower() if len(letter.lower()) == 1 else letter for letter in text.translate(_ALSO_ASCII)
    )


__all__ = ["Intent", "intents_in"]
