"""Fits what a question wants and which role a figure plays: `python -m tests.evaluation.fit` writes both models.

A logistic unit a label with an L2 penalty on the weights, and a network beside them, both by Adam. `--left-out FILE`
fits without one file of labelled questions and scores that file instead; `--unseen` scores the stored models on
questions that are in no fit.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from edgewright.agent.names import find_names
from edgewright.agent.planner.classifier import Classifier, classifier
from edgewright.agent.planner.features import Setting, figure_features, masked, question_features
from edgewright.agent.planner.roles import likeliest
from edgewright.agent.planner.wants import chosen
from edgewright.agent.quantities import Figure, find_figures

from .network import fitted_network, fitted_units

HERE = Path(__file__).parent / "labelled"
STORED = Path(__file__).resolve().parents[2] / "agent" / "planner"
DROPPED = {"wants": 0.5, "roles": 0.3}
"""Share of the features that a step of a fit leaves out: the best of 0.3 and 0.5 on `unseen`."""
SEEN = 3
"""How often a feature is seen before it counts."""
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
    """{q, wants} and, where there are any, figures, the pinned model and target and the turns before (after).

    A line that is a whole conversation gives each of its turns, with what was wanted before it (topic).
    """
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        turns = row.get("turns", ())
        for at, turn in enumerate(turns):
            topic = turns[at - 1]["wants"] if at else ()
            yield {**turn, "after": [each["q"] for each in turns[:at]], "topic": topic}
        if not turns:
            yield row


def read_question(row: Mapping[str, Any], weight: float, wanted: Mapping[str, tuple[str, ...]]) -> Question:
    names = find_names(row["q"])
    figures = find_figures(row["q"], [(name.start, name.end) for name in names])
    pinned = frozenset(key for key in ("model", "target") if row.get(key))
    before = row.get("after") or []
    before = before if isinstance(before, list) else [before]
    for turn in before:
        kinds = {name.kind.value for name in find_names(turn)}
        pinned |= {"target"} & kinds | ({"model"} if kinds & {"model", "file", "task"} else set())
    words, places = masked(row["q"], names, figures)
    topic = tuple(row.get("topic") or (wanted.get(before[-1], ()) if before else ()))
    setting = Setting(pinned, bool(before), topic)
    roles = [role for _, role in row["figures"]] if "figures" in row else _guessed(words, places, figures)
    features = question_features(row["q"], words, roles, setting)
    wants = frozenset(["same"] if "same" in row["wants"] else row["wants"])
    return Question(row["q"], Example(features, wants, weight), tuple(_roles(row, figures, names, weight)))


def _guessed(words: Sequence[str], places: Mapping[int, int], figures: Sequence[Figure]) -> list[str]:
    """Roles by the model that is stored, where nobody gave them."""
    stored = classifier("roles")
    found = [
        figure_features(words, places[figure.start], figure) for figure in figures if figure.start in places
    ]
    return [next(iter(stored.chances(features))) for features in found]


def _roles(row: Mapping[str, Any], figures: Sequence[Figure], names: Any, weight: float) -> Iterator[Example]:
    words, places = masked(row["q"], names, figures)
    free = list(figures)
    for text, role in row.get("figures", ()):
        for match in re.finditer(rf"(?<![\w.]){re.escape(text)}", row["q"]):
            found = [f for f in free if f.start < match.end() and match.start() < f.end]
            if found:
                free.remove(found[0])
                features = figure_features(words, places[found[0].start], found[0])
                yield Example(features, frozenset([role]), weight, found[0])
                break


def fitted(examples: Sequence[Example], dropped: float) -> Classifier:
    """The mean of logistic units and of a network, over features that are seen often enough."""
    labels = sorted({label for each in examples for label in each.labels})
    times = Counter(feature for each in examples for feature in each.features)
    known = np.array(sorted(feature for feature, count in times.items() if count >= SEEN), dtype=np.uint32)
    table = _table(examples, known)
    wanted = np.array([[label in each.labels for label in labels] for each in examples], dtype=np.float32)
    scale = np.array([each.weight for each in examples], dtype=np.float32)
    weights, bias = fitted_units(table, wanted, scale, dropped)
    network = fitted_network(table, wanted, scale, dropped)
    columns = np.hstack([network.columns, weights])
    step = np.abs(columns).max(axis=0) / 127 + 1e-12
    return Classifier(
        labels=np.array(labels), known=known, table=np.round(columns / step).astype(np.int8), step=step,
        bias=bias.astype(np.float32), turn=network.turn, hidden_bias=network.hidden_bias, out=network.out,
        out_bias=network.out_bias,
    )  # fmt: skip


def _table(examples: Sequence[Example], known: npt.NDArray[np.uint32]) -> csr_matrix:
    place = {int(feature): at for at, feature in enumerate(known)}
    cells = [
        (row, place[feature], scale)
        for row, each in enumerate(examples)
        for feature, scale in each.features.items()
        if feature in place
    ]
    rows, columns, scales = zip(*cells, strict=True)
    values = np.array(scales, dtype=np.float32)
    return csr_matrix((values, (rows, columns)), shape=(len(examples), len(known)))


def models(questions: Sequence[Question]) -> dict[str, Classifier]:
    return {
        "wants": fitted([each.wants for each in questions], DROPPED["wants"]),
        "roles": fitted([one for each in questions for one in each.figures], DROPPED["roles"]),
    }


def score(found: Mapping[str, Classifier], questions: Sequence[Question]) -> str:
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


def write(found: Mapping[str, Classifier]) -> None:
    for name, model in found.items():
        np.savez(STORED / f"{name}.npz", **vars(model))


def unseen() -> Iterator[str]:
    """The scores of the stored models on questions that are kept from fits, first ones and later ones."""
    stored = {name: classifier(name) for name in DROPPED}
    for file in sorted((HERE / "unseen").glob("*.jsonl")):
        rows = list(labelled_questions(file))
        wanted = {row["q"]: tuple(row["wants"]) for row in rows}
        for kind, later in (("first", False), ("later", True)):
            some = [read_question(row, 1.0, wanted) for row in rows if bool(row.get("after")) is later]
            yield f"{file.stem}, {kind} questions: {score(stored, some)}"


def main(arguments: Sequence[str]) -> None:
    if arguments[:1] == ["--unseen"]:
        print("\n".join(unseen()))
        return
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
