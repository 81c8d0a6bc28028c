"""Numbers that are told as the two ends of a range."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .facts import Fact
from .families import Family
from .figures import Figure

_DASH = re.compile(r"[\s*_`]*(?:–|—|-|to|bis|à|a|hasta|\.\.\.?|…)[\s*_`]*")
_AND = re.compile(r"[\s*_`]*(?:and|und|et|y|e)[\s*_`]*")
_INTERVAL = re.compile(
    r"(?:interval(?:le|lo|l)?|range)(?: is| of|:| from| von| zwischen| between| de| entre)*[\s*_`[]*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:between|zwischen|entre)[\s*_`]*$", re.IGNORECASE)
_FROM = re.compile(r"(?:from|von|de|desde|drops?|falls?)[\s*_`]*$", re.IGNORECASE)
_NO_RANGE = frozenset((Family.INDEX, Family.BARE))
_LONGEST_WORDS = 40


def interval_ends(text: str, figures: Sequence[Figure], *, bracketed: bool = False) -> dict[int, str]:
    """Positions of figures that are told as `low` or `high` end of an interval.

    `bracketed`: a range in brackets is one too.
    """
    ends: dict[int, str] = {}
    for at in range(len(figures) - 1):
        before = _words_before(text, figures[at])
        opens = _INTERVAL.search(before) or (bracketed and before.endswith("("))
        if opens and _joined(text, figures, at, and_too=True):
            ends |= {at: "low", at + 1: "high"}
    return ends


def out_of_order(text: str, figures: Sequence[Figure], found: Sequence[Fact | None]) -> Iterator[int]:
    """Positions of both ends of ranges whose first end is the larger."""
    for at in range(len(figures) - 1):
        one, other = found[at], found[at + 1]
        if one is None or other is None or one.family is not other.family or one.family in _NO_RANGE:
            continue
        before = _words_before(text, figures[at])
        if one.value <= other.value or not _joined(text, figures, at, and_too=bool(_BETWEEN.search(before))):
            continue
        if not _FROM.search(before) or one.end or other.end:
            yield from (at, at + 1)


def _joined(text: str, figures: Sequence[Figure], at: int, *, and_too: bool) -> bool:
    gap = text[figures[at].end : figures[at + 1].start]
    return bool(_DASH.fullmatch(gap) or (and_too and _AND.fullmatch(gap)))


def _words_before(text: str, figure: Figure) -> str:
    return text[max(0, figure.start - _LONGEST_WORDS) : figure.start]
