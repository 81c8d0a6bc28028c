"""Turns of a conversation: what is corrected, chosen, out, and what was established."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def talk(planner: Planner, *questions: str) -> str:
    return [planner.ask(question).answer for question in questions][-1]


@pytest.mark.parametrize(
    ("before", "correction", "subject"),
    [
        ("mobilenet v2 on a raspberry pi 4, how many fps?", "no sorry, the 5 not the 4", "raspberry-pi-5"),
        ("mobilenet v2 on an rtx 3060, fps?", "not the 3060, the 4060", "rtx-4060"),
        (
            "mobilenet v2 on a raspberry pi 4, how many fps?",
            "no, I meant float16",
            "raspberry-pi-4b, float16",
        ),
        ("vww on an stm32f746, how long?", "sorry, it runs at 100 MHz", "at 100 MHz"),
        ("mistral 7b q4 on an rtx 4060 ti 8gb, tokens/s?", "no, it is the 16 GB one", "rtx-4060-ti-16gb"),
    ],
)
def test_a_correction_asks_the_same_again(
    planner: Planner, before: str, correction: str, subject: str
) -> None:
    told = planner.ask(before).answer.splitlines()[0]
    unit = next(each for each in ("fps", "tokens/s", "ms") if each in told)
    answer = planner.ask(correction).answer
    assert subject in answer
    assert unit in answer.splitlines()[0]
    assert "I did not take" not in answer
    assert "|" not in answer


def test_a_type_alone_is_a_setting(planner: Planner) -> None:
    answer = talk(planner, "mobilenet v2 on a raspberry pi 4, how many fps?", "with float32")
    assert "fps" in answer.splitlines()[0]
    assert "float32" in answer.splitlines()[0]


def test_what_is_out_stays_out(planner: Planner) -> None:
    questions = (
        "compare esp32-s3, stm32h743 and ensemble-e7 for vww, which is fastest?",
        "the alif is out, too expensive. which of the rest?",
    )
    left = talk(planner, *questions)
    assert "stm32h743zi is the fastest" in left
    assert "ensemble-e7" not in left
    assert "ensemble-e7" not in talk(planner, "and which of these takes the least energy?")
    assert "ensemble-e7" not in talk(planner, "why?")


def test_what_is_named_again_is_no_longer_out(planner: Planner) -> None:
    talk(planner, "compare esp32-s3 and stm32h743 for vww", "without the esp32-s3")
    assert "esp32-s3" in talk(planner, "and how long on the esp32-s3?")
    assert "esp32-s3" in talk(planner, "and the energy?")


def test_the_pc_is_what_is_not_the_mac(planner: Planner) -> None:
    talk(planner, "qwen2.5 7b: mac mini m4 or a pc with an rtx 4060 ti 16gb, which is faster?")
    answer = talk(planner, "PC it is. and the 14B?")
    assert "qwen2.5-14b on rtx-4060-ti-16gb" in answer
    assert "apple" not in answer


def test_my_card_is_the_one_that_was_called_mine(planner: Planner) -> None:
    talk(planner, "llama 3 8b on my rtx 3060, tokens/s?", "and on an rtx 4070?")
    assert "on rtx-3060" in talk(planner, "how much memory does 8k context take on my card?")


def test_a_follow_up_asks_of_another_model_what_was_asked_before(planner: Planner) -> None:
    talk(planner, "qwen2.5 7b on an rtx 4090, 6000 token prompt, how long until it starts to answer?")
    answer = talk(planner, "and the 14B?")
    assert answer.startswith("The first token comes after")
    assert "at 6,000 tokens of prompt: qwen2.5-14b" in answer


def test_another_board_is_still_asked_for_language_models(planner: Planner) -> None:
    talk(planner, "which language models run on a raspberry pi 5?")
    assert "on raspberry-pi-4b" in talk(planner, "and on a pi 4?").splitlines()[0]


def test_which_card_is_asked_of_all_cards(planner: Planner) -> None:
    talk(planner, "qwen2.5 32b q4 on an rtx 4060, does it fit?")
    answer = talk(planner, "which is the cheapest card that runs it at 20 tokens a second?")
    assert "USD" in answer.splitlines()[0]
    assert "rtx-4060 " not in answer


def test_the_cheapest_of_these_is_one_of_the_rows(planner: Planner) -> None:
    talk(planner, "compare rtx 4090, rtx 3090 and rtx 4070 ti for mistral 7b q4, tokens/s")
    answer = talk(planner, "which is the cheapest of these?")
    assert answer.startswith("rtx-4070-ti is the cheapest at 799 USD")


def test_the_second_is_the_second_that_was_spoken_of(planner: Planner) -> None:
    talk(planner, "kws on an nrf5340, how long?", "and on the nrf54l15?", "and on an stm32l4r5?")
    assert "kws on nrf54l15" in talk(planner, "the second then. how much energy per inference?")


def test_a_maker_stands_for_its_chip(planner: Planner) -> None:
    talk(planner, "which is better for person detection: ESP32-P4 or STM32N6?")
    assert "stm32n657x0" not in talk(planner, "the ST one is sold out. which then?")
    talk(planner, "and an rp2350?")
    assert "meets that on esp32-p4" in talk(planner, "ok esp then. is 5 fps possible?")


def test_which_one_is_one_of_those_that_were_spoken_of(planner: Planner) -> None:
    answer = talk(planner, "llama 3.1 8b on an rtx 3060, how fast?", "what about a 3090?", "so which one?")
    assert answer.startswith("I would take rtx-3090: it is the fastest")
    assert "rtx-3060" in answer


def test_a_setting_that_was_taken_already_is_said_to_be(planner: Planner) -> None:
    answer = talk(planner, "llama 3.1 8b on an rtx 4090, how fast?", "and with q4?")
    assert answer.startswith("That is what the answer before was reckoned with")
    assert "tokens/s" in answer


def test_it_is_the_one_that_came_first(planner: Planner) -> None:
    talk(planner, "compare rtx 4090, rtx 3090 and rtx 4070 ti for mistral 7b q4, tokens/s")
    talk(planner, "which is the cheapest of these?")
    assert talk(planner, "does a 24k context fit on it?").startswith("Yes, it fits")
    answer = talk(planner, "how long for the first token at that length?")
    assert "at 24,576 tokens of prompt: mistral-7b on rtx-4070-ti" in answer
    assert "mistral-7b on rtx-3090" in talk(planner, "and the second?")


def test_another_rate_asks_for_the_battery_again(planner: Planner) -> None:
    talk(planner, "kws on nrf52840, once a second on a 600 mAh lipo, how many days?")
    answer = talk(planner, "and if I only run it every 5 seconds?")
    assert "days" in answer.splitlines()[0]
    assert not answer.startswith(("Yes", "Probably"))


def test_whether_a_size_is_ok_is_a_verdict(planner: Planner) -> None:
    talk(planner, "yolov5n at 640x640 on a raspberry pi 4, latency?", "and with 320x320?")
    answer = talk(planner, "1 picture every 5 s would do. so is 640x640 ok then?")
    assert answer.startswith(("Yes", "raspberry-pi-4b will do"))
    assert "does not apply" not in answer


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("is it true that the rp2040 needs 200 times more energy?", "No, less than *200 times*"),
        ("does the rp2040 really draw 14 times more energy?", "Yes, about *14 times*"),
        ("does the rp2040 really need 15 times less energy?", "No, not *15 times*"),
        ("our supplier says the nordic needs 15 times less energy than the rp2040, right?", "Yes, about"),
        ("they claim the nrf52840 takes 15x less energy than the rp2040, right?", "Yes, about"),
        ("is the stm32h743 really half as fast?", ""),
    ],
)
def test_a_claimed_factor_is_judged(planner: Planner, claim: str, verdict: str) -> None:
    answer = talk(planner, "kws on nrf52840, energy?", claim)
    assert answer.startswith(verdict)
    assert "nrf52840" in answer
    assert "I did not take" not in answer


def test_the_smallest_of_these_networks(planner: Planner) -> None:
    talk(planner, "compare mobilenet_v1, mobilenet_v2 and efficientnet_lite0 on a raspberry pi 4")
    assert talk(planner, "which of these is the smallest?").startswith("mobilenet_v2 is the smallest")
    assert talk(planner, "and which of these is the largest?").startswith("efficientnet_lite0 is the largest")
    assert "mobilenet_v2" in talk(planner, "take the second"), "as they were named"


def test_bytes_are_of_the_memory_that_was_asked_about(planner: Planner) -> None:
    talk(planner, "ad on an stm32u585, how much flash?")
    (call, *_) = planner.ask("our bootloader takes 64 KB and we only have 512 KB, is that ok?").tool_calls
    assert call["arguments"]["flash_bytes"] == 448 * 1024
    assert "ram_bytes" not in call["arguments"]


def test_why_not_twice_is_no_claim(planner: Planner) -> None:
    talk(planner, "mobilenet v2 in float16 on a raspberry pi 5, fps?")
    answer = talk(planner, "why is that not twice as fast as float32?")
    assert "against *twice*" not in answer
    assert "| float32 |" in answer


def test_what_is_out_is_not_compared_with(planner: Planner) -> None:
    talk(planner, "resnet50 fp16 on an A100, fps?", "and on an L4?")
    answer = talk(planner, "the L4 is out. A10 instead?")
    assert "resnet50 on a10" in answer
    assert "|" not in answer


def test_another_topic_takes_nothing_along(planner: Planner) -> None:
    talk(planner, "kws on an nrf52840 at 32 MHz within 100 ms?")
    answer = planner.ask("now something else: how long does vww take on an stm32h743?")
    assert not {"clock_mhz", "latency_ms"} & set(answer.tool_calls[0]["arguments"])


SUMMED = (
    "kws on an stm32h743, how long?",
    "and on the nrf52840?",
    "we stay on the nordic. does it fit 64 KB of RAM?",
    "once a minute on a 600 mAh lipo, how long does it last?",
)


@pytest.mark.parametrize(
    "question",
    [
        "sum it up for my boss", "can you summarise that please?", "give me three lines for the status report",
        "can you sum that up in 3 or 4 sentences for my co-founder, she is not technical",
        "please summarize the decisions and the open points",
    ],
)  # fmt: skip
def test_a_summary_tells_what_was_established(planner: Planner, question: str) -> None:
    answer = talk(planner, *SUMMED, question)
    assert answer.startswith("I would take nrf52840, as you settled on it:")
    assert "Chosen: nrf52840" in answer
    assert "fits on nrf52840" in answer
    assert "lipo" in answer
    assert "stm32h743zi" not in answer
    assert "Open: " in answer


def test_a_summary_leaves_out_what_was_ruled_out(planner: Planner) -> None:
    answer = talk(
        planner, "compare esp32-s3, stm32h743 and ensemble-e7 for vww", "the alif is out", "summarise that"
    )
    assert "Ruled out: ensemble-e7" in answer
    assert answer.count("ensemble-e7") == 1


def test_to_summarise_documents_is_no_summary(planner: Planner) -> None:
    talk(planner, "llama 3.1 8b on an rtx 4090, tokens/s?")
    answer = talk(planner, "it has to summarize documents of 8000 tokens, how long until it starts?")
    assert answer.startswith("The first token comes after")


def test_both_are_what_the_user_named_and_not_what_an_answer_suggested(planner: Planner) -> None:
    talk(planner, "does ic fit on a stm32f411?", "too slow, i need 100 ms. what hardware helps?")
    talk(planner, "what if I take an F746 instead?")
    answer = talk(planner, "same thing but for kws please, both chips")
    assert {"stm32f411ce", "stm32f746ng"} <= set(answer.replace("|", " ").split())
    assert "ethos" not in answer


def test_two_places_are_two_rows(planner: Planner) -> None:
    ranked = talk(planner, "which chip under 6 dollars does vww at 5 fps?")
    first, second, third = [line.split("|")[1].strip() for line in ranked.splitlines() if line[:2] == "| "][
        1:4
    ]
    answer = talk(planner, "can you compare your first pick with the second best?")
    assert f"| {first}" in answer
    assert f"| {second}" in answer
    assert f"| {third}" not in answer


def test_why_one_is_worse_is_told_by_both_figures(planner: Planner) -> None:
    talk(planner, "vww at 5 fps on an nrf52840 or on an esp32-s3?")
    answer = talk(planner, "why is the other one slower?")
    assert answer.startswith("Why: nrf52840 takes ")
    assert "| esp32-s3 |" in answer


@pytest.mark.parametrize("question", ["which of the two would you take?", "so what would you ship?"])
def test_a_decision_is_a_sentence_with_its_reason(planner: Planner, question: str) -> None:
    talk(planner, "vww on an nrf52840, latency?", "and on an stm32h743?")
    assert talk(planner, question).startswith("I would take stm32h743zi: it is the fastest with")
    assert "\n" not in talk(planner, f"{question[:-1]}, in one sentence?")


def test_how_sure_a_number_is_is_asked_of_that_number(planner: Planner) -> None:
    told = talk(planner, "vww on an nrf52840 against an esp32-s3, which takes less energy?")
    answer = talk(planner, "are you sure about that number?")
    assert answer.split(" (")[0] in told.splitlines()[0]
    assert "esp32-s3" not in answer


def test_a_change_that_was_suggested_is_meant_by_that(planner: Planner) -> None:
    told = talk(planner, "ad on a ra6m5 within 2 ms, what is the easiest fix?")
    assert talk(planner, "apply that and check again").split()[0] == told.split(": ")[1].split()[0]


def test_that_one_is_the_first_of_the_models_that_were_listed(planner: Planner) -> None:
    listed = talk(
        planner, "what is the biggest language model that an rtx 4070 writes at 20 tokens a second?"
    )
    first = next(line for line in listed.splitlines()[3:] if line[:2] == "| ").split("|")[1].strip()
    assert f"{first} on rtx-4070" in talk(planner, "how much vram would that one need with 16k context?")
    assert f"{first}," in talk(planner, "and if I buy a second hand 3090, what do i gain?").splitlines()[0]
    assert "kWh a month" in talk(planner, "what would the electricity cost if it runs 3 hours a day?")


def test_the_pick_stays_where_a_battery_is_named(planner: Planner) -> None:
    pick = talk(planner, "which chip for kws on a remote control?").splitlines()[3].split("|")[1].strip()
    assert f"on {pick}" in talk(planner, "how long would that run on a CR2032 at 5 times a day?")


def test_what_was_suggested_is_compared_with_the_kernels_that_it_was_suggested_with(planner: Planner) -> None:
    row = talk(planner, "kws in under 10 ms, cheapest microcontroller?").splitlines()[3].split("|")
    board, kernels = (cell.strip() for cell in row[1:3])
    assert f"| {board} with {kernels}" in talk(planner, "compare it with a stm32h743zi please")
    assert f"| {board} with {kernels}" in talk(planner, "and the energy of both?")


def test_a_sentence_is_one_line_without_intervals(planner: Planner) -> None:
    talk(planner, "does vww on an nrf52840 meet 100 ms?")
    verdict = talk(planner, "so is that a yes or a no?")
    assert verdict.startswith("No, ")
    assert "\n" not in verdict
    assert "–" not in verdict


def test_a_chip_that_is_unknown_is_none_of_those_before(planner: Planner) -> None:
    talk(planner, "mobilenet_v2 on a snapdragon 8 gen 2, 30 fps?")
    answer = talk(planner, "most of our users have a Snapdragon 450. Would it still do 10 fps?")
    assert answer.startswith("I do not know the chip or board Snapdragon 450")
    assert "gen-2:" not in answer


def test_a_number_beside_a_name_is_not_the_last_figure_again(planner: Planner) -> None:
    talk(planner, "gemma 2 9b q4 on an rtx 4060 ti 16gb at 8k context, tokens/s?")
    calls = planner.ask("would a used 3090 be better value? they are 650 here").tool_calls
    assert not any(call["arguments"].get("context") == 650_000 for call in calls)


NANO_AND_NX = ("llama-3-8b on a jetson orin nano, tokens/s?", "too slow. on the Orin NX 16GB?")
NETWORKS = "kws, vww, ic and ad on a nucleo-l4r5zi: which run under 100 ms?"


def test_there_is_where_the_user_was_last_and_not_what_was_kept_beside_it(planner: Planner) -> None:
    limit = talk(planner, *NANO_AND_NX, "what limits it there, compute or memory?")
    assert "jetson-orin-nano-8gb" not in limit
    better = talk(planner, "would mistral 7b do better on that one").splitlines()[0]
    assert "jetson-orin-nx-16gb" in better
    assert "nano" not in better


def test_the_slowest_of_a_table_of_networks_is_the_one_of_which_it_is_asked(planner: Planner) -> None:
    assert ": ic on stm32l4r5zi" in talk(
        planner, NETWORKS, "For the slowest one, which layer takes the time?"
    )
    page = talk(planner, "what is a depthwise convolution and why is it slow on small chips")
    assert "From docs/" in page
    assert "ic does not meet" in talk(planner, "back to that model, what would bring it under 100 ms?")


def test_a_row_is_found_by_what_it_is_worst_at(planner: Planner) -> None:
    talk(planner, "kws on an esp32, an nrf52840 and a stm32h743, energy")
    assert "kws on esp32" in talk(planner, "what limits the hungriest one")


def test_another_topic_may_still_point_at_a_board_of_the_one_before(planner: Planner) -> None:
    talk(planner, "kws on stm32f746 and nrf52840, below 60 ms?")
    answer = talk(planner, "Other topic: could we use mobilenet_v2 on the first one, for a demo?")
    assert "mobilenet_v2 does not fit on stm32f746ng" in answer


def test_who_comes_back_to_a_topic_finds_its_boards_again(planner: Planner) -> None:
    talk(planner, "vww on rp2040, how long", "and the pico 2")
    talk(planner, "something else: qwen 0.5b on a jetson orin nano, tokens per second")
    answer = talk(planner, "ok back to the person detection. that board or the pico 2, for 2 frames a second")
    assert "| rp2040 |" in answer
    assert "| rp2350 |" in answer
    assert "jetson" not in answer


def test_how_far_off_is_asked_of_another_quantity_of_the_same_class(planner: Planner) -> None:
    answer = talk(planner, "How far off are your energy numbers for microcontrollers?", "and for latency?")
    assert answer.startswith("Median error of the latency")
    assert "on MCUs" in answer
