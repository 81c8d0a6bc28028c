"""Fits what a question wants and which role a figure plays: `python -m tests.evaluation.fit` writes both models.

One logistic regression a label with an L2 penalty on the weights, by L-BFGS. `--left-out FILE` fits without
one file of labelled questions and scores that file instead.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from edgewright.agent.names import find_names
from edgewright.agent.planner.features import Setting, figure_features, masked, question_features
from edgewright.agent.planner.linear import BUCKETS, LinearModel, packed
from edgewright.agent.planner.roles import likeliest
from edgewright.agent.planner.wants import chosen
from edgewright.agent.quantities import Figure, find_figures

HERE = Path(__file__).parent / "labelled"
STORED = Path(__file__).resolve().parents[2] / "agent" / "planner"
PENALTY = {"wants": 3e-5, "roles": 3e-5}
ASSUMED = "from_intents.jsonl"
"""Labels that were derived, not given by who wrote the question; they count less."""
ASSUMED_WEIGHT = 0.1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    features: Mapping[int, float]
    labels: frozenset[str]
    weight: float
    figure: Figure | None = None


@dataclass(frozen=True)
class Question:
    text: str
    wants: Example
    figures: tuple[Example, ...]


def labelled_questions(file: Path) -> Iterator[Mapping[str, Any]]:
    """{q, wants, figures} and, where there are any, the pinned model and target and the turns before (after)."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def read_question(row: Mapping[str, Any], weight: float, wanted: Mapping[str, tuple[str, ...]]) -> Question:
    names = find_names(row["q"])
    figures = find_figures(row["q"], [(name.start, name.end) for name in names])
    pinned = frozenset(key for key in ("model", "target") if row.get(key))
    before = row.get("after") or []
    before = before if isinstance(before, list) else [before]
    for turn in before:
        kinds = {name.kind.value for name in find_names(turn)}
        pinned |= {"target"} & kinds | ({"model"} if kinds & {"model", "file", "task"} else set())
    words, _ = masked(row["q"], names, figures)
    topic = wanted.get(before[-1], ()) if before else ()
    setting = Setting(pinned, bool(before), topic)
    features = question_features(row["q"], words, [role for _, role in row["figures"]], setting)
    wants = frozenset(["same"] if "same" in row["wants"] else row["wants"])
    return Question(row["q"], Example(features, wants, weight), tuple(_roles(row, figures, names, weight)))


def _roles(row: Mapping[str, Any], figures: Sequence[Figure], names: Any, weight: float) -> Iterator[Example]:
    words, places = masked(row["q"], names, figures)
    free = list(figures)
    for text, role in row["figures"]:
        for match in re.finditer(rf"(?<![\w.]){re.escape(text)}", row["q"]):
            found = [f for f in free if f.start < match.end() and match.start() < f.end]
            if found:
                free.remove(found[0])
                features = figure_features(words, places[found[0].start], found[0])
                yield Example(features, frozenset([role]), weight, found[0])
                break


def fitted(examples: Sequence[Example], penalty: float) -> LinearModel:
    labels = tuple(sorted({label for each in examples for label in each.labels}))
    wanted = np.array([[i in each.labels for i in labels] for each in examples], dtype=np.float64)
    scale = np.array([each.weight for each in examples])
    weights, bias = _minimised(_table(examples), wanted, scale / scale.mean(), penalty)
    step = np.abs(weights).max(axis=0) / 127 + 1e-12
    whole = np.round(weights / step).astype(np.int8)
    return LinearModel(
        labels, tuple(bias.tolist()), tuple(step.tolist()), memoryview(whole.tobytes()).cast("b")
    )


def _table(examples: Sequence[Example]) -> csr_matrix:
    cells = [(row, at, scale) for row, each in enumerate(examples) for at, scale in each.features.items()]
    rows, columns, scales = zip(*cells, strict=True)
    return csr_matrix((scales, (rows, columns)), shape=(len(examples), BUCKETS))


def _minimised(table: csr_matrix, wanted: Floats, scale: Floats, penalty: float) -> tuple[Floats, Floats]:
    """Each label by itself, over the features that occur."""
    used = np.unique(table.indices)
    seen = table[:, used]
    weights, bias = np.zeros((table.shape[1], wanted.shape[1])), np.zeros(wanted.shape[1])
    for label in range(wanted.shape[1]):
        point = _of_one_label(seen, wanted[:, label], scale, penalty)
        weights[used, label], bias[label] = point[:-1], point[-1]
    return weights, bias


def _of_one_label(table: csr_matrix, wanted: Floats, scale: Floats, penalty: float) -> Floats:
    turned = table.T.tocsr()

    def loss(point: Floats) -> tuple[float, Floats]:
        logits = table @ point[:-1] + point[-1]
        error = scale * (expit(logits) - wanted) / len(wanted)
        total = float((scale * (np.logaddexp(0, logits) - wanted * logits)).mean())
        slope = turned @ error + 2 * penalty * point[:-1]
        return total + penalty * float((point[:-1] ** 2).sum()), np.append(slope, error.sum())

    found: Floats = minimize(
        loss, np.zeros(table.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 80}
    ).x
    return found


def models(questions: Sequence[Question]) -> dict[str, LinearModel]:
    return {
        "wants": fitted([each.wants for each in questions], PENALTY["wants"]),
        "roles": fitted([one for each in questions for one in each.figures], PENALTY["roles"]),
    }


def score(found: Mapping[str, LinearModel], questions: Sequence[Question]) -> str:
    """How often the main want and the whole set are right, how well single wants are, and the roles."""
    hits = right = heard = said = main = 0
    for each in questions:
        chances = found["wants"].chances(each.wants.features)
        wants = set(chosen(chances))
        hits += wants == each.wants.labels
        main += next(iter(chances)) in each.wants.labels
        right, heard, said = (
            right + len(wants & each.wants.labels),
            heard + len(each.wants.labels),
            said + len(wants),
        )
    figures = [one for each in questions for one in each.figures if one.figure]
    roles = sum(
        likeliest(found["roles"].chances(one.features), one.figure) in one.labels
        for one in figures
        if one.figure
    )
    return (
        f"likeliest want {main / len(questions):.1%}, whole set {hits / len(questions):.1%}, wants recalled "
        f"{right / heard:.1%}, right of those named {right / max(1, said):.1%}, roles {roles / max(1, len(figures)):.1%} "
        f"({len(questions)} questions, {len(figures)} figures)"
    )


def all_questions() -> dict[str, list[Question]]:
    rows = {file.name: list(labelled_questions(file)) for file in sorted(HERE.glob("*.jsonl"))}
    wanted = {row["q"]: tuple(row["wants"]) for file in rows.values() for row in file}
    return {
        name: [read_question(row, ASSUMED_WEIGHT if name == ASSUMED else 1.0, wanted) for row in file]
        for name, file in rows.items()
    }


def write(found: Mapping[str, LinearModel]) -> None:
    for name, model in found.items():
        stored = packed(model.labels, list(model.bias), list(model.step), model.weights.tobytes())
        (STORED / f"{name}.bin").write_bytes(stored)


def main(arguments: Sequence[str]) -> None:
    questions = all_questions()
    if arguments[:1] == ["--left-out"]:
        left = questions.pop(arguments[1])
        print(score(models([each for file in questions.values() for each in file]), left))
        return
    every = [each for file in questions.values() for each in file]
    found = models(every)
    write(found)
    print(score(found, every))


if __name__ == "__main__":
    main(sys.argv[1:])
