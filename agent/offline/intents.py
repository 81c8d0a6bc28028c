"""What a question wants to know, by rules over its words."""

from __future__ import annotations

import re

from .deployment_words import ON_DEPLOYMENTS
from .intent import Intent
from .other_words import OF_THE_REST

_COMPILED = {
    intent: re.compile(words, re.IGNORECASE) for intent, words in (ON_DEPLOYMENTS | OF_THE_REST).items()
}


def intents_in(question: str) -> dict[Intent, int]:
    """Each intent that words speak for, with where the first of them stands, in that order."""
    found = {
        intent: match.start() for intent, words in _COMPILED.items() if (match := words.search(question))
    }
    return dict(sorted(found.items(), key=lambda item: item[1]))


__all__ = ["Intent", "intents_in"]
