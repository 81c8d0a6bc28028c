"""A language model that is too slow: what to change, by what each change brings; and what a machine keeps free."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def rows(answer: str) -> list[list[str]]:
    table = [line.strip("| ").split(" | ") for line in answer.splitlines() if line.startswith("| ")]
    return table[1:]


@pytest.mark.parametrize(
    "question",
    [
        "llama 3.1 8b in F16 on a rtx 4090 is too slow for us, what should we change first?",
        "how do I make llama 3.1 8b in F16 write faster on a rtx 4090?",
    ],
)
def test_fewer_bits_are_the_first_change_of_wide_weights(planner: Planner, question: str) -> None:
    answer = planner.ask(question).answer
    assert answer.startswith("First weights in Q4_K_M: ")
    assert "Speculative decoding: " in answer


def test_changes_stand_by_what_they_bring_and_each_fits(planner: Planner) -> None:
    planner.ask("qwen2.5 14b on a rtx 4090 for 6 people, 6k context each")
    found = rows(planner.ask("and if that is too slow, what do I change?").answer)
    gains = [float(row[2].split("x")[0]) for row in found]
    assert len(gains) > 2
    assert gains == sorted(gains, reverse=True)
    assert all(float(row[3].split()[0]) < 24 for row in found)
    assert any("cache in q8_0" in row[0] for row in found)


def test_another_card_in_the_question_is_no_search_for_changes(planner: Planner) -> None:
    answer = planner.ask("would Q8_0 be faster for llama 3 8b on a 3090?").answer
    assert not answer.startswith("First ")


def test_of_models_for_a_computer_it_is_told_what_is_left_and_when_a_text_is_read(planner: Planner) -> None:
    answer = planner.ask(
        "laptop with an i7-1260P and 16 GB: which language models write 8 tok/s, to summarise reports of 9 pages?"
    ).answer
    head = next(line for line in answer.splitlines() if line.startswith("|"))
    assert "left for all else" in head
    assert "first token" in head
    assert re.search(r"; 9 pages are read in \d+ s \(", answer)
    left = head.strip("| ").split(" | ").index("left for all else") + 1
    both = [[float(row[at].split()[0]) for at in (left - 1, left)] for row in rows(answer)]
    assert all(takes + stays == pytest.approx(16, abs=0.1) for takes, stays in both)


def test_a_card_has_no_system_beside_a_model(planner: Planner) -> None:
    answer = planner.ask("which language models write 20 tokens/s on a rtx 3060?").answer
    assert "left for all else" not in answer


def test_a_summary_of_so_many_words_is_written_and_what_is_summarised_is_read(planner: Planner) -> None:
    answer = planner.ask("llama 3.1 8b on a rtx 3060: how long to summarise 9 pages in 150 words?").answer
    assert "to read 6,000 tokens of prompt" in answer
    assert "to write 150 words" in answer


def test_a_model_that_fits_nothing_leaves_the_choice_to_the_one_before(planner: Planner) -> None:
    planner.ask("llama 3.1 8b on a rtx 4070?")
    planner.ask("and on an L4?")
    planner.ask("and llama 3.1 70b on either of them?")
    answer = planner.ask("so which card do I order?").answer
    assert answer.startswith("I would take rtx-4070: ")
    assert "None of them fits: llama-3.1-70b." in answer
    assert "llama-3.1-8b" in answer


def test_the_memory_of_one_machine_is_no_demand_on_the_other(planner: Planner) -> None:
    planner.ask("qwen2.5 7b on a Mac mini M4 with 24 GB?")
    planner.ask("and on a rtx 3060?")
    answer = planner.ask("which one should I buy?").answer
    assert "meets 24 GB" not in answer
    assert "rtx-3060" in answer.partition("\n")[0]
