"""Language models on cards, their computers and phones, as they are asked for in turns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace
from edgewright.tools import estimate_generation


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def answers(planner: Planner, *questions: str) -> list[str]:
    return [planner.ask(question).answer for question in questions]


def given(planner: Planner, question: str) -> dict[str, object]:
    calls = [call for call in planner.ask(question).tool_calls if call["name"] != "recommend_hardware"]
    return dict(calls[-1]["arguments"])


def test_memory_of_the_computer_is_not_the_cards(planner: Planner) -> None:
    said = planner.ask("4070 with 12 GB, 64 GB of ram in the pc, llama 3 70b?").answer
    assert said.startswith("No, ")
    assert re.search(
        r"tokens/s\), fitted, with \d+ of 80 layers on the card and the rest, [\d.]+ GiB, in DDR5", said
    )


def test_steps_of_a_batch_are_held_against_the_bandwidth_not_its_tokens(planner: Planner) -> None:
    said = planner.ask("What binds qwen2.5 7b in fp16 on an L40S at batch 16, the bandwidth?").answer
    found = estimate_generation("qwen2.5-7b", "l40s", weights="fp16", batch=16)
    share = re.search(r"of which it reaches ([\d.]+) %", said)
    assert share
    assert float(share[1]) <= 100
    read = found.weights_bytes * found.active_parameters / found.parameters
    steps = float(found.decode_tokens_per_s) / 16 * read
    assert float(share[1]) == pytest.approx(100 * steps / (found.bandwidth_bytes_per_s or 1), rel=0.01)


def test_one_is_picked_and_it_in_the_next_turn_means_that_one(planner: Planner) -> None:
    first, second = answers(
        planner, "RTX 4070, which llm should I take?", "how much vram does that one need at 16k context"
    )
    picked = first.split(",")[0]
    assert "with most weights at work and room to spare" in first
    assert f"{picked} on rtx-4070" in second
    assert "16,384 tokens" in second


def test_a_format_stays_through_the_turns_while_it_goes(planner: Planner) -> None:
    said = answers(
        planner,
        "llama 3.1 8b on an RTX 4070",
        "and with 16k context?",
        "and with 62k tokens of context?",
        "when does the first token come there?",
    )
    assert said[0].splitlines()[0].endswith("Q4_K_M.")
    assert said[1].splitlines()[0].endswith("Q4_K_M.")
    assert said[2].startswith("No, not in the usual Q4_K_M")
    assert "only in IQ" in said[2]
    assert "of before" not in said[3]


def test_what_another_format_brings_is_said_against_the_one_before(planner: Planner) -> None:
    _, said = answers(planner, "qwen2.5 7b in fp16 on an L40S with vllm at batch 16", "would awq help?")
    assert re.match(r"Yes: AWQ writes [\d.]+x as fast as F16, with .* on l40s", said)


def test_hours_a_day_are_no_rate_of_tokens(planner: Planner) -> None:
    planner.ask("phi-4 on an RTX 3090")
    said = planner.ask("what is that in electricity if it runs 3 hours a day?").answer
    assert re.match(r"[\d.]+ (?:\(.*\) )?kWh a month \(its rating, 3 hours a day\)", said)


@pytest.mark.parametrize(
    "question",
    [
        "how much quality do I lose with Q4_K_M against fp16 for llama 3 8b?",
        "is llama 3.1 8b much dumber in q4 than in q8?",
    ],
)
def test_what_fewer_bits_cost_is_told_from_what_was_measured(planner: Planner, question: str) -> None:
    said = planner.ask(question).answer
    assert "perplexity" in said
    assert "cannot" not in said


def test_hours_of_sound_are_reckoned_to_cards(planner: Planner) -> None:
    said = planner.ask("500 hours of audio a day through whisper large-v3, how many L4?").answer
    found = estimate_generation("whisper-large-v3", "l4", context=448, prompt_tokens=4)
    window = float(found.time_to_first_token_ms) / 1e3 + 100 / float(found.decode_tokens_per_s)
    cards = -(-500 * 120 * window // 86400)
    assert said.startswith(f"{cards:g} of l4: ")


def test_a_size_behind_a_colon_belongs_to_the_name(planner: Planner) -> None:
    assert given(planner, "llama3.1:8b on a 3070")["model"] == "llama-3.1-8b"


def test_requests_a_minute_are_not_held_against_tokens_a_second(planner: Planner) -> None:
    said = planner.ask(
        "100 requests a minute, 1500 tokens in and 300 out. How many L40S for llama 3.1 8b?"
    ).answer
    assert re.match(r"\d+ of l40s: 100 requests a minute of 1500 tokens read and 300 written", said)


@pytest.mark.parametrize(
    ("question", "size"),
    [
        ("does mobilenet_v2:int8 fit an esp32-s3 with 8 MB PSRAM?", 8 * 2**20),
        ("my board is an stm32f746 with 16MB of SDRAM. does mobilenet v2 0.35 int8 fit?", 16 * 2**20),
        ("will mobilenet_v1:0.5:int8 go on an ESP32 that has 4 MB of external RAM?", 4 * 2**20),
    ],
)
def test_memory_beside_the_chip_is_added_to_it_and_is_no_limit(
    planner: Planner, question: str, size: int
) -> None:
    arguments = given(planner, question)
    assert arguments["own_external_ram_bytes"] == size
    assert "ram_bytes" not in arguments


def test_who_names_a_processor_of_several_cores_means_all_of_them(planner: Planner) -> None:
    answer = planner.ask("how much faster is mobilenet_v2 on a jetson orin nano than on a pi 5?").answer
    assert "int8, litert-xnnpack, 4 threads on raspberry-pi-5" in answer
    quick = planner.ask("how fast is mobilenet_v2 on a pi 4?").answer
    assert "4 threads" in quick.partition("\n")[0]
    assert "With one thread: " in quick


def test_threads_that_are_named_are_those_taken(planner: Planner) -> None:
    answer = planner.ask("mobilenet_v2 on a pi 4 with 2 threads, how fast?").answer
    assert "2 threads" in answer.partition("\n")[0]
    assert "With one thread: " not in answer


@pytest.mark.parametrize(
    ("question", "target"),
    [
        ("llama-3.2-1b on a MacBook with M2 and 16 GB", "apple-m2"),
        ("llama-3.2-1b on a MacBook Pro (M3 Pro)", "apple-m3-pro"),
    ],
)
def test_a_mac_is_the_chip_that_is_named_with_it(question: str, target: str) -> None:
    assert read(question).all(Role.TARGET) == (target,)


def test_the_mean_current_is_no_peak(planner: Planner) -> None:
    answer = planner.ask("peak current of an nRF52840 while running kws, to size the LDO?").answer
    assert answer.startswith("No source gives the peak current: ")
    assert " mA " in answer.partition("\n")[0]
    assert "at 3 V is the mean" in answer


def test_flash_beside_the_chip_is_not_answered_with_memory_inside(planner: Planner) -> None:
    answer = planner.ask(
        "put the weights of vww in external QSPI flash on an STM32H743: how much slower?"
    ).answer
    assert answer.startswith("not known how much slower")
    assert "axi-sram" not in answer


def test_a_full_context_slows_writing_down(planner: Planner) -> None:
    answer = planner.ask("llama-3.2-3b on an RTX 3060 with 32k context: tokens per second?").answer
    assert "Once the context of 32,768 tokens is full: " in answer


@pytest.mark.parametrize("board", ["raspberry pi 5", "raspberry pi 5 4GB"])
def test_a_family_is_the_member_that_goes_on_the_board_of_the_talk(planner: Planner, board: str) -> None:
    first, then = answers(planner, f"how fast is yolov8n on a {board}?", "and with a Hailo hat?")
    assert re.match(r"[\d.]+ fps|[\d.]+ ms", first)
    assert re.search(r"on raspberry-pi-5-hailo-8l?\b", then)


def test_the_memory_of_a_computer_is_a_limit_where_it_is_asked_for(planner: Planner) -> None:
    said = planner.ask("is 4 GB enough for yolov8s on a raspberry pi 5?").answer
    assert said.startswith("Yes, yolov8s fits")
    assert "of 4 GB" in said


@pytest.mark.parametrize(
    ("words", "targets"),
    [
        ("what does the Pi alone do?", {"raspberry-pi-5"}),
        ("is the Pi 5 by itself enough?", {"raspberry-pi-5"}),
        ("how much does the network alone take?", {"raspberry-pi-5-hailo-8l"}),
        ("and yolov8s with the kit?", {"raspberry-pi-5-hailo-8l"}),
        ("and without the kit?", {"raspberry-pi-5", "raspberry-pi-5-hailo-8l"}),
        ("so what would you do, kit or no kit?", {"raspberry-pi-5", "raspberry-pi-5-hailo-8l"}),
    ],
)
def test_a_board_without_what_sits_on_it_is_the_board_alone(
    tmp_path: Path, words: str, targets: set[str]
) -> None:
    planner = Planner(Workspace(tmp_path))
    planner.ask("yolov8n on a Raspberry Pi 5 with a Hailo-8L AI kit at 15 fps?")
    calls = planner.ask(words).tool_calls
    assert {call["arguments"]["target"] for call in calls if "target" in call["arguments"]} == targets
