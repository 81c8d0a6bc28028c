"""Combinations of changes: what a search finds is what trying everything by hand finds."""

import functools
import itertools

import pytest

from edgewright.hardware_db.errors import EdgewrightError, UsageError
from edgewright.tools import Deployment, Limits, ModelGraph, Settings, Verdict, check_constraints, deployment
from edgewright.tools.api.optimizations import simulate_optimizations
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.figures import GOALS, figure, figures
from edgewright.tools.optimization_simulator.optimization_report import OptimizationReport
from edgewright.tools.optimization_simulator.search.fit import shortest_fit
from edgewright.tools.optimization_simulator.search.search import Search, grid_size, of_size, run_search
from edgewright.tools.optimization_simulator.search.trials import Trials
from edgewright.tools.optimization_simulator.techniques.names import technique
from edgewright.tools.verdicts.changes import Combination, Figures

WHERE = deployment("stm32l4r5zi", runtime="tflm-cmsis-nn", settings=Settings(measured_first=False))
SOME = ("input-50", "prune-25", "prune-50", "int8", "dynamic-range", "runtime-x-cube-ai")


@pytest.fixture(scope="module")
def model() -> ModelGraph:
    return build_architecture("kws", dtype="float32")


@pytest.fixture(scope="module")
def grid(model: ModelGraph) -> OptimizationReport:
    return simulate_optimizations(model, WHERE, technique=SOME, search="grid")


def by_hand(
    model: ModelGraph, deployment: Deployment, names: tuple[str, ...]
) -> tuple[ModelGraph, Deployment]:
    for name in names:
        model, deployment = technique(name, deployment).apply(model, deployment)
    return model, deployment


@functools.cache
def everything() -> dict[tuple[str, ...], Figures]:
    """Every subset without two of a family that applies and fits the target, in the order of SOME."""
    model = build_architecture("kws", dtype="float32")
    found = {}
    for count in range(len(SOME) + 1):
        for names in itertools.combinations(SOME, count):
            families = [technique(name, WHERE).family for name in names]
            if len(set(families)) < len(families):
                continue
            try:
                made = by_hand(model, WHERE, names)
            except EdgewrightError:
                continue
            if check_constraints(*made).verdict in (Verdict.PASS, Verdict.MARGINAL):
                found[names] = figures(*made)[0]
    return found


def costs(of: Figures, names: tuple[str, ...]) -> tuple[float, ...]:
    steps = {"minutes": 1, "retraining": 2, "redesign": 3}
    values = [figure(of, goal) for goal in GOALS]
    return (
        *(float("inf") if v is None else v for v in values),
        sum(steps[technique(n, WHERE).effort] for n in names),
    )


def names_of(combination: Combination) -> tuple[str, ...]:
    return tuple(step.technique for step in combination.changes)


def test_the_front_of_a_grid_is_that_of_trying_everything_by_hand(
    model: ModelGraph, grid: OptimizationReport
) -> None:
    tried = {names: costs(found, names) for names, found in everything().items()}
    best = {
        names
        for names, mine in tried.items()
        if not any(all(o <= m for o, m in zip(o_, mine, strict=True)) and o_ != mine for o_ in tried.values())
    }
    assert grid.search is not None
    assert grid.search.tried == grid.search.possible
    assert {names_of(point) for point in grid.front} == best
    assert len(best) > 3


def test_no_point_of_the_front_is_beaten_by_another(grid: OptimizationReport) -> None:
    points = [costs(point.after, names_of(point)) for point in grid.front]
    for one, other in itertools.permutations(points, 2):
        assert not (all(a <= b for a, b in zip(one, other, strict=True)) and one != other)


@pytest.mark.parametrize("search", list(Search))
def test_every_combination_told_gives_the_same_figures_when_simulated_anew(
    model: ModelGraph, search: Search
) -> None:
    report = simulate_optimizations(model, WHERE, technique=SOME, search=search.value)
    for point in report.front:
        for count, step in enumerate(point.changes, start=1):
            anew, _ = figures(*by_hand(model, WHERE, names_of(point)[:count]))
            assert step.after == anew


def test_the_best_together_gives_the_same_figures_when_simulated_anew(model: ModelGraph) -> None:
    together = simulate_optimizations(model, WHERE).combined
    assert together is not None
    anew, _ = figures(*by_hand(model, WHERE, tuple(together.technique.split(" + "))))
    assert together.after == anew


def test_the_front_stands_in_the_order_of_gain_per_effort(grid: OptimizationReport) -> None:
    gains = [point.gain_per_effort for point in grid.front if point.gain_per_effort is not None]
    assert gains == sorted(gains, reverse=True)


def test_a_change_that_halves_the_latency_in_one_step_gains_one_per_step() -> None:
    half = deployment("stm32l4r5zi", clock_mhz=60)
    report = simulate_optimizations("kws:int8", half, technique=["clock-max"], search="grid")
    (point,) = [p for p in report.front if p.changes]
    assert point.effort_steps == 1
    assert point.gain["latency"] == pytest.approx(-0.5, abs=0.05)
    assert point.gain_per_effort == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("latency_ms", [60.0, 30.0, 15.0])
def test_the_shortest_list_is_the_shortest_by_hand(model: ModelGraph, latency_ms: float) -> None:
    meeting = [
        names
        for names, found in everything().items()
        if found.latency_ms.value is not None and found.latency_ms.value <= latency_ms
    ]
    fit = simulate_optimizations(
        model, WHERE, technique=SOME, limits=Limits(latency_ms=latency_ms), search="grid"
    ).fit
    assert fit is not None
    assert fit.changes is not None
    assert len(fit.changes.changes) == min(map(len, meeting))
    assert fit.shortest
    assert names_of(fit.changes) in meeting


def test_a_list_that_is_said_to_fit_passes_the_check(model: ModelGraph) -> None:
    limits = Limits(latency_ms=20, ram_bytes=16_000)
    fit = simulate_optimizations(model, WHERE, limits=limits).fit
    assert fit is not None
    assert fit.changes is not None
    made, where = by_hand(model, WHERE, names_of(fit.changes))
    assert check_constraints(made, where, limits).verdict in (Verdict.PASS, Verdict.MARGINAL)


def test_a_model_that_fits_as_it_is_needs_no_change() -> None:
    fit = simulate_optimizations("kws:int8", WHERE).fit
    assert fit is not None
    assert fit.feasible
    assert fit.shortest
    assert fit.changes is not None
    assert fit.changes.changes == ()


def test_what_nothing_meets_has_a_nearest_miss_and_the_least_relaxation(model: ModelGraph) -> None:
    limits = Limits(latency_ms=0.001)
    fit = simulate_optimizations(model, WHERE, technique=SOME, limits=limits, search="grid").fit
    assert fit is not None
    assert fit.feasible is False
    assert fit.changes is None
    assert fit.nearest is not None
    fastest = min(f.latency_ms.value or float("inf") for f in everything().values())
    assert fit.nearest.after.latency_ms.value == fastest
    (relaxation,) = fit.relaxations
    assert relaxation.needed == pytest.approx(fastest)
    wider = Limits(latency_ms=relaxation.needed * 1.0001)
    again = simulate_optimizations(model, WHERE, technique=SOME, limits=wider, search="grid").fit
    assert again is not None
    assert again.feasible


def test_two_limits_give_together_where_neither_suffices_alone(model: ModelGraph) -> None:
    limits = Limits(latency_ms=0.001, ram_bytes=100)
    fit = simulate_optimizations(model, WHERE, technique=SOME, limits=limits, search="grid").fit
    assert fit is not None
    assert fit.relaxations == ()
    pair = fit.relaxed_pairs[0]
    needed = {each.limit: each.needed for each in pair.relaxations}
    wider = Limits(latency_ms=needed["latency"] * 1.0001, ram_bytes=int(needed["ram"]) + 1)
    again = simulate_optimizations(model, WHERE, technique=SOME, limits=wider, search="grid").fit
    assert again is not None
    assert again.feasible


def test_a_limit_is_not_relaxed_beyond_what_the_target_has() -> None:
    b = GraphBuilder("large")
    large = b.build([b.conv2d(b.input((1, 512, 512, 3)), 8, 3)])
    fit = shortest_fit(Trials(large, WHERE, [], Limits(ram_bytes=10_000)), "ram", Search.GRID)
    assert fit.feasible is False
    assert fit.relaxations == ()


def test_as_many_combinations_are_listed_as_are_counted(model: ModelGraph) -> None:
    trials = Trials(model, WHERE, [technique(name, WHERE) for name in SOME], Limits())
    for most in range(5):
        assert grid_size(trials, most) == sum(len(list(of_size(trials, n))) for n in range(most + 1))


def test_an_interrupted_search_tells_what_was_found(model: ModelGraph) -> None:
    def interrupt(what: str, done: int, of: int) -> None:
        assert what == "combinations"
        assert of == 36
        if done == 12:
            raise KeyboardInterrupt

    report = simulate_optimizations(model, WHERE, technique=SOME, search="grid", progress=interrupt)
    assert report.search is not None
    assert report.search.interrupted
    assert 12 <= report.search.tried < report.search.possible
    assert report.front
    assert "interrupted" in report.warnings[0]


def test_a_beam_finds_no_worse_than_greed(model: ModelGraph) -> None:
    best = {}
    for search in (Search.GREEDY, Search.BEAM, Search.GRID):
        trials = Trials(model, WHERE, [technique(name, WHERE) for name in SOME], Limits())
        run_search(trials, "latency", search, None)
        best[search] = min(trial.figures.latency_ms.value or 1e9 for trial in trials.found)
    assert best[Search.GRID] <= best[Search.BEAM] <= best[Search.GREEDY]


def test_no_combination_is_longer_than_asked(model: ModelGraph) -> None:
    report = simulate_optimizations(model, WHERE, technique=SOME, search="grid", most_changes=2)
    assert max(len(point.changes) for point in report.front) == 2


def test_bad_questions_are_refused_with_what_there_is(model: ModelGraph) -> None:
    with pytest.raises(UsageError, match="greedy"):
        simulate_optimizations(model, WHERE, search="greddy")
    with pytest.raises(UsageError, match="1 or more"):
        simulate_optimizations(model, WHERE, most_changes=0)
    with pytest.raises(UsageError, match="beam"):
        simulate_optimizations(model, WHERE, search="grid")


def test_of_a_model_too_large_for_all_changes_those_left_out_are_not_said_to_fail(model: ModelGraph) -> None:
    work = 2 * len(model.ops)
    trials = Trials(model, WHERE, [technique(name, WHERE) for name in SOME], Limits(ram_bytes=1), work=work)
    fit = shortest_fit(trials, "ram", Search.GREEDY)
    assert f"not tried, as the model has {len(model.ops)} operators" in fit.statement
    assert fit.up_to == 0
    assert fit.tried < len(SOME)
    everything = Trials(model, WHERE, [technique(name, WHERE) for name in SOME], Limits(), work=None)
    run_search(everything, "ram", Search.GREEDY, None)
    assert not everything.left_out
