"""What is kept of a tool's result between two checks never outlives the result."""

from __future__ import annotations

from typing import Any

from edgewright.agent import check_grounding


def _latency(value: float) -> dict[str, Any]:
    place = {"target": "stm32h743zi", "runtime": "tflm-cmsis-nn"}
    result = {"deployment": place, "latency_ms": {"value": value, "low": value, "high": value, "unit": "ms"}}
    return {"id": "t1", "name": "estimate_performance", "arguments": {"model": "kws"}, "result": result}


def _ranking(targets: int) -> dict[str, Any]:
    rows = [{"target": f"board{n}", "runtime": "r", "latency_ms": 100.5 + n} for n in range(targets)]
    return {
        "id": "t1",
        "name": "recommend_hardware",
        "arguments": {"model": "kws"},
        "result": {"ranking": rows},
    }


def test_a_result_that_changed_since_the_last_check_is_read_anew() -> None:
    record = _latency(14.25)
    assert check_grounding("It takes 14.25 ms.", [record]).grounded
    record["result"]["latency_ms"] = {"value": 19.5, "low": 19.5, "high": 19.5, "unit": "ms"}
    assert check_grounding("It takes 19.5 ms.", [record]).grounded
    assert not check_grounding("It takes 14.25 ms.", [record]).grounded


def test_a_row_that_only_the_second_answer_names_is_read_for_it() -> None:
    record = _ranking(30)
    assert check_grounding("board1 takes 101.5 ms.", [record]).grounded
    assert check_grounding("board25 takes 125.5 ms.", [record]).grounded


def test_one_result_at_two_places_is_cited_at_each() -> None:
    first, second = _latency(14.25), _latency(14.25) | {"id": "t2"}
    check_grounding("It takes 14.25 ms.", [first])
    report = check_grounding("It takes 14.25 ms.", [second])
    assert [binding.tool_call for binding in report.bindings] == ["t2"]
