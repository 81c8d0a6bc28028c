"""Whether each figure stands where the words speak of what it is of: surely, surely not, or in between.

Every figure is held against what could stand in its place (`candidates`) by what speaks for each (`clues`).
Where far more speaks for another it is marked; where it is not clear which of several subjects is meant, it
is printed with its own.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...tools.core.records import dataclass
from .candidates import KINDS, PARTS, AtHand, Candidate
from .clues import Clues
from .field_words import for_exchange
from .filling import Hole
from .subjects import agree

STORED = Path(__file__).with_name("belonging.npz")
_ANOTHER_FIELD, _ANOTHER_SUBJECT, _UNCLEAR = 3.2, 4.2, -0.45
"""How much more speaks for another figure of the same subject, of another, where it is marked; is named."""
_SURELY = 5.0
_WORDED, _WITH_WORDS, _PER_WORD = 0.65, 0.5, 1.5
"""How many more words have to name the other field, what has to speak for it then, and what a word counts."""
_OF = re.compile(r"\s(?:out )?of(?: the| all| its| your)?\s|,? (of which)\s")
_SAID = {
    "clock_mhz": "{} MHz", "batch": "batch {}", "threads": "{} threads", "layer": "layer {}",
    "kv": "{} cache", "context": "context {}", "prompt_tokens": "prompt of {}",
}  # fmt: skip


class Misplaced(NamedTuple):
    """A reference in words that speak of something else."""

    hole: Hole
    why: str
    mark: str
    """What it is of, in few words."""


class Doubt(NamedTuple):
    """That something else could stand in a figure's place."""

    at: int
    rival: Candidate
    gain: float
    """What speaks for the other, less what speaks for the figure."""
    of_subject: bool
    """Whether the other is of something else."""


@dataclass(frozen=True)
class Belonging:
    """The figures of one answer, judged."""

    at_hand: AtHand

    @cached_property
    def clues(self) -> Clues:
        return Clues(self.at_hand)

    def contrasts(self) -> Iterator[tuple[tuple[tuple[int, Candidate], ...], dict[str, float]]]:
        """What could stand where, with the features that speak for the answer as it is."""
        figures = self.at_hand.figures
        for one, other in self.at_hand.pairs():
            instead = {one: figures[other], other: figures[one]}
            yield tuple(instead.items()), self.clues.contrast(instead)
        for at in range(len(figures)):
            for rival in self.at_hand.others(at):
                yield ((at, rival),), self.clues.contrast({at: rival})

    def doubts(self, weights: Mapping[int, float] | None = None) -> list[Doubt]:
        """Of each figure and each thing that could stand in its place."""
        known = stored() if weights is None else weights
        found = []
        for instead, features in self.contrasts():
            gain = -sum(known.get(hashed(feature), 0.0) * count for feature, count in features.items())
            one, other = instead[0][0], instead[-1][0]
            if one != other and not self._is_of_another(*instead[0]):
                worded = self._is_more_than_all(one, other) or self._is_worded(one, other, gain)
                gain += _SURELY if worded else 0.0
            found += [Doubt(at, rival, gain, self._is_of_another(at, rival)) for at, rival in instead]
        return found

    def _is_more_than_all(self, one: int, other: int) -> bool:
        """`16 of 4 operators`; `4 operators, of which 16 …`."""
        holes, figures = self.at_hand.holes, self.at_hand.figures
        of = _OF.fullmatch(self.at_hand.text, holes[one].end, holes[other].start)
        whole, part = (one, other) if of and of[1] else (other, one)
        return of is not None and abs(figures[part].value) > abs(figures[whole].value) > 0

    def _is_worded(self, one: int, other: int, gain: float) -> bool:
        """Whether words that fields are known by speak for the exchange."""
        places, figures = self.clues.places, self.at_hand.figures
        words = for_exchange((places[one], places[other]), (figures[one], figures[other]))
        return words > _WORDED and gain + _PER_WORD * words > _WITH_WORDS

    def _is_of_another(self, at: int, rival: Candidate) -> bool:
        return self.at_hand.key(self.at_hand.figures[at]) != self.at_hand.key(rival)

    @cached_property
    def _judged(self) -> tuple[dict[int, Doubt], dict[int, list[Candidate]]]:
        """Which figure is surely another's, with the doubt that says so; which is unclear, with rivals."""
        wrong: dict[int, Doubt] = {}
        unclear: dict[int, list[Candidate]] = {}
        for doubt in self.doubts():
            if doubt.gain > (_ANOTHER_SUBJECT if doubt.of_subject else _ANOTHER_FIELD):
                wrong[doubt.at] = max(doubt, wrong.get(doubt.at, doubt), key=lambda each: each.gain)
            elif doubt.of_subject and doubt.gain > _UNCLEAR:
                unclear.setdefault(doubt.at, []).append(doubt.rival)
        return wrong, {at: rivals for at, rivals in unclear.items() if at not in wrong}

    @property
    def shown(self) -> set[int]:
        """The figures that are marked or named."""
        wrong, unclear = self._judged
        return {*wrong, *unclear}

    def misplaced(self) -> list[Misplaced]:
        wrong, _ = self._judged
        return [self._of_another(wrong[at]) for at in sorted(wrong)]

    def _of_another(self, doubt: Doubt) -> Misplaced:
        figure = self.at_hand.figures[doubt.at]
        if not doubt.of_subject:
            why = f"Another reference fits these words better: {doubt.rival.hole.path}."
            return Misplaced(figure.hole, why, figure.hole.path)
        own = self._label(figure, [doubt.rival]) or figure.hole.path
        other = self._label(doubt.rival, [figure]) or doubt.rival.hole.path
        return Misplaced(figure.hole, f"It is of {own}; the words around it speak of {other}.", f"of {own}")

    def named(self) -> dict[int, str]:
        """Where a figure ends → what it is of, where the words leave that open; once for those of one subject
        that stand together."""
        _, unclear = self._judged
        said = {at: self._label(self.at_hand.figures[at], rivals) for at, rivals in sorted(unclear.items())}
        holes, places = self.at_hand.holes, self.clues.places
        return {
            holes[at].end: label
            for at, label in said.items()
            if label
            and not (said.get(at + 1) == label and places[at].sentence == places[at + 1].sentence
                     and places[at].cell is None)
        }  # fmt: skip

    def _label(self, figure: Candidate, rivals: list[Candidate]) -> str:
        """Only what tells it from the others."""
        left = [each.subjects for each in rivals]
        said: list[str] = []
        for kind in KINDS:
            own = figure.subjects.get(kind)
            apart = [each for each in left if own and not agree(kind, own, each.get(kind, frozenset()))]
            if own and apart:
                left = [each for each in left if each not in apart]
                said.append(_SAID.get(kind, "{}").format(min(own, key=lambda each: (len(each), each))))
        if any(PARTS & each.keys() - figure.subjects.keys() for each in left):
            said.append("in all")
        return ", ".join(said)


def with_label(text: str, label: str) -> str:
    """`12 ms (esp32-s3)`, `12 ms (9–15 ms; esp32-s3)`."""
    return f"{text[:-1]}; {label})" if text.endswith(")") else f"{text} ({label})"


def hashed(feature: str) -> int:
    return zlib.crc32(feature.encode())


@cache
def stored() -> dict[int, float]:
    """Hash of a feature → its weight; `python -m tests.evaluation.fit_belonging` fits and writes them."""
    with np.load(STORED, allow_pickle=False) as arrays:
        weights = arrays["weights"].astype(np.float64) * float(arrays["step"])
        return dict(zip(arrays["hashes"].tolist(), weights.tolist(), strict=True))
