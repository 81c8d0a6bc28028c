"""Hardware that is named by what differs from hardware named before it: Orin Nano or NX, Hailo-8 vs 8L."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ..hardware_db.names import folded
from .name_types import Kind, Name
from .patterns import compiled

_WORD, _GAP = compiled(r"[A-Za-z0-9+]+"), compiled(r"[ .-]")
_LISTED = compiled(
    r"\s*(?:[,/]|,?\s*\b(?:or|and|vs\.?|versus|against|than))\s*(?:(?:an?|the|my|even) )?", re.I
)
"""What stands between the members of a list."""
_LED = compiled(r"(?<![\w-])(?:or|and|vs\.?|versus|than|an?|the|on|for|my) $", re.I)
"""Before one that stands apart."""
_ENDS = compiled(
    r"\s*(?:$|[^\w\s]|(?:and|are|as|at|be|better|can|do|does|draws?|enough|for|has|if|in|instead|is|needs?|on|or|"
    r"runs?|running|takes?|than|to|too|versus|vs|which|what|how|will|with|would|boards?|modules?|sticks?)\b)",
    re.I,
)
"""Behind it; another noun makes it something else: a mini PC, a USB camera."""
_MEASURE = compiled(r"\d+\s?(?:g|gb|gib|w|mhz|ghz|fps|ms|tops|b)", re.I)
_MEASURE_LAST = compiled(r"\d+\s?gb$", re.I)
_MOST_WORDS = 3
_Exact = Mapping[str, tuple[Kind, str]]
_Families = Mapping[str, tuple[Kind, tuple[str, ...]]]


def siblings(text: str, names: Sequence[Name], exact: _Exact, families: _Families) -> Iterator[Name]:
    """What other names leave free and is known together with the first words of the hardware before it."""
    known = [name for name in names if name.known]
    full = [name for name in known if name.kind is Kind.TARGET and (" " in name.text or not name.family)]
    full.sort(key=lambda name: name.end)
    own = {word[0].casefold() for name in full for word in _WORD.finditer(name.text)}
    said = {identifier for name in full for identifier in name.ids}
    free = bytearray(b"\1") * len(text)
    for name in known:
        free[name.start : name.end] = bytes(name.end - name.start)
    words = [word for word in _WORD.finditer(text) if all(free[word.start() : word.end()])]
    ends, last = [name.end for name in full], 0
    for first, word in enumerate(words):
        behind = bisect_right(ends, word.start())
        if not behind or word.start() < last:
            continue
        before = full[behind - 1]
        listed = _LISTED.fullmatch(text, max(last, before.end), word.start()) is not None
        called = word[0][0].isupper() and len(word[0]) > 1 and _LED.search(text, 0, word.start())
        for size in range(_MOST_WORDS, 0, -1) if listed or called else ():
            run = words[first : first + size]
            tail = text[word.start() : run[-1].end()]
            if len(run) < size or not _may_be(text, tail, run, before, listed=listed):
                continue
            new = {each[0].casefold() for each in run} - own
            if new and (found := _with_its_head(before, tail, exact, families)):
                if not set(found) <= said:
                    last = run[-1].end()
                    yield Name(word.start(), last, tail, Kind.TARGET, found, family=len(found) > 1)
                break


def _may_be(text: str, tail: str, run: Sequence[re.Match[str]], before: Name, *, listed: bool) -> bool:
    """Whether so many words stand together, end as a name does, and are no measure of something."""
    joined = all(_GAP.fullmatch(text, a.end(), b.start()) for a, b in pairwise(run))
    sized = _MEASURE.fullmatch(tail) is None or (listed and _MEASURE_LAST.search(before.text) is not None)
    return joined and sized and (listed or not tail.isdigit()) and bool(_ENDS.match(text, run[-1].end()))


def _with_its_head(name: Name, tail: str, exact: _Exact, families: _Families) -> tuple[str, ...]:
    """What goes by the tail together with as many of the first words of a name as possible."""
    heads = [word[0] for word in _WORD.finditer(name.text)]
    for many in range(len(heads), 0, -1):
        head = "".join(heads[:many])
        for key in (folded(head + tail), folded(tail + head)):
            if (kind := exact.get(key)) and kind[0] is Kind.TARGET:
                return (kind[1],)
            if (members := families.get(key)) and members[0] is Kind.TARGET:
                return members[1]
    return ()
