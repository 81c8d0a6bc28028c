"""What fails wins nothing, what is tied scores alike, and a difference is shown with digits that show it."""

from __future__ import annotations

import re

from edgewright.tools import (
    Verdict,
    check_constraints,
    compare_deployments,
    deployment,
    find_limit,
    recommend_hardware,
    score_compatibility,
)
from edgewright.tools.core.units import show_apart


def test_a_deployment_that_fails_is_the_best_in_nothing() -> None:
    comparison = compare_deployments("kws", ["stm32l4r5zi", "max78000", "raspberry-pi-4b"])
    verdicts = {row.target: row.verdict for row in comparison.ranking}
    assert verdicts["max78000"] is Verdict.FAIL
    winners = {
        comparison.deployments[each.winner].target
        for each in comparison.differences
        if each.winner is not None
    }
    assert winners == {"stm32l4r5zi", "raspberry-pi-4b"}


def test_where_all_fail_the_best_is_still_marked() -> None:
    comparison = compare_deployments("kws", ["stm32l4r5zi", "nrf52840"], {"latency_ms": 0.01})
    assert {row.verdict for row in comparison.ranking} == {Verdict.FAIL}
    assert all(each.winner is not None for each in comparison.differences)


def test_of_two_that_are_tied_none_scores_nought() -> None:
    ranking = recommend_hardware(
        "kws", {"latency_ms": 500}, targets=["stm32l4r5zi", "stm32l4s5vi"], runtimes=["tflm-cmsis-nn"]
    )
    tied = [row for row in ranking.ranking if row.tied]
    assert all((row.score or 0.0) > 0.0 for row in tied)


def test_the_score_knows_what_falling_back_costs_in_time() -> None:
    report = score_compatibility("yolov5n:int8", "coral-dev-board")
    cost = report.fallback_cost
    assert cost is not None
    assert cost.value is not None
    fallback = next(penalty for penalty in report.penalties if penalty.name == "cpu_fallback")
    assert fallback.points == round(60.0 * (1 - 1 / cost.value), 1)
    assert report.score == round(100.0 - sum(penalty.points for penalty in report.penalties), 1)


def test_a_limit_is_never_shown_as_what_exceeds_it() -> None:
    for variable in ("rate", "ram"):
        answer = find_limit("kws", deployment("stm32l4r5zi"), {}, variable)
        assert answer.at is not None
        assert answer.beyond is not None
        assert answer.at.told != answer.beyond.told
        taken, allowed = re.findall(r"(?:takes|is) ([\d.,]+ \w+)", answer.beyond.reasons[0])[:2]
        assert taken != allowed


def test_a_byte_too_much_is_a_byte_that_shows() -> None:
    assert show_apart(22_820, 22_819, "bytes") == ("22.29 KiB", "22.28 KiB")
    check = check_constraints("kws", "stm32l4r5zi", {"ram_bytes": 22_819}, remedies=False).checks[1]
    assert "22.29 KiB" in check.statement
    assert "22.28 KiB" in check.statement
