"""The ratio of two latencies is split into causes without a rest."""

import math
import re
from itertools import permutations

import pytest

from edgewright.tools import Deployment, compare_deployments, deployment, estimate_performance
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.markdown import markdown
from edgewright.tools.cost_model.attribution import attributed, between
from edgewright.tools.cost_model.attribution_sides import Side, Why
from edgewright.tools.hardware_selector.hardware_ranking import Cause
from edgewright.tools.placement.model_source import as_graph

PAIRS = [
    ("kws", "stm32f446re", "stm32h743zi"), ("kws", "stm32h743zi/tflm-reference", "stm32h743zi"),
    ("kws", "stm32l4r5zi", "esp32-s3"), ("kws", "stm32l4r5zi", "raspberry-pi-4b"),
    ("kws", "stm32l4r5zi", "max78000"), ("resnet50", "raspberry-pi-4b", "a100"), ("resnet50", "t4", "a100"),
    ("yolov5n:int8", "coral-dev-board", "raspberry-pi-4b"), ("mobilenet_v2", "jetson-nano", "hailo-8"),
]  # fmt: skip


def _place(name: str) -> Deployment:
    return deployment(*name.split("/"))


def _side(model: str, place: Deployment) -> Side:
    return Side.of(as_graph(model, place)[0], place)


def _cause(model: str, *places: str | Deployment) -> Cause:
    report = compare_deployments(model, [_place(p) if isinstance(p, str) else p for p in places])
    return report.causes[0]


def _factor(cause: Cause, name: str) -> float:
    return next((each.factor for each in cause.factors if each.cause == name), 1.0)


@pytest.mark.parametrize(("model", "one", "other"), PAIRS)
def test_the_factors_multiply_to_the_ratio_and_their_shares_sum_to_a_hundred(
    model: str, one: str, other: str
) -> None:
    cause = _cause(model, one, other)
    times = sorted(float(estimate_performance(model, _place(name)).latency_ms) for name in (one, other))
    assert math.prod(each.factor for each in cause.factors) == pytest.approx(cause.slower_by)
    assert cause.slower_by in (pytest.approx(times[1] / times[0]), pytest.approx(times[0] / times[1]))
    assert sum(each.share_percent for each in cause.factors) == 100


@pytest.mark.parametrize("name", ["stm32h743zi", "esp32-s3", "raspberry-pi-4b", "t4"])
def test_parts_of_one_deployment_alone_give_the_time_that_the_cost_model_gives(name: str) -> None:
    side = _side("kws", _place(name))
    expected = side.study.latency_ms.value / side.measured / side.placement
    assert between(dict.fromkeys(Why, side), {}) * 1e3 == pytest.approx(expected)


def test_two_clocks_of_one_board_differ_by_the_clock_alone() -> None:
    cause = _cause("kws", deployment("stm32h743zi", clock_mhz=120), deployment("stm32h743zi", clock_mhz=480))
    assert _factor(cause, "clock") == pytest.approx(4, rel=0.02)
    assert {each.cause for each in cause.factors if each.share_percent} == {"clock"}


def test_two_kernel_libraries_of_one_board_differ_by_nothing_of_its_silicon() -> None:
    cause = _cause("kws", "stm32h743zi/tflm-reference", "stm32h743zi/tflm-cmsis-nn")
    assert {each.cause for each in cause.factors} <= {"kernels", "board", "memory", "overhead", "measurement"}
    assert _factor(cause, "kernels") > 5


def test_float_against_int8_on_one_board_is_a_matter_of_the_numbers() -> None:
    one, other = (_side(f"resnet8:{d}", _place("stm32l4r5zi")) for d in ("float32", "int8"))
    steps = {step.why: step.factor for step in attributed(one, other)}
    assert steps[Why.NUMBERS] * steps.get(Why.WIDTH, 1.0) > 2
    assert not {Why.CLOCK, Why.THREADS, Why.BATCH} & set(steps)


def test_layers_that_fall_back_to_the_cpu_count_as_placement() -> None:
    coral = _side("yolov5n:int8", _place("coral-dev-board"))
    steps = {s.why: s.factor for s in attributed(coral, _side("yolov5n:int8", _place("raspberry-pi-4b")))}
    assert coral.placement > 1
    assert steps[Why.PLACEMENT] == pytest.approx(coral.placement)


def test_a_factor_is_the_mean_of_its_steps_over_every_order() -> None:
    """Against the definition by permutations, which is slower."""
    slow, fast = _side("kws", _place("stm32f446re")), _side("kws", _place("stm32h743zi"))
    steps = {step.why: step.factor for step in attributed(slow, fast)}
    players = [why for why in steps if why not in (Why.PLACEMENT, Why.MEASUREMENT)]
    logs = dict.fromkeys(players, 0.0)
    orders = list(permutations(players))
    for order in orders:
        taken = dict.fromkeys(Why, fast)
        for why in order:
            before = between(taken, {})
            taken[why] = slow
            logs[why] += math.log(between(taken, {}) / before)
    for why in players:
        assert math.log(steps[why]) == pytest.approx(logs[why] / len(orders), abs=1e-9)


def test_turned_round_each_factor_is_its_inverse() -> None:
    one, other = _side("kws", _place("stm32l4r5zi")), _side("kws", _place("esp32-s3"))
    there, back = attributed(one, other), {step.why: step.factor for step in attributed(other, one)}
    assert there
    assert all(step.factor * back[step.why] == pytest.approx(1) for step in there)


def test_the_same_deployment_twice_has_no_cause() -> None:
    cause = _cause("kws", "stm32h743zi", "stm32h743zi")
    assert (cause.slower_by, cause.factors, cause.why) == (1.0, (), "they hardly differ")


def test_what_cannot_run_the_model_is_no_reference_for_what_can() -> None:
    report = compare_deployments("kws", ["stm32l4r5zi", "max78000", "stm32h743zi"])
    failing = next(cause for cause in report.causes if cause.deployment == 1)
    assert {report.deployments[cause.against].target for cause in report.causes} == {"stm32h743zi"}
    assert failing.slower_by < 1
    assert failing.why.endswith("it fails all the same")


def test_an_unknown_latency_has_no_factors() -> None:
    (cause,) = compare_deployments("yolov5n:int8", ["coral-usb", "raspberry-pi-4b"]).causes
    assert (cause.slower_by, cause.factors, cause.why) == (None, (), "its latency is unknown")


def test_a_comparison_lists_the_causes() -> None:
    shown = markdown(describe(compare_deployments("kws", ["stm32h743zi", "stm32f446re"])))
    assert re.search(r"- 2\.67 or \d+ %: clock, 180 MHz against 480", shown)


@pytest.mark.parametrize(("model", "slow", "fast"), PAIRS)
def test_told_plainly_at_most_three_causes_and_the_rest_make_up_the_ratio(
    model: str, slow: str, fast: str
) -> None:
    cause = _cause(model, slow, fast)
    if cause.slower_by is None or not cause.plain:
        pytest.skip("they hardly differ")
    assert math.prod(each.factor for each in cause.plain) == pytest.approx(cause.slower_by)
    assert len(cause.plain) <= 4
    assert sum(each.share_percent or 0 for each in cause.plain) == 100
    assert "unknown" not in " ".join(each.what for each in cause.plain)


def test_two_that_hardly_differ_have_no_causes_to_tell() -> None:
    cause = _cause("resnet50", "l4", "a10")
    assert cause.slower_by is not None
    assert cause.slower_by < 1.1
    assert cause.plain == ()
