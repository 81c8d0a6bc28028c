"""Fits which words of a question qualify it: `python -m tests.evaluation.fit_qualifiers` writes the model.

`--folds N` fits N times without a part and scores the parts that were left out.
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from edgewright.agent.names import find_names
from edgewright.agent.planner import classifier, qualifiers
from edgewright.agent.planner.features import placed, word_features
from edgewright.agent.quantities import find_figures

from .fit import STORED, Example, fitted

HERE = Path(__file__).parent / "labelled" / "qualified"
PENALTY = 1e-5
STEPS = (0.5, 0.6, 0.7, 0.8, 0.9)


def rows() -> list[Mapping[str, Any]]:
    """{q, parts: [[text, kind], …]}"""
    return [
        json.loads(line)
        for file in sorted(HERE.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def examples(row: Mapping[str, Any]) -> Iterator[Example]:
    """One a word."""
    names = find_names(row["q"])
    figures = find_figures(row["q"], [(name.start, name.end) for name in names])
    words = placed(row["q"], names, figures)
    tags = [frozenset(["O"]) for _ in words]
    for text, kind in row["parts"]:
        span = re.search(re.escape(text), row["q"])
        inside = [at for at, (_, s, e) in enumerate(words) if span and s < span.end() and span.start() < e]
        for place, at in enumerate(inside):
            tags[at] = frozenset(["I" if place else "B", kind])
    plain = [word for word, _, _ in words]
    for at, tag in enumerate(tags):
        yield Example(word_features(plain, at), tag, 1.0)


def score(model: classifier.Classifier, left: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """A row a step of the chance: spans said, of these those that overlap one of the label, and of its kind; the
    last row those that there are and those found."""
    qualifiers.classifier = lambda _: model  # type: ignore[assignment]
    counts = np.zeros((len(STEPS) + 1, 3))
    for row in left:
        names = find_names(row["q"])
        figures = find_figures(row["q"], [(name.start, name.end) for name in names])
        found = qualifiers.qualifiers(row["q"], names, figures)
        for at, least in enumerate(STEPS):
            for one in (each for each in found if each.chance >= least):
                same = [kind for text, kind in row["parts"] if text in one.text or one.text in text]
                counts[at] += 1, bool(same), one.kind.value in same
        heard = [t for t, _ in row["parts"] if any(t in f.text or f.text in t for f in found)]
        counts[-1] += len(row["parts"]), len(heard), 0
    return counts


def model_of(of: Sequence[Mapping[str, Any]]) -> classifier.Classifier:
    return fitted([example for row in of for example in examples(row)], PENALTY)


def main(arguments: Sequence[str]) -> None:
    every = rows()
    if arguments[:1] == ["--folds"]:
        folds = int(arguments[1])
        part = [zlib.crc32(row["q"].encode()) % folds for row in every]
        counts = sum(
            score(
                model_of([row for row, of in zip(every, part, strict=True) if of != left]),
                [row for row, of in zip(every, part, strict=True) if of == left],
            )
            for left in range(folds)
        )
        for least, (said, right, kind) in zip(STEPS, counts, strict=False):
            print(
                f"from {least}: {said:.0f} said, {right / said:.1%} are some, {kind / said:.1%} of that kind"
            )
        print(f"{counts[-1][1] / counts[-1][0]:.1%} of {counts[-1][0]:.0f} found")
        return
    np.savez(STORED / "qualifiers.npz", **vars(model_of(every)))


if __name__ == "__main__":
    main(sys.argv[1:])
