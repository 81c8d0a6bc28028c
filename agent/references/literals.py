"""Numbers that an answer writes itself, in digits or words, and what they may stand on.

Where an answer uses references, a number of its own has to be the user's, a setting of a deployment, or no
figure at all: a layer's position, a version, a date, the 90 % of an interval. Where it uses none, a number
has to be a rounding of a field whose rows its paragraph names, or a relation of two that stand beside it.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations

from ...hardware_db.user_files import Directories
from ..names import find_names
from ..quantities import Family, Figure, find_figures
from .evaluation import Results
from .facts import Fact, Known, Spoken, derived, facts_of, spoken, texts_of
from .passages import Passages, pieces

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
_WORDED = re.compile(
    r"\b(?:(?P<two>twice|doubl(?:e[sd]?|ing))(?= (?:as|the|of|its|that))|(?P<half>half|halv(?:e[sd]?|ing))"
    r"(?= (?:as|the|of|its|that))|(?P<third>(?:a|one) third)(?= (?:as|the|of|less|more))"
    r"|(?P<three>triple[sd]?|thrice))\b",
    re.I,
)
_WORDS = {"two": 2.0, "half": 0.5, "third": 1 / 3, "three": 3.0}
_SCALE = re.compile(
    r"\s?(?P<scale>[kMGT])(?=[ -]?(?:MACs?|FLOPs?|OPs?|parameters|params|cycles|operations)\b)"
)
_SCALES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_TIMES = frozenset({"times", "fold"})
_ALTERNATIVES, _MOST_ROWS = 6, 10_000
_NEAR = 8
_MOST_CHECKED = 2_000
_FEW = 12
"""Up to here a bare number in words counts what the sentence lists."""
_SETTINGS = re.compile(r"\.(?:deployment|deployments\[[^\]]*\])\.(?:clock_mhz|batch|threads)$|\.clock_mhz$")


@dataclass(frozen=True, slots=True)
class Unbound:
    """A number that stands on nothing, and the fields that it may have been meant to be."""

    start: int
    end: int
    text: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
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
            elif not self._is_quoted(figure):
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
            return figure.written <= _FEW and figure.noun not in _TIMES
        return bool(
            (figure.written < _MOST_ROWS and "," not in figure.text and _DESIGNATED.search(before))
            or (_DIMENSIONS_BEHIND.match(behind) and not _BEHIND_NUMBER.match(behind))
            or (_NUMBERED.search(before) and _BEHIND_NUMBER.match(behind))
            or _is_date(self.text, figure)
            or (figure.written in (0, 1) and "." not in figure.text)
        )

    def _is_the_users(self, figure: Figure) -> bool:
        own = list(_amounts(figure))
        return any(
            family is other and abs(amount - given) <= 1e-6 * abs(given)
            for said in self.given.said
            for other, given in _amounts(said)
            for family, amount in own
        )

    def _is_quoted(self, figure: Figure) -> bool:
        """With three of the words around it, it stands in a sentence of a result."""
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


def figures_in(
    text: str, holes: Sequence[tuple[int, int]], own: Directories | None = None
) -> Iterator[Figure]:
    """Every figure but those of names, with multiples in words; a piece of the text at a time."""
    for start, stop in pieces(text):
        piece = text[start:stop]
        taken = [(a - start, b - start) for a, b in holes if a < stop and b > start]
        inside = [(max(0, a), min(len(piece), b)) for a, b in taken]
        names = [(n.start, n.end) for n in find_names(piece, own) if n.known or not n.text[0].isdigit()]
        for figure in find_figures(piece, [*inside, *names]):
            yield from (_moved(each, start) for each in _ends(_scaled(piece, figure)))
        for match in _WORDED.finditer(piece):
            factor = _WORDS[match.lastgroup or "two"]
            yield _moved(
                Figure(match.start(), match.end(), match[0], factor, Family.FACTOR, "x", factor, spoken=True),
                start,
            )


def _ends(figure: Figure) -> Iterator[Figure]:
    """Of a range both, each as a figure of its own."""
    if figure.upper is None or figure.family is Family.SIDE or not figure.written:
        yield figure
        return
    dash = re.search(r"\d\s?(?:[-–—]|to|and|\.\.)\s?(?=\d)", figure.text)
    if dash is None:
        yield figure
        return
    at = figure.start + dash.start() + 1
    yield replace(figure, end=at, text=figure.text[: dash.start() + 1], upper=None)
    factor = figure.value / figure.written
    yield replace(
        figure, start=figure.start + dash.end(), text=figure.text[dash.end() :], value=figure.upper,
        written=figure.upper / factor, upper=None,
    )  # fmt: skip


def _moved(figure: Figure, by: int) -> Figure:
    return replace(figure, start=figure.start + by, end=figure.end + by) if by else figure


def _scaled(text: str, figure: Figure) -> Figure:
    """4.1 G MACs; three times is a factor."""
    if figure.family is not Family.COUNT or figure.unit:
        return figure
    if figure.noun in _TIMES:
        return replace(figure, family=Family.FACTOR)
    scale = _SCALE.match(text, figure.end)
    if scale is None:
        return figure
    factor = _SCALES[scale["scale"]]
    return replace(
        figure,
        end=scale.end(),
        text=text[figure.start : scale.end()],
        value=figure.value * factor,
        unit=scale["scale"],
    )


def _amounts(figure: Figure) -> Iterator[tuple[Family, float]]:
    """What a figure states: the ends of a range, and of a rate the time that it leaves."""
    for value in (figure.value, figure.upper):
        if value is None:
            continue
        yield figure.family, value
        if figure.family in (Family.RATE, Family.TIME) and value:
            yield (Family.TIME if figure.family is Family.RATE else Family.RATE), 1e3 / value


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


__all__ = ["Bound", "Literals", "Spoken", "Unbound", "figures_in"]
