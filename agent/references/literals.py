"""Numbers that an answer writes itself, in digits or words, and what they may stand on.

Where an answer uses references, a number of its own has to be the user's, a setting of a deployment, or no
figure at all: a layer's position, a version, a date, the 90 % of an interval. Where it uses none, a number
has to be a rounding of a field whose rows its paragraph names, or a relation of two that stand beside it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import permutations

from ...hardware_db.user_files import Directories
from ...tools.core.records import dataclass
from ..quantities import Family, Figure
from .evaluation import Results
from .facts import Fact, Known, Spoken, derived, facts_of, spoken, texts_of
from .figures import TIMES, amounts, figures_in
from .passages import Passages

LONGEST_CHECKED = 100_000
"""Characters of an answer; numbers behind them are marked unread."""
_DESIGNATED = re.compile(
    r"(?:\b(?:layers?|operators?|ops?|blocks?|stages?|steps?|rows?|columns?|options?|phases?|versions?|releases?|"
    r"figures?|tables?|sections?|chapters?|notes?|points?|tests?|cores?|revisions?|opset|sessions?|turns?|questions?|"
    r"answers?|class|rank|place|position|number|no|top|level|tier|cortex-[am]|wi-?fi|usb|ddr|lpddr|pcie)"
    r"(?:\s(?:is|at|index))?[ -]?(?:[\d, ]*(?:\d(?:,| and| or| to|[–-])\s?))?|[#§])\s?$",
    re.I,
)
_DIMENSIONS_BEHIND = re.compile(r"\s?(?:[x×]\s?\d|-?bits?\b|(?:st|nd|rd|th)\b|D\b|[.)]\s)")
_INTERVAL = re.compile(
    r"\s?%?[- ](?:prediction |confidence |credible )?(?:interval|confidence|range|quantile|sure)", re.I
)
_DATE = re.compile(
    r"\b(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?\b"
    r"|\b\d{1,2}\.? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
)
_GLUED = re.compile(r"[\w)][:/_]$|\[$")
"""Before digits that are part of a name: sparse-2:4, a/b_c."""
_NUMBERED = re.compile(r"(?:^|\n)\s*(?:[-*>]\s+)?\(?$")
_BEHIND_NUMBER = re.compile(r"[.)]\s")
_CONVENTION = re.compile(r"(?:[KMG]iB|[kMG]B|MACs?) (?:is|are|=|means|counts(?: as)?) $|= $", re.I)
_BY_CONVENTION = (1, 2, 1000, 1024)
"""1 MAC is 2 FLOP, KiB is 1024 B."""
_ALTERNATIVES, _MOST_ROWS = 6, 10_000
_LONGEST_NAME = 48
_ABOUT_A_RATIO = 0.08
"""How far the two may be from what a word such as `twice` says."""
_NEAR = 8
_MOST_CHECKED = 2_000
_FEW = 12
"""Up to here a bare number in words counts what the sentence lists."""
_SETTINGS = re.compile(
    r"\.(?:deployment|deployments\[[^\]]*\])\.(?:clock_mhz|batch|threads)$"
    r"|\.(?:clock_mhz|context|max_context|prompt_tokens|sessions|sequence)$"
)
_OF_SETTINGS = re.compile(r"\b(?:clocks?|frequency|batch|threads|context|work)\b", re.I)


@dataclass(frozen=True)
class Unbound:
    """A number that stands on nothing, and the fields that it may have been meant to be."""

    start: int
    end: int
    text: str
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Bound:
    """A number and the fields that it may be a rounding of; of the user's own none."""

    figure: Figure
    facts: tuple[Fact, ...] = ()

    @property
    def start(self) -> int:
        return self.figure.start


@dataclass(frozen=True)
class Given:
    """What numbers may stand on: the results of the conversation and the user's words."""

    results: Results
    user_text: str = ""
    own: Directories | None = None
    """Directories of the user's own hardware; None reads the environment."""

    @cached_property
    def known(self) -> Known:
        facts = facts_of(self.results)
        return Known([*facts, *derived(facts)])

    @cached_property
    def said(self) -> list[Figure]:
        return list(figures_in(self.user_text[-LONGEST_CHECKED:], (), self.own))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """Those of the user as they are written, and the settings of the calls."""
        asked = {fact.amount for fact in self.known.facts if _SETTINGS.search(fact.path)}
        return frozenset({number for said in self.said for number in (said.written, said.value)} | asked)

    @cached_property
    def ids(self) -> frozenset[str]:
        """Names of the results, folded."""
        return frozenset(_folded(line) for line in self.texts.split("\n") if len(line) <= _LONGEST_NAME)

    @cached_property
    def halves(self) -> bool:
        """Whether a result speaks of a change to a half: input-50, prune-50."""
        return re.search(r"\b(?:input|prune|width)-50\b", self.texts) is not None

    @cached_property
    def texts(self) -> str:
        return texts_of(self.results)


@dataclass(frozen=True)
class Literals:
    """The numbers of one answer. `holes` are where references were filled in."""

    text: str
    given: Given
    holes: tuple[tuple[int, int], ...] = ()
    values: Mapping[tuple[int, int], float] = field(default_factory=dict)
    """What stands in them, in the units that results hold."""
    _folded: dict[int, str] = field(default_factory=dict, repr=False)

    @cached_property
    def passages(self) -> Passages:
        return Passages(self.text)

    def checked(self) -> tuple[list[Bound], list[Unbound]]:
        bound: list[Bound] = []
        left: list[Figure] = []
        figures = figures_in(self.text[:LONGEST_CHECKED], self.holes, self.given.own)
        for number, figure in enumerate(figures):
            if number >= _MOST_CHECKED:
                left.append(figure)
                break
            if self._is_no_figure(figure):
                continue
            if self._is_the_users(figure):
                bound.append(Bound(figure))
            elif facts := self._facts(figure):
                bound.append(Bound(figure, facts))
            elif not (self._is_quoted(figure) or self._is_in_a_name(figure) or self._is_ratio(figure)):
                left.append(figure)
        unbound = [self._unbound(each) for each in left if self.holes or not self._related(each, bound)]
        return bound, [*unbound, *self._unread()]

    def _unread(self) -> Iterator[Unbound]:
        more = re.search(r"\d", self.text[LONGEST_CHECKED:])
        if more:
            at = LONGEST_CHECKED + more.start()
            yield Unbound(at, at + 1, more[0], ())

    def _is_no_figure(self, figure: Figure) -> bool:
        before = self.text[max(0, figure.start - 60) : figure.start]
        behind = self.text[figure.end : figure.end + 24]
        bare = figure.family is Family.COUNT and not figure.unit
        if bare and _GLUED.search(before):
            return True
        if figure.spoken and (figure.written == 1 or (figure.value == 0.5 and self.given.halves)):  # an hour
            return True
        if figure.family is Family.PERCENT:
            return figure.written == 90 and _INTERVAL.match(behind) is not None
        if _CONVENTION.search(before) and figure.written in _BY_CONVENTION:
            return True
        if not bare:
            return False
        if figure.spoken:
            return figure.written <= _FEW and figure.noun not in TIMES
        return bool(
            (figure.written < _MOST_ROWS and "," not in figure.text and _DESIGNATED.search(before))
            or (_DIMENSIONS_BEHIND.match(behind) and not _BEHIND_NUMBER.match(behind))
            or (_NUMBERED.search(before) and _BEHIND_NUMBER.match(behind))
            or _is_date(self.text, figure)
            or (figure.written in (0, 1) and "." not in figure.text)
        )

    def _is_the_users(self, figure: Figure) -> bool:
        own = list(amounts(figure))
        return any(
            family is other and abs(amount - given) <= 1e-6 * abs(given)
            for said in self.given.said
            for other, given in amounts(said)
            for family, amount in own
        )

    def _is_quoted(self, figure: Figure) -> bool:
        """It stands in a sentence of a result, with its unit or with three of the words around it."""
        if figure.unit and re.search(rf"(?<![\w.,]){re.escape(figure.text.lower())}(?!\w)", self.given.texts):
            return True
        before = self.text[max(0, figure.start - 60) : figure.start]
        behind = self.text[figure.end : figure.end + 60]
        for words, more in ((0, 3), (1, 2), (2, 1), (3, 0)):
            ahead = re.search(rf"(?:[^\s|]+\s+){{{words}}}$", before)
            after = re.match(rf"[^\s|]*(?:\s+[^\s|]+){{{more}}}", behind)
            if ahead is None or after is None:
                continue
            phrase = f"{ahead[0]}{self.text[figure.start : figure.end]}{after[0]}".lower()
            if phrase.rstrip(".,;:!?)") in self.given.texts:
                return True
        return False

    def _is_in_a_name(self, figure: Figure) -> bool:
        """`Granite 3 2B` of a result on granite-3-2b: with the word before or behind it, a part of an id."""
        if figure.family is not Family.COUNT:
            return False
        words = re.compile(r"\S+").finditer(self.text, max(0, figure.start - 40), figure.end + 40)
        near = [match for match in words if match.end() > figure.start - 24]
        here = next((n for n, match in enumerate(near) if match.end() > figure.start), 0)
        joined = (
            _folded(" ".join(match[0] for match in near[first:last]))
            for first in range(max(0, here - 2), here + 1)
            for last in range(here + 1, min(len(near), here + 3) + 1)
            if last - first > 1
        )
        return any(len(name) > 3 and any(name in known for known in self.given.ids) for name in joined)

    def _is_ratio(self, figure: Figure) -> bool:
        """`twice the clock`: of settings of the calls, or of references of its paragraph."""
        if not (self.holes and figure.spoken and figure.family is Family.FACTOR):
            return False
        start, end = self.passages.paragraph(figure.start)
        values = [self.values[hole] for hole in self.holes if start <= hole[0] < end and hole in self.values]
        if _OF_SETTINGS.search(self.text[figure.end : figure.end + 60]):
            values += [fact.amount for fact in self.given.known.facts if _SETTINGS.search(fact.path)]
        ratios = (one / other for one, other in permutations(values[: _NEAR * 3], 2) if other)
        return any(abs(ratio / figure.value - 1) <= _ABOUT_A_RATIO for ratio in ratios)

    def _facts(self, figure: Figure) -> tuple[Fact, ...]:
        found = self.given.known.rounding_to(spoken(self.text, figure))
        if self.holes:
            return tuple(fact for fact in found if _SETTINGS.search(fact.path))
        named = [fact for fact in found if self._named(fact, figure)]
        return tuple(sorted(named, key=lambda fact: (len(fact.rows), len(fact.path))))

    def _named(self, fact: Fact, figure: Figure) -> bool:
        """Whether the paragraph, or the row of the table, speaks of the rows that the fact stands in."""
        if not fact.rows:
            return True
        around = self._folded_paragraph(figure.start)
        return any(_folded(row) in around for row in fact.rows) or (fact.layer and "layer" in around)

    def _folded_paragraph(self, at: int) -> str:
        start, end = self.passages.paragraph(at)
        if start not in self._folded:
            self._folded[start] = _folded(self.text[start:end][:LONGEST_CHECKED])
        return self._folded[start]

    def _related(self, figure: Figure, bound: Sequence[Bound]) -> bool:
        """Of those that stand next to it in the paragraph."""
        start, end = self.passages.paragraph(figure.start)
        said = spoken(self.text, figure)
        here = bisect.bisect_left(bound, figure.start, key=lambda each: each.start)
        beside = [each for each in bound[max(0, here - _NEAR) : here + _NEAR] if start <= each.start < end]
        near = [fact for each in beside for fact in each.facts[:_ALTERNATIVES]]
        near += [kin for fact in near for kin in self._beside(fact)]
        return any(said.fits(amount, family) for amount, family in _relations(near, figure.family))

    def _beside(self, fact: Fact) -> Iterator[Fact]:
        """The bound of a demand, what was before a change."""
        parent, _, name = fact.path.rpartition(".")
        pair = {"demand": "bound", "bound": "demand", "before": "after", "after": "before"}.get(name)
        if pair is not None:
            yield from (each for each in self.given.known.facts if each.path == f"{parent}.{pair}")

    def _unbound(self, figure: Figure) -> Unbound:
        found = self.given.known.rounding_to(spoken(self.text, figure))
        paths = tuple(
            dict.fromkeys(fact.path for fact in sorted(found, key=lambda f: (len(f.rows), len(f.path))))
        )
        return Unbound(figure.start, figure.end, figure.text, paths[:3])


def _is_date(text: str, figure: Figure) -> bool:
    around = text[max(0, figure.start - 12) : figure.end + 12]
    at = figure.start - max(0, figure.start - 12)
    return any(match.start() <= at < match.end() for match in _DATE.finditer(around))


def _relations(facts: Sequence[Fact], family: Family) -> Iterator[tuple[float, Family]]:
    for fact in facts:
        if fact.family is Family.TIME and fact.amount and family is Family.RATE:
            yield 1e3 / fact.amount, Family.RATE
    distinct = list({(f.family, f.amount): f for f in facts}.values())[:40]
    for one, other in permutations(distinct, 2):
        if one.family is not other.family or not other.amount:
            continue
        if family in (Family.FACTOR, Family.PERCENT):
            yield one.amount / other.amount, Family.FACTOR
            yield (one.amount - other.amount) / other.amount, Family.FACTOR
        elif one.family is family:
            yield one.amount - other.amount, family


def _folded(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


__all__ = ["Bound", "Literals", "Spoken", "Unbound"]
