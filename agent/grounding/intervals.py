"""Numbers that are told as the two ends of a range."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .facts import Fact
from .families import Family
from .figures import Figure
from .tables import cell_titles

_DASH = re.compile(r"[\s*_`]*(?:–|—|-|to|bis|à|a|hasta|\.\.\.?|…)[\s*_`]*")
_AND = re.compile(r"[\s*_`]*(?:and|und|et|y|e)[\s*_`]*")
_INTERVAL = re.compile(
    r"(?:interval(?:le|lo|l)?|range)(?: is| of|:| from| von| zwischen| between| de| entre)*[\s*_`[]*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:between|zwischen|entre)[\s*_`]*$", re.IGNORECASE)
_FROM = re.compile(r"(?:from|von|de|desde|drops?|falls?)[\s*_`]*$", re.IGNORECASE)
_RANGE_WORDS = re.compile(
    r"(?<!\w)(?:interval\w*|ranges?|ranging|between|at (?:least|most|best|worst)|up to|"
    r"best(?! (?:estimate|guess|prediction|value|figure|single))|worst|upper|"
    r"lower|"
    r"(?:un)?lucky|(?:un)?favou?rable|min|max|minim\w+|maxim\w+|down to|no (?:more|less|longer) than|"
    r"not (?:more|less) than|bounds?|"
    r"could|might|"
    r"may|optimis\w+|pessimis\w+|confiden\w+|uncertain\w*|spread|anywhere|conservativ\w+|ceiling|floor|"
    r"as (?:low|high|little|much|long|short|few|many|small|large|fast|slow) as|low|high|ends?|extreme|"
    r"höchstens|mindestens|maximal|zwischen|bis|schlimmst\w+|besten\w*|au plus|au moins|au pire|"
    r"au mieux|entre|"
    r"jusqu\w*|como máximo|como mínimo|al menos|a lo sumo|peor|mejor|hasta)(?!\w)|[≤≥<>±]|90 ?%",
    re.IGNORECASE,
)
_BEFORE_RANGE, _AFTER_RANGE = 60, 40
_STOPS = re.compile(r"[.;!?](?=\s)|\n")
_ROW = re.compile(r"\[\d+\]")
_RANGES = re.compile(
    r"(?:ranges?|ranging|spans?|spanning|vary|varies|anywhere)(?: from| between)?[\s*_`]*$", re.IGNORECASE
)
_OTHER = {"low": "high", "high": "low"}
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


def told_as_ends(text: str, figures: Sequence[Figure]) -> list[bool]:
    """Whether each figure is told as an end of a range, and not as the value."""
    joined = [_joined(text, figures, at, and_too=True) for at in range(len(figures) - 1)]
    found = []
    for at, figure in enumerate(figures):
        beside = (at > 0 and joined[at - 1]) or (at < len(joined) and joined[at])
        found.append(beside or _speaks_of_range(text, figure) or _under_range(text, figure))
    return found


def _speaks_of_range(text: str, figure: Figure) -> bool:
    before = text[max(0, figure.start - _BEFORE_RANGE) : figure.start]
    after = text[figure.end : figure.end + _AFTER_RANGE]
    before = _STOPS.split(before)[-1]
    return any(_RANGE_WORDS.search(part) for part in (before, _STOPS.split(after)[0]))


def _under_range(text: str, figure: Figure) -> bool:
    return any(_RANGE_WORDS.search(title) for title in cell_titles(text, figure.start)[:1])


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


def unlike_ends(
    text: str, figures: Sequence[Figure], found: Sequence[Fact | None]
) -> Iterator[tuple[int, str]]:
    """Positions of a value that is told as the other end of its interval, and which end that is."""
    for at in range(len(figures) - 1):
        one, other = found[at], found[at + 1]
        if one is None or other is None or bool(one.end) == bool(other.end) or one.call != other.call:
            continue
        between = bool(_BETWEEN.search(_words_before(text, figures[at])))
        if _stem(one) == _stem(other) and _joined(text, figures, at, and_too=between):
            yield (at + 1, _OTHER[one.end]) if one.end else (at, _OTHER[other.end])


def not_extremes(
    text: str, figures: Sequence[Figure], found: Sequence[Fact | None], facts: Sequence[Fact]
) -> Iterator[int]:
    """Positions of ends of a range of a list that are not its least or its most."""
    for at in range(len(figures) - 1):
        one, other = found[at], found[at + 1]
        if (
            one is None
            or other is None
            or _list_of(one) != _list_of(other)
            or not _list_of(one)[1]
            or one.path == other.path
        ):
            continue
        if not _joined(text, figures, at, and_too=True) or not _RANGES.search(
            _words_before(text, figures[at])
        ):
            continue
        alike = [fact.value for fact in facts if _list_of(fact) == _list_of(one)]
        yield from (at,) if one.value > min(alike) else ()
        yield from (at + 1,) if other.value < max(alike) else ()


def _list_of(fact: Fact) -> tuple[str, str]:
    """The field of a list, of which each row has one."""
    return fact.call, _ROW.sub("[]", fact.path) if "[" in fact.path else ""


def _stem(fact: Fact) -> str:
    return fact.path.rpartition(".")[0]


def _joined(text: str, figures: Sequence[Figure], at: int, *, and_too: bool) -> bool:
    gap = text[figures[at].end : figures[at + 1].start]
    return bool(_DASH.fullmatch(gap) or (and_too and _AND.fullmatch(gap)))


def _words_before(text: str, figure: Figure) -> str:
    return text[max(0, figure.start - _LONGEST_WORDS) : figure.start]
