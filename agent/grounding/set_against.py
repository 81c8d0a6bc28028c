"""Pairs of figures that a sentence sets against each other: 14 ms versus 246 ms, from 246 ms to 14 ms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .asked import Asked
from .facts import Fact, Kind

_VERSUS = re.compile(
    r"(?:(?<!\w)(?:vs\.?|versus|against|instead of|rather than|compared (?:to|with)|as opposed to|while|"
    r"whereas|"
    r"than)(?!\w))[^.;\n]{0,40}$",
    re.IGNORECASE,
)
_BECOMES = re.compile(
    r"[\s*_`]*(?:→|->|=>|(?:down |up |all the way )?to|becomes?|turns into)[\s*_`~]*(?:about |only |just )?$"
)
_FIRST_LONGEST = 90
_PART = re.compile(r"[,;:(–—](?=\s|[^\s\d])|(?<!\w)so(?!\w)")
_CONCLUDES = re.compile(
    r"(?:\W|(?<!\w)(?:i\.?e\.?|that|this|it|is|['’]?s|which|or|so|means?|meaning|makes?|gives?|giving|an?|the|about|around|"
    r"roughly|nearly|almost|some|over|more|than|just|only|well|good|speed-?up|factor|ratio|reduction|improvement|gain|"
    r"saving|saves?|of|by|drop|cut|increase|thus|hence|therefore|would|be|are|corresponds?|to|equals?|amounts?)(?!\w))*",
    re.IGNORECASE,
)
"""Without a subject of its own, what is concluded is of the first."""


def set_against(
    text: str, asked: Sequence[Asked], found: Sequence[Fact | None], starts: Sequence[int], at: int
) -> Iterator[tuple[Fact, Fact]]:
    """Before the number at this position, in its sentence: of each pair the one that is spoken of first."""
    inside = [
        other
        for other in range(max(0, at - 8), at)
        if starts[other] == starts[at] and (fact := found[other]) is not None and fact.kind is not Kind.PAIR
    ]
    stop = asked[at].figure.start
    before = text[max(starts[at], asked[inside[-1]].figure.end if inside else 0) : stop]
    if not _CONCLUDES.fullmatch(_PART.split(before)[-1]):
        return
    for one, other in pairwise(inside):
        first, second = found[one], found[other]
        if first is None or second is None or first.family is not second.family:
            continue
        gap = text[asked[one].figure.end : asked[other].figure.start]
        if len(gap) > _FIRST_LONGEST:
            continue
        if _BECOMES.fullmatch(gap):
            yield second, first
        elif _VERSUS.search(gap):
            yield first, second
