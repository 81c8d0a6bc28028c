"""What an interval is too wide to tell is unknown, not passed and not failed."""

from __future__ import annotations

import numpy as np
import pytest

from edgewright.tools import Basis, Quantity, Verdict, check_constraints, deployment, recommend_hardware
from edgewright.tools.cost_model.quantity_column import QuantityColumn
from edgewright.tools.verdicts.judge import VERDICTS, demand_and_bound, judge


def verdict(low: float, value: float, high: float, bound: float) -> Verdict:
    demand = QuantityColumn.of(
        "ms", [Quantity(value=value, low=low, high=high, unit="ms", basis=Basis.FITTED)]
    )
    return VERDICTS[judge(demand, np.array([bound]), np.array([0.05]))[0]]


@pytest.mark.parametrize(
    ("low", "value", "high", "bound", "expected"),
    [
        (10, 20, 40, 30, Verdict.MARGINAL),
        (10, 20, 40, 15, Verdict.FAIL),
        (10, 30, 90, 50, Verdict.UNKNOWN),
        (10, 60, 90, 50, Verdict.UNKNOWN),
        (10, 30, 90, 100, Verdict.PASS),
        (10, 30, 90, 5, Verdict.FAIL),
        (1, 30, 900, 1000, Verdict.PASS),
        (1, 30, 900, 0.5, Verdict.FAIL),
        (1, 30, 900, 100, Verdict.UNKNOWN),
    ],
)
def test_a_bound_inside_an_interval_wider_than_five_times_is_not_judged(
    low: float, value: float, high: float, bound: float, expected: Verdict
) -> None:
    assert verdict(low, value, high, bound) is expected


def test_an_interval_of_twenty_five_times_is_told_as_no_estimate_with_what_would_narrow_it() -> None:
    demand = QuantityColumn.of("ms", [Quantity(value=30, low=1, high=900, unit="ms", basis=Basis.ASSUMED)])
    text = demand_and_bound("one inference takes", demand, 0, 100.0, "the limit", lambda _: "measure it")
    assert text == (
        "what one inference takes is unknown, between 1 ms and 900 ms, "
        "and the limit of 100 ms lies inside that: measure it"
    )


def test_a_check_says_what_one_measurement_would_do() -> None:
    report = check_constraints(
        "kws", deployment("k210", "tflm-reference"), {"latency_ms": 50}, remedies=False
    )
    latency = next(check for check in report.checks if check.name == "latency")
    assert latency.verdict is Verdict.UNKNOWN
    assert "one measurement there would make it ±" in latency.statement


def test_what_is_known_ranks_before_what_passes_by_a_guess() -> None:
    rows = recommend_hardware("kws", {"latency_ms": 100_000}).ranking
    guessed = [
        bool(row.latency_ms.value and row.latency_ms.high > 25 * row.latency_ms.low)
        for row in rows
        if row.verdict in (Verdict.PASS, Verdict.MARGINAL)
    ]
    assert any(guessed)
    assert guessed == sorted(guessed)
