"""How long a question and an answer may be: what is longer is cut at a word, and a sentence says so."""

from __future__ import annotations

LONGEST_QUESTION = 8_000
LONGEST_ANSWER = 32_000
"""Characters."""
_A_WORD = 200


def cut(text: str, longest: int) -> str:
    """At most `longest` characters of the text, up to the end of a word where one ends near there."""
    if len(text) <= longest:
        return text
    end = max(text.rfind(" ", longest - _A_WORD, longest), text.rfind("\n", longest - _A_WORD, longest))
    return text[: end if end > 0 else longest]


def cut_question(question: str) -> tuple[str, tuple[str, ...]]:
    """What of a question is read, and what to say of the rest."""
    read = cut(question, LONGEST_QUESTION)
    if read == question:
        return question, ()
    return read, (f"Only the first {len(read):,} of the question's {len(question):,} characters were read.",)


def cut_answer(answer: str) -> tuple[str, str]:
    """What of an answer is checked and shown, and the sentence that ends it."""
    shown = cut(answer, LONGEST_ANSWER)
    if shown == answer:
        return answer, ""
    return shown, f"\n\n(The reply was longer: {len(shown):,} of {len(answer):,} characters are shown.)"
