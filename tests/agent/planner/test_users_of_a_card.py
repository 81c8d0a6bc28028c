"""Many users of a card: the same context for all that is compared, and what would hold them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_generation

GIB = 2**30
WEIGHTS = 4.58 * GIB
"""Of Llama 3 8B in Q4_K_M, as its file has them."""
A_TOKEN = 32 * 2 * 8 * 128 * 2
"""Bytes of its cache: layers, keys and values, heads, their size, 16 bits."""


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def test_two_cards_for_many_users_are_compared_at_one_context_and_the_short_one_is_told(
    planner: Planner,
) -> None:
    told = planner.ask(
        "50 people chat at the same time with llama 3 8b, fp16. Is one L4 enough or do I need an A100 80GB?"
    ).answer
    first, *rest = told.splitlines()
    assert "not l4" in first
    assert "4,096 tokens each" in first
    assert any(line.startswith("l4 holds 50 sessions of 1,024 tokens each") for line in rest)


def test_how_many_cards_serve_users_is_by_what_one_holds(planner: Planner) -> None:
    told = planner.ask(
        "how many L4 do I need for 200 users at once at 8 tok/s each, llama 3 8b, 2k context?"
    ).answer
    cards, each = re.search(r"(\d+) x l4 .* up to (\d+) sessions of 2,048 tokens", told).groups()
    most = (24 * GIB - WEIGHTS) / (2048 * A_TOKEN)
    assert int(each) <= most
    assert int(cards) == math.ceil(200 / int(each)) >= math.ceil(200 / most)


def test_rates_of_a_crowd_in_an_answer_are_below_what_the_bandwidth_reads(planner: Planner) -> None:
    for users, context in ((20, 4096), (50, 2048), (8, 8192)):
        told = planner.ask(
            f"{users} users at once on an A100 80GB, llama 3 8b, {context} tokens of context each"
        ).answer
        most = 2.039e12 / (WEIGHTS - 0.28 * GIB + users * context * A_TOKEN)
        each = [float(text.replace(",", "")) for text in re.findall(r"([\d.,]+) tokens/s for each", told)]
        assert each, told
        assert max(each) <= most


def test_of_those_counted_only_who_asks_at_the_same_moment_is_a_session(planner: Planner) -> None:
    told = planner.ask(
        "Our office has 25 employees, never more than 6 of them asking at the same moment. Mistral 7B on one L4?"
    ).answer
    assert "6 sessions" in told


def test_of_two_counts_of_people_the_one_said_last_holds(planner: Planner) -> None:
    planner.ask("llama 3 70b for about 20 lawyers on an h100")
    told = planner.ask("maybe 6 would use it at the same moment, 8,192 tokens of context each").answer
    assert "for each of 6" in told


def test_users_are_counted_on_each_card_and_with_each_cache(planner: Planner) -> None:
    cards = planner.ask("how many users can I serve with llama 3.1 8b on an L4 versus an L40S?").answer
    assert [line.partition(" at once")[0] for line in cards.splitlines() if " at once: " in line] == [
        "l4: 36", "l40s: 78",
    ]  # fmt: skip
    caches = Planner(planner.workspace).ask(
        "with vLLM on an A100 80GB, llama 3.1 8b: how many users at 8k context, and if I quantize the KV cache?"
    )
    assert "fp8: 134 at once" in caches.answer
    assert "q4_0" not in {call["arguments"].get("kv") for call in caches.tool_calls}


def test_the_share_of_the_peak_and_the_batch_that_pays_are_told(planner: Planner) -> None:
    answer = planner.ask(
        "what fraction of peak compute does an H100 reach at batch 1 with llama 3.1 8b in FP16, and where does "
        "batching stop helping?"
    ).answer
    assert answer.startswith("Writing uses 0.192 % of the peak compute, 990 TOP/s dense in float16")
    assert "Batching pays up to some 64 at once" in answer
    assert "I did not answer" not in answer


def test_enough_for_chat_is_judged_by_reading_speed(planner: Planner) -> None:
    planner.ask("llama 3.1 8b on a GTX 1080 Ti, how fast?")
    assert planner.ask("is this enough for chat?").answer.startswith("Yes, against 10 tokens/s")


def test_the_energy_of_an_answer_counts_its_words_and_all_cards(planner: Planner) -> None:
    question = "how many watt-hours does a 500 word answer cost on llama 3.1 70b with {}?"
    two = planner.ask(question.format("2x RTX 3090"))
    first = two.answer.partition("\n")[0]
    assert first.startswith("8.56 Wh")
    assert "at 700 W" in first


def test_a_household_is_as_many_sessions_as_its_members(planner: Planner) -> None:
    assert "for each of" not in planner.ask("My wife asks how fast llama 3.1 8B runs on a 4090.").answer
    asked = "My wife, two kids and I use an RTX 3090. Gemma 2 27B at Q4, quick enough for us?"
    assert "29.9 tokens/s for each of 4 with 4,096 tokens in its cache" in planner.ask(asked).answer


def test_what_is_left_for_the_cache_is_what_weights_and_buffers_leave(planner: Planner) -> None:
    asked = "What is left for the KV cache on an A100 40GB after Llama 2 13B in fp16, and how many sessions is it?"
    first = planner.ask(asked).answer.split("\n")[0]
    found = estimate_generation("llama-2-13b", "a100-pcie-40gb", weights="F16")
    left = (found.usable_bytes or 0) - found.weights_bytes - found.buffer_bytes
    assert first.startswith(f"{left / 2**30:.3g} GiB are left for the key-value cache")


def test_of_two_caches_the_sessions_that_the_smaller_adds_come_first(planner: Planner) -> None:
    asked = "Does an FP8 KV cache serve more users of Llama 3.1 70B on 4x A100 80GB, 16k context each? How many more?"
    said = planner.ask(asked).answer
    assert said.startswith("18 more with fp8.")
    assert "f16: 18 at once" in said
    assert "fp8: 36 at once" in said
