"""Causes of a difference from the estimate: planted into layers whose truth is known, and found again."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from edgewright.tools import MeasuredLayer, deployment, parse_model
from edgewright.tools.cost_model.comparing import by_cost_model
from edgewright.tools.cost_model.study import Study, study
from edgewright.tools.traces.causes import causes_of
from stubs.traces import KWS_TICKS, Import, events

Plant = Callable[[Study, Any], Any]
NOISE, ROUNDS = 0.1, 10


@cache
def case(model: str) -> Study:
    return study(parse_model(model), by_cost_model(deployment("stm32h743zi", "tflm-cmsis-nn")))


def layers(found: Study, measured: Any) -> list[MeasuredLayer]:
    times = found.times.total_s * 1e3
    return [
        MeasuredLayer(index=at, op="x", measured_ms=float(one), estimated_ms=float(other), runs=1)
        for at, (one, other) in enumerate(zip(measured, times, strict=True))
    ]


def held(found: Study, measured: Any, seed: int) -> str:
    noise = np.exp(np.random.default_rng(seed).normal(0, NOISE, len(measured)))
    return next(
        (cause.cause for cause in causes_of(found, layers(found, measured * noise)) if cause.holds), ""
    )


def of_kind(kind: str) -> Plant:
    return lambda found, ms: np.where(np.array([op.kind for op in found.graph.ops]) == kind, 3 * ms, ms)


def beyond_cache(found: Study, ms: Any) -> Any:
    return np.where(found.table.traffic_bytes > 16384, 2.5 * ms, ms)


def flash(found: Study, ms: Any) -> Any:
    """As if flash gave 2 MB/s beside what is estimated."""
    return ms + found.table.weight_bytes / 2e3


@pytest.mark.parametrize("model", ["ic:int8", "vww:int8", "mobilenet_v2:0.35:96:int8"])
@pytest.mark.parametrize(
    ("plant", "cause"),
    [
        (lambda _, ms: ms, ""),
        (lambda _, ms: 2 * ms, "the clock, or the whole build"),
        (lambda _, ms: ms / 2, "the clock, or the whole build"),
        (of_kind("CONV_2D"), "the kernel of CONV_2D"),
        (beyond_cache, "the cache"),
        (flash, "waiting for weights"),
        (lambda _, ms: ms + ms.mean(), "a fixed time an operator"),
    ],
    ids=["none", "half the clock", "twice the clock", "kernel", "cache", "flash", "fixed"],
)  # fmt: skip
def test_a_planted_cause_is_found_and_none_where_there_is_none(model: str, plant: Plant, cause: str) -> None:
    found = case(model)
    measured = plant(found, found.times.total_s * 1e3)
    hits = sum(held(found, measured, seed) == cause for seed in range(ROUNDS))
    assert hits >= 0.8 * ROUNDS


def test_one_slow_layer_is_no_cause_of_all() -> None:
    found = case("vww:int8")
    times = found.times.total_s * 1e3
    odd = np.where(np.arange(len(times)) == int(np.argmax(times)), 5 * times, times)
    assert not any(held(found, odd, seed) for seed in range(ROUNDS))


def test_reference_kernels_are_known_by_every_layer() -> None:
    found = case("vww:int8")
    other = study(found.graph, by_cost_model(deployment("stm32h743zi", "tflm-reference")))
    measured = other.times.total_s * 1e3
    assert all(held(found, measured, seed) == "the kernels of tflm-reference" for seed in range(ROUNDS))


def test_causes_stand_in_the_profile_with_how_much_they_explain(imported: Import) -> None:
    double = imported(events(tuple((tag, 8 * ticks) for tag, ticks in KWS_TICKS)))
    best = double.causes[0]
    assert best.holds
    assert best.explained_share is not None
    assert best.explained_share > 0.3


def test_a_cause_that_no_layer_can_show_is_said_to_be_so(imported: Import) -> None:
    """The keyword spotter has five kinds of layers that matter; the L4R5 has no data cache that is known."""
    few = next(cause for cause in imported(events()).causes if cause.holds is None)
    assert "5 kinds of layers" in few.why
    found = study(parse_model("vww:int8"), by_cost_model(deployment("stm32l4r5zi", "tflm-cmsis-nn")))
    every = causes_of(found, layers(found, found.times.total_s * 1e3))
    assert [cause.why for cause in every if cause.holds is None] == ["no data cache of this core is known"]


def test_layers_and_what_is_outside_of_them_make_the_whole(imported: Import) -> None:
    found = imported(events() + "13,MicroInterpreter::Overhead,1200000\n")
    assert found.layers_ms is not None
    assert found.outside_ms is not None
    assert found.layers_ms + found.outside_ms == pytest.approx(float(found.latency_ms))
    assert found.outside_ms == pytest.approx(10)
