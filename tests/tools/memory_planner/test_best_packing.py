import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.tools.memory_planner.order import best_packing
from edgewright.tools.memory_planner.order.best_packing import (
    HEURISTIC,
    PackingProblem,
    _placed,
    find_packing,
)

GAP = PackingProblem(
    sizes=(2, 4, 7, 4, 8, 1, 7, 3, 6, 1, 1, 4),
    firsts=(9, 5, 6, 3, 8, 2, 10, 7, 4, 6, 9, 1),
    lasts=(11, 8, 6, 6, 9, 5, 12, 7, 4, 11, 10, 5),
)

lives = st.tuples(st.integers(1, 12), st.integers(0, 8), st.integers(0, 3))


def problem_of(drawn: list[tuple[int, int, int]]) -> PackingProblem:
    return PackingProblem(
        tuple(16 * size for size, _, _ in drawn),
        tuple(first for _, first, _ in drawn),
        tuple(first + more for _, first, more in drawn),
    )


def lowest_of_all_orders(problem: PackingProblem) -> int:
    """Every packing that cannot be pushed down comes from placing each as low as it goes in some order."""
    orders = itertools.permutations(range(len(problem.sizes)))
    return min(problem.top(_placed(problem, order)) for order in orders)


@settings(max_examples=60, deadline=None)
@given(st.lists(lives, min_size=1, max_size=6))
def test_no_packing_of_a_few_buffers_is_lower_than_the_one_found(drawn: list[tuple[int, int, int]]) -> None:
    problem = problem_of(drawn)
    found = find_packing(problem, _placed(problem, range(len(drawn))), 5)
    assert problem.is_valid(found.offsets)
    assert problem.top(found.offsets) == found.top == lowest_of_all_orders(problem)
    assert problem.floor <= found.bound <= found.top


@settings(max_examples=30, deadline=None)
@given(st.lists(lives, min_size=1, max_size=40))
def test_buffers_alive_together_never_overlap_and_the_bound_holds(drawn: list[tuple[int, int, int]]) -> None:
    problem = problem_of(drawn)
    given_offsets = _placed(problem, range(len(drawn)))
    found = find_packing(problem, given_offsets, 0.2)
    assert problem.is_valid(found.offsets)
    assert problem.floor <= found.bound <= found.top <= problem.top(given_offsets)


def test_a_chain_is_packed_from_both_ends() -> None:
    sizes = (36, 18, 36, 9, 27, 27)
    problem = PackingProblem(sizes, tuple(range(6)), tuple(range(1, 7)))
    found = find_packing(problem, (0, 36, 54, 90, 99, 126), 1)
    assert found.top == problem.floor == 54


def test_the_solver_proves_what_the_heuristic_leaves_open(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("highspy")
    monkeypatch.setattr(best_packing, "_squeaky_wheel", lambda problem, until: as_given(problem))
    worst = as_given(GAP)
    found = find_packing(GAP, worst, 20)
    assert GAP.is_valid(found.offsets)
    assert found.is_proven
    assert found.top < GAP.top(worst)
    assert found.found_by.startswith("HiGHS")


def as_given(problem: PackingProblem) -> tuple[int, ...]:
    ends = list(itertools.accumulate(problem.sizes))
    return tuple(end - size for end, size in zip(ends, problem.sizes, strict=True))


def test_without_a_solver_the_heuristic_answers_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_packing, "solver_name", lambda: None)
    found = find_packing(GAP, as_given(GAP), 1)
    assert GAP.is_valid(found.offsets)
    assert found.found_by == HEURISTIC


def test_an_interrupt_leaves_the_packing_that_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(best_packing, "_squeaky_wheel", interrupted)
    found = find_packing(GAP, as_given(GAP), 1)
    assert found.offsets == as_given(GAP)
    assert found.bound == GAP.floor
