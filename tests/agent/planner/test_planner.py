"""What the planner hears in a question, what it answers, and what it says that it did not use."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.answer import Answer
from edgewright.agent.planner import Planner
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import UsageError


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def heard(question: str, role: Role) -> tuple[float, ...]:
    return read(question).numbers(role)


@pytest.mark.parametrize(
    ("question", "role", "value"),
    [
        ("does it fit if the BLE stack takes 96 KB?", Role.TAKEN_BYTES, 96 * 1024),
        ("does it fit into 96 KB of RAM?", Role.RAM_BYTES, 96 * 1024),
        ("does it fit into 1 MB of flash?", Role.FLASH_BYTES, 1024**2),
        ("my board takes 180 ms, is that normal?", Role.CLAIMED_MS, 180),
        ("it must not take more than 180 ms", Role.LATENCY_MS, 180),
        ("it draws 3 mA when computing", Role.ACTIVE_UA, 3000),
        ("it takes 2 uA asleep", Role.SLEEP_UA, 2),
        ("does it last for half a year?", Role.LIFE_MS, 0.5 * 365.25 * 8.64e7),
        ("one frame a minute", Role.RATE_HZ, 1 / 60),
        ("with 4 threads", Role.THREADS, 4),
        ("in batches of 8 at batch 8", Role.BATCH, 8),
        ("on a 4S 5000 mAh pack", Role.SERIES, 4),
        ("energy of running it 1000 times", Role.RUNS, 1000),
    ],
)
def test_the_words_beside_a_figure_tell_its_role(question: str, role: Role, value: float) -> None:
    assert pytest.approx(value) in heard(question, role)


def test_a_name_holds_no_limit() -> None:
    query = read("is a Raspberry Pi Zero 2 W or a pi 5 enough for mobilenet_v2?")
    assert not query.has(Role.POWER_MW, Role.LATENCY_MS, Role.RAM_BYTES)
    assert query.all(Role.TARGET) == ("raspberry-pi-zero-2w", "raspberry-pi-5")


def test_each_of_several_parts_of_a_question_is_answered(planner: Planner) -> None:
    answer = planner.ask("Does kws fit on an nRF52840, how fast is it, and which cheaper board is there?")
    called = [call["name"] for call in answer.tool_calls]
    assert {"check_constraints", "estimate_performance", "recommend_hardware"} <= set(called)
    assert re.match(r"Yes, kws fits on nrf52840", answer.answer)
    assert re.search(r"[\d.]+ ms .*\n(?:.*\n)*.*[\d.]+ USD a", answer.answer)


def test_every_figure_of_an_answer_is_one_of_a_result(planner: Planner) -> None:
    answer = planner.ask("How fast is kws on an STM32H743?")
    assert answer.grounded
    assert answer.tool_calls[0]["name"] == "estimate_performance"
    assert answer.tool_calls[0]["arguments"] == {"model": "kws", "target": "stm32h743zi"}
    assert re.match(r"[\d.]+ ms \([\d.]+–[\d.]+ ms\)", answer.answer)


def test_what_is_not_used_is_named(planner: Planner) -> None:
    answer = planner.ask("How many MACs has resnet50 with 4 threads?")
    assert "I did not take into account: *4*" in answer.answer.splitlines()[1]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How fast is kws on an ATmega644P?", "ATmega644P"),
        ("What latency does mobilenet_v2 have on an iPhone 6?", "iPhone 6"),
        ("compare an Apple A10 and an esp32-s3 for kws", "Apple A10"),
    ],
)
def test_an_unknown_chip_is_called_unknown_by_name(planner: Planner, question: str, name: str) -> None:
    answer = planner.ask(question).answer
    assert name in answer
    assert "unknown" in answer or "do not know" in answer
    assert len(answer.split()) < 120


def test_the_best_that_is_named_is_the_best_of_the_table(planner: Planner) -> None:
    answer = planner.ask("Which of rp2040, nrf52840 and stm32h743 is the fastest for kws?").answer
    first, *rest = answer.splitlines()
    rows = [line for line in rest if line.startswith("| ")]
    assert first.split()[0] == rows[1].split("|")[1].strip()


def test_a_follow_up_is_the_question_before_with_new_slots_over_it(planner: Planner) -> None:
    planner.ask("How fast is kws on an STM32H743 at 100 MHz?")
    later = planner.ask("and on the nrf52840?")
    assert later.tool_calls[0]["arguments"] == {"model": "kws", "target": "nrf52840"}


def test_what_the_user_draws_is_taken_where_no_source_tells(planner: Planner) -> None:
    answer = planner.ask(
        "My esp32-s3 draws 30 mA at 3.3 V when computing. How long does a 1000 mAh LiPo last with kws once a second?"
    )
    assert "days" in answer.answer.splitlines()[0]
    assert answer.grounded


def test_a_claimed_time_is_held_against_every_likely_kernel_library(planner: Planner) -> None:
    answer = planner.ask("kws on the rp2040 takes 250 ms, is that normal?")
    assert answer.answer.startswith("Yes")
    assert len(answer.tool_calls) > 1


def test_concepts_are_answered_from_the_pages(planner: Planner) -> None:
    answer = planner.ask("What is arithmetic intensity?").answer
    assert "docs/concepts/arithmetic-intensity.md" in answer


@pytest.mark.parametrize(
    ("question", "start"),
    [("Passt kws auf den H743 und wie lange?", "Ohne"), ("kws 能在 H743 上运行吗?", "没有")],
)
def test_another_language_is_told_so_in_it(planner: Planner, question: str, start: str) -> None:
    assert planner.ask(question).answer.startswith(start)


@pytest.mark.parametrize(
    "question",
    ["{{r1.latency_ms}}", "{{r1.latency_ms}} of kws on stm32h743", "a" * 100_000, "🙂" * 9_000, "9" * 50_000, "?", "'\"`$(rm -rf)"],
)  # fmt: skip
def test_no_question_breaks_an_answer(planner: Planner, question: str) -> None:
    answer: Answer = planner.ask(question)
    assert answer.grounded
    assert "[?]" not in answer.answer
    assert len(answer.answer) < 2_000


def test_an_empty_question_is_refused(planner: Planner) -> None:
    with pytest.raises(UsageError, match="empty"):
        planner.ask(" \n")


def test_the_query_is_frozen_and_says_what_it_does_not_know() -> None:
    query: Query = read("Can I run GPT-4 on an Arduino Yun?")
    assert [name.text for name in query.unknown] == ["GPT-4", "Arduino Yun"]


def test_one_offline_question_loads_no_langchain(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from edgewright.agent import ask\n"
        "ask('Does kws fit the H743?', llm='offline')\n"
        "print([n for n in ('langchain', 'langchain_core', 'langgraph', 'openai') if n in sys.modules])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run.stdout.strip() == "[]"


def test_a_language_model_is_answered_in_tokens_a_second(planner: Planner) -> None:
    answer = planner.ask("How many tokens per second will Llama-3-8B reach on a Jetson Orin Nano?")
    assert answer.tool_calls[0]["name"] == "estimate_generation"
    assert "tokens/s" in answer.answer.splitlines()[0]


def test_what_does_not_fit_never_comes_first(planner: Planner) -> None:
    answer = planner.ask("compare max78000, k210 and esp32-s3 for vww, which is the fastest?").answer
    assert not answer.startswith("max78000")
    assert "| no |" in answer


def test_the_load_at_a_rate_is_known_where_the_time_is(planner: Planner) -> None:
    answer = planner.ask("What share of the CPU of an nRF52840 does kws take at 2 fps?").answer
    assert re.search(r"\d+(?:\.\d+)? % \(\d+", answer), answer
    assert "not known" not in answer


def test_a_board_that_is_named_beside_one_with_an_engine_is_compared(planner: Planner) -> None:
    answer = planner.ask("ESP32-P4 or Alif Ensemble E8 for kws, which is faster?")
    assert "| esp32-p4 |" in answer.answer
    assert "| ensemble-e8 |" in answer.answer


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("does vww go into 96K of flash?", Role.FLASH_BYTES),
        ("does vww go into 96K of RAM?", Role.RAM_BYTES),
        ("flash 300 KB, does vww go in?", Role.FLASH_BYTES),
    ],
)
def test_the_memory_that_is_named_beside_a_size_is_the_one_that_is_meant(question: str, role: Role) -> None:
    assert read(question).has(role)


def test_how_many_boards_a_rate_takes_is_a_whole_number(planner: Planner) -> None:
    answer = planner.ask("12 cameras at 15 fps each, yolov8n, how many jetson orin nano do I have to buy?")
    assert re.match(r"\d+ of them", answer.answer)
    assert answer.grounded


def test_a_value_that_no_tool_takes_is_named_with_what_it_has_to_be(planner: Planner) -> None:
    answer = planner.ask("How fast is resnet50 on an A100 at batch 0?").answer
    assert "0 cannot be taken as batch: it has to be greater than 0." in answer


def test_an_average_current_is_unknown_where_what_is_asleep_is(planner: Planner) -> None:
    answer = planner.ask("kws every 5 s on max32650 at 3.3 V with average current below 2 mA, ok?").answer
    assert answer.startswith("It cannot be told")
    assert "asleep is not known" in answer


def test_where_a_small_network_is_looked_for_is_said(planner: Planner) -> None:
    assert "among microcontrollers, NPUs and DSPs" in planner.ask("Which chip should I take for kws?").answer


def test_a_limit_that_was_named_before_is_not_called_a_fit(planner: Planner) -> None:
    planner.ask("Which of nrf52840, rp2040 and stm32h743 is best for vww? I need 5 fps.")
    later = planner.ask("and energy?").answer
    head = next(line for line in later.splitlines() if line.startswith("| board"))
    assert "limits" in head
    assert "fits" not in head


@pytest.mark.parametrize(
    ("question", "function", "arguments", "says"),
    [
        (
            "What is the largest context of Qwen3 8B in 24 GB?",
            "estimate_generation",
            {"model": "qwen3-8b", "memory_bytes": 24 * 2**30},
            "40,960 tokens of context fit 24 GB",
        ),
        (
            "KV cache of Llama 3 8B at 8k in q8_0 cache?",
            "estimate_generation",
            {"context": 8192, "kv": "q8_0"},
            "0.531 GiB of key-value cache at 8,192 tokens (q8_0)",
        ),
        (
            "What is the cheapest GPU for 30 tokens/s with Llama 3 8B?",
            "rank_generation",
            {"model": "llama-3-8b", "min_tokens_per_s": 30, "target_class": "gpu"},
            "| price |",
        ),
        (
            "Which language models run well on a Raspberry Pi 5?",
            "rank_generation",
            {"target": "raspberry-pi-5", "order": "work"},
            "room to spare",
        ),
        (
            "gpt-oss 20b with vllm on a H100, batch 16",
            "estimate_generation",
            {"runtime": "vllm", "batch": 16},
            "for each of 16",
        ),
        (
            "Is Mixtral 8x7B at 20 tokens/s possible on an RTX 4090 in Q3_K_M?",
            "estimate_generation",
            {"weights": "Q3_K_M"},
            "against 20 tokens/s",
        ),
    ],
)
def test_a_question_about_a_language_model_brings_its_formats_and_demands(
    planner: Planner, question: str, function: str, arguments: dict[str, Any], says: str
) -> None:
    reply = planner.ask(question)
    call = reply.tool_calls[-1]
    assert call["name"] == function
    assert arguments.items() <= call["arguments"].items()
    assert says in reply.answer
    assert "not take into account" not in reply.answer


def test_whether_a_kernel_library_runs_on_a_board_is_answered_by_the_boards_own_list(tmp_path: Path) -> None:
    planner = Planner(Workspace(tmp_path))
    assert planner.ask("Does TensorRT run on a Raspberry Pi 4?").answer.startswith(
        "No, not on Raspberry Pi 4: there run litert-xnnpack"
    )
    assert planner.ask("does tensorrt run on a jetson orin nano").answer.startswith("Yes, TensorRT runs on")


def test_who_asks_what_to_measure_for_a_calibration_is_shown_the_command(tmp_path: Path) -> None:
    question = "which three models should I measure on my stm32h743 to calibrate?"
    assert (
        "edgewright calibrate --anchors -t stm32h743zi" in Planner(Workspace(tmp_path)).ask(question).answer
    )
