"""The analysis of the loop, held to hand-worked cases and to a simulation of the very loop."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.tools.pipeline.schedule import response_times, utilisation


def simulated(costs: list[int], periods: list[int], late: int) -> list[int]:
    """Worst response of each over two hyperperiods, where the step with the lowest priority began just before.

    Non-preemptive, highest priority first; `late` releases all others one tick after time zero.
    """
    ends = 2 * math.lcm(*periods)
    releases = [
        (t + (0 if row == len(costs) - 1 else late), row)
        for row, period in enumerate(periods)
        for t in range(0, ends, period)
    ]
    waiting: list[tuple[int, int]] = []
    worst, now = [0] * len(costs), 0
    todo = sorted(releases)
    while todo or waiting:
        waiting += [(row, t) for t, row in todo if t <= now]
        todo = [each for each in todo if each[0] > now]
        if not waiting:
            now = todo[0][0]
            continue
        waiting.sort()
        row, released = waiting.pop(0)
        now += costs[row]
        worst[row] = max(worst[row], now - released)
    return worst


def test_one_step_alone_ends_after_its_own_time() -> None:
    assert response_times([3.0], [10.0]) == [3.0]


def test_a_short_step_waits_for_a_long_one_that_has_just_begun() -> None:
    assert response_times([1.0, 8.0], [10.0, 40.0]) == [9.0, 9.0]


def test_a_later_run_of_the_busy_period_can_be_the_worst() -> None:
    """Table of Davis, Burns, Bril and Lukkien for CAN: looking at the first run alone gives 3, in truth 3.5."""
    found = response_times([1.0, 1.0, 1.0], [2.5, 3.5, 3.5])
    assert found is not None
    assert found[2] == pytest.approx(3.5)


def test_more_to_do_than_time_has_no_worst_case() -> None:
    assert utilisation([6.0, 5.0], [10.0, 10.0]) == pytest.approx(1.1)
    assert response_times([6.0, 5.0], [10.0, 10.0]) is None


def test_a_core_that_is_just_full_still_ends_in_time() -> None:
    assert response_times([5.0, 5.0], [10.0, 10.0]) == [10.0, 10.0]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from([4, 6, 8, 12, 24])), min_size=1, max_size=4),
    st.integers(0, 1),
)
def test_no_simulated_loop_ends_later_than_the_analysis_says(steps: list[tuple[int, int]], late: int) -> None:
    steps = sorted(steps, key=lambda step: step[1])
    costs, periods = [cost for cost, _ in steps], [period for _, period in steps]
    bounds = response_times([float(c) for c in costs], [float(p) for p in periods])
    if bounds is None:
        return
    seen = simulated(costs, periods, late)
    assert all(worst <= bound + 1e-9 for worst, bound in zip(seen, bounds, strict=True)), (
        steps,
        seen,
        bounds,
    )
