"""Which section of docs/ explains a message that a runtime, a linker or a compiler printed."""

from __future__ import annotations

import re
from functools import cache

from .pages import Section, sections_of

PAGE = "concepts/errors.md"
_QUOTES = re.compile(r"[`'\"“”‘’*]")
_STOPS = re.compile(r"[.,:;]+")
_GAP = r"[^\n]{1,160}?"


def section_on_message(text: str) -> Section | None:
    """The section whose longest wording stands in `text`; None where no such message is quoted."""
    plain = _plain(text)
    best: tuple[int, Section] | None = None
    for pattern, length, section in _wordings():
        if (best is None or length > best[0]) and pattern.search(plain):
            best = length, section
    return None if best is None else best[1]


def _plain(text: str) -> str:
    """Without what is quoted differently from place to place."""
    return " ".join(_STOPS.sub(" ", _QUOTES.sub("", text.casefold())).split())


@cache
def _wordings() -> tuple[tuple[re.Pattern[str], int, Section], ...]:
    """Each wording with the length of what it says, the gaps left out."""
    found = []
    for section in sections_of(PAGE):
        for wording in section.messages:
            parts = [_plain(part) for part in wording.split("…") if part.strip()]
            words = _GAP.join(map(re.escape, parts))
            begins = r"(?<!\w)" if parts[0][0].isalnum() else ""
            ends = r"(?!\w)" if parts[-1][-1].isalnum() else ""
            found.append((re.compile(begins + words + ends), sum(map(len, parts)), section))
    return tuple(found)
