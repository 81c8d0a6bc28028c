"""A page in a time, and a model against what people type and read: writing counts, not the first token alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

PAGE_TOKENS = 500 / 0.75


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def rate_in(told: str) -> float:
    found = re.search(r"([\d.,]+) tokens/s \(", told)
    assert found, told
    return float(found[1].replace(",", ""))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("llama 3 8b on a Pi 5: can it write a page in a minute?", "No"),
        ("llama 3 8b on an rtx 4090: can it write a page within a minute?", "Yes"),
        ("I translate contracts. Llama 3 8B on an apple m4, not more than 2 minutes per page?", "Yes"),
        ("a 300 word email in under 20 seconds, llama 3 8b on intel n100?", "No"),
    ],
)
def test_a_page_in_a_time_is_judged_by_all_of_its_words(planner: Planner, question: str, word: str) -> None:
    told = planner.ask(question).answer
    assert told.startswith(f"{word}, against")
    assert "until all of it is there" in told.partition("\n")[0]


def test_a_page_takes_its_tokens_at_the_rate_beside_it(planner: Planner) -> None:
    told = planner.ask("how long does it take to write a page with llama 3 8b on an rtx 4060?").answer
    written = float(re.search(r"([\d.]+) s(?: \([^)]*\))? to write a page", told)[1])
    assert written == pytest.approx(PAGE_TOKENS / rate_in(told), rel=0.02)


@pytest.mark.parametrize(
    ("question", "word", "words_a_minute"),
    [
        ("is qwen2.5 7b on an N100 faster than I type?", "Yes", 52),
        ("does mistral 7b on a jetson orin nano write faster than I can read?", "Yes", 238),
        ("does llama 3 8b on a Pi 5 write faster than people read?", "No", 238),
        ("is llama 3 8b on a Pi 5 as fast as one speaks?", "No", 183),
    ],
)
def test_a_pace_of_people_is_a_rate_that_it_is_held_against(
    planner: Planner, question: str, word: str, words_a_minute: int
) -> None:
    told = planner.ask(question).answer
    assert told.startswith(f"{word}, against {words_a_minute} words a minute")
    assert (rate_in(told) * 0.75 * 60 >= words_a_minute) is (word == "Yes")


def test_a_translated_text_is_read_and_written(planner: Planner) -> None:
    told = planner.ask(
        "I am a translator: how long takes a document of 3000 words, llama 3 8b, rtx 4060?"
    ).answer
    assert "to read 4,000 tokens of prompt" in told
    assert "to write 3000 words" in told


def test_what_is_only_to_be_read_in_a_time_is_judged_by_the_first_token(planner: Planner) -> None:
    told = planner.ask("llama 3 8b on rtx 4060: summarise a 10 page contract in under 1 second").answer
    assert told.startswith("No, against 1 second: the first token comes after")
