"""Several networks in one question: a table by network, one board for all, and mean powers at a rate."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import Limits, analyze_roofline, deployment, recommend_hardware


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def rows(answer: str) -> list[list[str]]:
    found = [line.strip("| ").split(" | ") for line in answer.splitlines() if line.startswith("| ")]
    return found[1:]


@pytest.mark.parametrize("boards", [("nrf52840", "stm32l4r5zi"), ("nrf52840", "esp32-s3", "stm32h743zi")])
def test_of_networks_on_several_boards_the_best_board_of_each_is_told(
    planner: Planner, boards: tuple[str, ...]
) -> None:
    answer = planner.ask(f"energy of kws and vww on {', '.join(boards)}").answer
    assert [row[0] for row in rows(answer)] == sorted((f"{m}, {b}" for m in ("kws", "vww") for b in boards),
                                                      key=[row[0] for row in rows(answer)].index)  # fmt: skip
    best = {name.partition(", ")[0]: name.partition(", ")[2] for name, *_ in rows(answer)[:: len(boards)]}
    first = answer.partition("\n")[0]
    assert all(f"{board} takes the least energy for" in first for board in best.values())
    assert "better" in first


def test_the_two_best_of_a_list_are_the_first_that_run(planner: Planner) -> None:
    boards = "esp32-s3, stm32h743zi, stm32f746, nrf5340, rp2040 and max78000"
    listed = rows(planner.ask(f"list the time of vww on {boards}").answer)
    assert len(listed) == 6
    both = rows(planner.ask("compare the two fastest of those").answer)
    assert [row[0] for row in both] == [row[0] for row in listed[:2]]


def test_a_life_that_is_wanted_is_judged_of_each_board(planner: Planner) -> None:
    answer = planner.ask("nrf52840 or stm32u585 for kws every hour, which lasts ten days on a CR2032?").answer
    assert {row[-1] for row in rows(answer)} == {"yes"}
    assert "last ten days" in answer.partition("\n")[0]


def test_of_several_kinds_of_hardware_the_best_of_each_stands_beside_the_other(planner: Planner) -> None:
    found = planner.ask("mcu or npu for person detection at 5 fps?")
    assert {row[0].rpartition(" ")[2] for row in rows(found.answer)} == {"(MCU)", "(NPU)"}
    assert len(rows(found.answer)) == 2
    assert "5 fps" in found.answer.partition("\n")[0]


def test_a_benchmark_is_all_of_its_networks(planner: Planner) -> None:
    answer = planner.ask("how much faster is an nrf52840 than an rp2040 on MLPerf Tiny?").answer
    assert {row[0].partition(", ")[0] for row in rows(answer)} == {"kws", "vww", "ic", "ad"}


def test_one_board_for_several_networks_passes_with_each_of_them(planner: Planner) -> None:
    answer = planner.ask("which board below 20 dollars runs all of kws, vww and ic?").answer
    best = rows(answer)[0][0]
    for model in ("kws", "vww", "ic"):
        ranking = recommend_hardware(model, Limits(price_usd=20.0)).ranking
        assert best in {row.target for row in ranking if row.verdict in ("PASS", "MARGINAL")}


def test_a_harvest_is_held_against_the_mean_power_at_the_rate(planner: Planner) -> None:
    answer = planner.ask("kws 1000 times an hour on stm32l4r5zi or nrf52840, solar gives 0.2 mW").answer
    first = answer.partition("\n")[0]
    assert first.startswith(
        "None of them meets 1000 times an hour and 0.2 mW on average; nrf52840 comes nearest"
    )
    assert "| average power |" in answer


def test_of_kinds_of_operators_each_is_told_its_share(planner: Planner) -> None:
    answer = planner.ask("vit_tiny_patch16 on a raspberry pi 4: what limits it, softmax or matmul?").answer
    shares = dict(re.findall(r"(\w+) takes ([\d.]+) %", answer.partition("\n")[0]))
    of_ops = analyze_roofline("vit_tiny_patch16", deployment("raspberry-pi-4", threads=0)).op_shares
    assert float(shares["softmax"]) == pytest.approx(100 * of_ops["SOFTMAX"], rel=0.01)


def test_shares_of_the_kinds_of_operators_sum_to_one() -> None:
    shares = analyze_roofline("vww", "nrf52840").op_shares
    assert sum(shares.values()) == pytest.approx(1.0)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_figures_behind_the_words_for_memories_are_those_memories(planner: Planner) -> None:
    answer = planner.ask("check ad on RA6M5: ram 64 KiB, flash 512 KiB, latency 10 ms").answer
    assert "of 64 KiB" in answer
    assert "of 512 KiB" in answer


def test_where_no_power_is_known_changes_are_ranked_by_time_and_that_is_said(planner: Planner) -> None:
    answer = planner.ask("what changes would cut the energy of vww on an nRF52833, best first?").answer
    assert answer.startswith("No source gives the power of nrf52833")
    assert "Nothing that I simulate" not in answer


def test_what_another_piece_of_the_program_takes_is_no_limit(planner: Planner) -> None:
    question = "does vww fit an nRF52840 beside a BLE stack that takes about 40 kB RAM and 200 kB flash?"
    answer = planner.ask(question).answer
    assert "beside 40 kB" in answer
    assert "beside 200 kB" in answer


def test_a_word_is_explained_beside_the_figure_that_is_asked_for(planner: Planner) -> None:
    question = "Explain roofline like I manage people, then tell me which side of it mobilenet_v1 sits on for a Jetson Nano."
    answer = planner.ask(question).answer
    assert "docs/concepts/roofline.md" in answer
    assert "by the roofline alone arithmetic is the lower limit" in answer


def test_a_clock_that_saves_most_stands_among_others(planner: Planner) -> None:
    answer = planner.ask("at what clock does an stm32h743 need the least energy for kws?").answer
    energies = [float(row[1].split()[0]) for row in rows(answer)]
    assert len(energies) > 2
    assert answer.startswith(rows(answer)[energies.index(min(energies))][0])


def test_instead_of_what_is_too_dear_another_board_is_named(planner: Planner) -> None:
    planner.ask("yolov8n on a jetson orin nano, how many fps?")
    answer = planner.ask("so what would you buy instead, for under 150 dollars?").answer
    assert "jetson-orin-nano-8gb" not in {row[0] for row in rows(answer)}
    assert len(rows(answer)) == 3


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("are the RAM and flash of an nrf52832 big enough for kws and ad?", "Probably, though not surely, kws and ad"),
        ("kws and vww on an stm32f446 under FreeRTOS: do they fit?", "Probably, though not surely, kws and"),
        ("kws and ic take turns on an rp2040: do they fit with one shared arena, or is it the sum?",
         "In turn they can share one arena, 60"),
    ],
)  # fmt: skip
def test_several_networks_on_one_chip_are_judged_together(
    planner: Planner, question: str, first: str
) -> None:
    assert planner.ask(question).answer.startswith(first)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("is there room for kws on an nrf52833 below a Zephyr BLE stack?", "Zephyr with Bluetooth by itself"),
        ("does vww fit an esp32-s3 while it is on wifi?", "ESP-IDF with Wi-Fi leaves 273 KiB"),
        ("Mbed OS on an nrf52840, does vww still fit?", "Mbed OS by itself takes at least 7 KiB"),
        ("does kws fit on an stm32f401 under NuttX?", "Not counted: what NuttX takes"),
    ],
)
def test_what_a_system_takes_is_told_beside_the_fit(planner: Planner, question: str, told: str) -> None:
    answer = planner.ask(question).answer
    assert told in answer
    assert answer.startswith("Yes")


def test_what_the_user_says_that_a_system_takes_goes_first(planner: Planner) -> None:
    answer = planner.ask("does kws fit an nrf52832 beside FreeRTOS, which takes 20 KB there?").answer
    assert "by itself" not in answer
    assert "beside 20 KB" in answer


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("yolov8m at 12 fps on an L4, plus another network, a resnet, 90 times a second: does it keep up?",
         ["yolov8m@12/s", "resnet50@90/s"]),
        ("Orin Nano 8GB: yolov5s at 20 fps, and an additional classifier (efficientnet) at 4 fps. ok?",
         ["yolov5s@20/s", "efficientnet_b0@4/s"]),
    ],
)  # fmt: skip
def test_a_second_network_goes_by_its_family_and_adds_its_own_load(
    planner: Planner, question: str, plan: list[str]
) -> None:
    calls = planner.ask(question).tool_calls
    assert [call["arguments"]["plan"] for call in calls if call["name"] == "analyze_pipeline"] == [plan]


def test_the_rate_of_a_network_without_a_name_is_none_of_the_first(planner: Planner) -> None:
    told = planner.ask(
        "A Hailo-8L runs yolov8s at 25 fps, and a second model of ours 9 times a second. Does it cope?"
    )
    assert "I know no name of the network at 9 times a second" in told.answer
    rates = {call["arguments"]["rate_hz"] for call in told.tool_calls if "rate_hz" in call["arguments"]}
    assert rates == {25.0}
