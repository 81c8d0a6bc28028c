"""A card takes several inputs at once where one at a time does not do a rate, and a result waits for them."""

import math

import pytest

from edgewright.tools import WorkloadEstimate, deployment, estimate_performance, estimate_workload

RESNET, T4 = "resnet50", "t4"


def served(rate_hz: float, target: str = T4, **more: float) -> WorkloadEstimate:
    """At the batch that is told for the rate."""
    best = estimate_workload(RESNET, target, rate_hz=rate_hz, **more).best_batch
    return estimate_workload(RESNET, deployment(target, batch=best), rate_hz=rate_hz, **more)


def alone(target: str = T4) -> float:
    return estimate_performance(RESNET, target).inferences_per_second.value


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_one_at_a_time_is_enough_where_it_keeps_up(share: float) -> None:
    assert estimate_workload(RESNET, T4, rate_hz=share * alone()).best_batch == 1


@pytest.mark.parametrize("target", ["t4", "l4", "jetson-agx-orin-64gb"])
def test_a_batch_does_a_rate_on_fewer_than_one_at_a_time(target: str) -> None:
    rate = 3.5 * alone(target)
    one, many = estimate_workload(RESNET, target, rate_hz=rate), served(rate, target)
    assert many.devices_needed.value < one.devices_needed.value
    assert many.longest_wait_ms.high <= 100


@pytest.mark.parametrize("most_wait_ms", [3.0, 10.0, 50.0])
def test_a_result_waits_no_longer_than_is_allowed(most_wait_ms: float) -> None:
    found = served(1.3 * alone(), most_wait_ms=most_wait_ms)
    assert found.longest_wait_ms.high <= most_wait_ms


def test_the_first_of_a_batch_waits_until_it_is_full_and_computed() -> None:
    found = estimate_workload(RESNET, deployment(T4, batch=8), rate_hz=500)
    assert found.longest_wait_ms.value == pytest.approx(7 / 500 * 1e3 + found.latency_ms.value)
    shared = estimate_workload(RESNET, deployment(T4, batch=8), rate_hz=500, devices=2)
    assert shared.longest_wait_ms.value == pytest.approx(7 / 250 * 1e3 + found.latency_ms.value)


def test_what_does_not_keep_up_has_no_longest_wait() -> None:
    assert not estimate_workload(RESNET, T4, rate_hz=5 * alone(), devices=1).longest_wait_ms.known


def test_a_job_takes_the_batch_that_is_nearly_fastest() -> None:
    best = estimate_workload(RESNET, T4, items=1e6).best_batch
    rates = [
        estimate_performance(RESNET, deployment(T4, batch=batch)).inferences_per_second.value
        for batch in (best, 2 * best)
    ]
    assert rates[0] > alone()
    assert rates[1] < 1.05 * rates[0]


@pytest.mark.parametrize(("model", "target"), [("kws", "stm32h743zi"), ("mobilenet_v2", "raspberry-pi-5")])
def test_cores_take_one_after_the_other(model: str, target: str) -> None:
    assert estimate_workload(model, target, rate_hz=1e4).best_batch == 1


def test_a_batch_that_was_said_stays() -> None:
    assert estimate_workload(RESNET, deployment(T4, batch=4), rate_hz=10 * math.ceil(alone())).best_batch == 4
