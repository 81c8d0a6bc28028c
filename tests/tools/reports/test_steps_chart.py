"""The chart of what would meet the limits, one change upon the other."""

from __future__ import annotations

from edgewright.tools import Limits, check_constraints, estimate_performance, plan_memory
from edgewright.tools.core.document import Chart
from edgewright.tools.reports.charts.spec import IS_DECADE, log_axis
from edgewright.tools.reports.charts.steps import steps_chart

CASE = ("mobilenet_v2", "stm32h743zi")


def chart_of(limits: Limits) -> Chart | None:
    checks = check_constraints(*CASE, limits)
    return steps_chart(checks, estimate_performance(*CASE), plan_memory(*CASE))


def test_each_step_stands_upon_the_one_before_and_beside_the_limit() -> None:
    chart = chart_of(Limits(latency_ms=100))
    assert chart is not None
    fit = check_constraints(*CASE, Limits(latency_ms=100)).fit
    assert fit is not None
    sought = fit.changes or fit.nearest
    assert sought is not None
    assert [row["step"] for row in chart.rows] == [
        "as it is", *(f"{at}. {step.technique}" for at, step in enumerate(sought.changes, 1))
    ]  # fmt: skip
    assert chart.rows[0]["latency"] == estimate_performance(*CASE).latency_ms.value
    assert chart.rows[-1]["latency"] == sought.after.latency_ms.value
    assert chart.rows[-1]["arena"] == sought.after.arena_bytes
    assert {row["latency_limit"] for row in chart.rows} == {100}
    assert [label for label, _ in chart.choices] == ["Latency", "Energy", "RAM (arena)", "Flash"]


def test_where_the_limits_are_met_there_are_no_steps() -> None:
    checks = check_constraints("kws", "stm32h743zi", Limits(latency_ms=1000))
    place = ("kws", "stm32h743zi")
    assert steps_chart(checks, estimate_performance(*place), plan_memory(*place)) is None


def test_a_logarithmic_axis_over_several_decades_is_labelled_at_powers_of_ten_else_between_them_too() -> None:
    assert log_axis("ms", [1, 2000])["axis"]["labelExpr"].startswith(IS_DECADE)
    assert log_axis("ms", [1, 20])["axis"]["labelExpr"].startswith("indexof([1, 2, 5]")
    assert log_axis("bytes", [1000, 20000])["scale"]["base"] == 2
