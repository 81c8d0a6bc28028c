"""Fits which names of a conversation a later question is about: `python -m tests.evaluation.fit_subject`.

`--unseen` scores the stored model on conversations that are in no fit.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewright.agent.planner.cast import Cast
from edgewright.agent.planner.classifier import hashed
from edgewright.agent.planner.features import Setting
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.planner.reading import read
from edgewright.agent.planner.settling import settled
from edgewright.agent.planner.subject import HOLDS, SUBJECTS, meant, mentions

from .fit import HERE, STORED, Example, fitted

DROPPED = 0.5
Names = frozenset[tuple[Role, float | str]]


class Turn(NamedTuple):
    """A question, what it names, the conversation before it, and what it is about."""

    query: Query
    named: Names
    cast: Cast
    about: Names


def turns(file: Path) -> Iterator[Turn]:
    """Every later question of a file of conversations, each behind what those before it were about."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield from _turns(json.loads(line)["turns"])


def _turns(rows: Sequence[Mapping[str, Any]]) -> Iterator[Turn]:
    cast, known, topic = Cast(), dict[str, tuple[Role, float | str]](), tuple[str, ...]()
    for at, row in enumerate(rows):
        called = (*cast.names(Role.TARGET), *cast.names(Role.MODEL))
        query = settled(read(row["q"], Setting(frozenset(), at > 0, topic), called))
        own = {s.text.casefold(): (s.role, s.value) for s in query.slots if s.role in SUBJECTS and s.text}
        known = own | known
        about = frozenset(found for name in row["about"] if (found := _named(name.casefold(), known)))
        named = frozenset(own.values())
        if at:
            yield Turn(query, named, cast, about)
        cast = cast.with_turn(sorted(named), sorted(about - named))
        topic = tuple(row["wants"])


def _named(name: str, known: Mapping[str, tuple[Role, float | str]]) -> tuple[Role, float | str] | None:
    """By what was typed, or a part of it."""
    return known.get(name) or next((of for text, of in known.items() if name in text or text in name), None)


def examples(given: Iterable[Turn]) -> Iterator[Example]:
    """Each name that was mentioned before, and whether the question is about it."""
    for turn in given:
        for mention, features in mentions(turn.query, turn.named, turn.cast):
            holds = (mention.role, mention.value) in turn.about
            yield Example(hashed(features), frozenset([HOLDS] if holds else []), 1.0)


def as_before(turn: Turn) -> Names:
    """What is named, and of a role of which nothing is what the turn before was about."""
    before = (m for m in turn.cast.mentions if m.about == turn.cast.turn and m.role in SUBJECTS)
    return turn.named | {(Role(m.role), m.value) for m in before if all(of != m.role for of, _ in turn.named)}


def score(given: Sequence[Turn]) -> str:
    """How often what a question is about is right: both, its networks, its targets; as it was before, beside."""
    right = Counter[str]()
    for turn in given:
        found = turn.named | set(meant(turn.query, turn.named, turn.cast))
        right["all"] += found == turn.about
        right["as before"] += as_before(turn) == turn.about
        for role in SUBJECTS:
            right[role] += {x for x in found if x[0] == role} == {x for x in turn.about if x[0] == role}
    shares = ", ".join(f"{name} {right[name] / len(given):.1%}" for name in ("all", *SUBJECTS, "as before"))
    return f"{shares} ({len(given)} later questions)"


def main(arguments: Sequence[str]) -> None:
    if arguments[:1] == ["--unseen"]:
        for file in sorted((HERE / "unseen").glob("talks_*.jsonl")):
            print(f"{file.stem}: {score(list(turns(file)))}")
        return
    given = [turn for file in sorted(HERE.glob("talks_*.jsonl")) for turn in turns(file)]
    np.savez(STORED / "subject.npz", **vars(fitted(list(examples(given)), DROPPED)))
    print(score(given))


if __name__ == "__main__":
    main(sys.argv[1:])
