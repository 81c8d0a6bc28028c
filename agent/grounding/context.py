"""The unit that a bare number shares with what stands around it: its range, its list, its column, its key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .families import BARE, Family, Reading
from .fields import measure_of
from .figures import Figure
from .tables import cell_titles
from .units import readings_of

_LONGEST_LIST, _LONGEST_BRACKET = 16, 400
_BETWEEN = re.compile(
    r"\s*(?:–|—|-|to|and|or|,|/|\+|=|\.\.\.?|…|, and|, or|±|(?:out )?of(?: (?:the|its|all|your))?|instead of|"
    r"rather than|"
    r"compared (?:to|with)|vs\.?|→|->|against)\s*"
)
_KEY_BEFORE = re.compile(
    r"(?:\b(?P<field>[A-Za-z]+(?:_[A-Za-z]+)+)|[(\[](?P<unit>[^()\[\]\d]{1,12})[)\]])`?\s*(?:[:=]|is|of)*\s*$"
)
_NAMED_BEFORE = re.compile(
    r"(?<!\w)(?:(?P<intensity>(?:arithmetic |operational )?intensity|ridge(?: point)?)|"
    r"(?P<score>scor(?:es?|ing)))"
    r"(?: (?:is|of|at|only|just|about|around|roughly|value|equal to|stands at|sits at|lies at|comes to|"
    r"compatibility))*"
    r"[\s*_`:=≈~(]*$",
    re.IGNORECASE,
)
_UNIT_OF_NAMED = {"intensity": Reading(Family.INTENSITY, 1.0), "score": BARE}
"""What has but one unit needs none."""
_ALONE = re.compile(r"[*_`]*[.!](?:\s|$)")
_CLOSE = 80
_CASE_BEFORE = re.compile(
    r"(?:as (?:little|much|low|high|few|many|fast|slow) as|(?:best|worst)[- ]case|at (?:best|worst|"
    r"least|most)|lower|upper|low|high|min|max)[\s:*_`]*$",
    re.IGNORECASE,
)
_TOLD_ALONE = frozenset((Family.TIME, Family.RATE, Family.ENERGY, Family.POWER))
_INDEX_HEADER = re.compile(r"\b(?:layer|index|op|operator)\b|#", re.IGNORECASE)


def gap_between(text: str, one: Figure, other: Figure) -> str:
    """What stands between them, with the plus that belongs to a sum."""
    return text[one.end : other.start] + ("+" if other.text.startswith("+") else "")


def near_units(text: str, figures: Sequence[Figure], position: int) -> tuple[Reading, ...]:
    """Units that a bare number may share: of its range, of what it explains, of its column or key."""
    figure = figures[position]
    if key := _KEY_BEFORE.search(text[max(0, figure.start - 60) : figure.start]):
        own = measure_of(key["field"]) if key["field"] else None
        if readings := (own,) if own else readings_of((key["unit"] or "").strip()):
            return readings
    if named := _NAMED_BEFORE.search(text[max(0, figure.start - 60) : figure.start]):
        return (_UNIT_OF_NAMED[str(named.lastgroup)],)
    beside = *_forward(text, figures, position), *_backward(text, figures, position), *_column(text, figure)
    return beside or _before_alone(text, figures, position)


def _before_alone(text: str, figures: Sequence[Figure], position: int) -> tuple[Reading, ...]:
    """At best 9 ms. Assume 14."""
    figure = figures[position]
    before = text[max(0, figure.start - _CLOSE) : figure.start]
    if not position or not (_ALONE.match(text, figure.end) or _CASE_BEFORE.search(before)):
        return ()
    previous = next((f for f in reversed(figures[max(0, position - 3) : position]) if f.readings), figure)
    close = figure.start - previous.end <= _CLOSE and "\n" not in text[previous.end : figure.start]
    return previous.readings if close and previous.family in _TOLD_ALONE else ()


def _forward(text: str, figures: Sequence[Figure], position: int) -> tuple[Reading, ...]:
    """9.8–16.1 ms; 4, 8 or 12 ms."""
    following = figures[position : position + _LONGEST_LIST]
    for here, after in pairwise(following):
        if not _BETWEEN.fullmatch(gap_between(text, here, after)):
            return ()
        if after.readings:
            return after.readings if after.family is not Family.INDEX else ()
    return ()


def _backward(text: str, figures: Sequence[Figure], position: int) -> tuple[Reading, ...]:
    """12.4 ms (9.8–16.1); the unit of the last number before the bracket, or of the list."""
    figure = figures[position]
    opened = text.rfind("(", max(0, figure.start - _LONGEST_BRACKET), figure.start)
    in_brackets = (
        opened >= 0 and ")" not in text[opened : figure.start] and "\n" not in text[opened : figure.start]
    )
    for before in reversed(figures[max(0, position - _LONGEST_LIST) : position]):
        if "\n" in text[before.end : figure.start]:
            return ()
        linked = _BETWEEN.fullmatch(text[before.end : figure.start])
        explained = in_brackets and before.end <= opened and not text[before.end : opened].strip()
        if before.readings and (linked or explained) and before.family is not Family.INDEX:
            return before.readings
        if not (linked or in_brackets):
            return ()
    return ()


def _column(text: str, figure: Figure) -> tuple[Reading, ...]:
    """The unit in the header of a Markdown table, or in the first cell of the row: | latency (ms) |."""
    for title in cell_titles(text, figure.start):
        named = re.search(r"[(\[,]\s*([^()\[\],]+?)\s*[)\]]?\s*$", title)
        own = measure_of(title.strip().strip("`* "))
        if found := readings_of(named[1]) if named else ():
            return found
        if own is not None:
            return (own,)
        if _INDEX_HEADER.search(title):
            return (Reading(Family.INDEX, 1.0),)
        if found := readings_of(title.strip().strip("`* ")):
            return found
    return ()
