"""A list holds all that pass, a question for a verdict gets one, and what was named second is there too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner.choice import Order, said_order
from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def firsts(answer: str) -> list[str]:
    """The first cell of each row under the heads."""
    return [line.strip("| ").partition(" |")[0] for line in answer.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize(
    ("question", "role"),
    [("Give me every MCU board where vww stays below 100 ms and 5 mJ.", "energy_uj"),
     ("list the microcontrollers that run ic within 60 ms and cost less than 7 dollars", "price_usd")],
)  # fmt: skip
def test_a_list_holds_every_board_that_passes_with_every_limit(
    planner: Planner, question: str, role: str
) -> None:
    found = planner.ask(question)
    ranked = next(call for call in found.tool_calls if call["name"] == "recommend_hardware")
    assert role in ranked["arguments"]
    passing = {row["target"] for row in ranked["result"]["ranking"] if row["verdict"] in ("PASS", "MARGINAL")}
    assert set(firsts(found.answer)) == passing
    assert found.answer.startswith(f"{len(passing)} boards meet")


def test_another_size_that_a_number_alone_names_is_compared(planner: Planner) -> None:
    ask = "Is the Ethos-U65 with 512 MACs worth it over the 256 one for mobilenet_v2?"
    assert set(firsts(planner.ask(ask).answer)) == {"ethos-u65-512", "ethos-u65-256"}


def test_the_gpu_of_a_board_stands_beside_its_cpu(planner: Planner) -> None:
    answer = planner.ask("mobilenet_v2 on a raspberry pi 5: how fast on its CPU, how fast on its GPU?").answer
    assert set(firsts(answer)) == {"litert-xnnpack (CPU)", "ncnn-vulkan (GPU)"}


@pytest.mark.parametrize(
    ("rate", "words"), [("1 fps", ("No, ", "Probably not, ")), ("15 fps", ("Yes, ", "Probably, "))]
)
def test_whether_the_quicker_is_worth_it_depends_on_what_the_other_reaches(
    planner: Planner, rate: str, words: tuple[str, ...]
) -> None:
    ask = f"is an stm32h743zi worth it over an nrf52840 for vww at {rate}?"
    assert planner.ask(ask).answer.startswith(words)


def test_a_mean_power_at_a_rate_is_an_energy_of_each(planner: Planner) -> None:
    answer = planner.ask("which npu runs kws once a second under 1 mW on average?").answer
    assert "ndp120" in answer
    assert "1 mW on average" in answer


def test_another_of_a_family_is_chosen_among_the_rest_of_it(planner: Planner) -> None:
    planner.ask("kws on an stm32f446re, below 20 ms?")
    answer = planner.ask("so which other STM32 manages that?").answer
    assert all(name.startswith("stm32") and name != "stm32f446re" for name in firsts(answer)), answer


def test_the_same_maker_is_that_of_the_board_before(planner: Planner) -> None:
    planner.ask("vww on an esp32-c3 in 300 ms?")
    answer = planner.ask("is there a module from the same manufacturer which board would hold that?").answer
    assert all(name.startswith("esp32") for name in firsts(answer)), answer


@pytest.mark.parametrize(
    ("question", "there", "not_there"),
    [
        ("list the boards with a cortex-m4 and 512 KB of RAM or more", "stm32l4r5zi", "stm32f446re"),
        ("which NXP chips do you know?", "imxrt1060", "esp32-s3"),
        ("which boards with a cortex-m7 and 900 MB of RAM do you know?", "none that I know", "stm32"),
    ],
)
def test_what_is_known_is_listed_by_core_maker_and_memory(
    planner: Planner, question: str, there: str, not_there: str
) -> None:
    answer = planner.ask(question).answer
    assert there in answer
    assert not_there not in answer


def test_one_chip_beside_more_or_less_memory_is_one_row(planner: Planner) -> None:
    answer = planner.ask("name five boards for vww at 8 fps, quickest first").answer
    stems = [re.sub(r"-r\d+$", "", name) for name in firsts(answer)]
    assert len(stems) == len(set(stems))


def test_what_only_may_do_and_what_misses_is_told_where_that_is_asked(planner: Planner) -> None:
    answer = planner.ask("which MCUs qualify for ic below 30 ms and 2 mJ, and which fail?").answer
    assert "Misses least: " in answer
    limited = planner.ask("the cheapest microcontroller for vww at 4 fps?").answer
    assert "probably (" in limited or "| yes |" in limited


@pytest.mark.parametrize(
    ("question", "board", "bare"),
    [("Which dev kit is the cheapest for vww at no more than 60 ms?", True, True),
     ("cheapest MCU board with ad below 12 ms, no bare chips", True, True),
     ("the cheapest chip for my own board that manages vww in 60 ms", False, False)],
)  # fmt: skip
def test_what_is_sold_as_is_asked_for_leads(planner: Planner, question: str, board: bool, bare: bool) -> None:
    answer = planner.ask(question).answer
    rows = [line for line in answer.splitlines() if line.startswith("| ")][1:]
    assert (" a chip |" not in rows[0]) is board
    assert (" a chip" not in answer.partition(" for ")[0]) is board
    assert ("as a bare chip" in answer) is bare


def test_a_limit_of_power_shows_the_power_of_each_and_what_is_not_sure(planner: Planner) -> None:
    answer = planner.ask("raspberry pi 5 or jetson orin nano for mobilenet_v2 below 11 W?").answer
    heads, *rows = [line for line in answer.splitlines() if line.startswith("| ")]
    assert "| power |" in heads
    assert all(" W (" in row for row in rows)
    assert not any(row.endswith(("| probably |", "| not sure |")) for row in rows)


def test_a_small_chip_that_is_to_be_cheap_is_chosen_by_price() -> None:
    assert said_order("the smallest (cheapest!) microcontroller for it") is Order.CHEAPEST
    assert said_order("the smallest microcontroller for it") is Order.SMALLEST
