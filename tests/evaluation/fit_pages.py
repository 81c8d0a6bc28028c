"""Fits what each signal counts when a section of docs/ is chosen: `python -m tests.evaluation.fit_pages`.

A conditional logit: the questions written below sections are to find theirs among all others, most of them left
out of the index meanwhile, and strangers' questions one of those that answer them. Parts are left out by turns
to score the fit, and to say how often a section is right by the chance that it is given.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import logsumexp

from edgewright.agent.pages import Subject, sections
from edgewright.agent.search_index import SearchIndex, Signals, Strangeness
from edgewright.agent.search_tables import NONE

LABELLED = Path(__file__).parents[1] / "agent" / "library"
FILES = ("strangers.tsv", "product.tsv", "everyday.tsv", "general.tsv")
HELD_OUT = "everyday_held_out.tsv"
FIT, HELD, CASE = "fit", "held", "case"
SHORTEST, QUESTIONS, FOLDS, PENALTY = 4, 1_500, 5, 1e-3
"""Words of a question that tell anything; how many are taken; parts that are left out by turns; of the weights."""
SAID_WHAT_IS_MEANT, NEW = 0.7, 0.7
"""Share of the questions whose subject the planner knows, and of those that nobody asked before in these words."""
OF_STRANGERS = 40.0
"""What a stranger's question counts beside one that was written below its section: few are known, and they are the measure."""
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A row for each section, those of its signals first, and the last for none."""

    signals: Floats
    right: Floats
    """1 for each section that answers, or for none."""
    weight: float


def below_sections(index: SearchIndex) -> list[Case]:
    draw = random.Random(1)
    rows = [
        row
        for row, (number, text) in enumerate(index.asked)
        if number != NONE and len(text.split()) >= SHORTEST and not index.sections[number].is_row
    ]
    found = []
    for row in draw.sample(rows, QUESTIONS):
        number, text = index.asked[row]
        meant = index.sections[number].subjects if draw.random() < SAID_WHAT_IS_MEANT else ()
        signals, strangeness = index.signals(text, meant, but=row if draw.random() < NEW else None)
        found += _cases(signals, strangeness, {number}, 1.0)
    return found


def labelled(file: str) -> Iterator[tuple[str, list[Subject], set[str], str]]:
    """Question, what it is known to ask for, the sections that answer it, and which half it is of."""
    with (LABELLED / file).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            meant = [Subject(one) for one in (row.get("meant") or "").split()]
            yield row["question"], meant, {*(row.get("sections") or "-").split("|")}, row.get("half") or FIT


def of_strangers(index: SearchIndex, files: Sequence[str] = FILES, half: str = FIT) -> list[Case]:
    names = [f"{one.page.removesuffix('.md')}#{one.heading}" for one in index.sections]
    found = []
    for file in files:
        for question, meant, sections_, of in labelled(file):
            if of != half or CASE in sections_:
                continue
            right = {number for number, name in enumerate(names) if name in sections_}
            found += _cases(*index.signals(question, meant), right, OF_STRANGERS)
    return found


def _cases(
    signals: dict[int, Signals], strangeness: Strangeness, right: set[int], weight: float
) -> list[Case]:
    if right and not right & signals.keys():
        return []
    rows = [[*each, *(0.0,) * len(strangeness)] for each in signals.values()]
    rows.append([*(0.0,) * len(Signals._fields), *strangeness])
    answers = [float(number in right) for number in signals]
    return [Case(np.array(rows), np.array([*answers, float(not right)]), weight)]


def fitted(given: list[Case]) -> Floats:
    signals, right = np.concatenate([c.signals for c in given]), np.concatenate([c.right for c in given])
    sizes = np.array([len(case.right) for case in given])
    starts = np.cumsum(sizes) - sizes
    shares = np.array([case.weight for case in given])
    shares /= shares.sum()

    def loss(weights: Floats) -> tuple[float, Floats]:
        logits = signals @ weights
        odds = np.exp(logits - np.repeat(np.maximum.reduceat(logits, starts), sizes))
        every, answering = np.add.reduceat(odds, starts), np.add.reduceat(odds * right, starts) + 1e-300
        off = odds / np.repeat(every, sizes) - odds * right / np.repeat(answering, sizes)
        slope = (off * np.repeat(shares, sizes)) @ signals + 2 * PENALTY * weights
        return float(shares @ (np.log(every) - np.log(answering)) + PENALTY * weights @ weights), slope

    start = np.zeros(given[0].signals.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x, dtype=np.float64)


def outcomes(written: list[Case], asked: list[Case]) -> list[tuple[float, bool]]:
    """Of each stranger's question, left out of the fit: the chance of the best section, and whether it answers."""
    random.Random(2).shuffle(asked)
    found = []
    for fold in range(FOLDS):
        held = asked[fold::FOLDS]
        weights = fitted(written + [case for case in asked if all(case is not one for one in held)])
        found += [_best(case, weights) for case in held]
    return found


def _best(case: Case, weights: Floats) -> tuple[float, bool]:
    """The chance of the best section, and whether it answers."""
    logits = case.signals @ weights
    if len(logits) == 1:
        return 0.0, False
    best = int(logits[:-1].argmax())
    return float(np.exp(logits[best] - logsumexp(logits))), bool(case.right[best])


def _report(name: str, found: Sequence[tuple[float, bool]], nothing: int) -> None:
    print(f"{name}: best section answers {sum(right for _, right in found)} of {len(found) - nothing}")
    for least in THRESHOLDS:
        said = [right for chance, right in found if chance >= least]
        print(f"  chance >= {least}: {len(said)} said, {sum(said) / max(1, len(said)):.0%} of them right")


def main() -> None:
    index = SearchIndex.of(sections())
    written, asked = below_sections(index), of_strangers(index)
    weights = fitted(written + asked)
    own = weights[: len(Signals._fields)]
    shown = ", ".join(f"{name}={value:.2f}" for name, value in zip(Signals._fields, own, strict=True))
    print(f"WEIGHTS = Signals({shown})")
    strange = zip(Strangeness._fields, weights[len(own) :], strict=True)
    print(f"STRANGENESS = Strangeness({', '.join(f'{name}={value:.2f}' for name, value in strange)})")
    for name, held in (
        ("everyday, held out", of_strangers(index, (HELD_OUT,))),
        ("general, held out", of_strangers(index, ("general.tsv",), HELD)),
    ):
        _report(name, [_best(case, weights) for case in held], sum(case.right[-1] > 0 for case in held))
    _report("left out by turns", outcomes(written, asked), sum(case.right[-1] > 0 for case in asked))


if __name__ == "__main__":
    main()
