"""Words that qualify a question beside its names and figures: *at the same clock*, *on a hot day*."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..names import Name
from ..quantities import Figure
from .classifier import classifier
from .features import placed, word_features

_FIRST, _FURTHER, _NONE = "B", "I", "O"
"""Labels of a word: the first of a span, another of it, and of none."""
_NONE_COUNTS = 0.5
"""What the chance of none is multiplied by: most words are of none, and the fit leans to it."""
_LEAST = 1e-4
_IN_WORDS = "0123456789%+-"
"""What ends a word that has figures in it: ddr4."""


class QualifierKind(StrEnum):
    SAME = "same"
    """What a comparison has to keep alike."""
    COUNT = "count"
    OUTPUT = "output"
    """How the answer should look."""
    EXCLUDE = "exclude"
    GOAL = "goal"
    SETTING = "setting"
    """A circumstance that changes the figures."""
    PURPOSE = "purpose"
    WHEN = "when"


@dataclass(frozen=True)
class Qualifier:
    """Words of the question, and how likely they are of that kind."""

    text: str
    kind: QualifierKind
    chance: float


def qualifiers(question: str, names: Sequence[Name], figures: Sequence[Figure]) -> tuple[Qualifier, ...]:
    """In the order of the question; by `python -m tests.evaluation.fit_qualifiers`."""
    words = placed(question, names, figures)
    plain, model = [word for word, _, _ in words], classifier("qualifiers")
    chances = [model.chances(word_features(plain, at)) for at in range(len(words))]
    return tuple(_spans(question, words, chances))


def _spans(
    question: str, words: Sequence[tuple[str, int, int]], chances: Sequence[Mapping[str, float]]
) -> Iterator[Qualifier]:
    tags = _likeliest(chances)
    starts = [at for at, tag in enumerate(tags) if tag == _FIRST]
    for at in starts:
        end = next((i for i in range(at + 1, len(tags)) if tags[i] != _FURTHER), len(tags))
        kinds = {kind: sum(each.get(kind, 0.0) for each in chances[at:end]) for kind in QualifierKind}
        none = sum(each[_NONE] / _whole(each) for each in chances[at:end]) / (end - at)
        rest = question[words[end - 1][2] :]
        inside = len(rest) - len(rest.lstrip(_IN_WORDS))
        text = question[words[at][1] : words[end - 1][2] + inside].rstrip("?!.;:, ")
        yield Qualifier(text, max(kinds, key=kinds.__getitem__), 1 - none)


def _likeliest(chances: Sequence[Mapping[str, float]]) -> str:
    """The likeliest labels in a row in which no span goes on that did not begin (Viterbi)."""
    best = {_NONE: (0.0, "")}
    for each in chances:
        following: dict[str, tuple[float, str]] = {}
        for label in (_FIRST, _FURTHER, _NONE):
            counts = (_NONE_COUNTS if label == _NONE else 1.0) * each[label] / _whole(each)
            before = [one for last, one in best.items() if label != _FURTHER or last != _NONE]
            if before:
                score, tags = max(before)
                following[label] = (score + math.log(max(counts, _LEAST)), tags + label)
        best = following
    return max(best.values())[1]


def _whole(chances: Mapping[str, float]) -> float:
    return sum(chances[label] for label in (_FIRST, _FURTHER, _NONE)) or 1.0


__all__ = ["Qualifier", "QualifierKind", "qualifiers"]
