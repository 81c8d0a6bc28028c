"""Language models under a steady load: what it costs, when a card pays, what a swap brings, what things are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_questions_a_day_with_the_price_of_a_kwh_are_told_by_what_they_cost_a_month(planner: Planner) -> None:
    asked = "Qwen2.5 7B Q4 on an RTX 3060 answers 300 questions a day, 250 words each. {} What does it cost monthly?"
    once, twice = (planner.ask(asked.format(f"I pay {p} $ per kWh.")).answer for p in ("0.20", "0.40"))
    cost = [float(text.split(" ", 1)[0]) for text in (once, twice)]
    assert cost[1] == pytest.approx(2 * cost[0], rel=0.01)
    assert "$ monthly at 0.20 $ per kWh" in once
    assert "did not take into account" not in once


def test_few_requests_are_written_one_by_one_and_many_together(planner: Planner) -> None:
    asked = (
        "Llama 3.1 8B on an RTX 4090: {} requests a day, 1200 tokens in and 300 tokens out. Does one keep up?"
    )
    few, many = (planner.ask(asked.format(count)) for count in (500, 60_000))
    assert "It writes" in few.answer
    assert "With 16 at once it writes" in many.answer


def test_a_bought_card_is_held_against_its_rent_less_the_electricity(planner: Planner) -> None:
    said = planner.ask(
        "4090 for 1800 dollars with a Q4 8B running 24/7 at 0.32 $ per kWh, or rent one for 0.40 $ an hour: "
        "when does it break even?"
    ).answer
    hours = 1800 / (0.40 - 0.45 * 0.32)  # the card is rated at 450 W
    assert float(re.search(r"after ([\d,]+) hours", said)[1].replace(",", "")) == pytest.approx(
        hours, rel=0.01
    )
    dear = planner.ask(
        "and at 0.95 $ per kWh, does buying it break even against 0.40 $ an hour of rent?"
    ).answer
    assert dear.startswith("Never")


def test_a_swap_is_answered_by_yes_or_no(planner: Planner) -> None:
    planner.ask("Mistral 7B Q4 on my RTX 3060, how fast?")
    assert planner.ask("Swap the Mistral for a Llama 3.1 8B?").answer.startswith("Hardly, by its speed")
    assert planner.ask("someone would swap me a 4060 Ti 16GB for it, yes or no?").answer.startswith(
        "No, by its"
    )


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("and what on earth is this key-value cache you took room for?", "KV cache"),
        ("why does it hesitate at the start and afterwards flow evenly?", "Prefill and the first token"),
    ],
)
def test_in_a_talk_a_thing_is_explained_with_the_figures_of_the_case(
    planner: Planner, question: str, page: str
) -> None:
    planner.ask("Gemma 2 9B or Qwen2.5 7B on a 4060 Ti 16GB?")
    said = planner.ask(question).answer
    assert f"llm-decoding.md, {page}" in said
    assert "Here, gemma-2-9b on rtx-4060-ti-16gb" in said


def test_so_many_tokens_each_are_a_rate_and_no_context(planner: Planner) -> None:
    planner.ask("Llama 3.1 8B in FP8 with vLLM on an L40S, eight users")
    said = planner.ask("and an A10 for eight users with at least 20 tokens each?")
    assert {call["arguments"].get("context") for call in said.tool_calls} <= {None}
    assert "a10" in said.answer.split("\n")[0]


def test_reading_and_writing_are_held_against_each_other(planner: Planner) -> None:
    said = planner.ask(
        "which is slower on a Raspberry Pi 5, Phi-3 mini reading my 2000 word letter or writing one of 200 words?"
    ).answer
    assert said.startswith("Reading takes longer")


def test_a_card_and_32_gb_are_no_range(planner: Planner) -> None:
    said = planner.ask("qwen 2.5 72b on a 3090 and 32 gb of system ram?")
    assert said.tool_calls[0]["arguments"]["host_memory_bytes"] == 32 << 30


def test_posts_a_day_are_requests_where_it_is_said_what_each_reads_and_writes(planner: Planner) -> None:
    said = planner.ask(
        "2,000 posts per day for Gemma 2 9B on an RTX 4070, 700 tokens in, 20 tokens out. Monthly bill at 0.19 CHF/kWh?"
    ).answer
    assert "CHF Monthly at 0.19 CHF/kWh: 2,000 posts per day of 700 tokens read and 20 written" in said


def test_what_is_too_much_for_an_hour_is_a_price(planner: Planner) -> None:
    said = planner.ask(
        "Rent an A100 80GB at 1.60 dollars an hour or buy it for 14,000 dollars for Qwen2.5 32B in 4 bit, 10 hours a day?"
    ).answer
    assert "14,000 dollars against 1.60 dollars an hour" in said
    assert "875 days at 10 hours a day" in said  # 14000 / 1.60 / 10, no electricity being said


def test_layers_beside_the_card_are_judged_where_it_is_asked_whether_they_are_usable(
    planner: Planner,
) -> None:
    said = planner.ask("Llama 3.3 70B at Q4_K_M with 48 GB of DDR5 beside an RTX 5090. Usable?").answer
    assert said.startswith("No, against 10 tokens/s")


def test_so_many_tokens_that_are_read_are_the_prompt(planner: Planner) -> None:
    said = planner.ask(
        "Qwen3 8B on an RTX 3060: how long would I wait for a 3000-token deed to be read?"
    ).answer
    assert "at 3,000 tokens of prompt" in said.split("\n")[0]
