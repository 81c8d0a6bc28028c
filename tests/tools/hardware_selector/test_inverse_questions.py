"""How far one can go: the answer meets the limits, the next value does not."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.tools import (
    Deployment,
    Limits,
    ModelGraph,
    Settings,
    Verdict,
    check_constraints,
    deployment,
    estimate_performance,
    find_limit,
    plan_memory,
)
from edgewright.tools.api.limits import VARIABLES
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.shapes.change import with_input_shapes
from edgewright.tools.hardware_selector.inverse.search import largest, samples_of
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.techniques.structure.depth import ended_early
from edgewright.tools.optimization_simulator.techniques.structure.widths import widened

WHERE = deployment("stm32l4r5zi", runtime="tflm-cmsis-nn", settings=Settings(measured_first=False))
GOOD = (Verdict.PASS, Verdict.MARGINAL)


@pytest.fixture(scope="module")
def model() -> ModelGraph:
    return build_architecture("kws", dtype="int8")


def meets(graph: ModelGraph, deployment: Deployment, limits: Limits) -> bool:
    return check_constraints(graph, deployment, limits, remedies=False).verdict in GOOD


def test_the_largest_input_meets_the_limit_and_one_pixel_more_does_not(model: ModelGraph) -> None:
    limits = Limits(latency_ms=50)
    answer = find_limit(model, WHERE, limits, "input")
    assert answer.feasible
    assert answer.binding == "latency"
    assert answer.value is not None
    assert answer.beyond is not None
    height, width = model.inputs[0].shape[1:3]

    def sized(tall: float) -> ModelGraph:
        shape = (1, int(tall), round(tall * width / height), 1)
        return with_input_shapes(model, {model.main.inputs[0]: shape})

    assert answer.beyond.value == answer.value + 1
    assert meets(sized(answer.value), WHERE, limits)
    assert not meets(sized(answer.beyond.value), WHERE, limits)
    anew = estimate_performance(sized(answer.value), WHERE).latency_ms
    assert answer.at is not None
    assert answer.at.figures is not None
    assert answer.at.figures.latency_ms == anew


def test_the_greatest_width_meets_the_limit_and_one_per_cent_more_does_not(model: ModelGraph) -> None:
    limits = Limits(latency_ms=150)
    answer = find_limit(model, WHERE, limits, "width")
    assert answer.value is not None
    assert answer.value > 100
    assert answer.beyond is not None
    assert answer.beyond.value == answer.value + 1
    assert meets(widened(model, answer.value / 100), WHERE, limits)
    assert not meets(widened(model, answer.beyond.value / 100), WHERE, limits)


def test_the_lowest_clock_meets_the_limit_and_one_megahertz_less_does_not(model: ModelGraph) -> None:
    limits = Limits(latency_ms=200)
    answer = find_limit(model, WHERE, limits, "clock")
    assert answer.value is not None
    assert answer.beyond is not None
    assert answer.beyond.value == answer.value - 1
    assert meets(model, WHERE.at(clock_mhz=answer.value), limits)
    assert not meets(model, WHERE.at(clock_mhz=answer.beyond.value), limits)


def test_the_lowest_clock_is_that_of_trying_every_megahertz(model: ModelGraph) -> None:
    limits = Limits(latency_ms=300)
    by_hand = [mhz for mhz in range(1, 121) if (t := _ms(model, mhz)) is not None and t <= 300]
    assert find_limit(model, WHERE, limits, "clock").value == min(by_hand)


def _ms(model: ModelGraph, mhz: int) -> float | None:
    return estimate_performance(model, WHERE.at(clock_mhz=mhz)).latency_ms.value


def test_the_largest_batch_fits_the_ram_and_one_more_does_not(model: ModelGraph) -> None:
    answer = find_limit(model, WHERE, Limits(ram_bytes=100_000), "batch")
    assert answer.binding == "ram"
    assert answer.value is not None
    arenas = [plan_memory(model, WHERE.at(batch=int(answer.value) + more)).arena_bytes for more in (0, 1)]
    assert arenas[0] is not None
    assert arenas[1] is not None
    assert arenas[0] <= 100_000 < arenas[1]


def test_the_greatest_depth_meets_the_limit_and_the_next_exit_does_not(model: ModelGraph) -> None:
    limits = Limits(latency_ms=60)
    answer = find_limit(model, WHERE, limits, "depth")
    assert answer.value is not None
    assert answer.beyond is not None
    assert answer.value < answer.beyond.value
    assert meets(ended_early(model, int(answer.value) - 1), WHERE, limits)
    assert not meets(ended_early(model, int(answer.beyond.value) - 1), WHERE, limits)


def test_the_smallest_ram_is_the_arena_and_the_reserve_to_the_byte(model: ModelGraph) -> None:
    answer = find_limit(model, WHERE, Limits(reserve_bytes=5_000), "ram")
    assert answer.value == (plan_memory(model, WHERE).arena_bytes or 0) + 5_000
    assert meets(model, WHERE, Limits(reserve_bytes=5_000, ram_bytes=int(answer.value)))
    assert not meets(model, WHERE, Limits(reserve_bytes=5_000, ram_bytes=int(answer.value) - 1))


def test_the_highest_rate_is_one_inference_after_the_other(model: ModelGraph) -> None:
    answer = find_limit(model, WHERE, variable="rate")
    latency = estimate_performance(model, WHERE).latency_ms.value
    assert latency is not None
    assert answer.value == pytest.approx(1e3 / latency)
    assert answer.value is not None
    assert meets(model, WHERE, Limits(rate_hz=answer.value))
    assert not meets(model, WHERE, Limits(rate_hz=answer.value * 1.000001))


def test_a_battery_lasts_longest_at_a_clock_that_meets_the_limits(model: ModelGraph) -> None:
    asked = {"battery": "CR2032", "sleep_ua": 2.0}
    fastest_ms = estimate_performance(model, WHERE).latency_ms.value
    assert fastest_ms is not None
    limit_ms = 1.04 * fastest_ms
    free = find_limit(model, WHERE, Limits(rate_hz=1), "battery-life", **asked)
    tight = find_limit(model, WHERE, Limits(rate_hz=1, latency_ms=limit_ms), "battery-life", **asked)
    assert free.value is not None
    assert tight.value is not None
    assert tight.value <= free.value
    assert tight.at is not None
    assert tight.at.figures is not None
    assert (tight.at.figures.latency_ms.value or 1e9) <= limit_ms


def test_a_battery_needs_a_name_and_a_rate(model: ModelGraph) -> None:
    with pytest.raises(UsageError, match="battery"):
        find_limit(model, WHERE, Limits(rate_hz=1), "battery-life")
    with pytest.raises(UsageError, match="rate"):
        find_limit(model, WHERE, Limits(), "battery-life", battery="CR2032")
    with pytest.raises(UnknownNameError):
        find_limit(model, WHERE, Limits(rate_hz=1), "battery-life", battery="no such cell")


def test_where_no_value_meets_the_limits_the_least_relaxation_admits_one(model: ModelGraph) -> None:
    limits = Limits(latency_ms=10)
    answer = find_limit(model, WHERE, limits, "clock")
    assert answer.feasible is False
    assert answer.value is None
    (relaxation,) = answer.relaxations
    assert relaxation.limit == "latency"
    wider = Limits(latency_ms=relaxation.needed * 1.0001)
    assert find_limit(model, WHERE, wider, "clock").feasible
    assert answer.fit is not None
    assert answer.fit.feasible


def test_what_nothing_bounds_is_told_or_refused(model: ModelGraph) -> None:
    with pytest.raises(UsageError, match="--max-latency"):
        find_limit(model, WHERE, variable="clock")
    deep = find_limit(model, WHERE, variable="depth")
    assert deep.value == len(model.ops)
    assert deep.binding is None
    assert any("no limit binds" in told for told in deep.warnings)


def test_an_unknown_variable_is_named_with_the_nearest(model: ModelGraph) -> None:
    with pytest.raises(UsageError, match="width"):
        find_limit(model, WHERE, variable="widht")
    with pytest.raises(UsageError, match="image"):
        find_limit(build_architecture("ad", dtype="int8"), WHERE, variable="input")


def test_every_variable_that_is_told_of_is_answered(model: ModelGraph) -> None:
    limits = Limits(latency_ms=200, rate_hz=1)
    for variable in VARIABLES:
        answer = find_limit(model, WHERE, limits, variable, battery="CR2032", sleep_ua=2.0)
        assert answer.variable == variable
        assert answer.feasible


def test_an_input_of_which_only_some_sizes_are_taken_is_searched_among_them() -> None:
    b = GraphBuilder("skip")
    x = b.input((1, 32, 32, 3))
    small = b.conv2d(x, 64, 3, stride=8)
    wide = b.op("DEPTH_TO_SPACE", [small], (1, 32, 32, 1), {"block_size": 8})
    graph = b.build([b.mean(b.concat([wide, b.conv2d(x, 8, 3)]))])
    answer = find_limit(graph, WHERE, Limits(ram_bytes=600_000), "input")
    assert answer.value is not None
    assert answer.value % 8 == 0
    assert answer.beyond is not None
    assert answer.beyond.value == answer.value + 8
    assert answer.binding == "ram"


@given(st.integers(-50, 50), st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_a_search_over_a_single_run_of_values_finds_its_end(low: int, span: int, run: int, at: int) -> None:
    high, end = low + span, min(low + run, low + span)
    found = largest(lambda value: value <= end, low, high, low + min(at, span))
    assert found.value == end
    assert found.beyond == (end + 1 if end < high else None)


@given(st.sets(st.integers(0, 60), min_size=1), st.integers(0, 60))
def test_whatever_meets_the_answer_does_and_the_next_value_does_not(good: set[int], anchor: int) -> None:
    meeting: Callable[[int], bool] = good.__contains__
    found = largest(meeting, 0, 60, anchor)
    if found.value is not None:
        assert found.value in good
        assert found.beyond is None or found.beyond not in good


def test_a_gap_near_the_boundary_is_stepped_over() -> None:
    good = {*range(21), 24, 25}
    found = largest(good.__contains__, 0, 100, 5)
    assert (found.value, found.beyond, found.monotone) == (25, 26, False)


def test_where_no_size_meets_the_limits_what_fails_nearest_to_meeting_binds() -> None:
    """At every input size alike 4 MB of weights are too much for 2 MB of flash; time and RAM would do."""
    answer = find_limit("mobilenet_v2", "stm32h743zi", {"latency_ms": 100}, "input")
    assert answer.feasible is False
    assert answer.binding == "flash"
    assert answer.beyond is not None
    assert answer.beyond.fails == ("flash",)
    assert "model and code take" in answer.statement


def test_of_a_very_large_network_fewer_values_are_tried() -> None:
    tried: list[int] = []
    found = largest(lambda value: tried.append(value) or False, 1, 65_536, 1, samples_of(20_000))  # type: ignore[func-returns-value]
    assert found.value is None
    assert len(tried) == 3
    assert samples_of(1_000) == 12
    tried.clear()
    found = largest(lambda value: tried.append(value) or True, 1, 65_536, 1, samples_of(20_000))  # type: ignore[func-returns-value]
    assert found.value == 65_536
    assert len(tried) == 4


def test_where_nothing_is_sure_the_middle_of_the_interval_says_how_far_it_likely_goes() -> None:
    board = deployment("stm32f746ng", "tflm-cmsis-nn")
    answer = find_limit("kws", board, {"latency_ms": 40.0}, "clock")
    assert answer.feasible is None
    assert answer.likely is not None
    latency = answer.likely.figures.latency_ms
    assert latency.value <= 40.0 < latency.high
    slower = deployment("stm32f746ng", "tflm-cmsis-nn", clock_mhz=0.97 * answer.likely.value)
    assert estimate_performance("kws", slower).latency_ms.value > 40.0


def test_the_highest_rate_by_the_estimate_is_the_reciprocal_of_the_latency_however_wide_its_interval() -> (
    None
):
    board = deployment("stm32f746ng", "tflm-cmsis-nn")
    answer = find_limit("kws", board, {}, "rate")
    assert answer.likely is not None
    assert answer.likely.value == pytest.approx(1e3 / estimate_performance("kws", board).latency_ms.value)
