"""The checks on true answers and on changed ones, over boards and models; `make eval` scores them on more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import evaluation
import pytest
import yaml
from evaluation.answered import Answered
from evaluation.mutated import tally

from edgewright.agent.references import render_template, results_of
from edgewright.agent.references.literals import Given
from edgewright.tools import (
    analyze_roofline,
    check_constraints,
    compare_deployments,
    deployment,
    plan_memory,
    simulate_optimizations,
)

PHRASINGS: list[str] = yaml.safe_load(Path(evaluation.__file__).with_name("phrasings.yaml").read_text())
CASES = [("ic:int8", "nrf5340", "stm32u575zi"), ("resnet50", "t4", "l4")]


def answers(model: str, one: str, other: str) -> list[Answered]:
    first, second = deployment(one), deployment(other)
    results: list[Any] = [
        analyze_roofline(model, first), analyze_roofline(model, second), check_constraints(model, first),
        plan_memory(model, first), compare_deployments(model, [first, second]),
        simulate_optimizations(model, first),
    ]  # fmt: skip
    records = [
        {"id": f"r{n}", "name": "tool", "arguments": {"model": model}, "result": result.to_dict()}
        for n, result in enumerate(results, 1)
    ]
    written = [
        text.replace("{a}", one).replace("{b}", other).replace("{m}", model.partition(":")[0])
        for text in PHRASINGS
    ]
    question = f"How does {model} do on {one} and {other}?"
    given = Given(results_of(records), question)
    return [Answered(question, text, render_template(text, records), records, given) for text in written]


@pytest.fixture(scope="module")
def scores() -> dict[str, float]:
    found = tally(answer for case in CASES for answer in answers(*case))
    return {kind: sum(each) / len(each) for kind, each in found.items()}


def test_true_answers_by_reference_are_left_alone(scores: dict[str, float]) -> None:
    assert scores["true, by reference"] <= 0.01


def test_swapped_references_are_found(scores: dict[str, float]) -> None:
    assert scores["two references swapped"] >= 0.92


def test_true_plain_text_is_mostly_left_alone(scores: dict[str, float]) -> None:
    assert scores["true, plain text"] <= 0.10


@pytest.mark.parametrize("change", ["×1000", "a digit", "the unit"])
def test_wrong_plain_text_is_found(scores: dict[str, float], change: str) -> None:
    assert scores[f"plain text, {change}"] >= 0.9
