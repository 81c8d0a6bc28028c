"""No result that cannot be true leaves the package without saying so."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from edgewright.commands.printing import print_text
from edgewright.tools import (
    analyze_roofline,
    check_constraints,
    estimate_performance,
    plan_memory,
    recommend_hardware,
    simulate_optimizations,
    trace_timeline,
)
from edgewright.tools.core.contradictions import contradictions
from edgewright.tools.core.document import describe
from edgewright.tools.core.envelope import envelope
from edgewright.tools.core.quantity import Basis, Quantity, Result
from stubs.work import calls_in

BOARD = "stm32h743zi"
CALLS: dict[str, Callable[[], Any]] = {
    "performance": lambda: estimate_performance("kws", BOARD),
    "roofline": lambda: analyze_roofline("kws", BOARD),
    "memory": lambda: plan_memory("kws", BOARD),
    "check": lambda: check_constraints("kws", BOARD, {"latency_ms": 5, "ram_bytes": 1_000, "energy_uj": 1e9}),
    "optimize": lambda: simulate_optimizations("kws", BOARD),
    "timeline": lambda: trace_timeline("kws", BOARD),
    "recommend": lambda: recommend_hardware("kws", {"latency_ms": 50}),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_hold_no_contradiction_and_are_looked_through_at_a_small_share_of_their_work(
    name: str,
) -> None:
    result = CALLS[name]()
    assert contradictions(result) == ()
    assert calls_in(lambda: contradictions(result)) < 0.05 * calls_in(CALLS[name]) + 2_000


def test_a_negative_size_or_time_is_told_in_every_output(capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_memory("kws", BOARD).model_copy(update={"arena_bytes": -3})
    said = "The result contradicts itself: arena_bytes is -3."
    assert contradictions(plan) == (said,)
    document = envelope("plan_memory", {}, plan)
    assert said in document["warnings"]
    assert said in document["result"]["warnings"]
    json.dumps(document)
    print_text(plan, describe)
    assert f"edgewright: {said}" in capsys.readouterr().err


def test_layers_that_do_not_add_up_are_told() -> None:
    estimate = estimate_performance("kws", BOARD)
    twice = estimate.model_copy(update={"latency_ms": estimate.latency_ms.scaled(2, "ms")})
    assert any("latency_ms of the layers adds up to" in told for told in contradictions(twice))


def test_what_passes_on_nothing_is_told() -> None:
    report = check_constraints("kws", BOARD, {"latency_ms": 500})
    latency = next(check for check in report.checks if check.name == "latency")
    nothing = latency.model_copy(update={"demand": 0.0})
    broken = report.model_copy(update={"checks": (nothing,)})
    assert contradictions(broken) == (
        "The result contradicts itself: latency passes on a demand of nothing.",
    )


def test_differences_may_be_negative_and_the_first_few_contradictions_are_enough() -> None:
    class Row(Result):
        added_ms: float
        saved_bytes: int
        energy_change_uj: float
        latency_ms: Quantity | None = None

    class Rows(Result):
        rows: tuple[Row, ...]

    fine = Row(added_ms=-1, saved_bytes=-1, energy_change_uj=-1)
    late = Quantity(value=1, low=-1, high=2, unit="ms", basis=Basis.FITTED)
    assert contradictions(fine) == ()
    assert len(contradictions(Rows(rows=(fine.model_copy(update={"latency_ms": late}),) * 9))) == 3
