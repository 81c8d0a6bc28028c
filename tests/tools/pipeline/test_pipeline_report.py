"""What several models and other steps come to, held to the single models and to arithmetic by hand."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.hardware_db.steps import load_steps
from edgewright.tools import (
    Verdict,
    analyze_pipeline,
    deployment,
    estimate_energy_budget,
    estimate_performance,
    plan_memory,
)
from edgewright.tools.pipeline.pipeline_report import PipelineReport

BOARD = deployment("stm32h743zi", "tflm-cmsis-nn")


def pipeline(
    steps: dict[str, Any], *, board: Any = BOARD, ram: str = "shared", **more: Any
) -> PipelineReport:
    return analyze_pipeline({"steps": steps, "ram": ram}, board, **more)


def check(report: PipelineReport, name: str) -> Any:
    return next(each for each in report.checks if each.name == name)


def test_one_model_alone_is_what_its_own_estimate_says() -> None:
    report, alone = analyze_pipeline(["kws@2/s"], BOARD), estimate_performance("kws", BOARD)
    plan = plan_memory("kws", BOARD)
    (step,) = report.steps
    assert (step.time_ms, step.response_ms) == (alone.latency_ms, alone.latency_ms)
    assert report.ram.value == plan.arena_bytes
    assert float(report.flash) == pytest.approx(plan.flash_bytes, abs=1)
    assert report.arena_shared == report.arena_apart


def test_one_model_alone_lasts_as_long_as_its_energy_budget_says() -> None:
    how = {"battery": "CR2032", "sensor_ua": 20.0, "regulator_efficiency": 0.9}
    together = analyze_pipeline(["kws@1/s"], "nrf52840", **how).battery
    alone = estimate_energy_budget("kws", "nrf52840", rate_hz=1, **how).battery
    assert together is not None
    assert alone is not None
    assert float(together.life_days) == pytest.approx(float(alone.life_days))


def test_arenas_in_one_stack_what_is_kept_and_overlay_the_rest() -> None:
    report = analyze_pipeline(["kws@1/s", "vww@1/s"], BOARD)
    plans = [plan_memory(model, BOARD) for model in ("kws", "vww")]
    kept = sum(plan.arena_persistent_bytes or 0 for plan in plans)
    beside = max(plan.arena_nonpersistent_bytes or 0 for plan in plans)
    assert report.arena_shared.value == pytest.approx(kept + beside, abs=16)
    assert report.arena_apart.value == sum(plan.arena_bytes or 0 for plan in plans)


def test_code_of_kernels_that_both_run_is_linked_once() -> None:
    report = analyze_pipeline(["kws@1/s", "vww@1/s"], BOARD)
    plans = [plan_memory(model, BOARD) for model in ("kws", "vww")]
    models = sum(plan.model_bytes for plan in plans)
    codes = [plan.code_bytes or 0 for plan in plans]
    assert report.flash.value is not None
    assert models + max(codes) - 2 <= report.flash.value < models + sum(codes)


def test_a_network_that_two_steps_run_is_there_once() -> None:
    once, twice = analyze_pipeline(["kws@1/s"], BOARD), analyze_pipeline(["kws@1/s", "kws@2/s"], BOARD)
    assert (once.ram, once.flash) == (twice.ram, twice.flash)
    assert twice.utilization.value == pytest.approx(3 * float(once.utilization))


def test_arenas_apart_and_buffers_can_be_too_much_where_one_arena_is_not() -> None:
    steps = {
        "camera": {"step": "camera", "rate": "1/s", "time": "5ms", "ram": "20KiB"},
        "person": {"model": "vww", "after": "camera"},
        "wake": {"model": "kws", "rate": "1/s"},
    }
    limit = {"ram_bytes": 130 * 1024}
    assert check(pipeline(steps, limits=limit), "ram").verdict is not Verdict.FAIL
    apart = check(pipeline(steps, ram="apart", limits=limit), "ram")
    assert apart.verdict is Verdict.FAIL
    assert {term.name for term in apart.terms} == {"arenas", "buffers"}


def test_a_chain_ends_after_all_that_comes_before_it_and_what_has_just_begun() -> None:
    steps = {
        "read": {"step": "sensor", "rate": "10/s", "time": "2ms"},
        "filter": {"step": "other", "after": "read", "cycles": 4.8e6},
        "log": {"step": "other", "rate": "1/s", "time": "30ms"},
    }
    report = pipeline(steps)
    responses = {step.name: step.response_ms.value for step in report.steps}
    assert responses == {"read": pytest.approx(32), "filter": pytest.approx(42), "log": pytest.approx(42)}
    assert report.utilization.value == pytest.approx(0.02 + 0.1 + 0.03)
    assert report.period_ms == pytest.approx(1000)


def test_a_budget_of_a_step_is_held_against_its_worst_end() -> None:
    steps = {
        "read": {"step": "sensor", "rate": "10/s", "time": "2ms", "latency": "31ms"},
        "log": {"step": "other", "rate": "1/s", "time": "30ms"},
    }
    late = check(pipeline(steps), "latency of read")
    assert (late.verdict, late.demand, late.bound) == (Verdict.FAIL, pytest.approx(32), 31)


def test_the_latency_limit_is_for_the_ends_of_chains() -> None:
    steps = {
        "read": {"step": "sensor", "rate": "10/s", "time": "2ms"},
        "think": {"step": "other", "after": "read", "time": "3ms"},
    }
    report = pipeline(steps, limits={"latency_ms": 10})
    assert [each.name for each in report.checks if each.name.startswith("latency")] == ["latency of think"]


def test_rates_that_cannot_be_met_fail_with_what_could() -> None:
    report = analyze_pipeline(["kws@100/s", "vww@20/s"], BOARD, battery="CR2032")
    busy = check(report, "utilization")
    assert (report.verdict, busy.verdict) == (Verdict.FAIL, Verdict.FAIL)
    assert busy.levers[0].after <= 1
    assert not any(each.name.startswith("rate of") for each in report.checks)
    assert report.average_power_mw.value is None
    assert report.battery is not None
    assert report.battery.life_days.value is None


def test_a_step_of_which_no_figure_was_read_is_unknown_and_says_what_it_takes() -> None:
    report = pipeline({"boxes": {"step": "nms", "rate": "1/s"}, "wake": {"model": "kws", "rate": "1/s"}})
    assert report.verdict is Verdict.UNKNOWN
    assert report.steps[0].time_ms.value is None
    assert any("boxes" in line and "give time or cycles" in line for line in report.missing)
    assert report.utilization.value is None


def test_known_steps_that_alone_take_too_much_fail_whatever_the_unknown_ones_take() -> None:
    report = pipeline(
        {"boxes": {"step": "nms", "rate": "1/s"}, "slow": {"step": "other", "rate": "1/s", "time": "2s"}}
    )
    busy = check(report, "utilization")
    assert busy.verdict is Verdict.FAIL
    assert "the known steps alone" in busy.statement


def test_a_published_step_costs_its_cycles_at_the_clock_and_names_its_source() -> None:
    board = deployment("nrf52840")
    (step,) = pipeline({"fft": {"step": "fft", "size": 1024, "times": 2, "rate": "1/s"}}, board=board).steps
    assert step.time_ms.value == pytest.approx(2 * 128_760 / 64e3)
    assert step.time_ms.basis == "scaled"
    assert "community.nxp.com" in step.source


def test_a_size_that_was_not_measured_is_not_made_up() -> None:
    report = pipeline({"fft": {"step": "fft", "size": 1000, "rate": "1/s"}}, board="nrf52840")
    assert report.steps[0].time_ms.value is None
    assert "1024" in report.missing[0]


def _fft_ms(size: int, board: str) -> Any:
    (step,) = pipeline({"fft": {"step": "fft", "size": size, "rate": "1/s"}}, board=board).steps
    return step.time_ms


def test_an_fft_on_an_esp32_takes_the_cycles_of_esp_dsp() -> None:
    assert _fft_ms(1024, "esp32").value == pytest.approx(113_205 / 240e3)
    assert _fft_ms(1024, "esp32-s3").value == pytest.approx(97_847 / 240e3)


def test_a_size_between_or_beyond_the_measured_ones_follows_by_n_log_n_and_is_less_sure() -> None:
    known, grown = _fft_ms(1024, "esp32-s3"), _fft_ms(4096, "esp32-s3")
    assert grown.value / known.value == pytest.approx(4096 * 12 / (1024 * 10))
    assert grown.high / grown.low > known.high / known.low
    assert not _fft_ms(8192, "esp32-s3").known


def test_measured_sizes_grow_by_n_log_n_within_what_its_interval_grants() -> None:
    for cost in (cost for step in load_steps().steps if step.work for cost in step.costs):
        each = [leaf.value / (size * math.log2(size)) for size, leaf in cost.cycles.items()]
        assert max(each) / min(each) < 2


def test_an_fft_in_floats_is_unknown_on_a_core_that_has_no_unit_for_them() -> None:
    assert not _fft_ms(256, "esp32-s2").known
    assert _fft_ms(256, "esp32-s3").known


def test_what_the_user_gives_goes_before_what_was_published() -> None:
    (step,) = pipeline({"fft": {"step": "fft", "size": 1024, "rate": "1/s", "time": "1ms"}}).steps
    assert (step.time_ms.value, step.time_ms.basis, step.source) == (1.0, "assumed", "")


def test_every_published_step_cites_a_source_that_is_listed() -> None:
    steps = load_steps()
    leaves = [leaf for step in steps.steps for cost in step.costs for leaf in cost.cycles.values()]
    assert leaves
    assert all(leaf.source in steps.sources and leaf.unit == "cycles" for leaf in leaves)


def test_average_power_is_energy_by_rate_and_rest_by_sleep() -> None:
    report = analyze_pipeline(["kws@1/s"], "nrf52840", sleep_ua=100.0)
    (step,) = report.steps
    rest = (1 - float(step.active_share)) * 100 * 3.0 / 1e3
    assert float(report.compute_power_mw) == pytest.approx(float(step.energy_uj) / 1e3)
    assert float(report.average_power_mw) == pytest.approx(float(report.compute_power_mw) + rest, rel=1e-3)
    assert float(report.energy_uj) == pytest.approx(float(step.energy_uj))


def test_a_limit_on_power_is_of_the_average() -> None:
    report = analyze_pipeline(["kws@1/s"], "nrf52840", {"power_mw": 1.0})
    assert check(report, "power").demand == pytest.approx(float(report.average_power_mw))


def test_an_operator_without_a_kernel_fails_the_pipeline() -> None:
    report = analyze_pipeline(["bert_base@1/min"], BOARD)
    assert report.verdict is Verdict.FAIL


def test_upper_ends_beyond_all_the_time_are_said_and_cut_off() -> None:
    report = analyze_pipeline(["kws@4/s"], "nrf52840")
    assert float(report.utilization.high or 0) > 1
    assert report.steps[0].response_ms.high == pytest.approx(2500)
    assert any("cut off" in line for line in report.warnings)


def test_a_report_survives_json() -> None:
    report = analyze_pipeline(["kws@1/s", "vww@1/min"], "nrf52840", battery="CR2032")
    assert PipelineReport.model_validate_json(json.dumps(report.to_dict())) == report


def test_an_efficiency_of_none_or_more_than_all_is_refused() -> None:
    for share in (0.0, -1.0, 1.5):
        with pytest.raises(UsageError, match="regulator_efficiency"):
            analyze_pipeline(["kws@1/s"], "nrf52840", regulator_efficiency=share)
