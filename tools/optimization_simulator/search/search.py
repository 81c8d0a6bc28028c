"""Which combinations are tried: greedily, along a beam, or all of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator
from enum import StrEnum

from ....hardware_db.errors import UsageError, nearest
from .trials import WHERE_LAST, Combination, Trial, Trials, standing

BEAM = 6
"""Combinations that are carried on to the next number of changes."""
MOST_OF_GRID = 100_000
_CHUNK = 1024


class Search(StrEnum):
    GREEDY = "greedy"
    BEAM = "beam"
    GRID = "grid"


def search_named(name: str) -> Search:
    """
    Raises:
        UsageError: no such search.
    """
    if name not in list(Search):
        close = ", ".join(nearest(name, list(Search)) or list(Search))
        raise UsageError(f"There is no search {name!r}.", hint=f"Known: {close}.")
    return Search(name)


def run_search(trials: Trials, goal: str, search: Search, most_changes: int | None) -> None:
    """Estimate combinations; what was found stands in `trials`, also when this is interrupted.

    Raises:
        UsageError: a grid of more than `MOST_OF_GRID` combinations.
    """
    match search:
        case Search.GREEDY:
            _carry_on(trials, goal, 1, most_changes)
        case Search.BEAM:
            _carry_on(trials, goal, BEAM, most_changes)
        case Search.GRID:
            _all(trials, most_changes)


def grid_size(trials: Trials, most_changes: int | None = None) -> int:
    """How many combinations there are, none and those that turn out not to apply among them."""
    ways = [1]
    for names in trials.families.values():
        grown = [*ways, 0]
        for count, number in enumerate(ways):
            grown[count + 1] += number * len(names)
        ways = grown
    return sum(ways if most_changes is None else ways[: most_changes + 1])


def of_size(trials: Trials, count: int) -> Iterator[Combination]:
    """Every combination of so many changes, one of a family at most."""
    for families in itertools.combinations(trials.families.values(), count):
        for names in itertools.product(*families):
            yield trials.ordered(names)


def _carry_on(trials: Trials, goal: str, width: int, most_changes: int | None) -> None:
    """Add one change to the best so far, as long as that brings something."""
    beam: list[Combination] = [()]
    best = _best([trials.unchanged], goal)
    vain: set[str] = set()
    for _ in range(_most(trials, most_changes)):
        grown = trials.run(_one_more(trials, beam, vain))
        leading = sorted(grown, key=lambda trial: standing(trial, goal))[:width]
        if not leading or standing(leading[0], goal)[:3] >= best:
            return
        if width == 1 and not vain:
            vain = _vain(trials, grown, goal)
        beam, best = [trial.changes for trial in leading], _best(leading, goal)


def _best(found: list[Trial], goal: str) -> tuple[bool, float, float]:
    return min((standing(trial, goal)[:3] for trial in found), default=(True, math.inf, math.inf))


def _vain(trials: Trials, alone: list[Trial], goal: str) -> set[str]:
    """Changes of the model that alone bring it no nearer: greed leaves them. Another place may still help."""
    before = standing(trials.unchanged, goal)[:3]
    worse = [trial for trial in alone if standing(trial, goal)[:3] >= before]
    return {t.changes[0] for t in worse if trials.techniques[t.changes[0]].family not in WHERE_LAST}


def _one_more(
    trials: Trials, combinations: list[Combination], vain: Collection[str]
) -> Iterator[Combination]:
    for combination in combinations:
        used = {trials.techniques[name].family for name in combination}
        for family, names in trials.families.items():
            if family not in used:
                yield from (trials.ordered((*combination, name)) for name in names if name not in vain)


def _all(trials: Trials, most_changes: int | None) -> None:
    size = grid_size(trials, most_changes)
    if size > MOST_OF_GRID:
        raise UsageError(
            f"The grid has {size:,} combinations, more than {MOST_OF_GRID:,}.",
            hint="Name the techniques (--technique), bound their number (--changes 3), or --search beam.",
        )
    for count in range(_most(trials, most_changes) + 1):
        waiting = of_size(trials, count)
        while chunk := list(itertools.islice(waiting, _CHUNK)):
            trials.run(chunk)


def _most(trials: Trials, most_changes: int | None) -> int:
    return len(trials.families) if most_changes is None else min(most_changes, len(trials.families))
