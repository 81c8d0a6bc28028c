"""Language models: what one user and many cost, and what lies beside the card."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    "question",
    [
        "An A100 80GB at 1.80 $ per hour: what do a million tokens of Qwen3 8B cost, a single user or 24 at once?",
        "what does a million tokens of qwen3 8b cost on an a100 80gb rented for $1.80 an hour, for one person and for 24 people at the same time?",
    ],
)
def test_one_and_many_at_once_are_both_told_with_what_they_cost(planner: Planner, question: str) -> None:
    answer = planner.ask(question)
    first = answer.answer.partition("\n")[0]
    assert "with 1 at once" in first
    assert "with 24 at once" in first
    assert "pay" in answer.answer


def test_where_layers_lie_in_the_computers_memory_its_speed_comes_first(planner: Planner) -> None:
    said = planner.ask("mixtral 8x7b q4 on a 4070, the rest in DDR4-3600: how many tokens a second?").answer
    assert "layers on the card and the rest" in said.partition("\n")[0]
    assert "DDR4-3600 on 2 channels (57.6 GB/s)" in said


def test_what_only_just_goes_in_is_said_to_spill_with_what_would_do(planner: Planner) -> None:
    said = planner.ask("qwen2.5 14b q4_k_m with 16384 tokens of context on an rtx 3060, does it fit?").answer
    assert said.startswith("Hardly")
    assert "With the cache in q8_0 it fits" in said


def test_a_second_card_that_is_not_needed_is_said_so(planner: Planner) -> None:
    no = planner.ask("phi-4 on two rtx 4090, do I need both?").answer
    assert no.startswith("No, one is enough")
    yes = planner.ask("llama 3.3 70b q4 on two rtx 3090: do I really need the second one?").answer
    assert yes.startswith("Yes, more than one is needed")


def test_a_cache_that_is_spoken_of_is_quantised_not_the_weights(planner: Planner) -> None:
    planner.ask("phi-4 q4_k_m on an rtx 4070, 16k of context, how large is the kv cache?")
    answer = planner.ask("could I store it in 8 bits, what would that save?")
    kept = {call["arguments"].get("kv") for call in answer.tool_calls}
    assert {"f16", "q8_0"} <= kept
    assert all(call["arguments"]["weights"] == "Q4_K_M" for call in answer.tool_calls)


def test_in_a_talk_on_language_models_it_is_their_cache_that_is_explained(planner: Planner) -> None:
    planner.ask("gemma-2-9b on an rtx 3060, does it fit?")
    assert "keys and values" in planner.ask("remind me, what is that cache made of").answer


def test_the_models_own_context_is_told_apart_from_the_cards(planner: Planner) -> None:
    said = planner.ask("longest context of phi-4 on an rtx 4090?").answer
    assert "which is what phi-4 was made for: it ends that, not the memory" in said


def test_a_smaller_quant_helps_the_writing_and_hardly_the_wait(planner: Planner) -> None:
    said = planner.ask(
        "qwen2.5 7b on an apple m2, 5000 tokens of prompt: would a smaller quant shorten the first token?"
    ).answer
    assert said.startswith("Fewer bits help the writing")


def test_each_model_keeps_the_format_that_it_was_named_in(planner: Planner) -> None:
    planner.ask("qwen2.5 32b at q4_k_m on a 7900 xtx?")
    answer = planner.ask("and the 14b in q8 instead, is that faster?")
    asked = {(call["arguments"]["model"], call["arguments"]["weights"]) for call in answer.tool_calls}
    assert asked == {("qwen2.5-14b", "Q8_0"), ("qwen2.5-32b", "Q4_K_M")}
    assert answer.answer.startswith("Yes: qwen2.5-14b")


def test_a_draft_and_a_run_of_training_are_calculated(planner: Planner) -> None:
    draft = planner.ask("does a draft model make qwen2.5-72b faster on an h100?").answer
    assert "share of its tokens that is accepted" in draft.partition("\n")[0]
    trained = planner.ask("LoRA of gemma-2-9b with 2000 examples on a 4090, how long?").answer
    assert " h)" in trained.partition("\n")[0]
    assert "2,000 examples" in trained


def test_a_card_of_which_only_the_memory_is_said_has_one_that_stands_for_it(planner: Planner) -> None:
    answer = planner.ask("qwen2.5 32b at q8 on two 24 gb cards or on a 48 gb card?")
    asked = {(call["arguments"]["target"], call["arguments"].get("cards")) for call in answer.tool_calls}
    assert asked == {("rtx-3090", 2), ("rtx-a6000", None)}
    assert "rtx-3090 stands for a card of 24 GB" in answer.answer


def test_a_size_alone_is_not_taken_for_a_card_where_only_room_is_asked(planner: Planner) -> None:
    answer = planner.ask("does phi-4 fit in 12 GB of VRAM?")
    assert "stands for" not in answer.answer


def test_both_processors_of_a_chip_are_told(planner: Planner) -> None:
    answer = planner.ask("qwen2.5 1.5b on an rk3588: cpu or npu, tokens per second each?")
    assert {call["arguments"].get("runtime") for call in answer.tool_calls} == {"rkllm", "llama.cpp"}


def test_speed_and_the_bill_are_both_told(planner: Planner) -> None:
    said = planner.ask(
        "mistral 7b on an rtx 3060: tokens per second, and the bill at 0.28 € per kWh, 2 hours a day?"
    )
    assert "tokens/s" in said.answer.partition("\n")[0]
    assert "€ a year" in said.answer


def test_all_experts_of_a_mixture_must_be_in_memory(planner: Planner) -> None:
    said = planner.ask("qwen3-30b-a3b on an rtx 3060: do only the active experts need memory?").answer
    assert said.startswith("All experts")
    dense = planner.ask("qwen3-8b on an rtx 3060: do only the active experts need memory?").answer
    assert not dense.startswith("All experts")


def test_back_to_a_size_means_the_model_that_was_spoken_of(planner: Planner) -> None:
    planner.ask("llama 3.1 8b on an rtx 3060?")
    planner.ask("and qwen3 14b?")
    answer = planner.ask("back to the 8b, how large is its kv cache at 16k?")
    assert {call["arguments"]["model"] for call in answer.tool_calls} == {"llama-3.1-8b"}


@pytest.mark.parametrize("host", ["ddr5-0", "ddr4-999999", "nonsense"])
def test_a_computer_that_is_none_is_no_crash(planner: Planner, host: str) -> None:
    assert planner.ask(f"llama 3.3 70b q4 on a 4090, the rest in {host}, tokens per second?").answer


def test_a_job_of_so_many_tokens_is_told_by_its_cost_and_its_time(planner: Planner) -> None:
    answer = planner.ask("2 million tokens a night with qwen2.5 7b on an rtx 4070 at 0.25 € a kWh: cost?")
    assert "2 million tokens a night" in answer.answer.partition("\n")[0]
    assert "one after another" in answer.answer
    assert "at once" in answer.answer


def test_layers_on_the_cores_are_the_others(planner: Planner) -> None:
    answer = planner.ask("phi-4 on an rtx 3060 with 8 layers on the cpu, ddr4: how much slower?")
    assert {call["arguments"]["gpu_layers"] for call in answer.tool_calls} == {40, 32}


def test_each_model_has_the_format_that_stands_before_it(planner: Planner) -> None:
    answer = planner.ask(
        "q4 of llama-3.3-70b with offload or q8 of qwen2.5-14b on an rtx 3090, which is faster?"
    )
    asked = {(call["arguments"]["model"], call["arguments"]["weights"]) for call in answer.tool_calls}
    assert asked == {("llama-3.3-70b", "Q4_K_M"), ("qwen2.5-14b", "Q8_0")}


def test_what_would_do_on_any_hardware_names_none(planner: Planner) -> None:
    said = planner.ask("does phi-4-mini with 128k of context fit 16 GB?").answer
    assert "a100" not in said
    assert "With the cache in q8_0" in said


def test_a_second_card_hardly_makes_it_faster(planner: Planner) -> None:
    answer = planner.ask("would a second rtx 4090 make phi-4 faster?")
    assert answer.answer.startswith("Hardly")
    assert answer.tool_calls[0]["arguments"]["cards"] == 2


def test_a_speed_with_layers_in_the_computers_memory_is_held_against_that(planner: Planner) -> None:
    said = planner.ask("I get 15 tok/s with llama 3.3 70b q4 on a 4090 and ddr4, is that right?").answer
    assert said.startswith("No, 15 tok/s is")
    assert "layers on the card" in said.partition("\n")[0]


def test_a_processor_and_a_card_are_compared_where_one_or_the_other_is_asked(planner: Planner) -> None:
    answer = planner.ask(
        "qwen3-30b-a3b on a ryzen 9700x cpu or on an rtx 3060 with offload, which is faster?"
    )
    targets = {call["arguments"].get("target") for call in answer.tool_calls}
    assert {"amd-ryzen-9700x", "rtx-3060"} <= targets


def test_a_long_document_has_a_length_that_is_said(planner: Planner) -> None:
    answer = planner.ask("qwen2.5 7b or mistral 7b on an rtx 4070 for summarising long reports?")
    assert {call["arguments"]["prompt_tokens"] for call in answer.tool_calls} == {8000}
    assert "A long document is taken as 8,000 tokens" in answer.answer


def test_a_cache_that_a_page_told_of_is_quantised_in_the_next_turn(planner: Planner) -> None:
    planner.ask("phi-4 on an rtx 3090?")
    planner.ask("remind me, what is that cache made of")
    answer = planner.ask("could I keep it in 8 bits?")
    assert "q8_0" in {call["arguments"].get("kv") for call in answer.tool_calls}


@pytest.mark.parametrize(
    ("question", "prompt", "context"),
    [
        ("Llama 3.1 8B on an L4, 25 users in parallel, prompts 800 tokens, answers 200. Does it fit?", 800, 1000),
        ("llama 3.1 8b on an l4, 25 users in parallel, 800 in, 200 out. enough vram?", 800, 1000),
        ("llama 3.1 8b on an l4, 25 people at once, output: 200, input 800 tokens, does it fit?", 800, 1000),
        ("llama 3.1 8b on an l4 for 6 people at once: the letters are 3000 tokens long, a summary about 150", 3000, 3150),
        ("Llama 3.1 8B on an L4 for 25 people at once, prompts of 6000 tokens, does it fit?", 6000, 6000),
        ("Llama 3.1 8B on an L4 for 5 people at once, does it fit?", None, None),
    ],
)  # fmt: skip
def test_the_cache_has_room_for_the_prompt_and_its_answer(
    planner: Planner, question: str, prompt: int | None, context: int | None
) -> None:
    first = planner.ask(question).tool_calls[0]["arguments"]
    assert (first.get("prompt_tokens"), first.get("context")) == (prompt, context)


def test_lengths_stay_through_a_talk_and_the_verdict_comes_before_the_wait(planner: Planner) -> None:
    said = planner.ask("llama 3 8b on an l4, 50 at once, prompts 500 tokens, answers 300: does it fit?")
    assert said.answer.startswith("Yes, it fits")
    assert "to write 300 tokens" in said.answer
    planner.ask("and on an h100?")
    assert planner.ask("and an rtx 4090?").tool_calls[0]["arguments"]["context"] == 800


def test_a_wait_and_a_rate_of_several_at_once_are_told_as_that(planner: Planner) -> None:
    said = planner.ask(
        "llama 3.1 8b on a 4090, 8 at once, 4000 token prompts: how long until the first token?"
    )
    lines = said.answer.splitlines()
    assert "where all 8 ask at once; after" in lines[0]
    wider = next(line for line in lines if "fits too" in line)
    assert wider.endswith("for all 8 together.")
    alone = planner.ask("and for one alone?").answer
    assert "at once" not in alone
    assert "together" not in alone


def test_of_cards_that_all_are_too_small_the_largest_comes_nearest(planner: Planner) -> None:
    planner.ask("llama 3.1 70b for 60 people at once, 8k of context each, on an l4 or an h100?")
    said = planner.ask("so which of the two do I take?").answer
    assert "h100-sxm5 comes nearest" in said
