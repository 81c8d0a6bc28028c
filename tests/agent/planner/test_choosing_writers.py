"""Language models to choose from, several cards and sizes of memory, through the turns of a conversation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools.model_zoo.language_model import language_model
from edgewright.tools.model_zoo.weight_format import weight_format


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def rows(answer: str) -> list[list[str]]:
    table = [line.strip("| ").split(" | ") for line in answer.splitlines() if line.startswith("| ")]
    return table[1:]


def test_of_a_size_the_fastest_stand_first(planner: Planner) -> None:
    found = rows(planner.ask("Which model of about 8B is fastest on an Orin Nano?").answer)
    rates = [float(row[1].split()[0]) for row in found]
    assert rates == sorted(rates, reverse=True)
    assert len(found) > 1
    assert all(6 < language_model(row[0]).parameters / 1e9 < 10 for row in found)


def test_a_family_a_context_and_a_format_hold_through_the_turns(planner: Planner) -> None:
    planner.ask("which llama with 24 GB on a 3090?")
    longer = rows(planner.ask("and with 32k context?").answer)
    stored = rows(planner.ask("and in q6_k?").answer)
    assert longer
    assert stored
    for row in (*longer, *stored):
        assert row[0].startswith("llama")
        assert language_model(row[0]).context >= 32_000
    assert {row[2] for row in stored} == {"Q6_K"}


def test_a_smaller_memory_of_a_board_is_no_slower_where_it_fits(planner: Planner) -> None:
    answer = planner.ask("does the 4 GB pi 5 slow down llama 3.2 3b compared with the 8 GB one?").answer
    assert "8 GB" in answer.partition("\n")[0]
    assert "make no difference" in answer.partition("\n")[0]
    assert {row[4] for row in rows(answer)} == {"4 GiB", "8 GiB"}


def test_formats_that_nobody_named_are_alike_in_a_comparison(planner: Planner) -> None:
    answer = planner.ask("two 3090s or one 4090 for llama 3.3 70b?").answer
    assert answer.startswith("2 x rtx-3090, the only one that fits, writes ")
    assert re.search(r"rtx-4090: Only in IQ\d_\w+ it fits: .* much quality is lost", answer)


def test_a_claim_is_held_against_the_format_that_reaches_it(planner: Planner) -> None:
    answer = planner.ask("somebody gets 45 tok/s with llama 3.1 8b on a 4060 Ti 16GB. true?").answer
    assert answer.startswith("Yes, 45 tok/s is plausible: 44.9 tokens/s")
    assert "Q4_K_M" in answer.partition("\n")[0]


def test_what_macos_keeps_is_said_where_it_matters(planner: Planner) -> None:
    tight = planner.ask("qwen2.5 14b q6_k on a macbook air m2 16GB, does it fit?").answer
    roomy = planner.ask("qwen2.5 7b q4 on a macbook air m2 16GB, does it fit?").answer
    assert "iogpu.wired_limit_mb" in tight
    assert "iogpu.wired_limit_mb" not in roomy


def test_an_engine_that_does_not_take_the_usual_format_is_compared_in_its_own(planner: Planner) -> None:
    answer = planner.ask("mistral nemo 12b on an arc a770, llama.cpp or vllm?").answer
    assert "llama.cpp (Q4_K_M)" in answer
    assert "vllm (FP8)" in answer


@pytest.mark.parametrize("family", ["Qwen2.5", "qwen 3", "Gemma 3"])
def test_the_largest_of_a_family_and_version_is_one_that_goes(planner: Planner, family: str) -> None:
    found = rows(planner.ask(f"largest {family} that an RTX 3060 12GB runs at 20 tok/s or more?").answer)
    sizes = [language_model(row[0]).parameters for row in found]
    assert len(found) > 1
    assert all(row[0].replace("-", "").startswith(family.casefold().replace(" ", "")) for row in found)
    assert sizes == sorted(sizes, reverse=True)
    assert all(float(row[1].split()[0]) >= 20 for row in found)


def test_a_size_with_a_small_b_is_a_model_and_no_byte(planner: Planner) -> None:
    planner.ask("llama 3.2 3b on an orin nano 8gb, does it fit?")
    answer = planner.ask("swap the 3b for the 1b then")
    assert {call["arguments"]["model"] for call in answer.tool_calls} == {"llama-3.2-3b", "llama-3.2-1b"}
    assert all("memory_bytes" not in call["arguments"] for call in answer.tool_calls)


def test_cards_of_laptops_are_looked_for_among_those(planner: Planner) -> None:
    found = rows(planner.ask("which laptop gpu writes 25 tok/s with an 8b model?").answer)
    assert found
    assert all(row[0].endswith("-laptop") for row in found)


def test_four_bits_that_only_just_fit_go_before_fewer(planner: Planner) -> None:
    planner.ask("qwen2.5 14b on an rtx 4070, does it fit?")
    answer = planner.ask("and with 20k tokens of context?")
    assert weight_format(answer.tool_calls[-1]["result"]["weights"]).bits >= 4.0


def test_another_model_instead_is_held_against_the_cards_and_not_the_model_before(planner: Planner) -> None:
    planner.ask("llama 3.1 8b on an L4, 4 bit?")
    planner.ask("and on an rtx 4090?")
    found = rows(planner.ask("what if we take qwen2.5 32b instead, does either hold it with 8k?").answer)
    assert [row[0] for row in found] == ["l4", "rtx-4090"]


@pytest.mark.parametrize(
    "question",
    [
        "which quantisation of qwen2.5 32b can I use on a 4090?",
        "how many bits can I afford for qwen2.5 32b on an rtx 4090",
        "best quant for qwen2.5 32b with 24 GB",
    ],
)
def test_the_widest_format_that_fits_is_found_and_what_only_just_does_beside_it(
    planner: Planner, question: str
) -> None:
    answer = planner.ask(question)
    wider = {call["result"]["weights"]: call["result"]["verdict"] for call in answer.tool_calls}
    widest = next(name for name, verdict in wider.items() if verdict == "PASS")
    assert answer.answer.startswith(f"{widest}, the widest quantisation that fits with room")
    assert (
        f"{next(name for name, verdict in wider.items() if verdict == 'MARGINAL')} only just fits"
        in answer.answer
    )
    assert any(row[-1] == "no" for row in rows(answer.answer))


def test_what_fits_in_few_bits_alone_says_what_the_usual_format_lacks(planner: Planner) -> None:
    first, *rest = planner.ask("will llama 3.1 8b go on my 8 GB card with 32k context?").answer.splitlines()
    assert first.startswith("No, llama-3.1-8b does not fit 8 GB")
    assert any("With the cache in q8_0" in line for line in rest)
    assert any(line.startswith("Only below 4 bits") for line in rest)


def test_a_narrower_cache_is_held_against_the_usual_one(planner: Planner) -> None:
    answer = planner.ask("is an int4 kv cache worth it for llama 3.1 8b with 64k of context on 24 GB?")
    assert list(dict.fromkeys(call["arguments"]["kv"] for call in answer.tool_calls)) == ["f16", "q4_0"]
    assert answer.answer.startswith("It fits both")


def test_cards_that_are_counted_claim_no_factor(planner: Planner) -> None:
    answer = planner.ask("2x RTX 4060 Ti 16GB or one RTX 3090 for qwen3 32b?").answer
    assert answer.startswith("rtx-3090 is the fastest")


def test_documents_to_be_summarised_ask_for_a_language_model(planner: Planner) -> None:
    answer = planner.ask("which model summarises long contracts on an RTX 4070?")
    assert {call["name"] for call in answer.tool_calls} == {"rank_generation"}


def test_the_power_while_writing_is_told_with_the_energy_of_a_token(planner: Planner) -> None:
    answer = planner.ask("what does an RTX 3090 draw while it writes with qwen2.5 14b?").answer
    assert "at 350 W" in answer
    assert "no source gives the power" not in answer


def test_a_cost_of_tokens_stands_on_the_rent_and_a_million_is_no_batch(planner: Planner) -> None:
    answer = planner.ask(
        "H100 at 2.50 dollars an hour, llama 3.1 8b in fp16. Cost per million output tokens?"
    )
    (call,) = (call for call in answer.tool_calls if call["name"] == "estimate_generation")
    assert "batch" not in call["arguments"]
    rate = call["result"]["decode_tokens_per_s"]["value"]
    assert answer.answer.startswith(f"{2.5 / 3600 / rate * 1e6:.3g} ")


def test_what_no_longer_fits_in_the_format_that_was_named_is_told_first(planner: Planner) -> None:
    planner.ask("qwen2.5 32b in 4 bit on an rtx 3090, does it fit?")
    assert planner.ask("and with 32k of context?").answer.startswith("No")


@pytest.mark.parametrize(
    "question", ["which quant of llama 3.1 8b on a 0 GB card?", "does llama 3.1 8b fit in 0 GB?"]
)
def test_no_memory_is_never_that_of_what_stands_in(planner: Planner, question: str) -> None:
    assert "79.3" not in planner.ask(question).answer


def test_a_card_that_was_to_be_chosen_is_chosen_anew_for_what_is_demanded_more(planner: Planner) -> None:
    first = planner.ask(
        "We want to host llama 3 70b for about 20 lawyers. What hardware does that take?"
    ).answer
    assert "for each of 20 at once, 4,096 tokens each" in first
    anew = planner.ask("They have contracts of 8k tokens, and some 6 would use it at the same moment.").answer
    assert "for each of 6 at once, 8,192 tokens each" in anew.partition("\n")[0]
    many, place = rows(anew)[0][0].split(" x ")
    it = planner.ask("how long until the first token on it?").answer
    assert f"on {many} x {place}" in it.partition("\n")[0]


def test_how_many_at_once_holds_where_a_length_is_said(planner: Planner) -> None:
    planner.ask("llama 3 70b for 6 people with 8k contracts, which hardware?")
    planner.ask("OK so one H100 with 4 bit. How fast per person?")
    asked = planner.ask("And how long before it starts answering on an 8k contract?")
    assert "where all 6 ask at once" in asked.answer.partition("\n")[0]


def test_two_of_a_card_stay_two_where_another_joins_and_where_one_is_chosen(planner: Planner) -> None:
    planner.ask("llama 3 70b on one H100 in 4 bit for 6 people")
    both = planner.ask("would two RTX 6000 Ada do it too, they're cheaper").answer
    assert both.startswith("Yes, 2 x rtx-6000-ada holds it")
    assert "is the cheapest" not in both
    third = planner.ask("would one 4090 work too?").answer
    assert third.startswith("No, rtx-4090 does not hold it")
    assert "2 x rtx-6000-ada" in third
    names = [row[0] for row in rows(planner.ask("which of them do I take?").answer)]
    assert {"h100-sxm5", "2 x rtx-6000-ada", "rtx-4090"} == set(names)


def test_several_cards_cost_what_they_cost_together(planner: Planner) -> None:
    answer = planner.ask("llama 3 8b on 2x rtx 4090 or one rtx 5090, which is cheaper?").answer
    assert answer.startswith("rtx-5090 is the cheapest at 1,999 USD")
    assert "3,198 USD for 2" in answer


@pytest.mark.parametrize("who", ["our team of 12", "12 analysts", "12 staff members"])
def test_people_of_any_trade_write_at_once(planner: Planner, who: str) -> None:
    answer = planner.ask(f"What GPU do we need to run qwen2.5 32b for {who}?").answer
    assert "for each of 12 at once" in answer.partition("\n")[0]


def test_what_does_not_hold_a_model_is_no_reason_of_bandwidth(planner: Planner) -> None:
    planner.ask("qwen2.5 32b with 32k context for 8 users on a 4090")
    answer = planner.ask("is the mac studio m2 ultra an alternative?").answer
    assert answer.startswith("Yes: apple-m2-ultra holds it")
    assert "bandwidth; writing waits" not in answer


def test_used_prices_are_said_not_to_be_known() -> None:
    answer = (
        Planner(Workspace()).ask("two used 3090s or one used 4090 for a 32B model, which is cheaper?").answer
    )
    assert "I know none of used ones" in answer


def test_hardware_of_twice_the_speed_before_is_chosen_by_that(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("llama 3.1 8b on a GTX 1080 Ti, how fast?")
    chosen = planner.ask("which card would double the speed?")
    call = next(call for call in chosen.tool_calls if call["name"] == "rank_generation")
    assert call["arguments"]["min_tokens_per_s"] == pytest.approx(2 * 59.7, rel=0.01)
