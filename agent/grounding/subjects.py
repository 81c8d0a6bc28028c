"""Which target, runtime, model and layer each number of a text speaks of."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .families import Family
from .figures import Figure
from .known_names import Mention
from .words import AGAINST, ARTICLES, AT, LAYER_WORDS, PRONOUNS, THAN

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉÀÁ¿¡*_`(-])|;\s|\n")
_JOINS = re.compile(
    r"[\s,*_`]*(?:and|or|&|,|und|oder|et|ou|y|o|e|vs\.?|versus|against|to|/|layers?)?[\s,*_`]*"
    rf"(?:(?:on|with|for|auf|mit|sur|avec|en|con)?\s*(?:{ARTICLES})\s*)?",
    re.IGNORECASE,
)
_ON = re.compile(
    rf"[\s*_`]*(?:\(|\[|(?:{AT})\s)[\s*_`]*(?:(?:{ARTICLES})\s*)?(?:layer|model|runtime)?[\s*_`]*",
    re.IGNORECASE,
)
_SAME = re.compile(r"[\s*_`]*(?:\(|–|-|to|bis|à|a|of|,|90 % interval|[\s])*[\s*_`]*")
_CONTRAST = re.compile(rf"(?<!\w)(?:{THAN})[\s*_`]*(?:(?:{ARTICLES})\s*)?[\s*_`]*$", re.IGNORECASE)
_TENSOR = re.compile(r"\b[Tt]ens(?:or|eur)[a-z]*[ #]*$")
_PRONOUN = re.compile(rf"[\s*_`>-]*(?:{PRONOUNS})\b")
_ITEM = re.compile(r"[ \t]*(?:(?:[-*•]|\d+[.)])[ \t]|\|)")
_LONG_WORD = re.compile(r"[^\W_]{4,}")
_OWN = re.compile(r"[*_`]*(?:['’]s? |\s?\(|:\s)[*_`]*")
_ASIDE = re.compile(r"[,;:]\s")
_AGAINST = re.compile(rf"(?<!\w)(?:{AGAINST})[\s*_`(]*$", re.IGNORECASE)
_HEAD = re.compile(r"[ \t]*#|.*:[\s*_`]*$|[ \t]*\*\*[^*]+\*\*[\s:]*$")


_OF_LAYERS = re.compile(
    rf"\b(?:{LAYER_WORDS})\b|\b[A-Z]{{3,}}(?:_[A-Z0-9]+)+\b|\b(?:ADD|SOFTMAX|RESHAPE|MUL|PAD|CONV)\b|#\d",
    re.IGNORECASE,
)
_REACH = 6
"""Sentences of a paragraph whose words still count, beside its first."""
KINDS = ("target", "runtime", "model", "technique", "layer")


@dataclass
class Spoken:
    """What one number speaks of, by kind."""

    named: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    """What it is compared with."""
    against: bool = False
    """It is what another number is compared with, and may be of something that is not named."""
    first_of_layer: bool = False
    """The first number after a layer was named."""
    beginnings: frozenset[str] = frozenset()
    """First letters of the words of its sentence, and of those before it in the paragraph."""
    of_layers: bool = False
    """The paragraph speaks of single layers."""


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
    starts, at = [f.start for f in figures], [m.start for m in every]
    before = _Before()
    for start, stop in _sentences(text):
        inside = figures[bisect_left(starts, start) : bisect_left(starts, stop)]
        near = every[bisect_left(at, start) : bisect_left(at, stop)]
        stretch = _Stretch(start, stop, inside, near)
        around = before.reach(text, stretch)
        _tell(text, stretch, around, told)
        before.note(text, stretch)
        beginnings = before.beginnings if inside else frozenset()
        for figure in inside:
            told[figure.start].beginnings = beginnings
            told[figure.start].of_layers = before.of_layers
            for kind, value in before.column(text, figure).items():
                if not any(mention.kind == kind for mention in near):
                    told[figure.start].named[kind] = value
    return told


def _beginnings(sentence: str) -> frozenset[str]:
    return frozenset(word[:4].casefold() for word in _LONG_WORD.findall(sentence))


class _Before:
    """What earlier sentences say of this one: the one before, the head of a list, the header of a table."""

    def __init__(self) -> None:
        self._sentence: dict[str, str] = {}
        self._head: dict[str, str] = {}
        self._header: _Stretch | None = None
        self.of_layers = False
        self._recent: deque[frozenset[str]] = deque(maxlen=_REACH)
        self._opening: frozenset[str] = frozenset()
        self._blank = False

    @property
    def beginnings(self) -> frozenset[str]:
        return self._opening.union(*self._recent)

    def reach(self, text: str, stretch: _Stretch) -> dict[str, str]:
        line = text[stretch.start : stretch.stop]
        fresh = stretch.start == 0 or text[stretch.start - 1] == "\n"
        if fresh and not line.strip():
            self._blank = True
            return {}
        item = _ITEM.match(line) is not None
        if self._blank and not item:
            self.of_layers, self._opening = False, frozenset()
            self._recent.clear()
        self._blank = False
        if fresh and not item:
            self._head = {}
        pronoun = _PRONOUN.match(line) is not None
        continues = pronoun or text[max(0, stretch.start - 2) : stretch.start].rstrip().endswith(";")
        if not (item or continues or not fresh):
            return {}
        return {**self._head, **(self._sentence if continues else {})}

    def note(self, text: str, stretch: _Stretch) -> None:
        line = text[stretch.start : stretch.stop]
        if not line.strip():
            self._header = None
            return
        single = _only(mention for mention in stretch.mentions if mention.kind != "layer")
        continues = _PRONOUN.match(line) or line.rstrip().endswith(";")
        self._sentence = single or (self._sentence if continues else {})
        self._opening = self._opening or _beginnings(line)
        self._recent.append(_beginnings(line))
        self.of_layers = self.of_layers or _OF_LAYERS.search(line) is not None
        if _HEAD.match(line.rstrip()) and not _ITEM.match(line):
            self._head = single
        if "|" not in line:
            self._header = None
        elif self._header is None:
            self._header = stretch

    def column(self, text: str, figure: Figure) -> dict[str, str]:
        """What the cell above, in the first row of a table, names."""
        header = self._header
        if header is None or figure.start < header.stop or len(header.mentions) < 2:
            return {}
        cell = text.count("|", text.rfind("\n", 0, figure.start) + 1, figure.start)
        return _only(m for m in header.mentions if text.count("|", header.start, m.start) == cell)


def _layers(text: str, figures: Sequence[Figure]) -> Iterator[Mention]:
    for figure in figures:
        if figure.family is Family.INDEX and not _TENSOR.search(
            text[max(0, figure.start - 12) : figure.start]
        ):
            yield Mention(figure.start, figure.end, "layer", str(int(figure.value)))


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
    for kind in KINDS:
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
            _mark_first(text, stretch.figures, named, told)


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
        chosen = (
            listed.get(figure.start)
            or _right_before(text, figure, mentions)
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
            chosen = _nearest(figure, plain)
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


def _right_before(text: str, figure: Figure, mentions: Sequence[Mention]) -> Mention | None:
    """The H743's 480 MHz; the H743 (14.1 ms)."""
    before = [mention for mention in mentions if mention.end <= figure.start]
    return before[-1] if before and _OWN.fullmatch(text, before[-1].end, figure.start) else None


def _nearest(figure: Figure, mentions: Sequence[Mention]) -> Mention | None:
    before = [m for m in mentions if m.start < figure.start]
    return before[-1] if before else (mentions[0] if mentions else None)


def _in_order(text: str, figures: Sequence[Figure], mentions: Sequence[Mention]) -> dict[int, Mention]:
    """Several names in a row, then as many numbers of a kind: the first is of the first."""
    last = mentions[-1].end
    if any(not _JOINS.fullmatch(text[a.end : b.start]) for a, b in pairwise(mentions)):
        return {}
    following = [f for f in figures if f.start >= last]
    kinds = {f.family for f in following if f.readings}
    if len(following) != len(mentions) or len(kinds) != 1:
        return {}
    return {figure.start: mention for figure, mention in zip(following, mentions, strict=True)}


def _mark_first(
    text: str, figures: Sequence[Figure], mentions: Sequence[Mention], told: dict[int, Spoken]
) -> None:
    for mention in mentions:
        first = next((f for f in figures if f.start >= mention.end), None)
        if first is None or first.family is Family.INDEX or _ASIDE.search(text, mention.end, first.start):
            continue
        if told[first.start].named.get("layer") == mention.value:
            told[first.start].first_of_layer = True
