"""Ratios of two fields that the answer itself puts side by side: of two targets, or of two of its figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations, product

from .asked import Asked
from .facts import FIELD_OF_BOTH, Fact, Form, Kind, Subject
from .families import Family
from .operators import OPERATOR
from .relations import ratios_of
from .report import USER
from .same_subject import is_of_subject
from .suiting import is_of_quantity, suits
from .totals import largest_of, totals_of

_COMPARED = frozenset(
    (
        Family.TIME, Family.RATE, Family.ENERGY, Family.POWER, Family.BYTES, Family.CYCLES, Family.FREQUENCY,
        Family.MACS, Family.PARAMETERS, Family.BANDWIDTH, Family.THROUGHPUT, Family.INTENSITY, Family.MONEY,
    )
)  # fmt: skip
_APART = re.compile(
    r"(?<!\w)(?:apart|differences?|differ|gap|gains?|gained|saving|slack|margin|worth|delta|penalty|costs?)(?!\w)|Δ",
    re.IGNORECASE,
)
_DEMANDED = frozenset(("latency_ms", "energy_uj", "arena_bytes", "flash_bytes", "power_mw"))
_MOST_NEAR = 8
_MOST_ALIKE = 6
_SAME_CLOCK = 0.005
_ALL = re.compile(
    r"(?<!\w)(?:together|combined|altogether|in total|total(?:s|ling)?|in sum|sums?|all|both|add(?:s|"
    r"ed)? up|jointly|"
    r"collectively|overall|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    r"\d+) [\w -]{0,30}"
    r"(?:layers|operators|convolutions|ops))(?!\w)",
    re.IGNORECASE,
)
_EACH = re.compile(r"(?<!\w)(?:each|every|apiece)(?!\w)", re.IGNORECASE)
_TOGETHER = re.compile(
    r"(?<!\w)(?:together|combined|in total|in sum|sums?|both|add(?:s|ed)? up)(?!\w)|\d\s*\+\s*\d",
    re.IGNORECASE,
)


class Ratios:
    """The figures of a result as a whole, by what they speak of."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._facts = list(facts)
        self._whole: dict[str, dict[str, dict[tuple[str, str], list[Fact]]]] = {
            "target": {},
            "runtime": {},
            "model": {},
            "region": {},
        }
        self._clocks: list[Fact] = []
        self._by_clock: dict[float, dict[tuple[str, ...], Fact]] = {}
        self._layered: dict[str, list[Fact]] = {}
        self._total: dict[tuple[str, str], Fact] = {}
        for fact in self._facts:
            field = _field(fact)
            if field is None or fact.family not in _COMPARED:
                continue
            if fact.subject.layer is not None:
                self._layered.setdefault(str(fact.subject.layer), []).append(fact)
                continue
            if fact.path.endswith(("deployment.clock_mhz", "clock_max_mhz")):
                self._clocks.append(fact)
            if not fact.end:
                self._total.setdefault((fact.call, field), fact)
            if fact.end or fact.form is not Form.NONE or "limits" in fact.path:
                continue
            if fact.subject.clock is not None:
                key = (fact.subject.model, fact.subject.target, fact.subject.runtime, field)
                self._by_clock.setdefault(fact.subject.clock, {}).setdefault(key, fact)
            names = _names(fact.subject)
            for kind, own in names:
                kept = ("target", "model") if kind == "region" else ("model",)
                rest = "|".join(value for other, value in names if other in kept and other != kind)
                self._whole[kind].setdefault(own, {}).setdefault((rest, field), []).append(fact)

    def between(self, asked: Asked) -> Iterator[tuple[Fact, Fact]]:
        """Pairs of the same field: of what the number speaks of, and of what it is compared with."""
        for kind in ("target", "runtime", "model", "region"):
            by_name = self._whole[kind]
            mine, other = asked.spoken.named.get(kind), asked.spoken.others.get(kind)
            if other is None or other not in by_name:
                continue
            subjects = [mine] if mine is not None else [name for name in by_name if name != other]
            for subject in subjects:
                for key, those in by_name.get(subject, {}).items():
                    yield from product(those[:_MOST_ALIKE], by_name[other].get(key, ())[:_MOST_ALIKE])

    def _share_of_layer(self, asked: Asked) -> Fact | None:
        """Of the layer that is named in the whole of its model."""
        layer = asked.spoken.named.get("layer", "")
        for fact in _shares(self._layered.get(layer, ()), self._total):
            if _prints(asked, fact) and suits(asked.claim, fact) and is_of_quantity(asked, fact):
                return fact
        return None

    def _of_clocks(self, asked: Asked) -> Iterator[tuple[Fact, Fact]]:
        """Pairs of the same field at the two clocks that the sentence names."""
        if not asked.spoken.both_clocks or not self._by_clock:
            return
        one, other = (
            next(
                (
                    rows
                    for clock, rows in self._by_clock.items()
                    if abs(clock - min(said, max(self._by_clock))) < clock * _SAME_CLOCK
                ),
                {},
            )
            for said in asked.spoken.both_clocks
        )
        for key in one.keys() & other.keys():
            yield other[key], one[key]
            yield one[key], other[key]

    @cached_property
    def _of_operators(self) -> list[Fact]:
        return list(totals_of(self._facts))

    def _of_demand(self, asked: Asked, near: Sequence[Fact]) -> Iterator[tuple[Fact, Fact]]:
        """What comes out, with what the user demands of it."""
        demands = [fact for fact in near if fact.call == USER]
        if not demands or not (asked.claim.by or asked.claim.direction):
            return
        for (_, field), fact in self._total.items():
            if field in _DEMANDED and fact.kind is Kind.FIELD and is_of_subject(asked.spoken, fact, ()):
                yield from ((fact, demand) for demand in demands if demand.family is fact.family)

    def find(
        self, asked: Asked, near: Sequence[Fact], against: Iterable[tuple[Fact, Fact]] = ()
    ) -> Fact | None:
        """A ratio or difference that is declared: by naming both, or by telling both figures near by.

        `against`: pairs of figures that its sentence has set against each other.
        """
        named = list(self.between(asked))
        claim = asked.claim
        for subject, reference in (*named, *against):
            for fact in _relations(subject, reference):
                if _prints(asked, fact) and suits(claim, fact) and is_of_quantity(asked, fact):
                    return fact
        if named and (claim.direction or claim.form in (Form.FACTOR, Form.CHANGE)):
            return None
        for subject, reference in (*self._of_clocks(asked), *self._of_demand(asked, near)):
            for fact in _relations(subject, reference):
                if _prints(asked, fact) and suits(claim, fact) and is_of_quantity(asked, fact):
                    return fact
        if figure_of_layer := self._share_of_layer(asked):
            return figure_of_layer
        near = near[-_MOST_NEAR:]
        for fact in _shares(_sums(asked, near), self._total):
            if _prints(asked, fact) and suits(claim, fact) and is_of_quantity(asked, fact):
                return fact
        if any(word.name == "clock" for word in asked.words):
            near = [*near, *self._clocks]
        for one, other in permutations([*near, *_sums(asked, near)], 2):
            if one.family is other.family and one.value != other.value:
                for fact in _relations(one, other):
                    if _prints(asked, fact) and suits(claim, fact) and is_of_quantity(asked, fact):
                        return fact
        return next((fact for fact in _sums(asked, near) if _prints(asked, fact)), None) or self._of_all(
            asked
        )

    def _of_all(self, asked: Asked) -> Fact | None:
        """What all layers of the operator that is named are together, or those that have most."""
        by_operator = asked.spoken.named.get("layer", "").startswith(OPERATOR) and _is_of_all(asked)
        totals: Iterable[Fact] = self._of_operators if by_operator else ()
        for fact in (*totals, *largest_of(self._facts, asked.around)):
            allowed = is_of_subject(asked.spoken, fact, ()) and is_of_quantity(asked, fact)
            if allowed and _prints(asked, fact) and suits(asked.claim, fact):
                return fact
        return None


def _is_of_all(asked: Asked) -> bool:
    """Whether it is told of all of them, and not of each."""
    each = _EACH.search(asked.around) is not None
    return (_TOGETHER if each else _ALL).search(asked.around) is not None


def _shares(layered: Iterable[Fact], whole: Mapping[tuple[str, str], Fact]) -> Iterator[Fact]:
    for part in layered:
        total = whole.get((part.call, _field(part._replace(kind=Kind.FIELD)) or ""))
        if total is not None and total.value:
            ratio = part.value / total.value
            path = f"{part.path} / {total.path}"
            yield part._replace(
                family=Family.RATIO, value=ratio, native=ratio, path=path, kind=Kind.PAIR, form=Form.REST,
                of=part.family,
            )  # fmt: skip


def _sums(asked: Asked, near: Sequence[Fact]) -> list[Fact]:
    """What the last of them are together, where the text says so."""
    if not _TOGETHER.search(asked.around):
        return []
    found = []
    for family in {fact.family for fact in near} - {Family.INDEX}:
        alike = [fact for fact in near if fact.family is family]
        for first, last in combinations(range(len(alike)), 2):
            parts = alike[first : last + 1]
            total = sum(part.value for part in parts)
            path = " + ".join(part.path for part in parts)
            found.append(parts[0]._replace(value=total, native=total, path=path, kind=Kind.PAIR, quote=""))
    return found


def _names(subject: Subject) -> tuple[tuple[str, str], ...]:
    every = (
        ("target", subject.target),
        ("runtime", subject.runtime),
        ("model", subject.model),
        ("region", subject.region),
    )
    return tuple((kind, value) for kind, value in every if value)


def _field(fact: Fact) -> str | None:
    """What two targets may have both; None of a number in a text."""
    shared = next((tag for tag in fact.tags if tag.startswith(FIELD_OF_BOTH)), None)
    if shared is not None or fact.kind is not Kind.FIELD:
        return shared
    return fact.path.replace(".value", "").rpartition(".")[2]


def _relations(subject: Fact, reference: Fact) -> Iterator[Fact]:
    if not subject.value or not reference.value:
        return
    path = f"{subject.path} / {reference.call} {reference.path}"
    base = subject._replace(
        family=Family.RATIO, path=path, kind=Kind.PAIR, of=subject.family, end="", quote=""
    )
    for form, ratio, sign in ratios_of(subject.value, reference.value):
        yield base._replace(value=ratio, native=ratio, form=form, sign=sign)
    gap = subject.value - reference.value
    yield base._replace(
        family=subject.family, value=abs(gap), native=abs(gap), form=Form.DIFFERENCE, of=None,
        path=path.replace(" / ", " - "), sign=(gap > 0) - (gap < 0),
    )  # fmt: skip


def _prints(asked: Asked, fact: Fact) -> bool:
    if fact.form is Form.DIFFERENCE and not (
        asked.claim.direction or asked.claim.by or _APART.search(asked.beside)
    ):
        return False
    return any(
        reading.family is fact.family and abs(value - fact.value / reading.factor) <= allowed
        for reading in asked.figure.readings
        for value, allowed in asked.figure.meanings()
    )
