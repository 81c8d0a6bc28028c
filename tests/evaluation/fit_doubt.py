"""Fits what each signal of doubt counts, on turns that were graded: `python -m tests.evaluation.fit_doubt --models FOLDER`.

Every turn is asked again; a grade of a stranger holds where the answer is nearly the one that was graded, others
were graded again by who fitted (`turns/again.tsv`). Each set is left out by turns to say how many wrong answers, and how many right
ones, would carry the line.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import tempfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from edgewright.agent.planner import Planner
from edgewright.agent.planner.desk import Desk
from edgewright.agent.planner.doubt import Signals
from edgewright.agent.references import RenderedAnswer
from edgewright.agent.sessions.saved import SavedTurn
from edgewright.agent.workspace import Workspace

from .ask_blind import load_set

HERE = Path(__file__).parent
BLIND, TURNS = HERE / "blind", HERE / "turns"
SETS = (
    *((BLIND / f"blind{n}.yaml", BLIND / "graded" / f"blind{n}") for n in range(12, 22)),
    (TURNS / "dev1.yaml", TURNS / "dev1"),
)
ALIKE, PENALTY, STEPS = 0.85, 3.0, 30
"""Share of words that an answer has in common with the one that was graded; of the weights; of Newton's method."""
OF_PARTLY = 0.35
"""What a turn counts that is neither right nor wrong."""
OF_RIGHT = 0.15
"""Share of right answers that may carry the line."""
Floats = npt.NDArray[np.float64]


class Case(NamedTuple):
    set: str
    grade: str
    signals: Signals


class Asked(Planner):
    """Keeps the signals of its last answer, and says nothing of them."""

    found: Signals | None = None

    def doubt(self, desk: Desk, rendered: RenderedAnswer, before: Sequence[SavedTurn]) -> float:
        self.found = self.signals(desk, rendered, before)
        return 0.0


def cases(models: Path) -> list[Case]:
    again = _grades(TURNS / "again.tsv")
    found = []
    for questions, graded in SETS:
        grades, answers = _grades(graded.with_suffix(".tsv")), _answers(graded.with_suffix(".md"))
        for each in load_set(questions):
            with tempfile.TemporaryDirectory(prefix="edgewright-doubt-") as folder:
                shutil.copytree(models, folder, dirs_exist_ok=True)
                talk = Asked(Workspace(Path(folder)))
                for turn, question in enumerate(each["turns"], 1):
                    key, talk.found = (str(each["id"]), turn), None
                    answer = talk.ask(" ".join(str(question).split())).answer
                    holds = (
                        SequenceMatcher(None, answers[key], answer.split(), autojunk=False).ratio() > ALIKE
                    )
                    grade = again.get(key, grades[key] if holds else "")
                    if grade and talk.found is not None:
                        found.append(Case(graded.name, grade, talk.found))
    return found


def _grades(file: Path) -> dict[tuple[str, int], str]:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {(row["id"], int(row["turn"])): row["grade"] for row in rows}


def _answers(file: Path) -> dict[tuple[str, int], list[str]]:
    """The words of each answer that was graded, without the line on its session."""
    found = {}
    for block in re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        turns = re.split(r"^\*\*A(\d+)\*\*[^\n]*$", block, flags=re.MULTILINE)
        for turn, text in zip(turns[1::2], turns[2::2], strict=True):
            answer = text.partition("\n**Q")[0]
            kept = [line for line in answer.splitlines() if not line.startswith("edgewright: ")]
            found[block.split()[0], int(turn)] = " ".join(kept).split()
    return found


def fitted(given: Sequence[Case]) -> Floats:
    """The weights of the signals and, last, the bias: logistic, ridge over signals of unit spread."""
    signals = np.array([case.signals for case in given])
    wrong = np.array([float(case.grade.startswith("wrong")) for case in given])
    counts = np.array([OF_PARTLY if case.grade in ("partly", "declined") else 1.0 for case in given])
    mean, spread = signals.mean(0), signals.std(0) + 1e-9
    rows = np.c_[(signals - mean) / spread, np.ones(len(given))]
    penalty = np.diag([*[PENALTY] * signals.shape[1], 0.0])
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (chances - wrong)) + penalty @ weights
        bend = (rows.T * (counts * chances * (1 - chances))) @ rows + penalty
        weights -= np.linalg.solve(bend, slope)
    plain = weights[:-1] / spread
    return np.r_[plain, weights[-1] - plain @ mean]


def left_out(given: Sequence[Case]) -> Floats:
    """Of each case the chance that the fit to the other sets gives."""
    found = np.zeros(len(given))
    for name in {case.set for case in given}:
        weights = fitted([case for case in given if case.set != name])
        for at, case in enumerate(given):
            if case.set == name:
                found[at] = 1 / (1 + np.exp(-weights[-1] - weights[:-1] @ np.array(case.signals)))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--models", type=Path, required=True, help="folder with the model files that sets name"
    )
    given = cases(parser.parse_args().models)
    grades, chances = np.array([case.grade for case in given]), left_out(given)
    least = np.quantile(chances[grades == "right"], 1 - OF_RIGHT)
    weights = fitted(given)
    for name, weight in zip((*Signals._fields, "bias"), weights, strict=True):
        print(f"{name:10} {weight:6.2f}")
    print(f"doubtful from {least:.2f} on; share of turns of left-out sets that carry the line:")
    for grade in sorted(set(grades)):
        print(f"{grade:10} {np.mean(chances[grades == grade] >= least):.0%} of {np.sum(grades == grade)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
