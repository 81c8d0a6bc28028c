"""What was asked is concluded: who meets the limits, what is enough, and which figure of the message decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.planner.no_goals import no_goals
from edgewright.agent.planner.planner import Planner
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def table(answer: str) -> list[list[str]]:
    """The cells of the rows under the heads."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in answer.splitlines()
            if line.startswith("|")]  # fmt: skip


def test_where_both_boards_meet_the_rate_the_cheaper_is_enough_and_stands_first(planner: Planner) -> None:
    answer = planner.ask(
        "Jetson Orin Nano 8GB or Orin NX 16GB for yolo11s at 30 frames per second: is the NX really needed?"
    ).answer
    assert answer.startswith("Both meet 30 frames per second, so the cheaper jetson-orin-nano-8gb")
    assert "is enough" in answer.partition("\n")[0]
    assert table(answer)[2][0] == "jetson-orin-nano-8gb"


def test_what_boards_cost_the_user_decides_which_is_the_cheaper(planner: Planner) -> None:
    question = "kws once per second: nRF52840 at $15 or STM32H743 at $3, do I need the expensive one?"
    prices = {slot.of: slot.number for slot in read(question).slots if slot.role is Role.OWN_PRICE_USD}
    assert prices == {"nRF52840": 15.0, "STM32H743": 3.0}
    assert "the cheaper stm32h743zi ($3) is enough" in planner.ask(question).answer


def test_bare_prices_of_two_cards_are_what_they_cost_the_user(planner: Planner) -> None:
    answer = planner.ask("a used 3080 for 400, the 4070 is 520: which for llama-3.1-8b, per dollar?").answer
    assert {row[0]: row[-2] for row in table(answer)[2:]} == {"rtx-3080": "400", "rtx-4070": "520"}
    assert "599" not in answer


@pytest.mark.parametrize(
    ("question", "goals"),
    [("t4 or rtx-4070 for resnet50, power is no issue", {"energy"}), ("the price does not matter", {"price"}),
     ("I don't care about the speed, only energy", {"latency"}), ("money is no object", {"price"}),
     ("does power matter here?", set()), ("which one takes less energy?", set())],
)  # fmt: skip
def test_what_does_not_count_is_no_goal(question: str, goals: set[str]) -> None:
    assert set(no_goals(question)) == goals


def test_a_goal_that_does_not_count_decides_nothing(planner: Planner) -> None:
    quickest = "Which is quicker for resnet50, an rtx-4070 or a t4{}?"
    plain, denied = (planner.ask(quickest.format(more)).answer for more in ("", ", power is no issue"))
    assert denied.partition(" with ")[0] == plain.partition(" with ")[0] == "rtx-4070 is the fastest"
    assert "energy" not in denied


def test_two_of_a_board_do_twice_as_much(planner: Planner) -> None:
    ask = "{} t4 or one a10 for resnet50, which has more throughput?"
    single, double = (fps(planner.ask(ask.format(many)).answer, "t4") for many in ("one", "two"))
    assert double == pytest.approx(2 * single, rel=0.01)


def fps(answer: str, board: str) -> float:
    head, _, *rows = table(answer)
    cell = next(cells for cells in rows if cells[0].endswith(board))[head.index("throughput")]
    return float(cell.partition(" ")[0].replace(",", ""))


@pytest.mark.parametrize(
    ("question", "role", "value"),
    [("how many fps on a pi 4 with efficientnet_lite0? we would need 25", Role.RATE_HZ, 25.0),
     ("latency of kws on the nrf52840? the boss wants 50", Role.LATENCY_MS, 50.0),
     ("vww on a raspberry pi 4, how fast? 15 fps wanted", Role.RATE_HZ, 15.0)],
)  # fmt: skip
def test_a_figure_without_a_unit_has_the_one_that_is_asked_in(
    question: str, role: Role, value: float
) -> None:
    query = read(question)
    assert query.number(role) == value
    assert not query.unread


def test_all_cores_are_taken_where_one_does_not_reach_the_limit(planner: Planner) -> None:
    answer = planner.ask("mobilenet_v3_large on a raspberry pi 4 at 20 fps?").answer
    assert not answer.startswith("No")
    assert "4 threads" in answer.partition("\n")[0]
    assert "With one thread: " in answer


def test_what_does_not_fit_leads_to_the_changes_that_make_it_fit(planner: Planner) -> None:
    answer = planner.ask(
        "mobilenet_v2 224x224 int8 does not fit on an STM32H747. What would you change first, what do I get?"
    ).answer
    assert answer.startswith("Least effort that makes it fit: ")
    assert "arena" in answer.partition("\n")[0]


def test_whether_an_npu_is_needed_is_told_by_what_does_without(planner: Planner) -> None:
    found = planner.ask("Do we really need an NPU for person detection at 2 fps?")
    assert found.answer.startswith("No, an NPU is not needed: ")
    ranked = next(call for call in found.tool_calls if call["name"] == "recommend_hardware")
    assert "npu" in ranked["arguments"]["without"]


def test_no_board_stands_before_one_that_is_better_in_every_column(planner: Planner) -> None:
    found = planner.ask("which microcontroller for person detection at 5 fps, below 10 dollars?")
    ranked = next(call for call in found.tool_calls if call["name"] == "recommend_hardware")["result"]
    first: dict[tuple[str, str], Any] = {}
    shown = [cells[:2] for cells in table(found.answer)[2:]]
    for each in ranked["ranking"]:
        first.setdefault((each["target"], each["runtime"]), each)
    rows = [first[board, kernels] for board, kernels in shown]
    assert len(rows) > 1
    for at, above in enumerate(rows):
        assert not any(better(below, above) for below in rows[at + 1 :])


def better(one: dict[str, Any], other: dict[str, Any]) -> bool:
    keys = ("latency_ms", "energy_uj")
    pairs = [(one[key]["value"], other[key]["value"]) for key in keys] + [
        (one["price_usd"], other["price_usd"])
    ]
    return all(a is not None and b is not None and a < b for a, b in pairs)


def test_a_batch_is_chosen_that_reaches_the_rate_in_time(planner: Planner) -> None:
    answer = planner.ask("what batch size for resnet50 on a T4 to serve 1300 images/s within 20 ms?").answer
    verdicts = {cells[0]: cells[-1] for cells in table(answer)[2:]}
    assert next(iter(verdicts)) in answer.partition("\n")[0]
    assert next(iter(verdicts.values())) in ("yes", "probably (rate)", "probably (latency)")


def test_how_many_streams_one_board_serves_is_answered_with_yes_or_no(planner: Planner) -> None:
    ask = "Can one Jetson Orin NX 16GB handle {} cameras at 10 fps each with yolov8s?"
    assert planner.ask(ask.format(8)).answer.startswith("Yes, one is enough for 8 at 10 fps")
    assert planner.ask(ask.format(40)).answer.startswith("No, one is not enough, it takes ")


def test_a_time_of_the_users_own_is_held_against_the_rate_that_they_need(planner: Planner) -> None:
    ask = "my vww takes {} on an esp32, is that good enough for 5 fps?"
    assert planner.ask(ask.format("250 ms")).answer.startswith("No")
    assert planner.ask(ask.format("150 ms")).answer.startswith("Yes")


def test_which_of_a_large_family_is_chosen_within_it(planner: Planner) -> None:
    found = planner.ask("which is the cheapest STM32 for vww at 3 fps?").answer
    assert {cells[0][:5] for cells in table(found)[2:]} == {"stm32"}


def test_a_memory_that_nobody_knows_leaves_a_rate_judged(planner: Planner) -> None:
    answer = planner.ask("mobilenet_v2 on a snapdragon 8 gen 2 at 30 fps?").answer
    assert answer.startswith("Yes, ")
    assert "unknown" not in answer


def test_a_network_that_is_not_known_is_named_beside_the_one_that_is_judged(planner: Planner) -> None:
    answer = planner.ask(
        "blazeface and efficientnet_lite0 on an i.MX 8M Plus, each 25 times a second?"
    ).answer
    assert "That is efficientnet_lite0 alone. I do not know blazeface; it leaves " in answer


def test_what_one_doubts_to_need_is_enough_or_not(planner: Planner) -> None:
    ask = "do I need more than 2 threads on a raspberry pi 4 for mobilenet_v2 at {} fps?"
    assert planner.ask(ask.format(20)).answer.startswith("It is enough: ")
    assert planner.ask(ask.format(200)).answer.startswith("It is not enough: ")


def test_what_is_asked_of_two_boards_is_demanded_of_both(planner: Planner) -> None:
    answer = planner.ask(
        "can i get 20 fps from yolov5s on a jetson xavier nx or do i need the agx orin?"
    ).answer
    assert answer.startswith("No, jetson-agx-orin-64gb is not needed: both meet 20 fps, so jetson-xavier-nx ")
    assert "I did not take" not in answer


def test_an_accelerator_costs_what_its_host_costs_too(planner: Planner) -> None:
    answer = planner.ask("is a coral usb needed for efficientnet_lite0 at 10 fps or does the pi 4 do?").answer
    assert "both meet 10 fps, so the cheaper raspberry-pi-4b" in answer.partition("\n")[0]


def test_where_a_price_is_not_known_the_limit_still_decides(planner: Planner) -> None:
    answer = planner.ask("which is cheaper at 500 requests per second with bert_base, a t4 or an l4?").answer
    assert answer.startswith("Only l4, batch 8 probably meets 500 requests per second")


def test_a_rate_well_above_the_estimate_is_hardly_reached(planner: Planner) -> None:
    answer = planner.ask("do i get 130 fps with efficientnet_lite0 on the jetson nano").answer
    assert answer.startswith(("No, ", "Probably not"))


def test_a_chip_is_hardly_cheaper_than_a_whole_board(planner: Planner) -> None:
    answer = planner.ask("teensy 4.1 or nicla vision for vww at 10 fps?").answer
    assert "try it first" not in answer


def test_threads_of_two_networks_under_a_limit_are_a_comparison(planner: Planner) -> None:
    answer = planner.ask("yolov5n vs yolov8n on a pi 5 with 4 threads, which is quicker? target 10fps").answer
    assert {cells[0] for cells in table(answer)[2:]} == {"yolov5n", "yolov8n"}


def test_several_streams_are_served_together(planner: Planner) -> None:
    answer = planner.ask("Can a jetson nano or an orin nano do 4 cameras at 10 fps with yolov8n?").answer
    verdicts = {cells[0]: cells[-1] for cells in table(answer)[2:]}
    assert verdicts == {"jetson-orin-nano-8gb": "yes", "jetson-nano": "no"}
    assert "4 times 10 fps" in answer


def test_several_of_a_board_are_compared_by_what_they_do_together(planner: Planner) -> None:
    answer = planner.ask("Does one L4 replace our two T4 for resnet50?")
    rates = {
        cells[0]: float(cells[1].partition(" ")[0].replace(",", "")) for cells in table(answer.answer)[2:]
    }
    results = [call["result"] for call in answer.tool_calls if call["name"] == "estimate_performance"]
    alone = {each["deployment"]["target"]: each["inferences_per_second"]["value"] for each in results}
    assert rates == pytest.approx({"2 x t4": 2 * alone["t4"], "l4": alone["l4"]}, rel=0.001)
    best, other = sorted(rates, key=lambda name: -rates[name])
    assert rates[best] < 1.1 * rates[other]
    first = answer.answer.partition("\n")[0]
    assert (
        f"{best} and {other} cannot be told apart: throughput " in first or f"the same as {other};" in first
    )


def test_images_a_joule_are_those_of_the_whole_batch(planner: Planner) -> None:
    answer = planner.ask("compare t4 and l4 for resnet50, int8 batch 16, images per second per watt")
    rows = table(answer.answer)[2:]
    results = [call["result"] for call in answer.tool_calls if call["name"] == "estimate_performance"]
    per_joule = {each["deployment"]["target"]: 16 / (each["energy_uj"]["value"] / 1e6) for each in results}
    assert {cells[0]: float(cells[1]) for cells in rows} == pytest.approx(per_joule, rel=0.01)


def test_memory_of_the_computer_is_not_that_of_its_card(planner: Planner) -> None:
    answer = planner.ask("i have a pc with a 4070 (12gb) and 32gb ram, can it run llama 3 70b?").answer
    assert answer.startswith("No")


def test_a_page_that_the_answer_quotes_is_not_quoted_again(planner: Planner) -> None:
    answer = planner.ask(
        "does 50% unstructured sparsity make anything faster on a Pi 4 or only smaller?"
    ).answer
    assert answer.count("multiplied like any other number") == 1


@pytest.mark.parametrize("words", ["at the same clock", "at equal MHz", "both at identical frequency"])
def test_boards_that_are_to_be_compared_at_one_clock_run_at_the_highest_that_each_reaches(
    planner: Planner, words: str
) -> None:
    found = planner.ask(f"stm32h743zi or stm32l4r5zi for vww, which is faster {words}?")
    estimates = [call for call in found.tool_calls if call["name"] == "estimate_performance"]
    assert {call["arguments"]["clock_mhz"] for call in estimates} == {120}
    assert "at the same clock, 120 MHz" in found.answer
    assert "did not take" not in found.answer


def test_boards_without_kernels_in_common_are_compared_with_their_own_and_that_is_said(
    planner: Planner,
) -> None:
    answer = planner.ask("coral-usb or hailo-8 for mobilenet_v2, with the same kernels on both?").answer
    assert "with kernels of their own, as none run on each of them" in answer


def test_from_one_clock_to_another_both_stand_in_the_table(planner: Planner) -> None:
    answer = planner.ask(
        "If I double the clock of an STM32H743 from 240 to 480 MHz, what happens to time and energy of kws?"
    ).answer
    assert {row[0] for row in table(answer)[2:]} == {"240 MHz", "480 MHz"}


def test_what_is_recommended_says_whether_it_surely_meets_the_limit(planner: Planner) -> None:
    found = planner.ask("what is the cheapest board that does vww at 5 frames per second?")
    record = next(call for call in found.tool_calls if call["name"] == "recommend_hardware")
    first = found.answer.partition("\n")[0]
    rows = {row["name"]: row["verdict"] for row in record["result"]["ranking"]}
    named = max((name for name in rows if first.startswith(name)), key=len)
    assert ("though not surely" in first) == (rows[named] != "PASS")
    assert "surely does" in first or "meets 5 frames per second" in first


def test_streams_are_counted_by_the_lower_end_too(planner: Planner) -> None:
    found = planner.ask("How many cameras at 15 fps can one A10 handle with yolov8m?")
    calls = [call["result"] for call in found.tool_calls]
    rate = max(calls, key=lambda call: call["deployment"]["batch"])["inferences_per_second"]
    first = found.answer.partition(":")[0]
    assert first.startswith(f"{int(rate['value'] // 15)} streams")
    assert f"({int(rate['low'] // 15)} to be sure" in first


def test_of_two_changes_the_one_that_brings_more_is_named_for_each_figure(planner: Planner) -> None:
    answer = planner.ask(
        "vww on stm32f446re: halving the channels or 64x64 at the input, what brings more time and RAM?"
    ).answer
    assert "brings most for the arena" in answer.partition("\n")[0]


def test_where_what_is_sought_is_unknown_of_those_that_run_the_answer_says_so(planner: Planner) -> None:
    answer = planner.ask(
        "ensemble-e8 or max78000 for keyword spotting? battery is what matters, below 200ms"
    ).answer
    assert "the energy of ensemble-e8 is not known" in answer


@pytest.mark.parametrize(
    "asked",
    ["ensemble-e3 or nrf52840 for kws, least energy, below 200ms",
     "which draws less energy a run of vww, esp32-s3 or himax-we2? it has to do 5 fps"],
)  # fmt: skip
def test_a_figure_is_said_of_the_board_that_it_is_of(planner: Planner, asked: str) -> None:
    answer = planner.ask(asked).answer
    energies = {row[0]: row[1] for row in table(answer) if "mJ" in row[1]}
    ((board, energy),) = energies.items()
    assert f"of {board} I know {energy}" in answer.partition("\n")[0]
