"""From what was asked of changes to the report on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment
from ...core.records import dataclass
from ...graph import ModelGraph
from ...verdicts.changes import Combination, Fit
from ...verdicts.limits import Limits
from ..figures import GOALS, figure
from ..heavy import SHARE, heavy_layers
from ..optimization_report import OptimizationReport, Option, SearchSummary
from ..techniques.catalogue import techniques
from ..techniques.ruled_out import allowed, read_kinds
from .combination import combination
from .fit import fit_so_far, shortest_fit
from .front import front
from .named_changes import canonical, in_order, named
from .options import simulate_options, together
from .search import Search, grid_size, run_search, search_named
from .sensitivity import layer_sensitivity
from .trials import WORK_AT_MOST, Trials

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is, and of how much."""


_WORK = {Search.GREEDY: WORK_AT_MOST, Search.BEAM: 10 * WORK_AT_MOST, Search.GRID: None}


@dataclass(frozen=True)
class Question:
    goal: str
    technique: str | Collection[str] | None
    limits: Limits
    search: str
    most_changes: int | None
    sensitivity: bool
    heavy_share: float = SHARE
    exclude: str | Collection[str] | None = None

    def checked(self) -> Search:
        """
        Raises:
            UsageError: an unknown goal or search, or no number of changes.
        """
        if self.goal not in GOALS:
            raise UsageError(f"There is no goal {self.goal!r}.", hint=f"Known: {', '.join(GOALS)}.")
        if self.most_changes is not None and self.most_changes < 1:
            raise UsageError(f"Combinations of {self.most_changes} changes are none.", hint="Give 1 or more.")
        if not 0 <= self.heavy_share <= 1:
            raise UsageError(f"{self.heavy_share:g} is no share.", hint="Give 0 to 1, such as 0.1.")
        return search_named(self.search)


def optimizations(
    graph: ModelGraph, deployment: Deployment, asked: Question, progress: Progress | None
) -> OptimizationReport:
    method = asked.checked()
    names = [asked.technique] if isinstance(asked.technique, str) else asked.technique
    out = read_kinds(asked.exclude, deployment)
    changes = list(techniques(deployment)) if names is None else named(names, deployment)
    changes = list(allowed(changes, out))
    work = _WORK[method] if names is None else None
    trials = Trials(graph, deployment, changes, asked.limits, work=work)
    options = simulate_options(graph, deployment, trials, out)
    if names is not None:
        wanted = canonical(names, deployment)
        options = tuple(option for option in options if option.technique in wanted)
    summary, fit = _searched(trials, asked, method, progress)
    report = None if progress is None else lambda done, of: progress("layers", done, of)
    return OptimizationReport(
        model=graph.name,
        deployment=deployment.ref,
        goal=asked.goal,
        options=tuple(sorted(options, key=lambda option: _rank(option, asked.goal))),
        combined=(
            together(trials, asked.goal)
            if names is None
            else in_order(graph, deployment, changes, trials.unchanged.figures)
        ),
        front=_front(trials, asked.goal),
        fit=fit,
        search=summary,
        sensitivity=layer_sensitivity(graph, deployment, asked.goal, report) if asked.sensitivity else (),
        heavy_layers=heavy_layers(graph, asked.heavy_share),
        assumptions=deployment.assumptions,
        warnings=tuple(_warnings(trials, summary)),
    )


def _warnings(trials: Trials, summary: SearchSummary) -> Iterator[str]:
    if summary.interrupted:
        yield "the search was interrupted: not all was tried"
    if trials.left_out:
        yield trials.left_out


def _searched(
    trials: Trials, asked: Question, method: Search, progress: Progress | None
) -> tuple[SearchSummary, Fit]:
    possible = grid_size(trials, asked.most_changes)
    if progress is not None and method is Search.GRID:
        trials.progress = lambda done: progress("combinations", done, possible)
    interrupted = False
    try:
        run_search(trials, asked.goal, method, asked.most_changes)
        fit = shortest_fit(trials, asked.goal, method, asked.most_changes)
    except KeyboardInterrupt:
        interrupted, fit = True, fit_so_far(trials, asked.goal)
    trials.progress = None
    summary = SearchSummary(
        method=method.value, tried=trials.count, estimated=len(trials.found), possible=possible,
        interrupted=interrupted,
    )  # fmt: skip
    return summary, fit


def _front(trials: Trials, goal: str) -> tuple[Combination, ...]:
    """Most gain per effort first. Each is shown with the figures after each change, which are tried too."""
    while True:
        points = front(trials.found)
        parts = {point.changes[:count] for point in points for count in range(len(point.changes))}
        missing = [part for part in parts if not trials.is_tried(part)]
        if not missing:
            break
        trials.run(missing)
    found = [combination(trials, point, goal) for point in points]
    return tuple(sorted(found, key=lambda each: -(each.gain_per_effort or 0.0)))


def _rank(option: Option, goal: str) -> tuple[bool, float]:
    value = None if option.after is None else figure(option.after, goal)
    return (not option.applicable, float("inf") if value is None else value)
