"""Ratios of two fields that the answer itself puts side by side: of two targets, or of two of its figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .binding import Asked, suits
from .facts import Fact, Form, Kind, Subject
from .families import Family
from .figures import tolerance

_COMPARED = frozenset(
    (
        Family.TIME, Family.RATE, Family.ENERGY, Family.POWER, Family.BYTES, Family.CYCLES, Family.FREQUENCY,
        Family.MACS, Family.PARAMETERS, Family.BANDWIDTH, Family.THROUGHPUT, Family.INTENSITY, Family.MONEY,
    )
)  # fmt: skip
_MOST_NEAR = 8
_INVERSE = {Form.REST: Form.FACTOR, Form.FACTOR: Form.REST}
"""Of a rate: what is twice as fast has twice the rate."""


class Ratios:
    """The figures of a result as a whole, by what they speak of."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._whole: dict[str, dict[str, dict[tuple[str, str], Fact]]] = {
            "target": {},
            "runtime": {},
            "model": {},
        }
        for fact in facts:
            if fact.kind is not Kind.FIELD or fact.family not in _COMPARED or fact.subject.layer is not None:
                continue
            if fact.end or fact.form is not Form.NONE or "limits" in fact.path:
                continue
            for kind, own in _names(fact.subject):
                rest = "|".join(value for other, value in _names(fact.subject) if other == "model" != kind)
                field = _field(fact.path)
                self._whole[kind].setdefault(own, {}).setdefault((rest, field), fact)

    def between(self, asked: Asked) -> Iterator[tuple[Fact, Fact]]:
        """Pairs of the same field: of what the number speaks of, and of what it is compared with."""
        for kind in ("target", "runtime", "model"):
            by_name = self._whole[kind]
            mine, other = asked.spoken.named.get(kind), asked.spoken.others.get(kind)
            if other is None or other not in by_name:
                continue
            subjects = [mine] if mine is not None else [name for name in by_name if name != other]
            for subject in subjects:
                for key, fact in by_name.get(subject, {}).items():
                    if key in by_name[other]:
                        yield fact, by_name[other][key]

    def find(self, asked: Asked, near: Sequence[Fact]) -> Fact | None:
        """A ratio or difference that is declared: by naming both, or by telling both figures near by."""
        named = list(self.between(asked))
        claim = asked.claim
        for subject, reference in named:
            for fact in _relations(subject, reference):
                if _prints(asked, fact) and suits(claim, fact):
                    return fact
        if named and (claim.direction or claim.form in (Form.FACTOR, Form.CHANGE)):
            return None
        near = near[-_MOST_NEAR:]
        for position, reference in enumerate(near):
            for subject in near[position + 1 :]:
                if subject.family is not reference.family or subject.value == reference.value:
                    continue
                for one, other in ((subject, reference), (reference, subject)):
                    for fact in _relations(one, other):
                        if _prints(asked, fact) and suits(claim, fact):
                            return fact
        return None


def _names(subject: Subject) -> tuple[tuple[str, str], ...]:
    every = (("target", subject.target), ("runtime", subject.runtime), ("model", subject.model))
    return tuple((kind, value) for kind, value in every if value)


def _field(path: str) -> str:
    return path.replace(".value", "").rpartition(".")[2]


def _relations(subject: Fact, reference: Fact) -> Iterator[Fact]:
    if not subject.value or not reference.value:
        return
    sign = (subject.value > reference.value) - (subject.value < reference.value)
    told: Mapping[Form, tuple[float, ...]] = {
        Form.REST: (subject.value / reference.value,),
        Form.FACTOR: (reference.value / subject.value,),
        Form.CHANGE: (abs(subject.value / reference.value - 1), abs(reference.value / subject.value - 1)),
    }
    path = f"{subject.path} / {reference.call} {reference.path}"
    base = subject._replace(
        family=Family.RATIO, path=path, kind=Kind.PAIR, sign=sign, of=subject.family, end=""
    )
    for form, ratios in told.items():
        for ratio in ratios:
            told_as = _INVERSE.get(form, form) if subject.family is Family.RATE else form
            yield base._replace(value=ratio, native=ratio, form=told_as)
    gap = abs(subject.value - reference.value)
    path = f"{subject.path} - {reference.call} {reference.path}"
    yield base._replace(
        family=subject.family, value=gap, native=gap, form=Form.DIFFERENCE, path=path, of=None
    )


def _prints(asked: Asked, fact: Fact) -> bool:
    if fact.form is Form.DIFFERENCE and not asked.claim.direction:
        return False
    figure = asked.figure
    allowed = tolerance(figure)
    return any(
        reading.family is fact.family and abs(figure.value - fact.value / reading.factor) <= allowed
        for reading in figure.readings
    )
