"""Fits the classifier of questions: `python -m tests.evaluation.fit` writes `weights.bin`.

One logistic regression an intent with an L2 penalty on the weights, by L-BFGS. `--left-out N` fits on the rest
and scores each N-th question instead.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from edgewright.agent.names import find_names
from edgewright.agent.planner.classifier import WEIGHTS, packed
from edgewright.agent.planner.features import BUCKETS, features_of
from edgewright.agent.planner.intent import Intent
from edgewright.agent.quantities import find_figures

QUESTIONS = Path(__file__).with_name("labelled_questions.jsonl")
PENALTY = 6e-5
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Labelled:
    features: Mapping[int, float]
    intents: frozenset[Intent]


def labelled_questions(path: Path = QUESTIONS) -> Iterator[Mapping[str, Any]]:
    """{q, labels} and, where there are any, the pinned model and target and the turn before it (after)."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def read_labelled(row: Mapping[str, Any]) -> Labelled:
    names = find_names(row["q"])
    figures = find_figures(row["q"], [(name.start, name.end) for name in names])
    pinned = frozenset(key for key in ("model", "target") if row.get(key))
    features = features_of(row["q"], names, figures, pinned=pinned, follows=bool(row.get("after")))
    return Labelled(features, frozenset(map(Intent, row["labels"])))


def fitted(questions: Sequence[Labelled]) -> tuple[tuple[Intent, ...], Floats, Floats]:
    """The intents, the weights (bucket by intent) and the biases."""
    intents = tuple(sorted({intent for each in questions for intent in each.intents}))
    table = _table(questions)
    wanted = np.array([[i in each.intents for i in intents] for each in questions], dtype=np.float64)
    return intents, *_minimised(table, wanted)


def _table(questions: Sequence[Labelled]) -> csr_matrix:
    cells = [(row, at, scale) for row, each in enumerate(questions) for at, scale in each.features.items()]
    rows, columns, scales = zip(*cells, strict=True)
    return csr_matrix((scales, (rows, columns)), shape=(len(questions), BUCKETS))


def _minimised(table: csr_matrix, wanted: Floats) -> tuple[Floats, Floats]:
    count, features, labels = table.shape[0], table.shape[1], wanted.shape[1]
    split = features * labels

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, bias = point[:split].reshape(features, labels), point[split:]
        logits = table @ weights + bias
        error = 1 / (1 + np.exp(-logits)) - wanted
        total = float((np.logaddexp(0, logits) - wanted * logits).sum() / count)
        slope = (table.T @ error) / count + 2 * PENALTY * weights
        return total + PENALTY * float((weights**2).sum()), np.concatenate(
            [slope.ravel(), error.mean(axis=0)]
        )

    found = minimize(loss, np.zeros(split + labels), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return found.x[:split].reshape(features, labels), found.x[split:]


def write(intents: tuple[Intent, ...], weights: Floats, bias: Floats, path: Path = WEIGHTS) -> None:
    step = np.abs(weights).max(axis=0) / 127
    whole = np.round(weights / step).astype(np.int8)
    path.write_bytes(packed(intents, bias.tolist(), step.tolist(), whole.tobytes()))


def score(intents: Sequence[Intent], weights: Floats, bias: Floats, questions: Sequence[Labelled]) -> float:
    """Share of questions whose likeliest intent is one of theirs."""
    logits = _table(questions) @ weights + bias
    best = [intents[i] for i in logits.argmax(axis=1)]
    return float(np.mean([one in each.intents for one, each in zip(best, questions, strict=True)]))


def main(arguments: Sequence[str]) -> None:
    questions = [read_labelled(row) for row in labelled_questions()]
    if arguments[:1] == ["--left-out"]:
        every = int(arguments[1])
        kept = fitted([each for i, each in enumerate(questions) if i % every])
        print(f"{score(*kept, questions[::every]):.1%} of {len(questions[::every])} left out")
        return
    model = fitted(questions)
    write(*model)
    print(f"{score(*model, questions):.1%} of {len(questions)}")


if __name__ == "__main__":
    main(sys.argv[1:])
