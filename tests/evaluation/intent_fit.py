"""Fits the intent model: `python -m tests.evaluation.intent_fit` writes `intent_weights.npz`.

One logistic regression a label with an L2 penalty on the weights, by L-BFGS. `--left-out N` fits on the rest
and scores each N-th question instead.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from edgewright.agent.offline.intent_features import features_of
from edgewright.agent.offline.intent_model import WEIGHTS, IntentModel, feature_scale
from edgewright.agent.offline.named import Earlier, names_in

QUESTIONS = Path(__file__).with_name("labelled_questions.jsonl")
PENALTY = 6e-5
_LEAST = 2
"""Questions that a feature stands in, to count."""
_SMALLEST = 0.04
"""Features with no larger weight are dropped."""
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Labelled:
    features: Sequence[str]
    labels: frozenset[str]


def labelled_questions(path: Path = QUESTIONS) -> Iterator[Mapping[str, Any]]:
    """{q, labels} and, where there are any, the pinned model and target and the turn before it (after)."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def digest_of(path: Path = QUESTIONS) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_labelled(told: Mapping[str, Any]) -> Labelled:
    pinned = {key: told[key] for key in ("model", "target") if told.get(key)}
    earlier = _earlier(told["after"], pinned) if told.get("after") else None
    said = names_in(told["q"], pinned, earlier)
    return Labelled(features_of(said.question, said.names), frozenset(map(_intent, told["labels"])))


def _earlier(question: str, pinned: Mapping[str, Any]) -> Earlier:
    said = names_in(question, pinned)
    return Earlier([mention.text for mention in said.models], said.hardware.texts)


def _intent(label: str) -> str:
    return label.replace("_", " ")


def fitted(questions: Sequence[Labelled]) -> IntentModel:
    counts = Counter(feature for each in questions for feature in each.features)
    features = sorted(feature for feature, count in counts.items() if count >= _LEAST)
    labels = sorted({label for each in questions for label in each.labels})
    table = _table(questions, {feature: i for i, feature in enumerate(features)})
    wanted = np.array([[label in each.labels for label in labels] for each in questions], dtype=np.float64)
    weights, bias = _minimised(table, wanted)
    kept = np.flatnonzero(np.abs(weights).max(axis=1) > _SMALLEST)
    return IntentModel.rounded(labels, [features[i] for i in kept], weights[kept], bias)


def _table(questions: Sequence[Labelled], rows_of: Mapping[str, int]) -> csr_matrix:
    cells = [
        (row, rows_of[feature], feature_scale(feature))
        for row, each in enumerate(questions)
        for feature in each.features
        if feature in rows_of
    ]
    rows, columns, scales = zip(*cells, strict=True)
    return csr_matrix((scales, (rows, columns)), shape=(len(questions), len(rows_of)))


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


def _score(model: IntentModel, questions: Sequence[Labelled]) -> float:
    """Share of questions whose likeliest label is one of theirs."""
    return float(np.mean([next(iter(model.chances(each.features))) in each.labels for each in questions]))


def main(arguments: Sequence[str]) -> None:
    questions = [read_labelled(told) for told in labelled_questions()]
    if arguments[:1] == ["--left-out"]:
        every = int(arguments[1])
        rest = [each for i, each in enumerate(questions) if i % every]
        print(f"{_score(fitted(rest), questions[::every]):.1%} of {len(questions[::every])} left out")
        return
    model = fitted(questions)
    model.save(WEIGHTS, digest_of())
    print(f"{_score(model, questions):.1%} of {len(questions)}; {len(model.features):,} features")


if __name__ == "__main__":
    main(sys.argv[1:])
