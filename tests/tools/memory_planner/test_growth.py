"""Planning takes time that grows with the graph, not with its square."""

import time
from collections.abc import Callable
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.tools import best_memory_order, deployment, plan_memory, score_compatibility, trace_timeline
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.memory_planner.in_place import in_place_live_bytes
from edgewright.tools.memory_planner.litert.arena import litert_offsets
from edgewright.tools.memory_planner.liveness import Buffer
from edgewright.tools.memory_planner.order.best_packing import PackingProblem, find_packing
from edgewright.tools.memory_planner.order.problem import OrderProblem
from edgewright.tools.memory_planner.order.search import as_late_as_possible
from edgewright.tools.memory_planner.overlap import overlapped_bytes
from edgewright.tools.memory_planner.packing import Stack
from edgewright.tools.memory_planner.tflm.greedy import greedy_offsets
from stubs.work import HALF_THE_SQUARE, times_as_long


def all_alive(count: int) -> ModelGraph:
    """As many tensors alive as there are operators, all read by the last."""
    b = GraphBuilder("alive")
    x = b.input((1, 16))
    return b.build([b.concat([b.unary("RELU", x) for _ in range(count)])])


@pytest.mark.parametrize("plan", [overlapped_bytes, in_place_live_bytes])
def test_tensors_that_are_all_alive_are_planned_in_linear_time(plan: Callable[[ModelGraph], object]) -> None:
    def planning(count: int) -> Callable[[], object]:
        graph = all_alive(count)
        return lambda: plan(graph)

    assert times_as_long(planning, 20_000, HALF_THE_SQUARE) <= HALF_THE_SQUARE


def test_what_is_held_is_the_sum_of_what_is_alive() -> None:
    assert in_place_live_bytes(all_alive(4)).tolist() == [128, 192, 256, 256, 512]
    assert overlapped_bytes(all_alive(4)).tolist() == [128, 192, 256, 256, 512]


@pytest.mark.parametrize("target", ["stm32h743zi", "rpi4"])
@pytest.mark.parametrize("ask", [plan_memory, score_compatibility])
def test_twenty_thousand_tensors_are_asked_about_in_linear_time(
    target: str, ask: Callable[..., object]
) -> None:
    place = deployment(target)

    def asking(count: int) -> Callable[[], object]:
        graph = all_alive(count)
        return lambda: ask(graph, place)

    assert times_as_long(asking, 20_000, HALF_THE_SQUARE) <= HALF_THE_SQUARE


def test_an_operator_with_many_inputs_is_put_late_in_linear_time() -> None:
    def read_by_the_last(count: int) -> OrderProblem:
        before = (*((),) * count, tuple(range(count)))
        nothing: tuple[tuple[int, ...], ...] = ((),) * (count + 1)
        return OrderProblem(before, (), nothing, nothing, (), (), frozenset(), (0,) * (count + 1), 0)

    def ordering(count: int) -> Callable[[], object]:
        problem = read_by_the_last(count)
        return lambda: as_late_as_possible(problem)

    assert as_late_as_possible(read_by_the_last(20_000)) == tuple(range(20_001))
    assert times_as_long(ordering, 20_000, HALF_THE_SQUARE) <= HALF_THE_SQUARE


def test_an_order_is_sought_no_longer_than_was_allowed() -> None:
    b = GraphBuilder("outputs")
    x = b.input((1, 16))
    graph = b.build([b.unary("RELU", x) for _ in range(8_000)])
    begun = time.process_time()
    report = best_memory_order(graph, "stm32h743zi", time_limit_s=0.5)
    assert report.before == report.after
    assert time.process_time() - begun < 10


def test_of_very_many_buffers_alive_together_no_other_packing_is_sought() -> None:
    count = 2_000
    problem = PackingProblem(tuple(range(1, count + 1)), tuple(range(count)), (count,) * count)
    assert problem.pairs == count * (count - 1) // 2
    given = [count * 2 * i for i in range(count)]
    found = find_packing(problem, given, 60.0)
    assert found.offsets == tuple(given)
    assert not found.is_sought


def test_buffers_alive_at_each_operator_are_not_listed_where_they_are_millions() -> None:
    report = trace_timeline(all_alive(2_000), "stm32h743zi", levers=False)
    assert not any(op.buffers for op in report.ops)
    assert any("is not listed" in note for note in report.assumptions)
    assert all(op.buffers for op in trace_timeline(all_alive(20), "stm32h743zi", levers=False).ops)


def test_buffers_that_leave_no_gap_are_placed_in_linear_time() -> None:
    def ends_together(many: int) -> list[Buffer]:
        return [Buffer(0, at, -1, 64, at, many) for at in range(many)]

    def placing(many: int) -> Callable[[], object]:
        buffers = ends_together(many)
        return lambda: greedy_offsets(buffers, 16)

    assert greedy_offsets(ends_together(2_000), 16).tolist() == [64 * (1_999 - at) for at in range(2_000)]
    assert times_as_long(placing, 20_000, HALF_THE_SQUARE) <= HALF_THE_SQUARE


@given(
    st.lists(st.tuples(st.integers(-1, 12), st.integers(0, 12), st.integers(1, 200)), max_size=30),
    st.sampled_from((1, 16, 64)),
)
def test_where_nothing_is_free_the_tightest_gap_is_the_same(
    lives: list[tuple[int, int, int]], alignment: int
) -> None:
    graph, steps = all_alive(1), 30
    buffers = [
        Buffer(0, 100 + at, -1, size, first, first + many) for at, (first, many, size) in enumerate(lives)
    ]
    quick = litert_offsets(graph, buffers, steps, alignment)
    with patch.object(Stack, "top_without_gaps", lambda *_: None):
        assert quick.tolist() == litert_offsets(all_alive(1), buffers, steps, alignment).tolist()


@given(st.lists(st.tuples(st.integers(-1, 12), st.integers(0, 12), st.integers(0, 200)), max_size=30))
def test_where_nothing_is_free_the_search_for_gaps_finds_the_same_place(
    lives: list[tuple[int, int, int]],
) -> None:
    buffers = [Buffer(0, at, -1, size, first, first + steps) for at, (first, steps, size) in enumerate(lives)]
    quick = greedy_offsets(buffers, 16)
    with patch.object(Stack, "top_without_gaps", lambda *_: None):
        assert quick.tolist() == greedy_offsets(buffers, 16).tolist()
