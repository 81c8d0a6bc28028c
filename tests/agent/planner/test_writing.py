"""Questions on language models: what is asked for stands first, in its own unit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.factors import factor_in, factor_words
from edgewright.agent.planner.language import families_in
from edgewright.agent.planner.writing import WORDS_A_TOKEN
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_generation
from edgewright.tools.model_zoo.language_model import language_model, load_catalogue
from edgewright.tools.model_zoo.weight_format import weight_format


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def first(planner: Planner, question: str) -> str:
    return planner.ask(question).answer.splitlines()[0]


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("how long until llama 3 8b on an rtx 3060 starts to answer a 4000 token prompt?", "The first token"),
        ("what does the KV cache of qwen2.5 7b take on an rtx 4090 at 32k?", "1.75 GiB of key-value cache"),
        ("what is the longest context for qwen2.5 7b q4 on an rtx 4060?", "The longest context that fits"),
        ("how long does tinyllama on a pi 5 take to write a 300 word email?", ""),
        ("how many joules per token does llama 3.2 3b take on an agx orin?", "A token takes"),
        ("how much vram does qwen2.5 14b q4 need on an rtx 4090?", ""),
    ],
)
def test_the_figure_that_is_asked_for_is_the_first(planner: Planner, question: str, start: str) -> None:
    said = first(planner, question)
    assert said.startswith(start)
    assert not re.match(r"[\d.]+ tokens/s", said)


def test_the_first_token_is_of_the_prompt_that_is_stated(planner: Planner) -> None:
    answer = planner.ask(
        "llama 3.1 8b on an rtx 4090: 20 pages, about 12000 tokens. How long until it starts to answer?"
    )
    assert {call["arguments"]["prompt_tokens"] for call in answer.tool_calls} == {12000}
    assert "20" not in answer.answer.split("I did not take")[-1][:20]
    expected = estimate_generation(
        "llama-3.1-8b", "rtx-4090", prompt_tokens=12000, context=12000, weights="Q4_K_M"
    )
    assert f"{float(expected.time_to_first_token_ms) / 1e3:.3g} s" in answer.answer


def test_words_are_three_quarters_of_a_token(planner: Planner) -> None:
    answer = planner.ask("how long does tinyllama on a raspberry pi 5 take to write 300 words?")
    rate = float(
        estimate_generation("tinyllama-1.1b", "raspberry-pi-5", weights="Q4_K_M").decode_tokens_per_s
    )
    assert answer.answer.startswith(f"{300 / WORDS_A_TOKEN / rate:.3g} s")


def test_a_rate_of_words_is_judged_as_one_of_tokens(planner: Planner) -> None:
    rate = float(estimate_generation("phi-3-mini", "raspberry-pi-5").decode_tokens_per_s)
    between = (rate * WORDS_A_TOKEN + rate) / 2
    said = first(planner, f"is phi-3 mini in q8 on a raspberry pi 5 good for {between:.1f} words per second?")
    assert said.startswith(("No", "Probably not"))


def test_four_bits_are_taken_where_no_format_is_named_and_the_widest_that_fits_is_told_too(
    planner: Planner,
) -> None:
    said = planner.ask("phi-3 mini on a raspberry pi 5").answer
    assert "Q4_K_M" in said.splitlines()[0]
    assert "Q8_0 fits too" in said


def test_a_context_beyond_what_it_was_made_for_is_said(planner: Planner) -> None:
    assert "was made for" not in planner.ask("tinyllama on an rtx 4090, tokens/s?").answer
    assert "was made for 8,192 tokens" in planner.ask("llama 3 8b on an rtx 4090 with 16k context?").answer


def test_the_users_own_memory_stands_for_the_boards(planner: Planner) -> None:
    answer = planner.ask("gemma 2 9b in q8 on a MacBook Air M2 with 8 GB, does it fit?").answer
    assert answer.startswith("No, it does not fit")
    assert "of 8 GiB" in answer


def test_a_size_alone_is_a_model_and_said_to_be_taken_for_it(planner: Planner) -> None:
    assert "I took 13B to be llama-2-13b" in planner.ask("which GPU for a 13B model at 50 tokens/s?").answer


def test_people_at_once_are_counted_up_to_what_ends_it(planner: Planner) -> None:
    answer = planner.ask("how many people can use llama 3 8b on an a100 80gb at 15 tokens/s each?").answer
    count = int(re.match(r"(\d+) at once", answer)[1])  # type: ignore[index]
    weights = "Q4_K_M"
    serves = estimate_generation("llama-3-8b", "a100-sxm4-80gb", batch=count, weights=weights)
    assert serves.verdict.value in ("PASS", "MARGINAL")
    beyond = round(count * 1.05) + 1
    more = estimate_generation("llama-3-8b", "a100-sxm4-80gb", batch=beyond, weights=weights)
    assert more.verdict.value == "FAIL" or float(more.session_tokens_per_s) < 15


def test_several_cards_stay_several_and_serve_as_one_with_the_room_of_all(planner: Planner) -> None:
    planner.ask("qwen2.5 32b q4 at 32k context on two rtx 4090, does it fit?")
    answer = planner.ask("how many users at once at 20 tokens/s?").answer
    count = int(re.match(r"(\d+) at once", answer)[1])  # type: ignore[index]
    alike = {"weights": "Q4_K_M", "context": 32768, "memory_bytes": 48 << 30}
    serves, more = (
        estimate_generation("qwen2.5-32b", "rtx-4090", batch=batch, **alike) for batch in (count, count + 1)
    )
    assert float(serves.session_tokens_per_s) >= 20
    assert more.verdict.value == "FAIL" or float(more.session_tokens_per_s) < 20
    assert "on 2 x rtx-4090" in answer


def test_two_of_one_card_stand_beside_one_of_another(planner: Planner) -> None:
    answer = planner.ask("can llama 3.1 70b q4 run on two rtx 4090 or do we need an H100?").answer
    assert re.match(r"It fits both; h100-sxm5 is the fastest with [\d.]+ tokens/s", answer)
    (row,) = (line for line in answer.splitlines() if line.startswith("| 2 x rtx-4090"))
    assert "48 GiB | yes" in row
    one_of_their_room = estimate_generation(
        "llama-3.1-70b", "rtx-4090", weights="Q4_K_M", memory_bytes=48 << 30
    )
    assert f"| {one_of_their_room.decode_tokens_per_s.value:.1f} tokens/s" in row
    assert "one after the other" in answer


def test_a_model_on_two_cards_is_as_fast_as_on_one_with_the_room_of_both(planner: Planner) -> None:
    answer = planner.ask("llama 3 70b q4_k_m on two rtx 3090, does it fit and how fast?").answer
    alike = estimate_generation("llama-3-70b", "rtx-3090", weights="Q4_K_M", memory_bytes=48 << 30)
    assert answer.startswith("Yes, ")
    assert f"{alike.decode_tokens_per_s.value:.1f} tokens/s" in answer


def test_room_and_longest_context_of_several_cards(planner: Planner) -> None:
    answer = planner.ask("llama 3.1 70b fp8 on 2x H100 80GB, max context at batch 16?").answer
    assert "2 of them together" in answer
    assert "The longest context that fits is" in answer


def test_a_cache_in_several_formats_needs_no_hardware(planner: Planner) -> None:
    answer = planner.ask("how much memory does the kv cache of llama 3.1 8b take at 128k? fp16 and q8").answer
    assert "At f16 the key-value cache takes 16 GiB, at q8_0 8.5 GiB" in answer


def test_quick_enough_is_what_a_reader_is_content_with(planner: Planner) -> None:
    slow = first(planner, "llama 3.1 8b on a raspberry pi 5, fast enough to be usable?")
    assert slow.startswith("No, against 10 tokens/s")
    friends = first(planner, "mistral 7b on a GTX 1080 Ti for a bot with 6 friends, quick enough?")
    assert friends.startswith("Yes, against 10 tokens/s")
    assert "for each of 6" in friends


def test_a_microcontroller_runs_no_language_model_and_the_smallest_is_held_against_it(
    planner: Planner,
) -> None:
    answer = planner.ask("can I run a chatgpt type model offline on an ESP32?").answer
    assert answer.startswith("No")
    assert "328 KiB of RAM" in answer
    assert "smollm2-135m" in answer


def test_the_smallest_stand_first_where_the_smallest_is_asked_for(planner: Planner) -> None:
    answer = planner.ask("smallest language model that runs well on a raspberry pi 5?").answer
    rows = [row.split("|")[1].strip() for row in answer.splitlines() if row.count("MiB") == 1]
    sizes = [language_model(row).parameters for row in rows]
    assert sizes == sorted(sizes)


def test_models_for_a_size_of_memory_need_no_board(planner: Planner) -> None:
    planner.ask("qwen2.5 14b on an rtx 4060 ti 16gb, tokens/s?")
    answer = planner.ask("how big a model can I put on a 12 GB card if I want 16k context?").answer
    assert "to fit 12 GB with 16,384 tokens of context" in answer
    assert "rtx-4060-ti-16gb" not in answer


def test_money_for_a_month_by_the_users_own_watts_and_hours(planner: Planner) -> None:
    planner.ask("qwen2.5 7b on a mac mini m4 or an rtx 4060 ti 16gb, which is faster?")
    answer = planner.ask(
        "PC it is, 350 W, 8 hours a day 22 days a month, 0.32 €/kWh. Cost per month? is 350 W realistic?"
    ).answer
    assert answer.startswith("19.7 € per month")
    assert "rtx-4060-ti-16gb itself is rated for" in answer
    assert "I did not take" not in answer


def test_a_card_that_is_said_to_be_twice_as_fast_is_held_against_the_one_before(planner: Planner) -> None:
    planner.ask("llama 3 8b on an rtx 3060, tokens/s?")
    said = first(planner, "they say a 4070 has more TOPS so it writes twice as fast. true?")
    assert re.match(r"No, less than \*twice\*: 1\.[2-7]\d?x the rate; rtx-4070 writes 1\.", said)
    assert "as fast as rtx-3060, with" in said


def test_of_two_that_write_the_factor_is_told(planner: Planner) -> None:
    said = first(planner, "mistral 7b q8: is the L40S really 4 times as fast as the L4?")
    assert re.search(r"2\.\d+x as fast as l4", said)


def test_pages_are_read_and_words_are_written(planner: Planner) -> None:
    planner.ask("llama 3.1 8b q4 on an rtx 3060 with 12 GB, how fast?")
    read = planner.ask("my notes are 15 pages, how long before the first word?")
    assert read.tool_calls[0]["arguments"]["prompt_tokens"] == 10_000
    assert "memory_bytes" not in read.tool_calls[0]["arguments"]
    assert "s) to write 500 words" in first(planner, "and writing a 500 word summary of it?")


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("how much VRAM does qwen2.5 32b in q4 need at 16k context?", "qwen2.5-32b takes 22.7 GiB in all"),
        ("smollm2 135m on an stm32h743, possible?", "No: no runtime of language models runs on STM32H743"),
        ("1 million tokens of llama 3 8b in q8 on an rtx 4090, cost at 0.30 €/kWh?", "0.4"),
        ("is a 4060 8GB enough for llama 3.1 8b with 8k context?", "Yes, it fits"),
    ],
)
def test_what_is_asked_is_told_with_less_named(planner: Planner, question: str, start: str) -> None:
    assert first(planner, question).startswith(start)


def test_a_price_of_electricity_needs_no_currency(planner: Planner) -> None:
    said = first(
        planner, "qwen2.5 7b on an rtx 3060: what does an hour cost at 0.35 per kWh when the pc takes 250 W?"
    )
    assert said.startswith("0.0875 an hour")


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("twice as fast", 2), ("100x less", 100), ("three times", 3), ("10-fold", 10),
        ("half precision", None), ("is woken only 200 times per day", None),
    ],
)  # fmt: skip
def test_factors(text: str, factor: float | None) -> None:
    assert factor_in(text) == factor
    assert factor is None or factor_words(text)


@pytest.mark.parametrize("family", ["Llama", "Qwen"])
def test_of_a_family_the_largest_that_is_fast_enough_is_named(planner: Planner, family: str) -> None:
    answer = planner.ask(
        f"What's the biggest {family} I can run at 15 tok/s or better on a 4060 Ti 16GB?"
    ).answer
    name = answer.partition(",")[0]
    assert name.startswith(family.lower())
    models = [
        m for m in load_catalogue().models if m.id.startswith(family.lower()) and not m.encoder_positions
    ]
    larger = [m for m in models if m.parameters > language_model(name).parameters]
    for model in (language_model(name), *larger):
        tried = [None] if model.trained_in else ["Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "IQ4_XS"]
        found = [estimate_generation(model.id, "rtx-4060-ti-16gb", weights=weights) for weights in tried]
        enough = [
            one for one in found if one.verdict != "FAIL" and (one.decode_tokens_per_s.value or 0) >= 15
        ]
        assert bool(enough) == (model.id == name)


def test_a_family_that_fits_so_much_memory_needs_no_card(planner: Planner) -> None:
    answer = planner.ask("which qwen fits a 12 GB card?").answer
    assert answer.startswith("qwen")
    assert " 12 GB" in answer


def test_a_family_that_is_too_slow_is_told_by_its_fastest(planner: Planner) -> None:
    answer = planner.ask("best qwen for a raspberry pi 4").answer
    assert answer.startswith("No qwen model that I know surely writes 10 tokens/s on raspberry-pi-4b")
    assert "qwen2.5-0.5b comes nearest" in answer


def test_a_size_alone_is_a_language_model_of_a_usual_family(planner: Planner) -> None:
    answer = planner.ask("can a 4090 run a 70b at q4").answer
    assert answer.startswith("No, it does not fit")
    assert "I took 70b to be llama" in answer
    assert re.search(r"2 x [\w-]+ hold ", answer)


def test_two_families_are_both_chosen_from_and_few_bits_come_last(planner: Planner) -> None:
    answer = planner.ask("qwen or gemma for a 4070, which is faster?").answer
    rows = [line.split(" | ") for line in answer.splitlines() if line.startswith(("| qwen", "| gemma"))]
    assert {row[0].strip("| ").partition("-")[0].rstrip("0123456789.") for row in rows} == {"qwen", "gemma"}
    assert all(weight_format(row[2]).bits >= 4 for row in rows)


def test_every_family_of_the_catalogue_is_known_by_its_name() -> None:
    assert families_in("granite, Falcons or a Llama with llama.cpp?") == ("granite", "falcon", "llama")
    assert not families_in("does llama.cpp run on my laptop?")


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        (
            "do I double the tokens/s of qwen2.5-7b on an rtx 4070 by going from Q8_0 to Q4_K_M?",
            "No, less than *double*: ",
        ),
        ("fp16 to int4 makes everything 4x faster, right? llama-3-8b on a 4090", "No, less than *4x*: "),
        (
            "llama 3.2 3b is twice as fast as llama 3.1 8b on a raspberry pi 5, true?",
            "Yes, more than *twice*: ",
        ),
    ],
)
def test_a_factor_claimed_of_two_cases_is_judged_by_the_bytes_that_are_read(
    planner: Planner, question: str, verdict: str
) -> None:
    said = planner.ask(question).answer
    assert said.startswith(verdict)
    assert " the rate; " in said
    assert "fewer bytes of weights" in said


def test_who_writes_at_once_stays_through_the_conversation(planner: Planner) -> None:
    planner.ask("we are a team of 20, at most 8 at the same time. llama 3.1 8b on one rtx 3090, enough?")
    cache = float(estimate_generation("llama-3.1-8b", "rtx-3090", batch=8, context=8192).kv_cache_bytes)
    assert f"{cache / 2**30:.3g} GiB of key-value cache" in planner.ask("kv cache if all have 8k?").answer
    assert "| each | together |" in planner.ask("and an L4 instead?").answer


def test_what_is_not_calculated_of_a_language_model_is_said_first(planner: Planner) -> None:
    assert planner.ask("vram for a LoRA finetune of mistral 7b on a pi 5?").answer.startswith("Training is")
    draft = planner.ask("does speculative decoding speed up llama-3-8b on an rtx 4070?").answer
    assert draft.startswith("Yes for one user, where the text is easy to foresee")


@pytest.mark.parametrize("question", ["can i run llama on my laptop", "Is my gaming PC good for an LLM?"])
def test_a_computer_of_which_nothing_is_said_is_asked_for(planner: Planner, question: str) -> None:
    said = planner.ask(question).answer
    assert "5.33 GiB in all with llama-3.1-8b" in said
    assert said.endswith("how much memory?")


def test_the_card_named_last_is_meant_after_a_comparison_and_board_and_model_are_chosen_together(
    planner: Planner,
) -> None:
    for question in ("llama-3-8b on a jetson orin nano", "too slow. on the Orin NX 16GB?"):
        planner.ask(question)
    assert "llama-3-8b on jetson-orin-nx-16gb" in first(planner, "what limits it there, compute or memory?")
    assert "jetson-orin-nx-16gb" in first(planner, "would mistral 7b be any faster on that one")
    said = first(planner, "we need 10 tokens/s. which board and which model would you take in the end?")
    assert said.startswith("I would take mistral-7b on jetson-orin-nx-16gb: it probably meets 10 tokens/s")


def test_the_widest_format_that_fits_is_told_where_the_one_that_is_named_does_not(planner: Planner) -> None:
    assert (
        "In Q8_0, the widest that does, it fits" in planner.ask("mistral 7b in fp16 on an rtx 3060?").answer
    )


def test_the_chip_of_a_mac_is_read_wherever_it_stands(planner: Planner) -> None:
    assert "mistral-7b on apple-m2" in planner.ask("My MacBook Air is an M2. How fast is mistral 7b?").answer


def test_who_waits_for_an_answer_waits_for_its_first_token_too(planner: Planner) -> None:
    answer = planner.ask("qwen2.5 7b in q4 on an orin nano 8gb: how long does one wait for 150 tokens?")
    (call,) = answer.tool_calls
    result = call["result"]
    first_token, rate = result["time_to_first_token_ms"]["value"], result["decode_tokens_per_s"]["value"]
    whole = answer.numbers[0].value / (1e3 if answer.numbers[0].value > 1e3 else 1)
    assert "150 tokens of prompt" not in answer.answer
    assert whole == pytest.approx(first_token / 1e3 + 150 / rate, rel=1e-3)


def test_what_runs_on_a_train_is_no_training(planner: Planner) -> None:
    assert "Training" not in planner.ask("can a pixel 8 pro run gemma 2 2b on the train?").answer
    assert "Training" in planner.ask("can a pixel 8 pro train gemma 2 2b?").answer


def test_a_rate_near_what_the_bandwidth_allows_is_hardly_so(planner: Planner) -> None:
    limit = estimate_generation("qwen2.5-14b", "rx-7800-xt", weights="Q4_K_M")
    near = 0.95 * limit.bandwidth_bytes_per_s / limit.weights_bytes
    said = first(
        planner, f"a friend gets {near:.0f} tok/s with qwen2.5 14b in q4 on an rx 7800 xt, can that be?"
    )
    assert "hardly so" in said


def test_a_wait_that_was_measured_is_held_against_the_first_token(planner: Planner) -> None:
    said = first(
        planner, "first token takes 40 s with a 6000 token prompt on my 1660 super with mistral 7b, normal?"
    )
    assert said.startswith("No, 40 s is 3.")
