"""What the words beside a number claim: less or more, of how much, which end of a range, of what memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .facts import Form
from .families import Family
from .figures import Figure
from .words import (
    AS_FAST,
    AS_MUCH,
    AT_LEAST,
    AT_MOST,
    BEST,
    BY,
    FASTER,
    FREE,
    LEFT,
    LESS,
    LESS_BEFORE,
    LIMIT,
    MORE,
    MORE_BEFORE,
    OF,
    SLOWER,
    TO,
    WORST,
)  # fmt: skip

_BEFORE, _AFTER = 64, 44
_CLAUSE_ENDS = re.compile(r"[.;:!?\n|,(](?=\s|\n|[^\d])|[–—→]")
_FIRST_WORDS = r"^[\s*_`-]*(?:[^\W\d]+[\s-]+){0,2}?"
_SOON = {name: re.compile(_FIRST_WORDS + rf"(?:{words})(?!\w)", re.IGNORECASE) for name, words in (
    ("faster", FASTER), ("slower", SLOWER), ("less", LESS), ("more", MORE),
)}  # fmt: skip
_AT_ONCE = {name: re.compile(rf"^[\s*_`]*(?:{words})(?!\w)", re.IGNORECASE) for name, words in (
    ("as_fast", AS_FAST), ("as_much", AS_MUCH), ("of", OF), ("most", AT_MOST), ("least", AT_LEAST),
)}  # fmt: skip
_SOMEWHERE = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for name, words in (
    ("less", LESS_BEFORE), ("more", MORE_BEFORE),
)}  # fmt: skip
_JUST = {name: re.compile(rf"(?<!\w)(?:{words})[\s*_`]*(?:only |just |about |nur )?$", re.IGNORECASE)
         for name, words in (("by", BY), ("to", TO), ("most", AT_MOST), ("least", AT_LEAST))}  # fmt: skip
_LEFT = re.compile(rf"(?<!\w)(?:{LEFT})[\s*_`]*(?:only |about |noch |nur )?$", re.IGNORECASE)
_FREE = re.compile(rf"^[\s*_`]*(?:[^\W\d]+[\s-]+){{0,3}}?(?:{FREE})(?!\w)", re.IGNORECASE)
_LIMIT = re.compile(rf"(?<!\w)(?:{LIMIT})(?!\w)", re.IGNORECASE)
_CASE = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
         for name, words in (("most", WORST), ("least", BEST))}  # fmt: skip


class Claim(NamedTuple):
    direction: int = 0
    """-1: less, 1: more."""
    speed: bool = False
    """Said of speed, where less time is more."""
    form: Form = Form.NONE
    """How a ratio relates two things; NONE where the words leave it open."""
    end: str = ""
    """`low` or `high`: the figure is told as the least or the most."""
    remains: bool = False
    """Told as what is left over."""
    of_limit: bool = False
    """Told against a limit."""


def claim_of(text: str, figures: Sequence[Figure], position: int) -> Claim:
    figure = figures[position]
    before, after = _before(text, figures, position), _after(text, figures, position)
    direction, speed = _direction(before, after)
    if figure.family is Family.RATIO and _LEFT.search(before):
        direction = 0
    return Claim(
        direction, speed, _form(figure, before, after, direction), _end(before, after),
        _remains(before, after), _LIMIT.search(after) is not None,
    )  # fmt: skip


def _remains(before: str, after: str) -> bool:
    return _LEFT.search(before) is not None or _FREE.search(after) is not None


def direction_of(text: str, figures: Sequence[Figure], position: int) -> int:
    return _direction(_before(text, figures, position), _after(text, figures, position))[0]


def _after(text: str, figures: Sequence[Figure], position: int) -> str:
    start = figures[position].end
    stop = figures[position + 1].start if position + 1 < len(figures) else len(text)
    window = text[start : max(start, min(stop, start + _AFTER))]
    end = _CLAUSE_ENDS.search(window)
    return window[: end.start()] if end else window


def _before(text: str, figures: Sequence[Figure], position: int) -> str:
    start = figures[position].start
    window = text[max(0, start - _BEFORE) : start]
    ends = [match.end() for match in _CLAUSE_ENDS.finditer(window)]
    clause = window[ends[-1] :] if ends else window
    if position and not _JUST["by"].search(clause):
        between = max(0, start - figures[position - 1].end)
        clause = clause[-between:] if between < len(clause) else clause
        return clause if between else ""
    return clause


def _direction(before: str, after: str) -> tuple[int, bool]:
    for name, direction, speed in (
        ("faster", -1, True),
        ("slower", 1, True),
        ("less", -1, False),
        ("more", 1, False),
    ):
        if _SOON[name].search(after):
            return direction, speed
    if _JUST["to"].search(before):
        return 0, False
    less, more = _SOMEWHERE["less"].search(before), _SOMEWHERE["more"].search(before)
    if bool(less) == bool(more):
        return 0, False
    return (-1 if less else 1), False


def _form(figure: Figure, before: str, after: str, direction: int) -> Form:
    if figure.family is not Family.RATIO:
        return Form.NONE
    if _AT_ONCE["as_fast"].search(after):
        return Form.FACTOR
    if _AT_ONCE["as_much"].search(after) or _JUST["to"].search(before) or _LEFT.search(before):
        return Form.REST
    percent = figure.readings[0].factor != 1.0 or (figure.value < 1 and figure.step == 0.0)
    if direction:
        return Form.CHANGE if percent else Form.FACTOR if direction < 0 else Form.REST
    return Form.REST if _AT_ONCE["of"].search(after) else Form.NONE


def _end(before: str, after: str) -> str:
    for name, end in (("most", "high"), ("least", "low")):
        if _JUST[name].search(before) or _AT_ONCE[name].search(after) or _CASE[name].search(before):
            return end
    return ""
