"""Which target, runtime, model, technique, layer, region and clock each number of a text speaks of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from .compared import CONTRAST, ON, of_compared
from .context import gap_between
from .families import Family
from .figures import Figure
from .known_names import Mention
from .layers import layers_in, without_operators
from .sentences import Before, Stretch, sentences
from .words import AGAINST, ARTICLES

_JOINS = re.compile(
    r"[\s,*_`]*(?:and|or|&|,|und|oder|et|ou|y|o|e|vs\.?|versus|against|to|/|layers?)?[\s,*_`]*"
    rf"(?:(?:on|with|for|auf|mit|sur|avec|en|con)?\s*(?:{ARTICLES})\s*)?",
    re.IGNORECASE,
)
_SAME = re.compile(r"[\s*_`]*(?:\(|–|-|to|bis|à|a|of|,|90 % interval|[\s])*[\s*_`]*")
_OWN = re.compile(r"[*_`]*(?:['’]s? |\s?\(|:\s)[*_`]*")
_ASIDE = re.compile(r"[,;:]\s")
_AGAINST = re.compile(rf"(?<!\w)(?:{AGAINST})[\s*_`(]*$", re.IGNORECASE)

_PLUS = re.compile(r"[\s*_`]*(?:\+|plus|combined with|together with)[\s*_`]*", re.IGNORECASE)
_COMPARES = re.compile(
    r"[\s*_`]*(?:vs\.?|versus|against|instead of|rather than|compared (?:to|"
    r"with))[\s*_`]*"
)
_BECOMES = re.compile(r"[\s*_`]*(?:→|->|=>|vs\.?|versus|against|to|instead of)[\s*_`]*")


_RANGE = re.compile(r"[\s*_`]*(?:–|—|-|to)[\s*_`]*")
_ROW = re.compile(r"[\s,*_`]*(?:and|,|/|\+|vs\.?|versus|to|against|or|&|und|et|y)[\s,*_`]*")


KINDS = ("target", "runtime", "model", "technique", "layer", "region")


@dataclass
class Spoken:
    """What one number speaks of, by kind."""

    named: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    """What it is compared with."""
    against: bool = False
    """It is what another number is compared with, and may be of something that is not named."""
    carried_technique: bool = False
    """The change was named in an earlier sentence."""
    first_of_layer: bool = False
    """The first number after a layer was named."""
    beginnings: frozenset[str] = frozenset()
    """First letters of the words of its sentence, and of those before it in the paragraph."""
    of_layers: bool = False
    """The paragraph speaks of single layers."""
    both_clocks: tuple[float, ...] = ()
    """The two clocks that its sentence names, in its order."""
    clocks: tuple[tuple[float, float], ...] = ()
    """The clocks in Hz that it may be at, each with how far it may lie from what is printed."""


def spoken_of(text: str, figures: Sequence[Figure], mentions: Sequence[Mention]) -> dict[int, Spoken]:
    """By the start of each figure."""
    every = without_operators(text, sorted((*_joined(text, mentions), *layers_in(text, figures))))
    told = {figure.start: Spoken() for figure in figures}
    starts, at = [f.start for f in figures], [m.start for m in every]
    before = Before()
    for start, stop in sentences(text):
        inside = figures[bisect_left(starts, start) : bisect_left(starts, stop)]
        near = every[bisect_left(at, start) : bisect_left(at, stop)]
        stretch = Stretch(start, stop, inside, near)
        around = before.reach(text, stretch)
        _tell(text, stretch, around, told)
        compared = of_compared(text, stretch)
        for runtime, target in compared.items():
            for figure in inside:
                named = told[figure.start].named
                if (
                    named.get("runtime") == runtime.value
                    and named.get("target", target.value) != target.value
                ):
                    del named["runtime"]
        before.note(text, replace(stretch, mentions=[m for m in near if m not in compared]))
        beginnings = before.beginnings if inside else frozenset()
        for figure in inside:
            told[figure.start].beginnings = beginnings
            told[figure.start].of_layers = before.of_layers
            for kind, value in before.column(text, figure).items():
                if not any(mention.kind == kind for mention in near):
                    told[figure.start].named[kind] = value
    return told


def _joined(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Changes that are told as one: input-50 + prune-50."""
    waiting: Mention | None = None
    for mention in mentions:
        if mention.kind != "technique":
            yield mention
            continue
        if waiting is not None and _PLUS.fullmatch(text[waiting.end : mention.start]):
            value = f"{waiting.value} + {mention.value}"
            waiting = Mention(waiting.start, mention.end, "technique", value)
            continue
        if waiting is not None:
            yield waiting
        waiting = mention
    if waiting is not None:
        yield waiting


def _tell(text: str, stretch: Stretch, around: dict[str, str], told: dict[int, Spoken]) -> None:
    changes = any(mention.kind == "technique" for mention in stretch.mentions)
    for kind in KINDS:
        named = [mention for mention in stretch.mentions if mention.kind == kind]
        claimed = [f for f in stretch.figures if f.family is not Family.INDEX]
        if not named:
            for figure in claimed:
                if kind in around and not (changes and kind == "runtime"):
                    told[figure.start].named[kind] = around[kind]
                    told[figure.start].carried_technique |= kind == "technique"
            continue
        contrast = {m for m in named if CONTRAST.search(text[max(stretch.start, m.start - 40) : m.start])}
        _attach(text, kind, claimed, named, contrast, told, stretch.mentions)
        if kind == "layer":
            _mark_first(text, stretch.figures, named, told)


def _attach(
    text: str,
    kind: str,
    figures: Sequence[Figure],
    mentions: Sequence[Mention],
    contrast: set[Mention],
    told: dict[int, Spoken],
    every: Sequence[Mention],
) -> None:
    values = list(dict.fromkeys(m.value for m in mentions))
    plain = [m for m in mentions if m not in contrast]
    listed = _in_order(text, figures, mentions, contrast) if len(values) > 1 else {}
    first_of = {b.start: a for a, b in pairwise(figures) if _RANGE.fullmatch(text[a.end : b.start])}
    after: Mention | None = None
    following: Figure | None = None
    for figure in reversed(figures):
        chosen = (
            listed.get(figure.start)
            or _right_before(text, first_of.get(figure.start, figure), mentions)
            or _right_after(text, figure, mentions)
        )
        if chosen is None and after and following and _SAME.fullmatch(text[figure.end : following.start]):
            chosen = after
        after, following = chosen, figure
        spoken = told[figure.start]
        against = _AGAINST.search(text, max(0, figure.start - 30), figure.start)
        if chosen is None and against and kind != "layer":
            spoken.against = True
            continue
        if chosen is None:
            chosen = None if _has_other(text, figure, kind, every) else _nearest(text, figure, figures, plain)
        if chosen is not None:
            spoken.named[kind] = chosen.value
        rest = [m for m in mentions if chosen is None or m.value != chosen.value]
        versus = next((m for m in rest if m in contrast and m.start > figure.start), None) or (
            rest[0] if len(values) == 2 and rest else None
        )
        if versus is not None:
            spoken.others[kind] = versus.value
    _loosen(text, kind, figures, told, plain, contrast)


def _loosen(
    text: str,
    kind: str,
    figures: Sequence[Figure],
    told: dict[int, Spoken],
    plain: Sequence[Mention],
    contrast: set[Mention],
) -> None:
    """Of two figures set against each other the second is of what the subject is compared with.

    Of 91 ms → 263 ms the first may be.
    """
    for one, other in pairwise(figures):
        spoken = told[one.start]
        if one.family is not other.family or kind not in spoken.others:
            continue
        gap = text[one.end : other.start]
        subjects = [m.value for m in plain if m.end <= one.start]
        compared = [m.value for m in contrast if m.end <= one.start]
        if _COMPARES.fullmatch(gap) and subjects and len(compared) == 1 and subjects[-1] != compared[0]:
            spoken.named[kind], told[other.start].named[kind] = subjects[-1], compared[0]
        elif _BECOMES.fullmatch(gap) and not _right_after(text, other, plain):
            both = f"{spoken.named.get(kind, '')}|{spoken.others[kind]}"
            spoken.named[kind] = told[other.start].named[kind] = both


def _has_other(text: str, figure: Figure, kind: str, mentions: Sequence[Mention]) -> bool:
    """A change and a runtime are alternatives: 98 KiB with input-50, 72 KiB with bosch-hale."""
    other = {"technique": "runtime", "runtime": "technique"}.get(kind)
    after = _right_after(text, figure, [m for m in mentions if m.start >= figure.end]) if other else None
    return after is not None and after.kind == other


def _right_after(text: str, figure: Figure, mentions: Sequence[Mention]) -> Mention | None:
    """16.5 ms on the H743."""
    for mention in mentions:
        if mention.start >= figure.end:
            close = mention.start - figure.end <= 30
            return mention if close and ON.fullmatch(text[figure.end : mention.start]) else None
    return None


def _right_before(text: str, figure: Figure, mentions: Sequence[Mention]) -> Mention | None:
    """The H743's 480 MHz; the H743 (14.1 ms)."""
    before = [mention for mention in mentions if mention.end <= figure.start]
    return before[-1] if before and _OWN.fullmatch(text, before[-1].end, figure.start) else None


def _nearest(
    text: str, figure: Figure, figures: Sequence[Figure], mentions: Sequence[Mention]
) -> Mention | None:
    """The last before it, and rather one that stands on its own than one said after another number."""
    before = [m for m in mentions if m.start < figure.start]
    if not before:
        return mentions[0] if mentions and mentions[0].kind != "region" else None
    ends = [f.end for f in figures if f.end <= before[-1].start]
    aside = bool(ends) and ON.fullmatch(text[ends[-1] : before[-1].start]) is not None
    if aside and before[-1].kind == "target":
        own = [
            m for m in before if not any(ON.fullmatch(text[end : m.start]) for end in ends if end <= m.start)
        ]
        return own[-1] if own else before[-1]
    return before[-1]


def _in_order(
    text: str, figures: Sequence[Figure], mentions: Sequence[Mention], contrast: set[Mention]
) -> dict[int, Mention]:
    """Several names in a row, then as many numbers of a kind: the first is of the first."""
    found: dict[int, Mention] = {}
    for run, stop in _runs(text, mentions):
        following = [
            f
            for f in figures
            if run[-1].end <= f.start < stop and f.family not in (Family.RATIO, Family.FREQUENCY)
        ]
        if not following or not contrast.isdisjoint(run):
            continue
        following = _row_of(text, following, len(run))
        family = next((f.family for f in following if f.readings), None)
        first = [f for f in following if f.family is family or not f.readings]
        if len(first) == len(run) and first == following[: len(run)]:
            found |= {figure.start: mention for figure, mention in zip(first, run, strict=True)}
    return found


def _row_of(text: str, figures: Sequence[Figure], count: int) -> list[Figure]:
    """So many of them that stand in a row, or all where none do."""
    for first in range(len(figures) - count + 1):
        row = figures[first : first + count]
        if all(_ROW.fullmatch(gap_between(text, a, b)) for a, b in pairwise(row)):
            return list(row)
    return list(figures)


def _runs(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[list[Mention], int]]:
    """Names in a row, and where the next one stands."""
    run: list[Mention] = []
    for mention in mentions:
        if run and not _JOINS.fullmatch(text[run[-1].end : mention.start]):
            if len(run) > 1:
                yield run, mention.start
            run = []
        run.append(mention)
    if len(run) > 1:
        yield run, len(text)


def _mark_first(
    text: str, figures: Sequence[Figure], mentions: Sequence[Mention], told: dict[int, Spoken]
) -> None:
    for mention in mentions:
        first = next((f for f in figures if f.start >= mention.end), None)
        if first is None or first.family is Family.INDEX or _ASIDE.search(text, mention.end, first.start):
            continue
        if told[first.start].named.get("layer") == mention.value:
            told[first.start].first_of_layer = True
