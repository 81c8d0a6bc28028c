"""Two references that would fit each other's words better: RAM where flash is said, limit for demand."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from ...tools.core.dimensions import family_of
from .filling import Hole
from .mentions import Mention
from .passages import Passages
from .readings import OF_PARTS, Misplaced
from .subjects import Subjects, agree

_SAID = {
    "demand": "needs need needed takes take uses use used requires required demand occupies",
    "bound": "of limit limits available allowed allows budget has have offers holds within",
    "gap": "spare left over headroom short free remain remains missing",
    "ram": "ram sram arena",
    "arena": "ram sram arena",
    "flash": "flash rom",
    "nonpersistent": "activation activations scratch planned shared",
    "persistent": "persistent interpreter",
    "utilization": "peak reaches utilisation utilization utilised",
    "shares": "spends share",
    "parameter": "parameter parameters weights weight",
    "model": "model weights",
    "code": "code kernels",
    "runtime": "runtime interpreter library code",
    "before": "before from today now currently original originally instead ↣",
    "added": "longer more extra added additional slower",
    "after": "after to becomes then gives down →",
    "low": "least low lower best from",
    "high": "most high higher worst to",
    "compute": "compute computing arithmetic",
    "memory": "memory bandwidth",
    "overhead": "overhead launch",
    "sleep": "sleep sleeping asleep",
    "active": "active awake busy",
    "average": "average mean",
    "estimated": "estimated estimate",
    "layers": "layer operator op operators layers",
    "latency": "latency inference total whole altogether",
    "decode": "decode decoding generation",
    "prefill": "prefill prompt",
    "macs": "macs mac",
    "price": "price costs cost",
    "lifetime": "lasts last life",
}
_EVIDENCE = {word: frozenset(said.split()) for word, said in _SAID.items()}
_NEUTRAL = frozenset({"value", "ms", "bytes", "uj", "mw", "unit", "rows", "tflm"})
Windows: TypeAlias = tuple[frozenset[str], frozenset[str]]
"""Words before a figure and behind it."""
_DIFFERENCE = re.compile(r"\s?[-−]\s?(?![^\[]*\])")
_BREAK = re.compile(r"[,;]\s|:\s(?=\w)")
_GOES_ON = re.compile(r"\s*(?:→|->|to|of|/|vs\.?|instead of|against)\s*")
"""Between two figures of one thing."""
_MOST = 120
"""References of one paragraph that are held against each other."""
_BEHIND = 0.6
"""What a word behind a figure weighs against one before it."""
_SUBJECT, _MORE_THAN_ALL = 2.0, 3.0
_OF_THE_WHOLE = 0.3


def crossed(
    text: str,
    holes: Sequence[Hole],
    passages: Passages,
    subjects: Callable[[Hole], list[Subjects]],
    mentions: Callable[[Hole, str], list[Mention]],
) -> Iterator[Misplaced]:
    """Pairs of one paragraph and one dimension whose words speak for the exchange."""
    groups: dict[tuple[int, int], list[Hole]] = defaultdict(list)
    for hole in holes:
        if isinstance(hole.value.value, str | bool | None):
            continue
        groups[passages.paragraph(hole.start)].append(hole)
    for group in groups.values():
        kin = group[:_MOST]
        around = {hole.start: _around(text, hole, kin, passages) for hole in kin}
        words = {hole.start: _words(hole) for hole in kin}
        found: set[int] = set()
        for one, other in combinations(kin, 2):
            if one.amount.paths == other.amount.paths == (one.path,) or not _alike(one, other):
                continue
            gain = _MORE_THAN_ALL if _is_more_than_all(text, one, other) else 0.0
            for here, there in ((one, other), (other, one)):
                mine, theirs = words[here.start] - words[there.start], words[there.start] - words[here.start]
                gain += _fit(around[here.start], theirs) - _fit(around[here.start], mine)
                gain += _subject_gain(subjects(here), subjects(there), functools.partial(mentions, here))
            if gain > 0:
                found |= {one.start, other.start}
        for hole in kin:
            if hole.start in found:
                yield Misplaced(hole, "Another reference fits these words better.")


def _alike(one: Hole, other: Hole) -> bool:
    """Whether they could stand for each other."""
    units = [each.value.unit for each in (one, other)]
    return units[0] == units[1] or (bool(units[0]) and units[1] in family_of(units[0]))


def _is_more_than_all(text: str, one: Hole, other: Hole) -> bool:
    """`16 of 4 operators`."""
    between = text[one.end : other.start]
    of = re.fullmatch(r"\s(?:out )?of(?: the| all| its| your)?\s", between)
    return of is not None and abs(one.amount.value or 0) > abs(other.amount.value or 0) > 0


def _around(text: str, hole: Hole, kin: Sequence[Hole], passages: Passages) -> Windows:
    """The words before and behind, up to the next figure; of a cell, those that head its row and column."""
    cell = passages.cell(hole.start)
    if cell is not None:
        heads = " ".join((text[slice(*cell.row)], text[slice(*cell.column)], text[cell.start : hole.start]))
        return _said(heads), frozenset()
    start, end = passages.part(hole.start)
    earlier = max((each for each in kin if each.end <= hole.start), key=lambda each: each.end, default=None)
    end = min([end, *(each.start for each in kin if each.start >= hole.end)])
    last = earlier.end if earlier else 0
    before = _said(_BREAK.split(text[max(start, last) : hole.start])[-1])
    if earlier is not None and _GOES_ON.fullmatch(text[last : hole.start]):
        before |= _around(text, earlier, [each for each in kin if each.start <= last], passages)[0]
    return before, _said(text[hole.end : end].replace("→", "↣"))


def _said(text: str) -> frozenset[str]:
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return frozenset(re.findall(r"[a-z]+\d*|\d+|[→↣]", apart.lower()))


def _words(hole: Hole) -> frozenset[str]:
    """Of the path; a difference is what is left, or is too much."""
    calculated = {"gap"} if _DIFFERENCE.search(hole.path) else set()
    inside = " ".join(path.partition(".")[2] for path in hole.amount.paths)
    return frozenset(re.findall(r"[a-z]+\d*|\d+", inside.lower())) - _NEUTRAL | calculated


def _fit(around: Windows, words: frozenset[str]) -> float:
    before, behind = around
    return sum(
        1.0 if said & before else _BEHIND if said & behind else 0.0
        for said in (_EVIDENCE.get(word, frozenset({word})) for word in words)
    )


def _subject_gain(
    own: list[Subjects], others: list[Subjects], mentioned: Callable[[str], list[Mention]]
) -> float:
    """How much better the other's subjects agree with what is mentioned."""
    gain = 0.0
    for kind in {kind for each in (*own, *others) for kind in each} - {"state", "check"}:
        mine = frozenset().union(*(each.get(kind, frozenset()) for each in own))
        theirs = frozenset().union(*(each.get(kind, frozenset()) for each in others))
        if mine != theirs and ((mine and theirs) or kind in OF_PARTS):
            said = mentioned(kind)
            gain += _SUBJECT * (_agreement(kind, theirs, said) - _agreement(kind, mine, said))
    return gain


def _agreement(kind: str, ids: frozenset[str], said: Sequence[Mention]) -> float:
    """A figure of the whole fits words that name no part, and those of a part only so far."""
    if not said:
        return _OF_THE_WHOLE if not ids else 0.0
    return _OF_THE_WHOLE if not ids else float(any(agree(kind, ids, mention.ids) for mention in said))
