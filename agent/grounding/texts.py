"""Numbers in the texts that tools write."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from .claims import direction_of
from .facts import Fact, Kind
from .families import BARE, Family, Reading
from .fields import NAMES_OF_OURS
from .figures import Figure, find_figures
from .intervals import interval_ends
from .places import Place
from .quantities import with_tags

_PART = re.compile(r"[;.](?=\s)|\n")
_QUOTED = 14
"""Characters on either side that make a quotation."""


def facts_told(text: str, place: Place) -> Iterator[Fact]:
    place = place._replace(kind=Kind.TEXT)
    names = tuple(name for name in place.untrusted if name and name in text)
    bare = (BARE, Reading(Family.RATIO, 0.01)) if place.field in ("technique", "change") else (BARE,)
    for figure, sign, end, around in figures_told(text, names, place.field in NAMES_OF_OURS):
        tags = with_tags(place.tags, around)
        quote = _quote(text, figure)
        for reading in figure.readings or bare:
            yield place.fact(reading, figure.value, sign)._replace(end=end, tags=tags, quote=quote)


@lru_cache(maxsize=4096)
def figures_told(
    text: str, names: Collection[str], is_name: bool
) -> tuple[tuple[Figure, int, str, str], ...]:
    """Figures of a text of ours: how they differ, which end of a range they are, and the words around them.

    A name is also read in its parts.
    """
    parts = [text, *re.split(r"[-@]", text)] if is_name else [text]
    found = []
    for part in parts:
        figures = find_figures(part, names)
        ends = interval_ends(part, figures, bracketed=True)
        found += [
            (f, direction_of(part, figures, at), ends.get(at, ""), _around(part, f))
            for at, f in enumerate(figures)
        ]
    return tuple(found)


def _quote(text: str, figure: Figure) -> str:
    """With so many words around it that it can be known again; of a name, nothing."""
    quote = text[max(0, figure.start - _QUOTED) : figure.end + _QUOTED]
    return quote if figure.text in quote and len(quote) >= len(figure.text) + _QUOTED else ""


def _around(text: str, figure: Figure) -> str:
    """Its part of the text."""
    starts = [match.end() for match in _PART.finditer(text, 0, figure.start)]
    end = _PART.search(text, figure.end)
    return text[starts[-1] if starts else 0 : end.start() if end else len(text)]
