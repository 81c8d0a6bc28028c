"""What would make a model fit: the shortest list of changes, or that none of those tried does."""

from __future__ import annotations

from itertools import combinations

from ...verdicts.changes import Fit
from ...verdicts.relaxation import least_pairs, least_relaxations
from ...verdicts.verdict import Verdict
from .combination import combination
from .judged_trials import joined_parts
from .search import Search, grid_size, of_size
from .trials import Trial, Trials, standing

MOST_CHANGES = 3
MOST_TRIED = {Search.GREEDY: 10_000, Search.BEAM: 100_000, Search.GRID: None}
"""Lists of so many changes are all tried where combinations times operators are no more than this."""
LEAST_OPERATORS = 4
"""A combination takes as long with fewer."""


def shortest_fit(trials: Trials, goal: str, search: Search, most_changes: int | None = None) -> Fit:
    """Breadth first by the number of changes; where that gets too wide, the least of what a search found.

    Args:
        trials: the techniques, model, deployment and limits, and what a search found.
        goal: decides between lists of equal length and effort.
        search: how thoroughly; a grid leaves out no combination.
        most_changes: no longer lists; None takes three, or all families with a grid.
    """
    wide = MOST_TRIED[search]
    longest = len(trials.families) if wide is None else MOST_CHANGES
    operators = max(trials.operators, LEAST_OPERATORS)
    most, up_to = min(most_changes or longest, len(trials.families)), -1
    for count in range(most + 1):
        if count > 1 and wide is not None and grid_size(trials, count) * operators > wide:
            break
        meeting = [trial for trial in trials.run(of_size(trials, count)) if trial.meets]
        up_to = up_to if trials.left_out else count
        if meeting:
            return _found(trials, meeting, goal, up_to)
    meeting = _meeting(trials)
    if meeting:
        least = min(meeting, key=lambda trial: _by_length(trial, goal)).changes
        parts = (part for count in range(up_to + 1, len(least)) for part in combinations(least, count))
        meeting = [*meeting, *(trial for trial in trials.run(parts) if trial.meets)]
    return _found(trials, meeting, goal, up_to) if meeting else _none(trials, goal, up_to)


def fit_so_far(trials: Trials, goal: str) -> Fit:
    """Of what was tried before an interruption."""
    meeting = _meeting(trials)
    return _found(trials, meeting, goal, -1) if meeting else _none(trials, goal, -1)


def _meeting(trials: Trials) -> list[Trial]:
    return [trial for trial in trials.found if trial.meets]


def _found(trials: Trials, meeting: list[Trial], goal: str, up_to: int) -> Fit:
    best = min(meeting, key=lambda trial: _by_length(trial, goal))
    count = len(best.changes)
    made = combination(trials, best, goal)
    shortest = count <= up_to + 1
    text = "it meets the limits as it is"
    if count:
        kind = "the shortest list of changes that does" if shortest else "the shortest found"
        text = f"it meets the limits with {made.name}, {kind}"
    return Fit(
        feasible=True, statement=text, changes=made, shortest=shortest,
        tried=trials.count, up_to=up_to, nearest=None,
    )  # fmt: skip


def _by_length(trial: Trial, goal: str) -> tuple[object, ...]:
    return (len(trial.changes), trial.steps, trial.verdict is not Verdict.PASS, *standing(trial, goal))


def _none(trials: Trials, goal: str, up_to: int) -> Fit:
    found = trials.found
    unknown = any(trial.verdict is Verdict.UNKNOWN for trial in found)
    nearest = min(found, key=lambda trial: standing(trial, goal))
    parts = joined_parts(found)

    def name(row: int) -> str:
        return " + ".join(found[row].changes) or "as it is"

    single = least_relaxations(parts, trials.limits, name)
    scope = f"all of up to {up_to} changes among them" if up_to > 0 else "not all of any length"
    scope += f"; {trials.left_out}" if trials.left_out else ""
    what = "is known to meet" if unknown else "meets"
    return Fit(
        feasible=None if unknown else False,
        statement=f"none of the {trials.count:,} combinations tried {what} the limits ({scope})",
        changes=None,
        shortest=False,
        tried=trials.count,
        up_to=up_to,
        nearest=combination(trials, nearest, goal),
        relaxations=single,
        relaxed_pairs=() if single else least_pairs(parts, trials.limits, name),
    )
