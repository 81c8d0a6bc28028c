"""What so many inferences take, and how many of them an amount buys."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .asked import Asked
from .facts import Fact, Kind
from .families import Family
from .figures import Figure
from .number_words import SPOKEN, WORD_VALUES
from .same_subject import is_of_subject
from .sentences import sentences
from .units import unit_at

_RUNS = (
    r"[\s*_`]*(?:more |such |consecutive |full |back-to-back )?"
    r"(?:inferences?|frames?|images?|runs|predictions|detections|classifications|windows|passes|samples)(?!\w)"
)
_COUNTED = re.compile(_RUNS, re.IGNORECASE)
_EACH = re.compile(
    rf"{_RUNS} (?:per|an?|each|every|(?:for|out of|from|with|on) (?:an?|one|each|every|the|a single)) ",
    re.IGNORECASE,
)
_AMOUNTS = frozenset((Family.ENERGY, Family.TIME, Family.CHARGE))
_OF_RUN = frozenset(("latency", "energy"))
_NO_RESULTS = frozenset(("limits", "limit", "bound"))
_FEWEST = 2
_RUN = re.compile(r"(?<!\w)(?:run|execute|infer|repeat|invoke)\w*(?!\w)", re.IGNORECASE)
_CLOSE = 60


def bought(text: str, asked: Sequence[Asked], facts: Sequence[Fact]) -> Iterator[tuple[int, Fact]]:
    """Positions of a number of inferences and of what they take, where a result tells that of one."""
    counts = [(at, one.figure) for at, one in enumerate(asked) if _counts_runs(text, one.figure)]
    counts += [(-1, figure) for figure in _in_words(text)]
    if not counts:
        return
    starts = [start for start, _ in sentences(text)]
    whole = [fact for fact in facts if _is_of_a_run(fact)]
    for at, count in counts:
        sentence = bisect_right(starts, count.start)
        for other, amount in enumerate(asked):
            beside = bisect_right(starts, amount.figure.start) == sentence
            if beside and amount.figure.family in _AMOUNTS:
                yield from _bound(at, count, other, amount, whole)
        if at >= 0 and (each := _unit_of_each(text, count)):
            yield from _bound(at, count, -1, asked[at]._replace(figure=each), whole)


def _bound(
    at: int, count: Figure, other: int, amount: Asked, whole: Sequence[Fact]
) -> Iterator[tuple[int, Fact]]:
    for fact in whole:
        if _is_product(count, amount.figure, fact) and is_of_subject(amount.spoken, fact, ()):
            if at >= 0:
                yield at, fact._replace(path=f"{amount.figure.text} / {fact.path}", kind=Kind.PAIR)
            if other >= 0:
                yield other, fact._replace(path=f"{count.text} × {fact.path}", kind=Kind.PAIR)
            return


def _counts_runs(text: str, figure: Figure) -> bool:
    if figure.family is Family.RATIO and figure.unit == "times":
        return (
            figure.value >= _FEWEST
            and _RUN.search(text, max(0, figure.start - _CLOSE), figure.start) is not None
        )
    bare = not figure.readings or figure.family in (Family.PIECES, Family.BARE)
    return bare and figure.value >= _FEWEST and _COUNTED.match(text, figure.end) is not None


def _in_words(text: str) -> Iterator[Figure]:
    """A thousand inferences."""
    for match in SPOKEN.finditer(text):
        value = WORD_VALUES[match["words"].casefold()]
        if value >= _FEWEST and _COUNTED.match(text, match.end("words")):
            yield Figure(match["words"], match.start(), match.end("words"), value, 0.0, "", ())


def _unit_of_each(text: str, count: Figure) -> Figure | None:
    """85 inferences per joule, out of a joule."""
    each = _EACH.match(text, count.end)
    unit = unit_at(text, each.end()) if each else None
    if unit is None or not unit.readings:
        return None
    return replace(
        count, text=f"1 {unit.text}", value=1.0, step=0.0, unit=unit.text, readings=unit.readings, about=False
    )


def _is_of_a_run(fact: Fact) -> bool:
    whole = fact.kind is Kind.FIELD and not fact.end and fact.subject.layer is None and fact.value > 0
    return (
        whole
        and fact.family in _AMOUNTS
        and not fact.tags.isdisjoint(_OF_RUN)
        and fact.tags.isdisjoint(_NO_RESULTS)
    )


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
