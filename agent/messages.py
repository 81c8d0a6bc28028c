"""Which section of docs/ explains a message that a runtime, a linker or a compiler printed."""

from __future__ import annotations

import re
from functools import cache

from .pages import Section, made_of_pages, sections
from .patterns import compiled

PAGE = "concepts/errors.md"
_QUOTES = compiled(r"[`'\"“”‘’*]")
_STOPS = compiled(r"[.,:;]+")
_FAILURE = (
    r"\b(?:errors?|fail(?:ed|s|ure)?|exception|fatal|abort(?:ed)?|assert\w*|undefined|overflow\w*|panic\w*|cannot|"
    r"crash\w*|could(?: not|n'?t)|does(?:n'?t| not) fit|"
    r"invalid|mismatch|not found|unable to|not supported|unsupported|too (?:large|big|small|many))\b"
)
_CODE_OF_FAILURE = r"\b[A-Z]+_(?:[A-Z]+_)*(?:ERROR|FAIL\w*|SUPPORTED|BAD|INVALID|OUT_OF)(?:_[A-Z]+)*\b"
_FAILS = compiled(rf"(?i:{_FAILURE})|{_CODE_OF_FAILURE}")
_OF_PROGRAMS = compiled(
    rf"[\"“`‘](?:(?=[^\"”`’]*(?i:{_FAILURE}))[^\"”`’]*(?:\s[^\"”`’\s]+){{2,}})[\"”`’]|"
    r"\b[A-Za-z]\w*(?:Error|Exception|Fault)\b|\b[A-Z]{2,}_[A-Z_]{3,}\b|\b\w+::\w+|\b[EWI] ?\(\d+\)|"
    r"\[(?:[EWI]|ERROR|WARN\w*|FATAL)\]|\b(?:ERROR|FATAL|WARNING)\b|\bstatus \d|"
    r"(?:^|[\s:])[\w.+/-]{2,24}:\s+(?:fatal |\w+ )?(?:error|failed|fatal)\b"
)
_GAP = r"[^\n]{1,160}?"


def section_on_message(text: str) -> Section | None:
    """The section whose longest wording stands in `text`; None where no such message is quoted."""
    plain = _plain(text)
    for parts, pattern, section in _wordings():
        if all(part in plain for part in parts) and re.search(pattern, plain):
            return section
    return None


def looks_like_message(text: str) -> bool:
    """Whether it has the form of what a program printed: a failure, with marks that people do not write."""
    return bool(_FAILS.search(text) and _OF_PROGRAMS.search(text))


def _plain(text: str) -> str:
    """Without what is quoted differently from place to place."""
    return " ".join(_STOPS.sub(" ", _QUOTES.sub("", text.casefold())).split())


@cache
def _wordings() -> list[tuple[list[str], str, Section]]:
    """What each wording says without its gaps, with its pattern; those that say most first."""
    every = sections()
    return [(parts, pattern, every[at]) for parts, pattern, at in made_of_pages(__file__, _read)]


def _read() -> list[tuple[list[str], str, int]]:
    found = []
    for at, section in enumerate(sections()):
        for wording in section.messages if section.page == PAGE else ():
            parts = [_plain(part) for part in wording.split("…") if part.strip()]
            begins = r"(?<!\w)" if parts[0][0].isalnum() else ""
            ends = r"(?!\w)" if parts[-1][-1].isalnum() and not wording.endswith("…") else ""
            found.append((parts, begins + _GAP.join(map(re.escape, parts)) + ends, at))
    return sorted(found, key=lambda each: -sum(map(len, each[0])))
