"""Which role the words beside a figure of the user's own give it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ..quantities import Family, Figure
from .own_figures import DATA

BREAKS = re.compile(r"[,;:?!\n()]|\.(?=\s|$)|\s(?:and|but|plus|then|with)\s", re.IGNORECASE)
_SENTENCES = re.compile(r"[.?!\n](?=\s|$)")
_OF_DRAWS = ("sleep", "extra", "budget", "harvest", "limit", "claim")
_ROLES_OF = {
    Family.TIME: ("life", "period", "limit", "claim", "percentile"),
    Family.RATE: ("claim",),
    Family.POWER: _OF_DRAWS,
    Family.CURRENT: _OF_DRAWS,
    Family.ENERGY: ("battery", "store", "limit", "claim"),
    Family.VOLTAGE: ("battery",),
    Family.PERCENT: ("usable", "headroom", "load"),
    Family.COUNT: ("claim",),
}
"""What a word beside a figure can make of it."""
_HOUR_MS = 3.6e6


@cache
def cues(role: str) -> re.Pattern[str]:
    """The words of a role, at the border of a word."""
    return re.compile(rf"\b(?:{DATA['cues'][role]})", re.IGNORECASE)


def cue(text: str, figures: Sequence[Figure], at: int) -> str:
    """The role that the nearest word beside a figure names, in its clause or before it in its sentence."""
    figure = figures[at]
    begin = figures[at - 1].end if at else 0
    until = figures[at + 1].start if at + 1 < len(figures) else len(text)
    breaks = [match.end() for match in BREAKS.finditer(text, begin, figure.start)]
    before = text[breaks[-1] if breaks else begin : figure.start]
    after = BREAKS.split(text[figure.end : until], maxsplit=1)[0]
    ahead = text[begin : figure.start]
    first = BREAKS.search(ahead) if at else None
    sentence = _SENTENCES.split(ahead[first.end() :] if first else "" if at else ahead)[-1]
    return _nearest(figure, before, after) or _nearest(figure, sentence, "")


def cue_found(role: str, text: str) -> bool:
    """Whether a word of a role stands in the text."""
    return bool(cues(role).search(text))


def _nearest(figure: Figure, before: str, after: str) -> str:
    found: list[tuple[int, str]] = []
    for name in _ROLES_OF.get(figure.family, ()):
        long = figure.value >= _HOUR_MS
        if (name == "life" and not long) or (name == "limit" and figure.family is Family.TIME and long):
            continue
        if name == "percentile" and cues("middle").search(before):
            continue
        found += [(len(before) - match.end(), name) for match in cues(name).finditer(before)]
        if name != "claim":
            found += [(match.start() + 1, name) for match in cues(name).finditer(after)]
    return min(found, default=(0, ""))[1]


__all__ = ["BREAKS", "cue", "cue_found", "cues"]
