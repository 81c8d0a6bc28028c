"""So many times what each of them has: four layers with 72,000 each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .asked import Asked
from .facts import Fact, Kind
from .families import Family
from .number_words import WORD_VALUES

_COUNT = re.compile(
    r"(?<![\w.,-])(?P<count>\d{1,4}|" + "|".join(w for w, v in WORD_VALUES.items() if v >= 2 and v % 1 == 0)
    + r")(?![.,]?\d)(?: [^\W\d][\w-]*){1,3}",
    re.IGNORECASE,
)  # fmt: skip
_EACH = re.compile(
    r"[^.;,\n]{0,24}?(?<!\w)(?:each|apiece|per (?:layer|operator|piece|convolution|buffer))(?!\w)"
)
_EACH_BEFORE = re.compile(
    r"(?<!\w)each (?:of which |one )?(?:with |of |has |having |takes? |taking |needs? )?$"
)
_NO_AMOUNTS = frozenset((Family.INDEX, Family.RATIO, Family.BARE))
_BEFORE = 90


def multiples_of_each(
    text: str, asked: Sequence[Asked], found: Sequence[Fact | None], starts: Sequence[int], at: int
) -> Iterator[Fact]:
    """What those are together of which the sentence tells how many there are and what each has."""
    for other in range(max(0, at - 8), at):
        fact, figure = found[other], asked[other].figure
        if fact is None or fact.family in _NO_AMOUNTS or starts[other] != starts[at]:
            continue
        before = text[max(starts[other], figure.start - _BEFORE) : figure.start]
        if not (_EACH.match(text, figure.end) or _EACH_BEFORE.search(before)):
            continue
        for count in _COUNT.finditer(before):
            times = _value(count["count"])
            yield fact._replace(
                value=times * fact.value,
                native=times * fact.native,
                path=f"{count['count']} × {fact.path}",
                kind=Kind.PAIR,
                subject=fact.subject._replace(layer=None),
                quote="",
            )


def _value(count: str) -> float:
    return float(count) if count.isdigit() else WORD_VALUES[count.casefold()]
