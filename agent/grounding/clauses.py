"""Which words of a sentence are said of a number: those of its own part of the clause."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from .families import Family
from .figures import Figure
from .known_names import Mention
from .quantities import Hit, Word, words_in
from .tables import cell_titles

_BREAK = re.compile(
    r"[,;()\[\]|\n→]|[.:!?](?=\s)|[–—](?=\s)|"
    r"(?<!\w)(?:and|but|while|whereas|plus|so|or|against|versus|vs|than|instead|rather|compared|which|"
    r"und|oder|aber|gegen|et|mais|contre|y|pero)(?!\w)",
    re.IGNORECASE,
)
_NEW_PHRASE = re.compile(
    r"(?<!\w)(?:the|an?|your|its|their|our|my|this|that|these|each|every|of|with|for|in|on|at|by|from|to|is|"
    r"are|was|needs?|takes?|uses?|has|have|der|die|das|den|dem|ein|eine|le|la|les|un|une|el|los|de|du|des|"
    r"mit|von|für|auf|bei)(?!\w)",
    re.IGNORECASE,
)
_POSTPOSED = re.compile(r"[\s*_`]*(?:of|in|for|von|de|du|d['’])(?!\w)", re.IGNORECASE)
_BRIDGE = re.compile(
    r"(?<!\w)(?:of|is|are|was|at|to|by|takes?|needs?|uses?|has|have|with|=|:|from|about|only|roughly|"
    r"around|nearly|almost|just)[\s*_`~≈(]*$",
    re.IGNORECASE,
)
_SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about against almost an and approx approximately are around as at auf avec both but by ca
        compared con corresponds down e en et etwa exactly fitted for from g gives giving i in
        inference instead interval is it its just meaning means mit nearly oder of on one only or
        per plus rather resp respectively roughly so sur than that the then to und under up using
        versus vs whereas which while with y
        """,
    )
)
"""They say nothing of what a number measures."""
_ENDS = re.compile(r"\n|[.!?]\s+(?=[A-ZÄÖÜ])")
_IS = re.compile(r"[\s*_`]*(?:is|are|=|would be|comes? to)(?!\w)")
_PREDICATE = re.compile(r"(?<!\w)(?:is|are|goes|go|went|belongs?|comes?|was|were)(?!\w)")
_IN_LAYER = re.compile(r"(?<!\w)(?:at|in|during|by|with|is)(?: the)? layer\s*#?$", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[\s*_`]*\([^()\d]{1,40}\)")
_IT = re.compile(r"(?<!\w)(?:it|this|that|them)(?!\w)", re.IGNORECASE)
_PART_OF = re.compile(r"[\s*_`)]*(?:\([^()]*\) )?(?:out )?of(?!\w)")
_OF_WHOLES = frozenset(("ram", "flash", "latency", "energy", "power", "clock"))
"""What a whole shares with its part."""
_AND_BEFORE = re.compile(
    r"(?<!\w)(?:weights|model|code|latency|energy|power|ram|flash|arena|data|activations|runtime|kernels)"
    r"[\s*_`]+(?:and|plus|und|et|y)[\s*_`]+$",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[^\W\d]+")
_REACH = 90


class Clauses:
    """Of a text with its figures and the names in it."""

    def __init__(self, text: str, figures: Sequence[Figure], mentions: Sequence[Mention]) -> None:
        self._text, self._figures = text, figures
        self._hits = words_in(text)
        self._starts = [hit.start for hit in self._hits]
        self._named = [(m.start, m.end) for m in mentions]
        self._after_ends: list[int] = []
        self._own: list[tuple[Word, ...]] = []

    def own(self) -> list[tuple[Word, ...]]:
        """The words of quantity of each figure."""
        for at in range(len(self._figures)):
            self._own.append(self._of(at))
        return self._own

    def _of(self, at: int) -> tuple[Word, ...]:
        figure = self._figures[at]
        after, after_end = self._after(at)
        self._after_ends.append(after_end)
        before = self._before(at)
        words = dict.fromkeys(hit.word for hit in (*before, *after))
        if not words:
            words = dict.fromkeys(self._carried(at))
        if figure.family is Family.INDEX:
            words |= dict.fromkeys(self._of_layer(at))
        words |= dict.fromkeys(hit.word for hit in cell_hits(self._text, figure))
        return tuple(words)

    def _of_layer(self, at: int) -> list[Word]:
        """The peak is at layer 1: said before the only layer of its sentence."""
        figure, start = self._figures[at], 0
        for match in _ENDS.finditer(self._text, max(0, figure.start - 200), figure.start):
            start = match.end()
        others = [
            f for f in self._figures[max(0, at - 8) : at + 8] if f.family is Family.INDEX and f.start >= start
        ]
        if len(others) > 1 or not _IN_LAYER.search(self._text, start, figure.start):
            return []
        return [hit.word for hit in self._between(start, figure.start) if Family.INDEX in hit.word.families]

    def _between(self, start: int, stop: int) -> list[Hit]:
        return [
            hit
            for hit in self._hits[bisect_left(self._starts, start) : bisect_left(self._starts, stop)]
            if hit.end <= stop and not self._is_name(hit)
        ]

    def _is_name(self, hit: Hit) -> bool:
        return any(start <= hit.start and hit.end <= end for start, end in self._named)

    def _after(self, at: int) -> tuple[list[Hit], int]:
        """What follows up to the end of the clause or what introduces the next figure."""
        text, start = self._text, self._figures[at].end
        stop = self._figures[at + 1].start if at + 1 < len(self._figures) else len(text)
        if self._is_part_of_next(at):  # 46 % of the 2.17 ms are overhead
            within = self._between(start, stop)
            return [*(self._phrase_from(within) if within else []), *self._predicate(at + 1)], start
        if (bracket := _IN_BRACKETS.match(text, start, stop)) and (
            hits := self._between(start, bracket.end())
        ):
            return self._phrase_from(hits), bracket.end()
        window = text[start : min(stop, start + _REACH)]
        end = _BREAK.search(window)
        if self._is_part_of_next(at - 1) and (verb := _PREDICATE.search(window)):
            hits = self._between(start, start + verb.start())
            return hits, start + (end.start() if end else len(window))
        cut = start + end.start() if end else start + len(window)
        shared = end is None and cut == stop and at + 1 < len(self._figures)
        hits = self._between(start, cut)
        if not hits:
            return [], cut if not shared else start
        first = self._phrase_from(hits)
        if not shared:
            return first, cut
        close = hits[0].start - start <= 2
        if close or (
            _POSTPOSED.match(window) and (len(hits) > len(first) or not self._bridges(hits[-1], stop))
        ):
            return first, first[-1].end
        if _POSTPOSED.match(window):
            return first, start
        return [], start

    def _predicate(self, at: int) -> list[Hit]:
        """What is said of a part after its whole was named."""
        start = self._figures[at].end
        stop = self._figures[at + 1].start if at + 1 < len(self._figures) else len(self._text)
        window = self._text[start : min(stop, start + _REACH)]
        end, verb = _BREAK.search(window), _PREDICATE.search(window)
        cut = start + (end.start() if end else len(window))
        hits = self._between(start + verb.start(), cut) if verb and start + verb.start() < cut else []
        return self._phrase_from(hits) if hits else []

    def _bridges(self, hit: Hit, stop: int) -> bool:
        return _BRIDGE.search(self._text[hit.end : stop]) is not None

    def _phrase_from(self, hits: Sequence[Hit]) -> list[Hit]:
        """The first of them and those of the same phrase."""
        found = [hits[0]]
        for hit in hits[1:]:
            if _NEW_PHRASE.search(self._text, found[-1].end, hit.start):
                break
            found.append(hit)
        return found

    def _before(self, at: int) -> list[Hit]:
        """The last phrase of quantity before it in its clause."""
        text, stop = self._text, self._figures[at].start
        start = self._after_ends[at - 1] if at else 0
        start = max(start, stop - _REACH)
        window = text[start:stop]
        for end in reversed([m.end() for m in _BREAK.finditer(window)]):
            if self._says_nothing(start + end, stop):
                continue
            start += end
            break
        hits = self._between(start, stop)
        if not hits and _IT.search(text, start, stop):  # of the RAM: this change brings it to so much
            first = max(self._after_ends[at - 1] if at else 0, stop - _REACH)
            ends = [match.end() for match in _ENDS.finditer(text, first, stop)]
            hits = self._between(ends[-1] if ends else first, stop)
        if not hits or self._is_sum(hits[0]):
            return []
        found = [hits[-1]]
        for hit in reversed(hits[:-1]):
            if _NEW_PHRASE.search(text, hit.end, found[-1].start):
                break
            found.append(hit)
        return found

    def _is_sum(self, hit: Hit) -> bool:
        """The last of several that are told as one: model and code."""
        return _AND_BEFORE.search(self._text[max(0, hit.start - 30) : hit.start]) is not None

    def _says_nothing(self, start: int, stop: int) -> bool:
        """Only names and small words stand there."""
        text = self._text[start:stop]
        if _ENDS.search(text):
            return False
        for name_start, name_end in self._named:
            if start <= name_start and name_end <= stop:
                gap = " " * (name_end - name_start)
                text = text[: name_start - start] + gap + text[name_end - start :]
        return self._says_nothing_in(text)

    @staticmethod
    def _says_nothing_in(text: str) -> bool:
        return all(piece.casefold() in _SMALL_WORDS for piece in _PIECE.findall(text))

    def _is_part_of_next(self, at: int) -> bool:
        if not 0 <= at < len(self._figures) - 1:
            return False
        gap = self._text[self._figures[at].end : self._figures[at + 1].start]
        if _PART_OF.match(gap) is None:
            return False
        share = self._figures[at].family is Family.RATIO and not (
            _BREAK.search(gap) or _PREDICATE.search(gap)
        )
        return share or self._says_nothing_in(gap)

    def _carried(self, at: int) -> tuple[Word, ...]:
        """What was said of the number before, where nothing new is said between."""
        if not at:
            return ()
        previous, figure = self._figures[at - 1], self._figures[at]
        if _IS.match(self._text, previous.end, figure.start):
            return self._own[at - 1] if self._says_nothing(previous.end, figure.start) else ()
        same = {r.family for r in previous.readings} & {r.family for r in figure.readings}
        if not same and previous.readings and figure.readings and figure.family is not Family.RATIO:
            return ()
        if not self._says_nothing(previous.end, figure.start):
            return ()
        if _PART_OF.match(self._text, previous.end, figure.start):
            return tuple(word for word in self._own[at - 1] if word.name in _OF_WHOLES)
        return self._own[at - 1]


def cell_hits(text: str, figure: Figure) -> list[Hit]:
    """The words of the head of its column and of the first cell of its row."""
    return [hit for title in cell_titles(text, figure.start) for hit in words_in(title)]
