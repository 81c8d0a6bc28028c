"""What a turn of a conversation takes over from those before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(directory=tmp_path))


def last_call(planner: Planner, *questions: str) -> dict[str, object]:
    """The deployment and arguments of the last call that the last of some questions made."""
    for question in questions:
        answer = planner.ask(question)
    return dict(answer.tool_calls[-1]["arguments"])


@pytest.mark.parametrize("words", ["how fast is the second one?", "take the second. latency?"])
def test_a_row_of_a_table_is_picked_with_the_kernels_that_it_was_shown_with(
    planner: Planner, words: str
) -> None:
    table = planner.ask("Which board for kws on a battery?").answer.splitlines()
    board, kernels = (cell.strip() for cell in [row for row in table if row[:1] == "|"][3].split("|")[1:3])
    taken = last_call(planner, words)
    assert (taken["target"], taken["runtime"]) == (board, kernels)


def test_a_row_is_picked_by_what_it_is_best_at(planner: Planner) -> None:
    planner.ask("compare nrf52840 and stm32h743 for kws, latency and energy")
    assert last_call(planner, "take the faster one. energy?")["target"] == "stm32h743zi"


def test_a_call_that_failed_binds_nothing(planner: Planner) -> None:
    planner.ask("kws on an rp2040, latency?")
    assert "cannot run at 4000 MHz" in planner.ask("and at 4000 MHz?").answer
    assert "clock_mhz" not in last_call(planner, "how much energy per inference?")


def test_a_bare_number_takes_the_place_of_the_last_figure(planner: Planner) -> None:
    planner.ask("does vww on an stm32f746 meet 100 ms?")
    calls = planner.ask("ok relax that to 200").tool_calls
    assert 200.0 in [call["arguments"].get("latency_ms") for call in calls]


def test_a_board_goes_by_a_part_of_its_name(planner: Planner) -> None:
    planner.ask("resnet50 on an rtx-4090, batch 4?")
    planner.ask("and on a jetson orin nano?")
    planner.ask("and on an rtx-4090?")
    assert last_call(planner, "and the nano?")["target"] == "jetson-orin-nano-8gb"


def test_without_a_kernel_library_are_the_reference_kernels(planner: Planner) -> None:
    planner.ask("kws on an stm32h743 with cmsis-nn, latency?")
    after, *_ = planner.ask("and without cmsis-nn?").tool_calls
    assert after["arguments"]["runtime"] == "tflm-reference"


def test_thanks_and_a_question_about_the_product_change_no_subject(planner: Planner) -> None:
    planner.ask("kws on an nrf52840, latency?")
    planner.ask("thanks!")
    planner.ask("what is a MAC?")
    assert last_call(planner, "and at 32 MHz?")["target"] == "nrf52840"


def test_what_is_taken_back_is_no_limit_any_more(planner: Planner) -> None:
    planner.ask("does kws on an nrf52840 meet 50 ms and 64 KB of RAM?")
    planner.ask("forget the latency limit, does it fit?")
    assert "latency_ms" not in last_call(planner, "does it meet the limits?")


def test_two_that_were_spoken_of_are_no_threads(planner: Planner) -> None:
    planner.ask("vww on an esp32-s3, latency?")
    planner.ask("and on an rp2040?")
    answer = planner.ask("which of the two is faster?").answer
    assert "esp32-s3" in answer
    assert "rp2040" in answer


def test_why_not_is_answered_by_what_fails(planner: Planner) -> None:
    planner.ask("does mobilenet_v2 fit on an esp32-s3?")
    assert "too much" in planner.ask("why not?").answer


def test_a_figure_that_was_found_is_meant_by_at_that(planner: Planner) -> None:
    found = planner.ask("how low can the clock of an stm32h743 go for vww at 10 fps?").answer.split()
    clock = found[found.index("MHz") - 1]
    assert f"at {clock} MHz" in planner.ask("at that clock, how much power?").answer


def test_several_of_a_ranking_are_compared_with_the_kernels_that_they_were_ranked_with(
    planner: Planner,
) -> None:
    table = planner.ask("Which chip under 2 dollars for kws?").answer.splitlines()
    rows = [[cell.strip() for cell in row.split("|")[1:3]] for row in table if row[:1] == "|"][2:]
    answer = planner.ask("compare all of them").answer
    assert all(f"{board} with {kernels}" in answer for board, kernels in rows)


def test_the_two_are_networks_where_the_network_changed_last(planner: Planner) -> None:
    planner.ask("resnet50 on an rtx-3060, latency?")
    planner.ask("and mobilenet_v2?")
    answer = planner.ask("compare the two").answer
    assert "resnet50" in answer
    assert "mobilenet_v2" in answer


def test_what_is_dropped_from_a_comparison_stays_out(planner: Planner) -> None:
    planner.ask("compare mobilenet_v1, mobilenet_v2 and resnet50 on a raspberry pi 4")
    assert "resnet50" not in planner.ask("drop resnet50").answer


def test_what_cannot_be_done_any_more_is_left_out_and_named(planner: Planner) -> None:
    planner.ask("what would a 64x64 input bring for vww on an stm32f446?")
    assert "Without *64x64*" in planner.ask("and how much energy?").answer


def test_how_many_devices_are_sold_is_no_memory(planner: Planner) -> None:
    answer = planner.ask("vww for 50 k units, chip below 3 USD. Which board?")
    assert not any("ram_bytes" in call["arguments"] for call in answer.tool_calls)


def test_the_row_that_was_taken_is_compared_with_another_of_its_table(planner: Planner) -> None:
    planner.ask("Which chip under 6 dollars does vww at 5 fps?")
    second = last_call(planner, "take the second one, how fast?")["target"]
    answer = planner.ask("why is it slower than the first?").answer
    assert str(second) in answer
    assert "Why: " in answer


def test_what_to_change_is_meant_for_what_was_spoken_of_last(planner: Planner) -> None:
    planner.ask("Does kws fit on an nRF52840 with 64 KB of RAM?")
    planner.ask("how long does a CR2032 last at one inference a minute?")
    calls = planner.ask("what would you change first to double that?").tool_calls
    assert [call["arguments"]["goal"] for call in calls if "goal" in call["arguments"]] == ["energy"]


def test_a_table_has_a_column_for_every_quantity_that_is_called_by_name(planner: Planner) -> None:
    answer = planner.ask(
        "nrf52840 against stm32h743 for kws, put latency, ram and energy next to each other"
    ).answer
    head = next(line for line in answer.split("\n") if line.startswith("|"))
    assert {"latency", "arena", "energy"} <= {cell.strip() for cell in head.split("|")}


def test_the_ending_of_a_name_is_another_of_the_line(planner: Planner) -> None:
    planner.ask("vww.tflite on an esp32, latency?")
    assert last_call(planner, "and on the S3?")["target"] == "esp32-s3"
    assert last_call(planner, "C3 then?")["target"] == "esp32-c3"


def test_the_only_one_that_ends_so_is_meant_beside_another_line(planner: Planner) -> None:
    planner.ask("vww.tflite on an stm32l4r5, latency?")
    assert last_call(planner, "and on the S3?")["target"] == "esp32-s3"


def test_an_ending_alone_is_no_board(planner: Planner) -> None:
    planner.ask("kws on an nrf52840, latency?")
    assert last_call(planner, "the model lies in an s3 bucket; and at 32 MHz?")["target"] == "nrf52840"
