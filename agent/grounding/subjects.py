"""Which target, runtime, model and layer each number of a text speaks of."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .families import Family
from .figures import Figure
from .known_names import Mention
from .words import ARTICLES, AT, PRONOUNS, THAN

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉÀÁ¿¡*_`(-])|;\s|\n")
_JOINS = re.compile(
    r"[\s,*_`]*(?:and|or|&|,|und|oder|et|ou|y|o|e|vs\.?|versus|against|to|/|layers?)?[\s,*_`]*"
)
_ON = re.compile(
    rf"[\s*_`]*(?:\(|\[|(?:{AT})\s)[\s*_`]*(?:(?:{ARTICLES})\s*)?(?:layer|model|runtime)?[\s*_`]*",
    re.IGNORECASE,
)
_SAME = re.compile(r"[\s*_`]*(?:\(|–|-|to|bis|à|a|of|,|90 % interval|[\s])*[\s*_`]*")
_CONTRAST = re.compile(rf"(?<!\w)(?:{THAN})[\s*_`]*(?:(?:{ARTICLES})\s*)?[\s*_`]*$", re.IGNORECASE)
_TENSOR = re.compile(r"\b[Tt]ens(?:or|eur)[a-z]*[ #]*$")
_PRONOUN = re.compile(rf"[\s*_`>-]*(?:{PRONOUNS})\b")
_BULLET = re.compile(r"[ \t]*(?:[-*•]|\d+[.)])[ \t]")
_LEADS = re.compile(r"[ \t]*#|.*:[\s*_`]*$|[ \t]*\*\*[^*]+\*\*[\s:]*$")


@dataclass
class Spoken:
    """What one number speaks of, by kind."""

    named: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    """What it is compared with."""
    first_of_layer: bool = False
    """The first number after a layer was named."""


@dataclass(frozen=True)
class _Stretch:
    start: int
    stop: int
    figures: Sequence[Figure]
    mentions: Sequence[Mention]


def spoken_of(text: str, figures: Sequence[Figure], mentions: Sequence[Mention]) -> dict[int, Spoken]:
    """By the start of each figure."""
    every = sorted((*mentions, *_layers(text, figures)))
    told = {figure.start: Spoken() for figure in figures}
    carried: dict[str, str] = {}
    lead: dict[str, str] = {}
    starts, at = [f.start for f in figures], [m.start for m in every]
    for start, stop in _sentences(text):
        inside = figures[bisect_left(starts, start) : bisect_left(starts, stop)]
        near = every[bisect_left(at, start) : bisect_left(at, stop)]
        stretch = _Stretch(start, stop, inside, near)
        line = text[start:stop]
        fresh = start == 0 or text[start - 1] == "\n"
        if not line.strip():
            carried, lead = {}, (lead if line == "\n" and not _ended(text, stop) else {})
            continue
        bullet = _BULLET.match(line) is not None
        if fresh and not bullet:
            lead = {}
        around = lead if bullet or not fresh else (carried if _PRONOUN.match(line) else {})
        if _PRONOUN.match(line) and not around:
            around = carried
        _tell(text, stretch, around, told)
        single = {kind: value for kind, value in _only(near).items() if kind != "layer"}
        carried = single or (carried if _PRONOUN.match(line) else {})
        if _LEADS.match(line.rstrip()) and not bullet:
            lead = single
    return told


def _layers(text: str, figures: Sequence[Figure]) -> Iterator[Mention]:
    for figure in figures:
        if figure.family is Family.INDEX and not _TENSOR.search(
            text[max(0, figure.start - 12) : figure.start]
        ):
            yield Mention(figure.start, figure.end, "layer", str(int(figure.value)))


def _ended(text: str, stop: int) -> bool:
    return stop >= len(text) or _BULLET.match(text, stop) is None


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def sentence_starts(text: str, figures: Sequence[Figure]) -> list[int]:
    """Where the sentence of each figure starts."""
    starts = [start for start, _ in _sentences(text)]
    return [starts[bisect_right(starts, figure.start) - 1] for figure in figures]


def _only(mentions: Iterable[Mention]) -> dict[str, str]:
    values: dict[str, set[str]] = {}
    for mention in mentions:
        values.setdefault(mention.kind, set()).add(mention.value)
    return {kind: next(iter(those)) for kind, those in values.items() if len(those) == 1}


def _tell(text: str, stretch: _Stretch, around: dict[str, str], told: dict[int, Spoken]) -> None:
    for kind in ("target", "runtime", "model", "layer"):
        named = [mention for mention in stretch.mentions if mention.kind == kind]
        claimed = [f for f in stretch.figures if f.family is not Family.INDEX]
        if not named:
            for figure in claimed:
                if kind in around:
                    told[figure.start].named[kind] = around[kind]
            continue
        contrast = {m for m in named if _CONTRAST.search(text[max(stretch.start, m.start - 40) : m.start])}
        _attach(text, kind, claimed, named, contrast, told)
        if kind == "layer":
            _mark_first(stretch.figures, named, told)


def _attach(
    text: str,
    kind: str,
    figures: Sequence[Figure],
    mentions: Sequence[Mention],
    contrast: set[Mention],
    told: dict[int, Spoken],
) -> None:
    values = list(dict.fromkeys(m.value for m in mentions))
    plain = [m for m in mentions if m not in contrast]
    listed = _in_order(text, figures, mentions) if len(values) > 1 else {}
    after: Mention | None = None
    following: Figure | None = None
    for figure in reversed(figures):
        chosen = listed.get(figure.start) or _right_after(text, figure, mentions)
        if chosen is None and after and following and _SAME.fullmatch(text[figure.end : following.start]):
            chosen = after
        after, following = chosen, figure
        if chosen is None:
            chosen = _nearest(figure, plain)
        spoken = told[figure.start]
        if chosen is not None:
            spoken.named[kind] = chosen.value
        rest = [m for m in mentions if chosen is None or m.value != chosen.value]
        versus = next((m for m in rest if m in contrast and m.start > figure.start), None) or (
            rest[0] if len(values) == 2 and rest else None
        )
        if versus is not None:
            spoken.others[kind] = versus.value


def _right_after(text: str, figure: Figure, mentions: Sequence[Mention]) -> Mention | None:
    """16.5 ms on the H743."""
    for mention in mentions:
        if mention.start >= figure.end:
            close = mention.start - figure.end <= 30
            return mention if close and _ON.fullmatch(text[figure.end : mention.start]) else None
    return None


def _nearest(figure: Figure, mentions: Sequence[Mention]) -> Mention | None:
    before = [m for m in mentions if m.start < figure.start]
    return before[-1] if before else (mentions[0] if mentions else None)


def _in_order(text: str, figures: Sequence[Figure], mentions: Sequence[Mention]) -> dict[int, Mention]:
    """Several names in a row, then as many numbers of a kind: the first is of the first."""
    last = mentions[-1].end
    if any(not _JOINS.fullmatch(text[a.end : b.start]) for a, b in zip(mentions, mentions[1:], strict=False)):
        return {}
    following = [f for f in figures if f.start >= last]
    kinds = {f.family for f in following if f.readings}
    if len(following) != len(mentions) or len(kinds) != 1:
        return {}
    return {figure.start: mention for figure, mention in zip(following, mentions, strict=True)}


def _mark_first(figures: Sequence[Figure], mentions: Sequence[Mention], told: dict[int, Spoken]) -> None:
    for mention in mentions:
        first = next((f for f in figures if f.start >= mention.end), None)
        if (
            first
            and first.family is not Family.INDEX
            and told[first.start].named.get("layer") == mention.value
        ):
            told[first.start].first_of_layer = True
