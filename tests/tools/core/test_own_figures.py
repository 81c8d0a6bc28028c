"""A user's own price, power and sleep current go before the database's, and change nothing else."""

from __future__ import annotations

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import (
    Basis,
    check_constraints,
    deployment,
    estimate_energy_budget,
    estimate_performance,
)

BOARD = deployment("stm32l4r5zi", "tflm-cmsis-nn")


def test_the_users_own_power_makes_the_energy_and_leaves_the_time() -> None:
    without, own = (
        estimate_performance("kws", BOARD),
        estimate_performance("kws", BOARD.with_figures(active_mw=20)),
    )
    assert own.latency_ms == without.latency_ms
    assert (own.power_mw.value, own.power_mw.basis) == (20, Basis.MEASURED)
    assert own.energy_uj.value == pytest.approx(20 * float(own.latency_ms))


def test_the_users_own_sleep_current_is_taken_as_it_is_and_keeps_the_power() -> None:
    own = BOARD.with_figures(sleep_ua=3)
    budget = estimate_energy_budget("kws", own, rate_hz=1, battery="CR2032")
    assert budget.sleep_current_ua.value == budget.sleep_current_ua.high == 3
    assert estimate_performance("kws", own).power_mw == estimate_performance("kws", BOARD).power_mw


def test_the_users_own_price_is_what_a_limit_is_held_against() -> None:
    report = check_constraints("kws", BOARD.with_figures(price_usd=2.5), {"price_usd": 3}, remedies=False)
    price = next(check for check in report.checks if check.name == "price")
    assert price.demand == 2.5
    assert "price as given: 2.5 USD" in report.assumptions


@pytest.mark.parametrize("figures", [{"price_usd": 0}, {"active_mw": -1}, {"sleep_ua": float("nan")}])
def test_what_is_no_figure_is_refused(figures: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="above zero"):
        BOARD.with_figures(**figures)


def test_external_ram_holds_what_the_chip_cannot_and_the_verdict_says_so() -> None:
    chip = deployment("esp32-s3", "tflm-esp-nn")
    inside, outside = (
        next(check for check in check_constraints("mobilenet_v2:int8", board).checks if check.name == "ram")
        for board in (chip, chip.with_figures(external_ram_bytes=8 * 2**20))
    )
    assert (inside.verdict, outside.verdict) == ("FAIL", "PASS")
    assert "outside the chip in slower memory" in outside.statement
    small = check_constraints("kws", chip.with_figures(external_ram_bytes=8 * 2**20)).checks
    assert "outside" not in next(check for check in small if check.name == "ram").statement


def test_external_ram_is_as_fast_as_on_the_chips_variant_that_has_it() -> None:
    given = deployment("esp32-s3").with_figures(external_ram_bytes=8 * 2**20).target
    variant = deployment("esp32-s3-r8").target
    rates = [{r.id: r.bandwidth_bytes_per_s for r in target.memories}["psram"] for target in (given, variant)]
    assert rates[0] == rates[1]
    unknown = deployment("stm32f746ng").with_figures(external_ram_bytes=2**23).target.memories[-1]
    assert (unknown.external, unknown.bandwidth_bytes_per_s) == (True, None)
