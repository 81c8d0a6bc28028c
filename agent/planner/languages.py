"""Questions in other languages than English: which one, and the sentence that says that English is spoken."""

from __future__ import annotations

from ..patterns import compiled
from .words import entries, patterns

_WORDS = entries("language")
_LETTERS = {
    "zh": r"[\u4e00-\u9fff]", "ja": r"[\u3040-\u30ff]", "ko": r"[\uac00-\ud7af]", "ru": r"[\u0400-\u04ff]",
}  # fmt: skip
_ENGLISH = patterns("of_languages")["english"]
_ENOUGH = 2
"""So many words of a language, and more than of English, show that a question is in it."""


def language_of(question: str) -> str:
    """The code of another language than English that a question is in; empty for English."""
    for code in ("ja", "zh", "ko", "ru"):
        if len(compiled(_LETTERS[code]).findall(question)) >= _ENOUGH:
            return code
    english = len(_ENGLISH.findall(question))
    counts = {
        code: len(set(compiled(rf"(?<!\w)(?:{words})(?!\w)").findall(question.casefold())))
        for code, words in _WORDS.items()
    }
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] >= _ENOUGH and counts[best] > english else ""
