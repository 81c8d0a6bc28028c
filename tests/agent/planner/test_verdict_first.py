"""The verdict is on what was asked, and no figure stands where nothing runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

Ask = Callable[[str], str]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    return lambda question: Planner(Workspace(tmp_path)).ask(question).answer


@pytest.mark.parametrize(("wanted", "word"), [("8", "Yes"), ("400", "No")])
def test_how_many_it_takes_is_held_against_how_many_there_are(ask: Ask, wanted: str, word: str) -> None:
    answer = ask(
        f"How many cameras at 10 fps can one Jetson Orin Nano 8GB take with yolov8n? client wants {wanted}"
    )
    assert answer.startswith(f"{word}, against {wanted}: ")
    assert "not take into account" not in answer


def test_what_cannot_run_has_no_figures_in_a_table(ask: Ask) -> None:
    answer = ask("stm32n6 vs max78000 for resnet8: energy per inference in uJ, which wins?")
    row = next(line for line in answer.splitlines() if line.startswith("| max78000"))
    assert row.count("does not run") == row.count("|") - 2
    assert "not max78000, which does not run it" in answer


def test_where_none_runs_none_is_told_to_be_unknown(ask: Ask) -> None:
    assert "one of them runs it as it is" in ask("is max78000 faster than max78002 for resnet8?")


def test_what_is_lost_with_another_card_is_no_accuracy(ask: Ask) -> None:
    answer = ask("We replace an RTX 4090 by 2 RTX 4000 Ada for resnet50. What do I lose?")
    assert "docs/concepts/accuracy.md" not in answer
    assert all(head in answer for head in ("latency", "power", "price"))


def test_of_an_engine_without_figures_no_verdict_is_given(ask: Ask) -> None:
    answer = ask(
        "Is the Neural Engine of an iPhone 15 Pro faster for mobilenet_v2 than a Snapdragon 8 Gen 2?"
    )
    first, second, *_ = answer.split("\n")
    assert first.startswith("Not known with Neural Engine")
    assert not second.startswith(("Yes", "No"))


def test_an_engine_alone_is_no_network(ask: Ask) -> None:
    assert "From docs/" in ask("What is the Neural Engine?")
