"""Sentences and paragraphs of a text, and what earlier sentences say of a later one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .figures import Figure
from .known_names import Mention
from .words import LAYER_WORDS, PRONOUNS

_SENTENCE_END = re.compile(
    r"(?<=[.!?])\s+(?=[A-ZÄÖÜÉÀÁ¿¡*_`(-])|;\s|\n|(?<=[a-z\d%)]{2}[.!?]) (?=[a-z])"
    r"(?<!approx\. )(?<!resp\. )(?<!incl\. )(?<!etc\. )(?<!max\. )(?<!min\. )(?<! vs\. )"
    r"(?<! ca\. )(?<! no\. )"
)
_PRONOUN = re.compile(rf"[\s*_`>-]*(?:{PRONOUNS})\b")
_ITEM = re.compile(r"[ \t]*(?:(?:[-*•]|\d+[.)])[ \t]|\|)")
_LONG_WORD = re.compile(r"[^\W_]{4,}")
_HEAD = re.compile(r"[ \t]*#|.*:[\s*_`]*$|[ \t]*\*\*[^*]+\*\*[\s:]*$")
_OF_LAYERS = re.compile(
    rf"\b(?:{LAYER_WORDS})\b|\b[A-Z]{{3,}}(?:_[A-Z0-9]+)+\b|\b(?:ADD|SOFTMAX|RESHAPE|MUL|PAD|CONV)\b|#\d",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"(?<!\w)(?:without|instead of|unlike|other than|no) (?:it|them|that|this|either|any)(?!\w)", re.I
)
_REACH = 6
"""Sentences of a paragraph whose words still count, beside its first."""
_LONGEST_PARAGRAPH = 1_000
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True)
class Stretch:
    """A sentence with what stands in it."""

    start: int
    stop: int
    figures: Sequence[Figure]
    mentions: Sequence[Mention]


def sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def sentence_starts(text: str, figures: Sequence[Figure]) -> list[int]:
    """Where the sentence of each figure starts."""
    starts = [start for start, _ in sentences(text)]
    return [starts[bisect_right(starts, figure.start) - 1] for figure in figures]


def paragraphs(text: str, figures: Sequence[Figure]) -> list[tuple[int, int]]:
    """For each figure its paragraph, with the heading above it, up to the end of its sentence."""
    blocks, start = [0], 0
    for blank in _BLANK_LINE.finditer(text):
        if not _HEAD.match(text[start : blank.start()].rpartition("\n")[2]):
            blocks.append(blank.end())
        start = blank.end()
    stops = [stop for _, stop in sentences(text)]
    found = []
    for figure in figures:
        stop = stops[bisect_left(stops, figure.end)]
        begin = blocks[bisect_right(blocks, figure.start) - 1]
        found.append(
            (max(begin, figure.start - _LONGEST_PARAGRAPH), min(stop, figure.end + _LONGEST_PARAGRAPH))
        )
    return found


def beginnings_of(sentence: str) -> frozenset[str]:
    return frozenset(word[:4].casefold() for word in _LONG_WORD.findall(sentence))


class Before:
    """What earlier sentences say of this one: the one before, the head of a list, the header of a table."""

    def __init__(self) -> None:
        self._sentence: dict[str, str] = {}
        self._head: dict[str, str] = {}
        self._header: Stretch | None = None
        self.of_layers = False
        self._recent: deque[frozenset[str]] = deque(maxlen=_REACH)
        self._opening: frozenset[str] = frozenset()
        self._blank = False

    @property
    def beginnings(self) -> frozenset[str]:
        return self._opening.union(*self._recent)

    def reach(self, text: str, stretch: Stretch) -> dict[str, str]:
        line = text[stretch.start : stretch.stop]
        fresh = stretch.start == 0 or text[stretch.start - 1] == "\n"
        if fresh and not line.strip():
            self._blank = True
            return {}
        item = _ITEM.match(line) is not None
        below_head = self._blank and bool(self._head) and not item
        if self._blank and not item:
            self.of_layers, self._opening = False, frozenset()
            self._recent.clear()
        self._blank = False
        if fresh and not item and not below_head:
            self._head = {}
        pronoun = _PRONOUN.match(line) is not None
        continues = pronoun or text[max(0, stretch.start - 2) : stretch.start].rstrip().endswith(";")
        if not (item or continues or below_head or not fresh):
            return {}
        around = {**self._head, **(self._sentence if continues or not fresh else {})}
        if _WITHOUT.search(line):
            around = {kind: name for kind, name in around.items() if kind not in ("runtime", "technique")}
        return around

    def note(self, text: str, stretch: Stretch) -> None:
        line = text[stretch.start : stretch.stop]
        if not line.strip():
            self._header = None
            return
        single = only(mention for mention in stretch.mentions if mention.kind != "layer")
        continues = _PRONOUN.match(line) or line.rstrip().endswith(";")
        fresh = stretch.start == 0 or text[stretch.start - 1] == "\n"
        kept = self._sentence if continues or not fresh else {}
        several = {mention.kind for mention in stretch.mentions}
        self._sentence = {k: v for k, v in kept.items() if k not in several} | single
        self._opening = self._opening or beginnings_of(line)
        self._recent.append(beginnings_of(line))
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
        return only(m for m in header.mentions if text.count("|", header.start, m.start) == cell)


def only(mentions: Iterable[Mention]) -> dict[str, str]:
    """Of each kind the one name, where there is no other."""
    values: dict[str, set[str]] = {}
    for mention in mentions:
        values.setdefault(mention.kind, set()).add(mention.value)
    return {kind: next(iter(those)) for kind, those in values.items() if len(those) == 1}
