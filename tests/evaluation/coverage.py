"""How often roles and wants are right, against how many are kept: `python -m tests.evaluation.coverage`.

Every file of labelled questions is read by models that were fitted to the others, in four folds; the thresholds in
`agent/planner/roles.py` and `wants.py` are read off the two tables that it prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from edgewright.agent.planner.roles import SLOTLESS, certainty, likeliest

from .fit import ASSUMED, Question, all_questions, models

FOLDS = 4
LEVELS = (0.0, 0.3, 0.4, 0.48, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


class Read(NamedTuple):
    """One thing that was read, how sure that is, and whether it is right."""

    chance: float
    right: bool


def read_by_others(files: dict[str, list[Question]]) -> Iterator[tuple[list[Read], list[Read]]]:
    """Roles that fill a slot, and main wants, fold by fold."""
    written = sorted(name for name in files if name != ASSUMED)
    for fold in (written[start::FOLDS] for start in range(FOLDS)):
        found = models([each for name, own in files.items() if name not in fold for each in own])
        left_out = [each for name in fold for each in files[name]]
        roles, wants = list[Read](), list[Read]()
        for each in left_out:
            chances = found["wants"].chances(each.wants.features)
            best = next(iter(chances))
            wants.append(Read(chances[best], best in each.wants.labels))
            for one in each.figures:
                if one.figure is None:
                    continue
                chances = found["roles"].chances(one.features)
                label = likeliest(chances, one.figure)
                if label not in SLOTLESS:
                    roles.append(Read(certainty(label, chances, one.figure), label in one.labels))
        yield roles, wants


def table(name: str, rows: Sequence[Read]) -> Iterable[str]:
    yield f"{name} ({len(rows)}): from a chance of, kept, right of those"
    for level in LEVELS:
        kept = [row.right for row in rows if row.chance >= level]
        yield f"  {level:.2f}  {len(kept) / len(rows):6.1%}  {sum(kept) / max(1, len(kept)):6.1%}"


def main() -> None:
    roles, wants = list[Read](), list[Read]()
    for some_roles, some_wants in read_by_others(all_questions()):
        roles += some_roles
        wants += some_wants
    print("\n".join([*table("roles that fill a slot", roles), *table("main wants", wants)]))


if __name__ == "__main__":
    main()
