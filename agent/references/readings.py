"""Whether each reference stands where the words speak of what it is of.

A sentence can be read in several ways: a figure belongs to what its part of the sentence names, to what was
named before it, to what is named right behind it, or figures and names follow each other in order. It stands
in the wrong place where the reading that explains most of the sentence does not explain it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from ...hardware_db.user_files import Directories
from .filling import Hole, fill
from .mentions import Mention, mentions_in
from .passages import Passages
from .subjects import Subjects, agree, folded, subjects_of

_LONGEST = 100_000
"""Characters in which subjects are looked for."""
OF_PARTS = frozenset({"layer", "technique"})
"""Kinds that a result also has figures of the whole of."""
_SPOKEN_OF_ON = frozenset({"target", "model"})
"""What a sentence is still about that the one before it named."""
_COUNTED = frozenset({"batch", "clock_mhz", "layer", "threads"})
_BARE = re.compile(r"(?<![\w.,-])[A-Z]{0,2}\d+(?![\w%-]|[.,]\d)")
Reading: TypeAlias = "list[tuple[Hole, list[Mention]]]"
"""References, and the mentions that each is said to be of."""


class Misplaced(NamedTuple):
    """A reference in words that speak of something else."""

    hole: Hole
    why: str
    mark: str = ""
    """What it is of, in few words."""


@dataclass(frozen=True)
class Places:
    """The references of one answer among the words around them."""

    text: str
    holes: tuple[Hole, ...]
    records: Mapping[str, Mapping[str, Any]]
    own: Directories | None = None
    """Directories of the user's own hardware; None reads the environment."""

    def misplaced(self) -> list[Misplaced]:
        """References whose words speak of something else, however the sentence is read."""
        found: dict[int, Misplaced] = {}
        for (start, kind), said in self._said.items():
            hole = self._at[start]
            if self._agrees(hole, kind, said) or self._is_one_of_two(hole, kind, said):
                continue
            if said[-1].start >= self.passages.sentence(start)[0] or self._has_another(hole, kind, said):
                found.setdefault(start, self._of_another(hole, kind, said))
        return [found[at] for at in sorted(found)]

    def _is_one_of_two(self, hole: Hole, kind: str, said: Sequence[Mention]) -> bool:
        """`X takes 5 ms instead of 7 ms`: the sentence has the figure of the one that it names as well."""
        start, end = self.passages.sentence(hole.start)
        if len({m.ids for m in self._between(start, end) if m.kind == kind}) > 1:
            return False
        return any(
            start <= other.start < end and other is not hole and _tail(other) == _tail(hole)
            and self._own(other, kind) and self._agrees(other, kind, said)
            for other in self.holes
        )  # fmt: skip

    def _has_another(self, hole: Hole, kind: str, said: Sequence[Mention]) -> bool:
        """Whether another result holds the figure, not the same one, of what a sentence before names."""
        results = {key: record.get("result") for key, record in self.records.items()}
        for record in results:
            other = fill(re.sub(r"\br\d+", record, hole.written), results).holes
            if other and other[0].text != hole.text:
                subjects = subjects_of(other[0], self.records, self.own)
                own = frozenset().union(*(each.get(kind, frozenset()) for each in subjects))
                if any(agree(kind, own, m.ids) for m in said):
                    return True
        return False

    @cached_property
    def _at(self) -> dict[int, Hole]:
        return {hole.start: hole for hole in self.holes}

    @cached_property
    def _said(self) -> dict[tuple[int, str], list[Mention]]:
        """Where a reference stands, and a kind → what the words there speak of."""
        kinds = dict.fromkeys(k for each in self._subjects.values() for one in each for k in one)
        return {
            (hole.start, kind): said
            for kind in kinds
            for group in self._groups(kind)
            for hole, said in self._best(group, kind)
        }

    @cached_property
    def passages(self) -> Passages:
        return Passages(self.text, [(hole.start, hole.end) for hole in self.holes if _is_figure(hole)])

    @cached_property
    def _mentions(self) -> list[Mention]:
        results = {key: record.get("result") for key, record in self.records.items()}
        figures = [(hole.start, hole.end) for hole in self.holes if _is_figure(hole)]
        named = mentions_in(self.text[:_LONGEST], results, figures, self.own)
        return sorted([*named, *self._in_short(named, figures)], key=lambda m: m.start)

    def _in_short(self, named: Sequence[Mention], figures: Sequence[tuple[int, int]]) -> Iterator[Mention]:
        """`at batch 1, 8 and 64`, `an ESP32-P4 … the P4`: what is left of a name, or a bare number, where a
        sentence named one of its kind before."""
        taken = [*figures, *((m.start, m.end) for m in named)]
        for first in (m for m in named if m.kind in _COUNTED or m.kind == "target"):
            _, end = self.passages.sentence(first.start)
            known = {v for each in self._subjects.values() for one in each for v in one.get(first.kind, ())}
            for word in _BARE.finditer(self.text, first.end, end):
                its = [v for v in known if v == word[0] or v.endswith(f"-{word[0].lower()}")]
                if len(its) == 1 and all(word.end() <= a or word.start() >= b for a, b in taken):
                    taken.append(word.span())
                    yield Mention(*word.span(), first.kind, frozenset(its))

    @cached_property
    def _subjects(self) -> dict[int, list[Subjects]]:
        return {hole.start: subjects_of(hole, self.records, self.own) for hole in self.holes}

    def subjects(self, hole: Hole) -> list[Subjects]:
        return self._subjects[hole.start]

    def _own(self, hole: Hole, kind: str) -> frozenset[str]:
        return frozenset().union(*(each.get(kind, frozenset()) for each in self.subjects(hole)))

    def _groups(self, kind: str) -> Iterator[list[Hole]]:
        """The references of one sentence, or of one cell, that are of something of this kind."""
        groups: dict[int, list[Hole]] = {}
        for hole in self.holes:
            if self._own(hole, kind) and (_is_number(hole) or kind in _SPOKEN_OF_ON):
                cell = self.passages.cell(hole.start)
                at = cell.start if cell else self.passages.sentence(hole.start)[0]
                groups.setdefault(-1 - hole.start if _is_of_several(hole) else at, []).append(hole)
        yield from groups.values()

    def _best(self, group: Sequence[Hole], kind: str) -> Reading:
        """The reading that explains most, the first of several; only where none is whole, what the sentence
        names anywhere."""
        loose = [(hole, self.spoken_of(hole, kind)) for hole in group]
        if self.passages.cell(group[0].start) is not None or _is_of_several(group[0]):
            return loose

        def wrong(reading: Reading) -> int:
            return sum(not self._agrees(hole, kind, said) for hole, said in reading)

        return min(self._readings(group, kind), key=wrong, default=loose)

    def _readings(self, group: Sequence[Hole], kind: str) -> Iterator[Reading]:
        """What each reference is said to be of: by its part of the sentence, by what was named last, by what
        is named right behind it, or one after the other."""
        start, end = self.passages.sentence(group[0].start)
        every = _merged([m for m in self._between(start, end) if m.kind == kind], group)
        named = [m for m in every if not m.aside]
        if not named:
            return
        parts = [self._in_part(hole, kind) for hole in group]
        if all(parts):
            yield list(zip(group, parts, strict=True))
        before = [next((m for m in reversed(named) if m.end <= hole.start), None) for hole in group]
        if named[-1].start < group[-1].start or named[-1].ids in [m.ids for m in named[:-1]]:
            yield from self._if_whole(group, before, first=True)
        behind = [next((m for m in named if m.start >= hole.end), None) for hole in group]
        if named[0].start > group[0].start:
            following = zip(behind, [*behind[1:], None], strict=True)
            yield from self._if_whole(
                group, [m if m is not after else None for m, after in following], first=False
            )
        above = [m for m in self._between(self.passages.paragraph(start)[0], start) if m.kind == kind]
        nearest = {hole.start: [m] if m else [] for hole, m in zip(group, before, strict=True)}
        for among in (every, named, [*above, *every]):
            in_order = list({m.ids: m for m in reversed(among)}.values())[::-1]
            listed = [kin for kin in self._kin(group) if len(kin) > 1 and len(kin) == len(in_order)]
            said = {hole.start: [m] for kin in listed for hole, m in zip(kin, in_order, strict=True)}
            if said:
                yield [(hole, said.get(hole.start, nearest[hole.start])) for hole in group]

    def _if_whole(
        self, group: Sequence[Hole], said: Sequence[Mention | None], *, first: bool
    ) -> Iterator[Reading]:
        """A reading whose first or last figure has a subject, where others of its field have one."""
        reading = [(hole, [m] if m else []) for hole, m in zip(group, said, strict=True)]
        fields = {_tail(hole) for hole, mentions in reading if mentions}
        hole, mentions = reading[0 if first else -1]
        if fields and (mentions or _tail(hole) not in fields):
            yield reading

    def _kin(self, group: Sequence[Hole]) -> list[list[Hole]]:
        """Figures of one field each."""
        kin: dict[tuple[str, ...], list[Hole]] = {}
        for hole in group:
            kin.setdefault(_tail(hole), []).append(hole)
        return list(kin.values())

    def _agrees(self, hole: Hole, kind: str, said: Sequence[Mention]) -> bool:
        subjects, own = self.subjects(hole), self._own(hole, kind)
        others = {folded(v) for each in subjects for k, ids in each.items() if k != kind for v in ids}
        spoken = [m for m in said if self.text[m.start : m.end].lower() not in others]
        inside = all(m.start >= hole.start and m.end <= hole.end for m in spoken)
        return inside or any(agree(kind, own, m.ids) for m in spoken)

    def _of_another(self, hole: Hole, kind: str, said: Sequence[Mention]) -> Misplaced:
        words = " and ".join(dict.fromkeys(self.text[m.start : m.end] for m in said))
        of = f"of {kind.removesuffix('_mhz')} {', '.join(sorted(self._own(hole, kind)))}"
        return Misplaced(hole, f"It is {of}; you wrote {words}.", of)

    def _between(self, start: int, end: int) -> list[Mention]:
        first = bisect.bisect_left(self._mentions, start, key=lambda m: m.start)
        last = bisect.bisect_left(self._mentions, end, key=lambda m: m.start)
        return self._mentions[first:last]

    def _in_part(self, hole: Hole, kind: str) -> list[Mention]:
        start, end = self.passages.part(hole.start)
        return [m for m in self._between(start, end) if m.kind == kind and not m.aside]

    def spoken_of(self, hole: Hole, kind: str) -> list[Mention]:
        """The mentions that govern a reference: those of its cell's row and heading, else of its part of the
        sentence, else of the whole sentence, else of the nearest before it in the paragraph."""
        cell = self.passages.cell(hole.start)
        if cell is not None:
            around = (
                self._between(*cell.row) + self._between(*cell.column) + self._between(cell.start, cell.end)
            )
            return [m for m in around if m.kind == kind]
        for start, end in (self.passages.part(hole.start), self.passages.sentence(hole.start)):
            found = [m for m in self._between(start, end) if m.kind == kind]
            if any(not m.aside for m in found):
                return found
        start, _ = self.passages.paragraph(hole.start)
        before = [m for m in self._between(start, hole.start) if m.kind == kind]
        return before if kind in _SPOKEN_OF_ON else []

    def nearest(self, hole: Hole, kind: str) -> list[Mention]:
        """What is said of a reference itself; of a part only where its own part of the sentence names it."""
        if self.passages.cell(hole.start) is not None:
            return self.spoken_of(hole, kind)
        said = [m for m in self._said.get((hole.start, kind), ()) if not m.aside]
        if kind not in OF_PARTS or (hole.start, kind) in self._listed:
            return said
        return self._in_part(hole, kind)

    @cached_property
    def _listed(self) -> set[tuple[int, str]]:
        """References and kinds of which a sentence has several figures of one field, each of another part."""
        return {
            (hole.start, kind)
            for kind in OF_PARTS
            for group in self._groups(kind)
            for kin in self._kin(group)
            if len(kin) > 1
            for hole in kin
        }


def _merged(mentions: Sequence[Mention], figures: Sequence[Hole]) -> list[Mention]:
    """`TFLM with CMSIS-NN` names one thing: neighbours without a figure between, whose ids meet."""
    merged: list[Mention] = []
    for mention in mentions:
        last = merged[-1] if merged else None
        apart = last is None or any(last.end <= hole.start < mention.start for hole in figures)
        if last is None or apart or not last.ids & mention.ids:
            merged.append(mention)
        else:
            merged[-1] = replace(last, end=mention.end, ids=last.ids & mention.ids)
    return merged


def _is_number(hole: Hole) -> bool:
    return not isinstance(hole.value.value, str | bool)


def _is_of_several(hole: Hole) -> bool:
    return len(hole.amount.paths) > 1


def _is_figure(hole: Hole) -> bool:
    """Not a word, and not the position that names an operator."""
    return not isinstance(hole.value.value, str | bool) and not hole.path.endswith(".index")


def _tail(hole: Hole) -> tuple[str, ...]:
    """The expression without ids of calls and names of rows."""
    return tuple(re.sub(r"\br\d+|\[[^\]]*\]", "", path) for path in hole.amount.paths)
