"""A current that a data sheet states for a program and a clock, beside one of run mode at large."""

from __future__ import annotations

import pytest

from edgewright.hardware_db import load_target
from edgewright.hardware_db.coefficients import DATASHEET_ALONE, RunCurrent, load_coefficients
from edgewright.tools import deployment, estimate_performance
from edgewright.tools.calibration.power import fit_power, fit_run_current
from edgewright.tools.core.own_figures import described_mode
from edgewright.tools.cost_model.power import active_power, power_by

TENFOLD = RunCurrent(factor=10.0, interval_factor=2.0, targets=2)


def test_a_mode_is_of_a_load_where_its_program_and_clock_are_both_stated() -> None:
    stated, at_large = load_target("rp2350").power[0], load_target("stm32l476rg").power[0]
    assert stated.of_a_load
    assert not at_large.of_a_load
    assert not stated.model_copy(update={"workload": ""}).of_a_load
    assert not stated.model_copy(update={"clock_mhz": None}).of_a_load


def test_the_figure_of_a_load_counts_before_that_of_run_mode_at_large() -> None:
    target = load_target("stm32h7a3zi")
    assert [mode.id for mode in target.power] == ["run", "load"]
    mode = described_mode(target)
    assert mode is not None
    assert mode.id == "load"


@pytest.mark.parametrize("name", ["rp2350", "stm32l476rg"])
def test_each_kind_of_figure_is_scaled_by_what_was_measured_over_its_own_kind(name: str) -> None:
    where = deployment(name)
    alone = power_by(None, where, run_current=DATASHEET_ALONE, load_current=DATASHEET_ALONE)
    load = power_by(None, where, run_current=DATASHEET_ALONE, load_current=TENFOLD)
    assert alone.milliwatts.value is not None
    tenfold = 10 if load_target(name).power[0].of_a_load else 1
    assert load.milliwatts.value == pytest.approx(tenfold * alone.milliwatts.value)


def test_the_evidence_names_source_place_program_and_clock() -> None:
    evidence = active_power(deployment("stm32g474re")).evidence
    assert evidence.startswith(
        "power: run current at 3 V, STM32G474 datasheet, table 24: CoreMark from flash"
    )
    assert "(CoreMark from flash, peripherals off at 170 MHz)" in evidence


def test_boards_draw_less_over_a_stated_load_than_over_run_mode_at_large() -> None:
    power = tuple(fit_power())
    at_large, of_a_load = fit_run_current(power), fit_run_current(power, of_a_load=True)
    assert 1 < of_a_load.factor < at_large.factor
    fitted = load_coefficients()
    assert (fitted.run_current, fitted.load_current) == (at_large, of_a_load)


@pytest.mark.parametrize(("name", "inference_mw"), [("max78000", 63), ("max78002", 251)])
def test_a_power_of_one_processor_is_taken_for_no_other(name: str, inference_mw: float) -> None:
    """The CNN engine takes tens of times what the core beside it takes in a loop from cache."""
    target = load_target(name)
    assert [described_mode(target, each).id for each in ("cm4", "cnn")] == ["run", "cnn"]
    engine, core = (
        active_power(deployment(name, kernels)).milliwatts for kernels in ("ai8x", "tflm-cmsis-nn")
    )
    assert engine.low < inference_mw < engine.high
    assert core.high < engine.value


def test_keywords_on_max78000_take_as_much_as_is_published() -> None:
    """251 µJ an inference, loading included: arXiv 2111.04988."""
    found = estimate_performance("kws", "max78000").energy_uj
    assert 10 < found.value < 251 < found.high


def test_of_a_processor_without_a_figure_the_power_is_unknown() -> None:
    target = load_target("max78000")
    alone = target.model_copy(update={"power": tuple(m for m in target.power if m.processor != "cnn")})
    assert not active_power(deployment(alone, "ai8x")).milliwatts.known
