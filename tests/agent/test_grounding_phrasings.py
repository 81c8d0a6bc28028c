from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from edgewright.agent.grounding import check_grounding

HERE = Path(__file__).parent
RESULTS: dict[str, dict[str, Any]] = {
    record["id"]: record
    for record in map(json.loads, (HERE / "grounding_phrasings_results.jsonl").read_text().splitlines())
}
LABELLED: dict[str, list[dict[str, Any]]] = yaml.safe_load((HERE / "grounding_phrasings.yaml").read_text())


def ungrounded(case: dict[str, Any]) -> tuple[str, ...]:
    results = [RESULTS[call] for call in case["of"]]
    return check_grounding(case["say"], results, case.get("user", "")).ungrounded


def test_of_right_phrasings_at_most_two_in_a_hundred_are_flagged() -> None:
    flagged = {case["say"]: found for case in LABELLED["right"] if (found := ungrounded(case))}
    assert len(flagged) <= 0.02 * len(LABELLED["right"]), flagged


def test_of_wrong_phrasings_ninety_nine_in_a_hundred_are_flagged() -> None:
    passed = [case["say"] for case in LABELLED["wrong"] if not ungrounded(case)]
    assert len(passed) <= 0.01 * len(LABELLED["wrong"]), passed


def test_the_wrong_figure_itself_is_among_the_flagged() -> None:
    other = {case["say"]: found for case in LABELLED["wrong"] if not _tells(case, found := ungrounded(case))}
    assert len(other) <= 0.1 * len(LABELLED["wrong"]), other


def _tells(case: dict[str, Any], found: tuple[str, ...]) -> bool:
    return any(case["flagged"] in figure or figure in case["flagged"] for figure in found)


def test_five_hundred_phrasings_are_labelled_half_of_them_wrong() -> None:
    right, wrong = len(LABELLED["right"]), len(LABELLED["wrong"])
    assert right + wrong >= 500
    assert abs(right - wrong) < 0.1 * (right + wrong)
