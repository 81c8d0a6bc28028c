"""The questions of one message, one by one: what each of them wants, read by itself."""

from __future__ import annotations

import re

from ...tools.core.records import dataclass
from ..patterns import compiled
from .features import Setting
from .query import Query, Role
from .reading import read
from .want import Want
from .words import patterns

_QUESTION = (
    r"(?:how|what|what's|whats|which|why|where|when|who|is|does|do|can|could|would|will|should|are|any)"
)
_BETWEEN = compiled(
    rf"(?<=[.?!;])\s+|\n+|,?\s+(?:and|also|plus|but|or)\s+(?=(?:also\s+)?{_QUESTION}\b)|[,:]\s+(?={_QUESTION}\b)",
    re.I,
)
_ASKS = compiled(
    rf"^(?:(?:so|and|but|also|then|ok|okay|hi|hello|please|or)[, ]+)*(?:{_QUESTION}|compare|"
    r"recommend|suggest|estimate|calculate|list|find)\b|\?\s*$",
    re.I,
)
_NO_QUESTION = patterns("parts_reads")["no_question"]
"""A clause that only begins like one, and what leaves a choice to whoever answers."""
_IF = compiled(r"^(?:and |but )?(?:if|otherwise)\b[^?.]*$", re.I)
_MOST, _FEWEST_WORDS = 5, 2


@dataclass(frozen=True)
class Part:
    """One question, and what it wants, the likeliest first with its chance."""

    text: str
    likely: tuple[tuple[Want, float], ...]
    condition: str = ""
    """What stands before it: asked only if, or if not."""

    def is_met(self, answer: str) -> bool:
        """Whether an answer that begins with a yes or no leaves it to be asked."""
        verdict = compiled(r"(?:yes|no)\b", re.I).match(answer)
        if not self.condition or verdict is None:
            return True
        denies = re.search(r"\bnot\b|n't\b", self.condition, re.I) is not None
        return denies == verdict[0].lower().startswith("n")


def asked_in(text: str) -> list[tuple[str, str]]:
    """Each question of a message, with what stands before it."""
    found = [one.strip() for one in _BETWEEN.split(text) if one]
    asking = [
        (one, before)
        for before, one in zip(["", *found], found, strict=False)
        if _ASKS.search(one) and not _NO_QUESTION.search(one) and len(one.split()) > _FEWEST_WORDS
    ]
    return asking[:_MOST]


def parts_of(query: Query) -> tuple[Part, ...]:
    """Empty where a message asks one thing."""
    asking = asked_in(query.question)
    if len(asking) < 2:
        return ()
    named = frozenset(role.value for role in (Role.MODEL, Role.TARGET) if query.has(role))
    setting = Setting(named, follows=False)
    return tuple(
        Part(
            text,
            read(text, setting, own=query.own).likely,
            on[0] if (on := _IF.search(before)) else "",
        )
        for text, before in asking
    )
