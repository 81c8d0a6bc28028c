"""What speaks for a figure in its place, as features that a fitted model weighs.

Words around it and of its path, how names stand to it, what the figure before it is of, in which order
subjects had figures.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TypeAlias

from ...tools.core.records import dataclass
from .candidates import KINDS, AtHand, Candidate, Key
from .mentions import Mention
from .subjects import agree

_WORD = re.compile(r"[a-zµ]+\d*|\d+|[→/()|;:,]")
_BEFORE, _BEHIND = 9, 7
"""Words around a figure."""
_BACK, _REACH = 8, 2_000
"""How many figures a figure's features look back at, and how many characters of its paragraph are read."""
Row: TypeAlias = Callable[[int], Candidate]
"""Which figure stands in each place."""


def words(text: str) -> list[str]:
    return _WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())


class Place:
    """Where one figure stands, and the words since the figure before it and up to the next."""

    def __init__(self, at_hand: AtHand, at: int) -> None:
        holes, passages, text = at_hand.holes, at_hand.passages, at_hand.text
        self.at_hand, self.at = at_hand, at
        self.start, self.end = holes[at].start, holes[at].end
        start, end = passages.sentence(self.start)
        self.sentence = max(start, self.start - _REACH), min(end, self.end + _REACH)
        self.since = max(passages.paragraph(self.start)[0], self.sentence[0] - _REACH)
        self.cell = passages.cell(self.start)
        self.goes_on = at > 0 and holes[at - 1].start >= self.sentence[0]
        """Whether a figure stands before it in its sentence."""
        before = holes[at - 1].end if self.goes_on else self.sentence[0]
        behind = holes[at + 1].start if at + 1 < len(holes) else len(text)
        self.between = words(text[before : self.start])
        self.behind = frozenset(words(text[self.end : min(behind, self.sentence[1])])[:_BEHIND])
        self.before = frozenset(self.between[-_BEFORE:])
        if self.cell is not None:
            spans = (self.cell.row, self.cell.column, (self.cell.start, self.start))
            self.before = frozenset(words(" ".join(text[slice(*span)] for span in spans)))
            self.behind = frozenset()

    @cached_property
    def kin(self) -> int | None:
        """The figure of its dimension before it in the paragraph."""
        figures = self.at_hand.figures
        near = range(self.at - 1, max(-1, self.at - _BACK - 1), -1)
        inside = (n for n in near if figures[n].hole.start >= self.since)
        return next((n for n in inside if figures[n].is_like(figures[self.at])), None)

    @cached_property
    def beside(self) -> list[int]:
        """The figures of its dimension in its sentence, with it."""
        figures, (start, end) = self.at_hand.figures, self.sentence
        near = range(max(0, self.at - 5 * _BACK), min(len(figures), self.at + 5 * _BACK))
        mine = figures[self.at]
        inside = (n for n in near if start <= figures[n].hole.start < end)
        return [n for n in inside if figures[n].is_like(mine) and not figures[n].is_of_several]

    def relations(self, kind: str) -> dict[str, list[Mention]]:
        """How the mentions of a kind stand to the figure."""
        between, found = self.at_hand.between, dict[str, list[Mention]]()
        if self.cell is not None:
            spans = (self.cell.row, self.cell.column, (self.cell.start, self.cell.end))
            heads = [mention for span in spans for mention in between(*span, kind)]
            return {"cell": heads} if heads else {}
        mentions, above = between(*self.sentence, kind), between(self.since, self.sentence[0], kind)
        for where, near in (
            ("before", [each for each in mentions if each.end <= self.start][-1:]),
            ("behind", [each for each in mentions if each.start >= self.end][:1]),
        ):
            for each in near:
                apart = self.at_hand.figures_between(min(each.end, self.end), max(each.start, self.start))
                found[f"{where} {min(apart, 2)}{'aside' if each.aside else ''}"] = near
                if not apart and where == "behind":
                    found[f"behind: {_short(words(self.at_hand.text[self.end : each.start]))}"] = near
        start, end = self.at_hand.passages.part(self.start)
        found["part"] = [each for each in mentions if start <= each.start < end]
        alone = "" if mentions else " alone"
        found |= {f"above{alone}": above[-1:], f"first above{alone}": above[:1]}
        for order, among in (("in order", mentions), (f"in order above{alone}", above)):
            named = list({each.ids: each for each in reversed(among)}.values())[::-1]
            if len(named) == len(self.beside) > 1 and self.at in self.beside:
                found[order] = [named[self.beside.index(self.at)]]
        return {relation: said for relation, said in found.items() if said}


@dataclass(frozen=True)
class Clues:
    """Features of one answer."""

    at_hand: AtHand
    _alone: dict[tuple[int, Candidate], list[tuple[str, float]]] = field(default_factory=dict, repr=False)

    @cached_property
    def places(self) -> list[Place]:
        return [Place(self.at_hand, at) for at in range(len(self.at_hand.figures))]

    def contrast(self, instead: Mapping[int, Candidate]) -> dict[str, float]:
        """The features of the answer less those that it had with other figures in some places."""
        figures = self.at_hand.figures
        touched = {n for at in instead for n in range(at, min(at + _BACK + 1, len(figures)))}
        found: dict[str, float] = defaultdict(float)
        rows: tuple[Row, Row] = (figures.__getitem__, lambda at: instead.get(at, figures[at]))
        for sign, row in zip((1, -1), rows, strict=True):
            for at in instead:
                for feature, weight in self._of_one(at, row(at)):
                    found[feature] += sign * weight
            for at in touched:
                for feature, weight in self._in_a_row(self.places[at], row):
                    found[feature] += sign * weight
        return {feature: weight for feature, weight in sorted(found.items()) if weight}

    def _of_one(self, at: int, candidate: Candidate) -> list[tuple[str, float]]:
        if (at, candidate) not in self._alone:
            self._alone[at, candidate] = list(_around(self.places[at], candidate))
        return self._alone[at, candidate]

    def _in_a_row(self, place: Place, row: Row) -> Iterator[tuple[str, float]]:
        """What a figure is beside those before it."""
        if place.cell is not None:
            return
        if place.goes_on:
            yield from _fields(place, row(place.at - 1), row(place.at))
            yield from self._beside_last(place, row(place.at - 1), row(place.at))
        yield from self._in_parallel(place, row)

    def _beside_last(self, place: Place, last: Candidate, mine: Candidate) -> Iterator[tuple[str, float]]:
        keys = [self.at_hand.key(each) for each in (last, mine)]
        if last.is_of_several or mine.is_of_several or not all(keys):
            return
        relation = f"next {'same' if keys[0] == keys[1] else 'other'} {'field' * (last.field == mine.field)}"
        named = bool(self.at_hand.between(last.hole.end, place.start))
        yield relation, 1.0
        yield f"{relation} {named}", 1.0
        yield f"{relation}={_short(place.between)}", 0.7
        yield from ((f"{relation}~{word}", 0.5) for word in frozenset(place.between[-6:]))

    def _in_parallel(self, place: Place, row: Row) -> Iterator[tuple[str, float]]:
        """Whether two subjects have their figures in the order in which they had others before."""
        pair = self._pair(place, row)
        if pair is None or place.kin is None:
            return
        called = [int(row(n).hole.amount.paths[0].partition(".")[0][1:]) for n in (place.kin, place.at)]
        yield f"calls {called[0] < called[1]} {place.kin in place.beside}", 1.0
        for earlier in range(place.kin, max(place.kin - _BACK + 1, -1), -1):
            before = self._pair(self.places[earlier], row)
            if before is not None and set(before) == set(pair):
                yield f"parallel {before == pair}", 1.0
                yield f"parallel {before == pair} {self.places[earlier].sentence == place.sentence}", 1.0
                return

    def _pair(self, place: Place, row: Row) -> tuple[Key, Key] | None:
        """The subjects of a figure and of the one of its field before it, where they differ."""
        if place.kin is None:
            return None
        one, other = row(place.kin), row(place.at)
        keys = self.at_hand.key(one), self.at_hand.key(other)
        apart = keys[0] != keys[1] and one.field == other.field
        return keys if apart and not one.is_of_several and not other.is_of_several else None


def _around(place: Place, candidate: Candidate) -> Iterator[tuple[str, float]]:
    for word in candidate.words:
        if word in place.before | place.behind:
            yield f"itself {word in place.before}", 1.0
        yield from ((f"{word}~{other}|before", 0.5) for other in place.before)
        yield from ((f"{word}~{other}|behind", 0.5) for other in place.behind)
    kinds = [kind for kind in KINDS if kind in candidate.subjects and kind in place.at_hand.differ]
    for kind in () if candidate.is_of_several else kinds:
        own, relations = candidate.subjects[kind], place.relations(kind)
        for relation, mentions in (relations or {"unnamed": []}).items():
            agreeing = sum(agree(kind, own, mention.ids) for mention in mentions)
            how = "all" if agreeing == len(mentions) else "some" if agreeing else "none"
            yield f"{relation} {how}", 1.0
            yield f"{relation} {how}|{kind}", 0.5
        named = [each.ids for each in place.at_hand.between(place.since, place.start, kind)]
        order = [n for n, ids in enumerate(dict.fromkeys(named)) if agree(kind, own, ids)]
        if named and place.cell is None:
            yield f"named {order[:1]} of {min(len(set(named)), 3)}", 0.5


def _fields(place: Place, last: Candidate, mine: Candidate) -> Iterator[tuple[str, float]]:
    """`5 of 8`: which of two fields comes first, and which of two values."""
    how = _short(place.between)
    for pair in (f"{one}>{other}" for one in last.ends for other in mine.ends):
        yield from ((pair, 0.7), (f"{pair}={how}", 0.7))
    if last.is_like(mine):
        grows = f"grows {abs(mine.value) > abs(last.value)}"
        yield f"{grows}={how}", 1.0
        yield from ((f"{grows}~{word}", 0.5) for word in frozenset(place.between[-5:]))


def _short(between: Sequence[str]) -> str:
    return " ".join(between) if len(between) < 4 else "…"
