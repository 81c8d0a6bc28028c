"""What could stand where a figure stands: the other figures of an answer, the same field of other results,
and the same of what the words name and no result is of."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

from ...hardware_db.user_files import Directories
from ...tools.core.dimensions import family_of
from ...tools.core.records import dataclass, replace
from .filling import Filled, Hole, fill
from .mentions import Mention, in_short, mentions_in
from .passages import Passages
from .subjects import Subjects, agree, subjects_of

KINDS = (
    "target", "model", "runtime", "dtype", "weights", "batch", "threads", "clock_mhz", "kv", "context",
    "prompt_tokens", "layer", "technique", "state", "row",
)  # fmt: skip
"""What results differ in, what is said first of it first."""
PARTS = frozenset({"layer", "technique", "state", "row"})
"""Kinds that a result also has figures of the whole of."""
_LONGEST = 100_000
"""Characters in which subjects are looked for."""
_NEUTRAL = frozenset({"value", "ms", "bytes", "uj", "mw", "unit", "rows", "tflm"})
_DIFFERENCE = re.compile(r"\s?[-−]\s?(?![^\[]*\])")
_ROW = re.compile(r"\[[^\]]*\]")
_FAR, _FAR_OF_MANY, _MANY = 24, 4, 60
"""How many figures behind it one is held against; in answers of many figures."""
Key: TypeAlias = tuple[tuple[str, frozenset[str]], ...]


@dataclass(frozen=True, eq=False)
class Candidate:
    """A figure and what it is of."""

    hole: Hole
    subjects: Subjects

    @cached_property
    def words(self) -> frozenset[str]:
        """Of the path; a difference is what is left, or is too much."""
        calculated = {"gap"} if _DIFFERENCE.search(self.hole.path) else set()
        calculated |= {"ratio"} if "/" in _ROW.sub("", self.hole.path) else set()
        inside = " ".join(path.partition(".")[2] for path in self.hole.amount.paths)
        return frozenset(re.findall(r"[a-z]+\d*|\d+", inside.lower())) - _NEUTRAL | calculated

    @cached_property
    def field(self) -> tuple[str, ...]:
        """The paths without ids of calls and names of rows."""
        return tuple(re.sub(r"\br\d+|\[[^\]]*\]", "", path) for path in self.hole.amount.paths)

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """The last name of the path, and the check that it is of."""
        check = re.findall(r"checks\[([a-z]+)", self.hole.path)[:1]
        return (*re.findall(r"[a-z_]+", self.field[-1])[-1:], *check)

    @property
    def is_of_several(self) -> bool:
        return len(self.hole.amount.paths) > 1

    @property
    def value(self) -> float:
        return self.hole.amount.value or 0.0

    def is_like(self, other: Candidate) -> bool:
        """Whether they are of one dimension."""
        one, its = self.hole.value.unit, other.hole.value.unit
        return one == its or (bool(one) and its in family_of(one))


@dataclass(frozen=True)
class AtHand:
    """The figures of one answer, its words, and what could stand in each place."""

    filled: Filled
    records: Mapping[str, Mapping[str, Any]]
    own: Directories | None = None
    """Directories of the user's own hardware; None reads the environment."""

    @property
    def text(self) -> str:
        return self.filled.text

    @cached_property
    def holes(self) -> tuple[Hole, ...]:
        """Not words, and not the position that names an operator."""
        return tuple(
            hole
            for hole in self.filled.holes
            if not isinstance(hole.value.value, str | bool | None) and not hole.path.endswith(".index")
        )

    @cached_property
    def figures(self) -> tuple[Candidate, ...]:
        return tuple(self._candidate(hole) for hole in self.holes)

    @cached_property
    def passages(self) -> Passages:
        return Passages(self.text, [(hole.start, hole.end) for hole in self.holes])

    @cached_property
    def same_field(self) -> tuple[tuple[Candidate, ...], ...]:
        """For each figure the same expression of other results, and those of its field in the answer."""
        found: dict[tuple[str, str], dict[str, Candidate]] = {}
        by_field: dict[tuple[str, ...], dict[str, Candidate]] = {}
        for figure in self.figures:
            by_field.setdefault(figure.field, {})[figure.hole.path] = figure
        for figure in self.figures:
            if _expression(figure) not in found:
                found[_expression(figure)] = self._of_other_calls(figure) | by_field[figure.field]
        return tuple(tuple(found[_expression(figure)].values()) for figure in self.figures)

    def _of_other_calls(self, figure: Candidate) -> dict[str, Candidate]:
        if len({path.partition(".")[0] for path in figure.hole.amount.paths}) > 1:
            return {}
        results = {key: record.get("result") for key, record in self.records.items()}
        written = (
            re.sub(r"\br\d+", key, figure.hole.written) for key in list(results)[-_FAR:] if results[key]
        )
        filled = [fill(each, results) for each in written]
        made = [self._candidate(each.holes[0]) for each in filled if each.holes and not each.errors]
        return {each.hole.path: each for each in made if each.is_like(figure)}

    def _candidate(self, hole: Hole) -> Candidate:
        return Candidate(hole, subjects_of(hole, self.records, self.own))

    @cached_property
    def ids(self) -> dict[str, set[str]]:
        """Kind → what there is of it at hand."""
        every = [*self.figures, *(each for kin in self.same_field for each in kin)]
        return {
            kind: {each for one in every for each in one.subjects.get(kind, ())}
            for kind in KINDS
            if any(kind in one.subjects for one in every)
        }

    @cached_property
    def differ(self) -> frozenset[str]:
        """Kinds in which figures at hand differ, or of which the words name another."""
        named = {mention.kind for mention in self._named if self.is_foreign(mention)}
        whole = {kind for kind in PARTS for each in self.figures if kind not in each.subjects}
        return frozenset(kind for kind, ids in self.ids.items() if len(ids) > 1 or kind in named | whole)

    def is_foreign(self, mention: Mention) -> bool:
        """Whether nothing at hand is of it."""
        ids = frozenset(self.ids.get(mention.kind, ()))
        return bool(ids) and not agree(mention.kind, ids, mention.ids)

    @cached_property
    def _named(self) -> list[Mention]:
        figures = [(hole.start, hole.end) for hole in self.holes]
        return mentions_in(self.text[:_LONGEST], figures, self.own)

    @cached_property
    def mentions(self) -> list[Mention]:
        """Of the kinds in which figures differ, in order."""
        taken = [*self._named, *(Mention(hole.start, hole.end, "", frozenset()) for hole in self.holes)]
        known = {kind: self.ids[kind] for kind in self.differ}
        found = [*self._named, *in_short(self.text[:_LONGEST], known, taken, self.own)]
        return sorted((m for m in found if m.kind in self.differ), key=lambda m: (m.start, m.end))

    def between(self, start: int, end: int, kind: str = "") -> list[Mention]:
        first = bisect.bisect_left(self.mentions, start, key=lambda m: m.start)
        last = bisect.bisect_left(self.mentions, end, key=lambda m: m.start)
        return [m for m in self.mentions[first:last] if not kind or m.kind == kind]

    def figures_between(self, start: int, end: int) -> int:
        first, last = (bisect.bisect_left(self.holes, at, key=lambda hole: hole.start) for at in (start, end))
        return last - first

    def key(self, candidate: Candidate) -> Key:
        """What it is of, in the kinds in which figures differ."""
        subjects = candidate.subjects
        return tuple((kind, subjects[kind]) for kind in KINDS if kind in subjects and kind in self.differ)

    def pairs(self) -> list[tuple[int, int]]:
        """Figures of one paragraph, or near each other, that could be exchanged."""
        far = _FAR if len(self.figures) <= _MANY else _FAR_OF_MANY
        return [
            (here, there)
            for here, one in enumerate(self.figures)
            for there, other in enumerate(self.figures[here + 1 : here + 1 + far], here + 1)
            if one.is_like(other) and _is_another(one, other)
        ]

    def others(self, at: int) -> list[Candidate]:
        """What could stand in the place of one figure alone."""
        figure = self.figures[at]
        others = [each for each in self.same_field[at] if _is_another(figure, each)]
        return [*others[:_FAR], *(self._of(figure, mention) for mention in self._unlike(figure))]

    def _unlike(self, figure: Candidate) -> list[Mention]:
        """What the words right around a figure name that it is not of."""
        at = figure.hole.start
        cell = self.passages.cell(at)
        spans = (cell.row, cell.column) if cell else (self.passages.part(at), self.passages.sentence(at))
        part = [mention for span in spans[:1] for mention in self.between(*span)]
        named = [m for span in spans for m in self.between(*span) if m in part or self.is_foreign(m)]
        apart = [
            m
            for m in named
            if m.kind in figure.subjects and not agree(m.kind, figure.subjects[m.kind], m.ids)
        ]
        return sorted(dict.fromkeys(apart), key=lambda m: abs(m.start - at))[:_FAR_OF_MANY]

    def _of(self, figure: Candidate, mention: Mention) -> Candidate:
        """The figure as one of something that no result is of."""
        return replace(figure, subjects={**figure.subjects, mention.kind: mention.ids})


def _expression(figure: Candidate) -> tuple[str, str]:
    return re.sub(r"\br\d+", "", figure.hole.path), figure.hole.unit


def _is_another(one: Candidate, other: Candidate) -> bool:
    if one.hole.amount.paths == other.hole.amount.paths and one.subjects == other.subjects:
        return False
    return one.hole.text != other.hole.text
