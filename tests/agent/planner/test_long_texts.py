"""Long texts: a number is one however its thousands are set apart, and a model ends where it was made to."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.quantities import Family, find_figures
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize("written", ["40'000", "40’000", "40 000", "40.000", "40,000", "40k", "40000"])
def test_thousands_are_one_number_of_tokens_however_they_are_set_apart(written: str) -> None:
    figures = find_figures(f"our contracts have {written} tokens")
    assert [figure.value for figure in figures] == [40_000.0]
    assert figures[0].family is Family.COUNT


@pytest.mark.parametrize(
    ("text", "value"), [("25.000 MHz", 25.0), ("1.125 ms", 1.125), ("0.500 tokens", 0.5), ("3.2 tokens", 3.2)]
)
def test_a_point_before_three_digits_stays_a_decimal_where_nothing_whole_is_counted(
    text: str, value: float
) -> None:
    assert find_figures(text)[0].written == value


@pytest.mark.parametrize("written", ["40'000", "40.000", "40 000"])
def test_a_prompt_beyond_what_the_model_was_made_for_says_so_first_and_names_one_that_was(
    planner: Planner, written: str
) -> None:
    planner.ask("llama 3 8b on an rtx 4090")
    told = planner.ask(f"Our contracts run to 60 pages, say {written} tokens. Still OK?").answer
    first = told.partition("\n")[0]
    assert first.startswith("Llama 3 8B was made for 8,192 tokens")
    assert "llama-3.1-8b" in first
    assert "at 40,000 tokens of prompt" in told


def test_a_prompt_within_it_says_nothing_of_that(planner: Planner) -> None:
    told = planner.ask("llama 3.1 8b on an rtx 4090 with a prompt of 40'000 tokens").answer
    assert "was made for" not in told


@pytest.mark.parametrize(
    "turn",
    [
        "Our contracts run to 60 pages. Still OK?",
        "and slower but steadily, does it make sense to let it run?",
        "the documents run up to 30 pages, still fine?",
    ],
)
def test_a_language_model_that_was_answered_of_is_known_a_turn_later(planner: Planner, turn: str) -> None:
    planner.ask("llama 3 8b on an rtx 4090")
    assert "Unknown model" not in planner.ask(turn).answer


def test_a_prompt_of_no_tokens_is_no_error_of_the_user(planner: Planner) -> None:
    planner.ask("llama 3 8b on an rtx 4090")
    assert "cannot be taken" not in planner.ask("and with 0 tokens of prompt?").answer


@pytest.mark.parametrize(
    "written", ["max_model_len=98304", "num_ctx 98304", "--ctx-size 98304", "max_seq_len: 98304"]
)
def test_what_programs_call_a_context_is_one(planner: Planner, written: str) -> None:
    answer = planner.ask(f"llama 3.1 8b in F16 on a rtx 4090 with {written}, does it fit?").answer
    assert answer.startswith("No, ")
    assert "at 98,304 tokens" in answer
    assert "The longest context that fits is" in answer
    assert "not enough for 98304" in answer


def test_fewer_bits_are_no_only_way_where_a_smaller_cache_is_one(planner: Planner) -> None:
    answer = planner.ask("llama 3.1 8b on a rtx 3060 with 65,536 tokens of context, does it fit?").answer
    assert "With the cache in q8_0 it fits" in answer
    assert "With the cache in f16 only in IQ2_XS it fits" in answer
    assert "\nOnly in " not in answer
