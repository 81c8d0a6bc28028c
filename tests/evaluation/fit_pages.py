"""Fits what each signal counts when a section of docs/ is chosen: `python -m tests.evaluation.fit_pages`.

A conditional logit: the questions written below sections are to find theirs among all others, most of them left
out of the index meanwhile, and strangers' questions one of those that answer them. Parts are left out by turns
to score the fit, and to say how often a section is right by the chance that it is given.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import logsumexp

from edgewright.agent.pages import Subject, sections
from edgewright.agent.search_index import SearchIndex, Signals

LABELLED = Path(__file__).parents[1] / "agent" / "library"
FILES, HELD_OUT = ("strangers.tsv", "product.tsv", "everyday.tsv"), "everyday_held_out.tsv"
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
    signals: Floats
    right: Floats
    """1 for each section that answers."""
    weight: float


def below_sections(index: SearchIndex) -> list[Case]:
    draw = random.Random(1)
    rows = [
        row
        for row, (number, text) in enumerate(index.asked)
        if len(text.split()) >= SHORTEST and not index.sections[number].is_row
    ]
    found = []
    for row in draw.sample(rows, QUESTIONS):
        number, text = index.asked[row]
        meant = index.sections[number].subjects if draw.random() < SAID_WHAT_IS_MEANT else ()
        signals = index.signals(text, meant, but=row if draw.random() < NEW else None)
        found += _cases(signals, {number}, 1.0)
    return found


def of_strangers(index: SearchIndex, files: Sequence[str] = FILES) -> list[Case]:
    names = [f"{one.page.removesuffix('.md')}#{one.heading}" for one in index.sections]
    found = []
    for file in files:
        with (LABELLED / file).open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                right = {number for number, name in enumerate(names) if name in row["sections"].split("|")}
                meant = [Subject(one) for one in row["meant"].split()]
                found += _cases(index.signals(row["question"], meant), right, OF_STRANGERS)
    return found


def _cases(signals: dict[int, Signals], right: set[int], weight: float) -> list[Case]:
    if not right & signals.keys():
        return []
    return [Case(np.array(list(signals.values())), np.array([float(n in right) for n in signals]), weight)]


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

    start = np.zeros(len(Signals._fields))
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x, dtype=np.float64)


def outcomes(written: list[Case], asked: list[Case]) -> list[tuple[float, bool]]:
    """Of each stranger's question, left out of the fit: the chance of the best section, and whether it answers."""
    random.Random(2).shuffle(asked)
    found = []
    for fold in range(FOLDS):
        held = asked[fold::FOLDS]
        weights = fitted(written + [case for case in asked if all(case is not one for one in held)])
        for case in held:
            logits = case.signals @ weights
            best = int(logits.argmax())
            found.append((float(np.exp(logits[best] - logsumexp(logits))), bool(case.right[best])))
    return found


def main() -> None:
    index = SearchIndex.of(sections())
    written, asked = below_sections(index), of_strangers(index)
    weights = fitted(written + asked)
    shown = ", ".join(f"{name}={value:.2f}" for name, value in zip(Signals._fields, weights, strict=True))
    print(f"WEIGHTS = Signals({shown})")
    held = of_strangers(index, (HELD_OUT,))
    right = sum(bool(case.right[int((case.signals @ weights).argmax())]) for case in held)
    print(f"best section answers {right} of {len(held)} held-out questions that were in no fit")
    found = outcomes(written, asked)
    print(
        f"best section answers {sum(right for _, right in found)} of {len(found)} strangers' questions, left out"
    )
    for least in THRESHOLDS:
        said = [right for chance, right in found if chance >= least]
        print(f"chance >= {least}: {len(said)} said, {sum(said) / max(1, len(said)):.0%} of them right")


if __name__ == "__main__":
    main()
