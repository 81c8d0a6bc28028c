"""What so many inferences take, and how many of them an amount buys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .asked import Asked
from .facts import Fact, Kind
from .families import Family
from .figures import Figure
from .same_subject import is_of_subject
from .units import unit_at

_RUNS = re.compile(
    r"[\s*_`]*(?:more |such |consecutive |full |back-to-back )?"
    r"(?:inferences?|frames?|images?|runs|predictions|detections|classifications|windows|passes|samples)(?!\w)",
    re.IGNORECASE,
)
_EACH = re.compile(_RUNS.pattern + r" (?:per|a|an|for each|each|for every|out of (?:a|one|each)|from (?:a|one|each)) ", re.IGNORECASE)
_AMOUNTS = frozenset((Family.ENERGY, Family.TIME, Family.CHARGE))
_NO_RESULTS = frozenset(("limits", "limit", "bound"))
_OF_RUN = frozenset(("latency", "energy"))


def bought(
    text: str, asked: Sequence[Asked], starts: Sequence[int], facts: Sequence[Fact]
) -> Iterator[tuple[int, Fact]]:
    """Positions of a number of inferences and of what they take together, where a result tells that of one."""
    for at, one in enumerate(asked):
        if one.figure.value <= 0 or not _counts_runs(text, one):
            continue
        for other, amount in enumerate(asked):
            if other == at or starts[other] != starts[at] or amount.figure.family not in _AMOUNTS:
                continue
            fact = next((f for f in _each(amount, facts) if _is_product(one.figure, amount.figure, f)), None)
            if fact is not None:
                yield at, fact._replace(path=f"{amount.figure.text} / {fact.path}", kind=Kind.PAIR)
                yield other, fact._replace(path=f"{one.figure.text} × {fact.path}", kind=Kind.PAIR)
        for figure in _unit_of_each(text, one.figure):
            whole = one._replace(figure=figure)
            fact = next((f for f in _each(whole, facts) if _is_product(one.figure, figure, f)), None)
            if fact is not None:
                yield at, fact._replace(path=f"1 {figure.unit} / {fact.path}", kind=Kind.PAIR)


def _unit_of_each(text: str, count: Figure) -> Iterator[Figure]:
    """85 inferences per joule, out of a joule."""
    each = _EACH.match(text, count.end)
    unit = unit_at(text, each.end()) if each else None
    if unit is not None and unit.readings:
        yield replace(
            count, value=1.0, step=0.0, unit=unit.text, readings=unit.readings, about=False
        )


def _counts_runs(text: str, one: Asked) -> bool:
    bare = not one.figure.readings or one.figure.family in (Family.PIECES, Family.BARE)
    return bare and _RUNS.match(text, one.figure.end) is not None


def _each(amount: Asked, facts: Iterable[Fact]) -> Iterator[Fact]:
    for fact in facts:
        whole = fact.kind is Kind.FIELD and not fact.end and fact.subject.layer is None and fact.value > 0
        measures = not fact.tags.isdisjoint(_OF_RUN) and fact.tags.isdisjoint(_NO_RESULTS)
        if whole and measures and fact.family is amount.figure.family and is_of_subject(amount.spoken, fact, ()):
            yield fact


def _is_product(count: Figure, amount: Figure, fact: Fact) -> bool:
    """Each may be rounded."""
    return any(
        (number - off) * fact.value <= (size + room) * reading.factor
        and (number + off) * fact.value >= (size - room) * reading.factor
        for reading in amount.readings
        if reading.family is fact.family
        for number, off in count.meanings()
        for size, room in amount.meanings()
    )
