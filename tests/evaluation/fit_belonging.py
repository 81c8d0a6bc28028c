"""Fits what speaks for a figure in its place: `python -m tests.evaluation.fit_belonging` writes the weights.

True answers are held against themselves with figures exchanged; `--folds` fits on all files but one and scores that one.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from edgewright.agent.references import belonging, fill, results_of
from edgewright.agent.references.belonging import STORED, Belonging, hashed
from edgewright.agent.references.candidates import AtHand

from .answered import Answered
from .marks import FOLDER, answered_in, marks

PENALTY = 7e-4
SEEN = 4
"""How often a feature is seen before it counts."""
MOST = 120
"""Exchanges that are learned from in one answer."""
Rows = list[tuple[dict[str, float], float]]
"""What speaks for a true answer against another, and how much it counts."""


def rows_of(answers: Sequence[Answered]) -> Rows:
    return [row for answer in answers for row in _rows(answer)]


def _rows(answer: Answered) -> Iterator[tuple[dict[str, float], float]]:
    records = {str(record["id"]): record for record in answer.records}
    at_hand = AtHand(fill(answer.written, results_of(answer.records)), records)
    found = [features for _, features in Belonging(at_hand).contrasts() if features]
    chosen = Random(1).sample(found, min(MOST, len(found)))
    yield from ((features, len(chosen) ** -0.5) for features in chosen)


def fitted(rows: Rows) -> dict[int, float]:
    """Hash of a feature → its weight."""
    seen = Counter(feature for features, _ in rows for feature in features)
    known = {
        feature: at for at, feature in enumerate(f for f, often in sorted(seen.items()) if often >= SEEN)
    }
    cells = [
        (row, known[feature], count)
        for row, (features, _) in enumerate(rows)
        for feature, count in features.items()
        if feature in known
    ]
    at, columns, counts = zip(*cells, strict=True)
    table = csr_matrix((counts, (at, columns)), shape=(len(rows), len(known)))
    scale = np.array([weight for _, weight in rows])
    scale /= scale.sum()

    def loss(point: np.ndarray) -> tuple[float, np.ndarray]:
        gains = table @ point
        error = scale / (1 + np.exp(np.clip(gains, -50, 50)))
        total = float((scale * np.logaddexp(0, -gains)).sum() + PENALTY * (point @ point) / 2)
        return total, PENALTY * point - table.T @ error

    found = minimize(loss, np.zeros(len(known)), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return {hashed(feature): float(found[at]) for feature, at in known.items()}


def write(weights: Mapping[int, float]) -> None:
    """In steps of the largest; what is rounded to nothing is left out."""
    step = max(map(abs, weights.values())) / 127
    kept = {feature: round(weight / step) for feature, weight in sorted(weights.items())}
    kept = {feature: steps for feature, steps in kept.items() if steps}
    np.savez(
        STORED, hashes=np.array(list(kept), dtype=np.uint32), weights=np.array(list(kept.values()), dtype=np.int8),
        step=np.float64(step),
    )  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    files = {file.stem: list(answered_in(file)) for file in sorted(FOLDER.glob("*.yaml"))}
    rows = {name: rows_of(answers) for name, answers in files.items()}
    if arguments[:1] == ["--folds"]:
        for left, answers in files.items():
            weights = fitted([row for name, each in rows.items() if name != left for row in each])
            belonging.stored = lambda found=weights: found  # type: ignore[assignment]
            print(f"{left}: {marks(answers)}", flush=True)
        return
    write(fitted([row for each in rows.values() for row in each]))


if __name__ == "__main__":
    main(sys.argv[1:])
