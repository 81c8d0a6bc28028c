"""What a question and each of its figures show, as features of a linear model; names are masked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ...tools.core.records import dataclass
from ..names import Kind, Name
from ..patterns import compiled
from ..quantities import Family, Figure
from ..thesaurus import senses
from .classifier import hashed
from .words import entries, spoken

_WORD = compiled(r"[a-zµ_]+(?:'[a-z]+)?|[?!.;:,]")
_MARKS = frozenset("?!.;:,")
_STOPS = frozenset("?!.;:")
_TABLES = ("asks", "class", "variable", "technique", "goal", "excluded")
"""Tables of concepts, each said in many words."""
_LONG, _GRAM = 5, 4
_NEAR = 3
_MOST_WORDS = 300
_BEFORE, _AFTER = 6, 5
"""Words beside a figure that its role is read from."""
_STAND_INS = {Kind[name]: f"a_{word}" for name, word in entries("stand_ins_of_names").items()}
_FIGURES = {Family[name]: f"fig_{word}" for name, word in entries("stand_ins").items()}


@dataclass(frozen=True)
class Setting:
    """What a question stands in."""

    pinned: frozenset[str] = frozenset()
    """`model` and `target`, where the conversation has one."""
    follows: bool = False
    """Whether something was asked before."""
    topic: tuple[str, ...] = ()
    """What was wanted before."""


NOWHERE = Setting()
"""Before anything was asked or pinned."""


def question_features(
    question: str, words: Sequence[str], roles: Iterable[str], setting: Setting
) -> dict[int, float]:
    """Bucket → how much the feature counts, of what a question wants.

    Args:
        words: those of the question, `masked`.
        roles: labels of its figures.
    """
    return hashed(_of_question(question, words, roles, setting))


def figure_features(words: Sequence[str], at: int, figure: Figure) -> dict[int, float]:
    """Bucket → how much the feature counts, of the role of the figure at a place of the masked words."""
    return hashed(_of_figure(words, at, figure))


def masked(
    question: str, names: Sequence[Name], figures: Sequence[Figure]
) -> tuple[list[str], dict[int, int]]:
    """The words in lower case with a stand-in for every name and figure; start of a figure → its place."""
    spans = [(n.start, n.end, _STAND_INS[n.kind]) for n in names]
    spans += [(f.start, f.end, _FIGURES.get(f.family, "fig_bare")) for f in figures]
    words, places = list[str](), dict[int, int]()
    folded = "".join(low if len(low := letter.casefold()) == 1 else letter for letter in question)
    last = 0
    for start, end, stand_in in sorted([*spans, (len(question), len(question), "")]):
        words += _WORD.findall(folded, last, start)
        if stand_in:
            places[start] = len(words)
            words.append(stand_in)
        last = max(last, end)
    return words[:_MOST_WORDS], places


def _of_question(
    question: str, words: Sequence[str], roles: Iterable[str], setting: Setting
) -> Iterator[tuple[str, float]]:
    said = [word for word in words if word == "?" or word not in _MARKS]
    yield from _of_words(said, "", 0.6)
    yield from _of_words(_asking(words), "?", 0.3)
    yield from _of_senses(said)
    for kind in ("a_target", "a_model", "a_runtime", "a_type", "a_battery"):
        yield f"{kind} {min(words.count(kind), 3)}", 0.6
    for kind in ("model", "target"):
        state = "named" if f"a_{kind}" in words else "pinned" if kind in setting.pinned else "open"
        yield f"{kind} {state}", 0.6
    for table in _TABLES:
        yield from ((f"@{table} {concept}", 0.8) for concept in spoken(table, question))
    yield from ((f"role {role}", 0.8) for role in dict.fromkeys(roles))
    yield from ((f"topic {want}", 0.6) for want in setting.topic)
    yield f"follows {setting.follows}", 0.6
    yield f"length {min(len(words) // 6, 6)}", 0.6
    if setting.follows:
        yield from _of_a_later_one(said, setting.topic)


def _of_a_later_one(said: Sequence[str], topic: Sequence[str]) -> Iterator[tuple[str, float]]:
    """What the words mean behind another question, and behind one that wanted just that."""
    yield from ((f"later {word}", 0.4) for word in dict.fromkeys(said))
    yield from ((f"later {one} {other}", 0.4) for one, other in pairwise(["^", *said, "$"]))
    for want in topic[:1]:
        names = sorted({word for word in said if "_" in word})
        yield f"first {want}", 0.6
        yield from ((f"{want} then {word}", 0.4) for word in dict.fromkeys(said))
        yield f"{want} then {min(len(said), 6)} words {bool(names)}", 0.5
        yield f"{want} then {' '.join(names)}", 0.5


def _asking(words: Sequence[str]) -> list[str]:
    """The words of the sentences that end with a question mark; of the last one where none does."""
    sentences: list[list[str]] = [[]]
    for word in words:
        if word != ",":
            sentences[-1].append(word)
        if word in _STOPS:
            sentences.append([])
    whole = [sentence for sentence in sentences if len(sentence) > 1]
    return [word for s in whole if s[-1] == "?" for word in s] or (whole[-1] if whole else [])


def _of_words(words: Sequence[str], prefix: str, weight: float) -> Iterator[tuple[str, float]]:
    yield from ((prefix + word, weight) for word in words)
    yield from ((f"{prefix}{one} {other}", weight) for one, other in pairwise(["^", *words, "$"]))
    if prefix:
        return
    for word in words:
        if len(word) >= _LONG and "_" not in word:
            edged = f"<{word}>"
            yield from ((f"~{edged[i : i + _GRAM]}", 0.25) for i in range(len(edged) - _GRAM + 1))


def _of_senses(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    found = sorted(set(senses(words)))
    yield from ((f"%{sense}", 0.4) for _, sense in found)
    for at, one in found:
        yield from ((f"%{one} {other}", 0.24) for later, other in found if at < later <= at + _NEAR)


def _of_figure(words: Sequence[str], at: int, figure: Figure) -> Iterator[tuple[str, float]]:
    family, unit = figure.family.name, figure.unit.casefold()
    size = math.floor(math.log10(figure.value)) if figure.value > 0 else -9
    yield f"{family}", 1.0
    yield f"{family} {unit}", 0.6
    yield f"{family} size {size}", 0.6
    yield f"{family} noun {figure.noun}", 0.8
    before, after = _up_to_figure(words[max(0, at - _BEFORE) : at][::-1]), words[at + 1 : at + 1 + _AFTER]
    for side, near in (("<", before), (">", after)):
        for distance, word in enumerate(near):
            fade = 1.0 / (1 + 0.25 * distance)
            yield f"{family}{side}{word}", fade
            yield f"{side}{word}", 0.5 * fade
            if distance < 2:
                yield f"{family}{side}{distance}{word}", 0.8
        yield from ((f"{family}{side}{one} {other}", 0.7) for one, other in pairwise(near[:4]))
    for word in dict.fromkeys(words):
        yield f"{family} in {word}", 0.15
    yield from _of_company(words, at, family)


def _of_company(words: Sequence[str], at: int, family: str) -> Iterator[tuple[str, float]]:
    """Senses before and behind a figure, and what else the question holds."""
    found = sorted(set(senses(words)))
    for place, sense in found:
        apart = place - at
        if apart and -_BEFORE - 2 <= apart <= _AFTER + 1:
            side, fade = "<" if apart < 0 else ">", 1.0 / (1 + 0.15 * abs(apart))
            yield f"{family}{side}%{sense}", 0.6 * fade
            yield f"{side}%{sense}", 0.3 * fade
    yield from ((f"{family} %{sense}", 0.2) for sense in sorted({sense for _, sense in found}))
    yield f"{family} asked {'?' in words}", 0.3
    for other in sorted({word for word in words if word.startswith("fig_")}):
        yield f"{family} with {other} {words.count(other)}", 0.4
    yield from ((f"{family} {name} {name in words}", 0.3) for name in sorted(set(_STAND_INS.values())))
    yield f"{family} between {words[max(0, at - 1) : at]} {words[at + 1 : at + 2]}", 0.5


def _up_to_figure(words: Sequence[str]) -> Sequence[str]:
    """Words nearest first; what stands before another figure speaks of that one, not of this."""
    stop = next((i for i, word in enumerate(words) if word.startswith("fig_")), None)
    return words if stop is None else words[: stop + 2]
