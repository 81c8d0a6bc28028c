"""A figure that is not surely understood is named, one that could be taken otherwise is said how, and the rest adds up."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.desk import Desk
from edgewright.agent.planner.planner import rendered_answer
from edgewright.agent.planner.query import Query, Role, Slot
from edgewright.agent.planner.reading import read
from edgewright.agent.planner.roles import SURE, UNSURE
from edgewright.agent.planner.settling import reckoned, settled
from edgewright.agent.planner.want import Want
from edgewright.agent.quantities import Family, find_figures
from edgewright.agent.workspace import Workspace


def answered(tmp_path: Path, question: str) -> str:
    return Planner(Workspace(tmp_path)).ask(question).answer


@pytest.mark.parametrize(
    "question",
    [
        "the sensor takes 5 ms, the belt runs 0.7 m/s, how fast is kws on nrf52840?",
        "In 2021 we paid 12 people for it. Does vww fit the stm32f746?",
        "images of 4 MB are shrunk to 96x96: vww on an esp32-s3, how long?",
        "what is the M in MCU 7000?",
    ],
)
def test_every_figure_of_a_question_is_used_or_named(tmp_path: Path, question: str) -> None:
    answer, query = answered(tmp_path, question), read(question)
    for text in (*query.unread, *(slot.text for slot in query.slots if isinstance(slot.value, float))):
        assert text in answer


def test_a_figure_below_the_threshold_fills_no_slot_and_one_below_certainty_says_how_it_was_taken() -> None:
    assert 0 < UNSURE < SURE < 1
    query = read("does vww fit an nrf52840 beside 74 KB of BLE and 24 KB of logs?")
    assert all(slot.chance >= UNSURE for slot in query.slots)


@pytest.mark.parametrize(
    ("text", "value", "family"),
    [
        ("arena = 30*1024;", 30720, Family.BYTES),
        ("a buffer of 160 * 120 * 2 bytes", 38400, Family.BYTES),
        ("an input of 96 x 96", 96, Family.SIDE),
        ("half of the RAM is gone", 50, Family.PERCENT),
        ("a third of our GPU", 100 / 3, Family.PERCENT),
    ],
)
def test_products_and_parts_are_one_figure(text: str, value: float, family: Family) -> None:
    found = find_figures(text)
    assert [(figure.value, figure.family) for figure in found] == [(pytest.approx(value), family)]


def test_half_the_channels_is_a_change_and_no_share_of_the_hardware() -> None:
    assert not find_figures("prune half the channels")


def test_what_several_others_take_adds_up() -> None:
    taken = [Slot(role=Role.TAKEN_BYTES, value=float(size << 10), text=f"{size} KB") for size in (74, 24)]
    assert Query(question="?", slots=tuple(taken)).total(Role.TAKEN_BYTES) == 98 << 10


@pytest.mark.parametrize(
    ("share", "taken", "left"), [(100.0, 10.0, 40.0), (50.0, 0.0, 25.0), (50.0, 10.0, 20.0)]
)
def test_a_deadline_is_less_by_what_others_take_of_the_time(share: float, taken: float, left: float) -> None:
    slots = [Slot(role=Role.LATENCY_MS, value=50.0, text="50 ms")]
    slots += [Slot(role=Role.TAKEN_MS, value=taken, text=f"{taken:g} ms")] if taken else []
    slots += [Slot(role=Role.SHARE_PERCENT, value=share, text=f"{share:g} %")] if share < 100 else []
    assert reckoned(Query(question="?", slots=tuple(slots))).number(Role.LATENCY_MS) == pytest.approx(left)


@pytest.mark.parametrize(
    ("question", "variable"),
    [
        ("what is the lowest clock for kws in 200 ms on an stm32l4r5?", "clock"),
        ("largest input of vww at 5 fps on an stm32h743zi?", "input"),
    ],
)
def test_which_value_keeps_to_a_limit_is_searched_over_that_variable(
    tmp_path: Path, question: str, variable: str
) -> None:
    found = Planner(Workspace(tmp_path)).ask(question).tool_calls
    assert [call["arguments"]["variable"] for call in found if call["name"] == "find_limit"] == [variable]


@pytest.mark.parametrize(("card", "most"), [("l4", 20), ("a10", 7), ("t4", 50)])
def test_the_batch_within_a_time_surely_is_and_no_smaller_one_does_more(
    tmp_path: Path, card: str, most: int
) -> None:
    found = Planner(Workspace(tmp_path)).ask(f"which batch keeps resnet50 on an {card} under {most} ms?")
    calls = [call["result"] for call in found.tool_calls if call["name"] == "estimate_performance"]
    tried = {each["deployment"]["batch"]: each for each in calls}
    sure = [batch for batch, each in tried.items() if each["latency_ms"]["high"] < most]
    leads = max(sure, key=lambda batch: tried[batch]["inferences_per_second"]["value"])
    assert found.answer.startswith(f"Batch {leads} ")
    assert f"surely within {most} ms" in found.answer.partition("\n")[0]
    assert tried[max(sure) + 1]["latency_ms"]["high"] >= most
    assert f"| {max(sure)} | " in found.answer


def test_a_batch_that_only_probably_keeps_a_time_stands_behind(tmp_path: Path) -> None:
    first, second, *_ = answered(tmp_path, "biggest batch of bert_base on an a10 within 14 ms?").split("\n")
    assert "surely within 14 ms" in first
    assert second.startswith("Probably, not surely, batch ")


def test_no_batch_is_sure_of_a_time_below_every_upper_end(tmp_path: Path) -> None:
    answer = answered(tmp_path, "which batch keeps resnet50 on a t4 within 1.2 ms?")
    assert answer.startswith("Batch 1 is the largest within 1.2 ms, though not surely: ")


def test_a_clock_that_none_reaches_is_told_in_proportion(tmp_path: Path) -> None:
    answer = answered(tmp_path, "what is the lowest clock for kws in 60 ms on an stm32l4r5?")
    assert "even at 120 MHz, the highest" in answer
    assert "In proportion it would take 221" in answer


def test_a_board_described_in_figures_stands_on_a_chip_with_room_for_them(tmp_path: Path) -> None:
    answer = answered(tmp_path, "own board: Cortex-M33 at 150 MHz, 520 KB SRAM, 4 MB flash. kws latency?")
    assert "I took Cortex-M33 to be stm32u5g9zj" in answer


def test_memory_of_several_cards_holds_together_what_one_cannot(tmp_path: Path) -> None:
    answer = answered(tmp_path, "does llama 3 70b fit on four l40s in fp16?")
    assert answer.startswith("Yes, it fits: 131 GiB of weights and ")
    assert "of 180 GiB of 4 of them together" in answer.splitlines()[0]


def test_what_names_nothing_that_is_known_is_declined(tmp_path: Path) -> None:
    answer = answered(tmp_path, "which is the best glue for a heat sink")
    assert "not what I am for" in answer or "did not understand" in answer


def test_what_a_question_hardly_wants_is_not_told(tmp_path: Path) -> None:
    query = settled(read("kws latency on nrf52840"))
    doubted = query.model_copy(
        update={"wants": (Want.LATENCY,), "likely": ((Want.LATENCY, 0.3), (Want.POWER, 0.2))}
    )
    assert "Also" not in written(doubted, tmp_path)


def test_what_the_answer_says_already_is_not_said_once_more(tmp_path: Path) -> None:
    query = settled(read("does kws fit on nrf52840?"))
    doubted = query.model_copy(update={"wants": (Want.FITS,), "likely": ((Want.FITS, 0.3), (Want.RAM, 0.2))})
    assert "Also" not in written(doubted, tmp_path)


def written(query: Query, tmp_path: Path) -> str:
    """What a query comes to, its references as they stand in the template."""
    desk = Desk(Workspace(tmp_path), query)
    steps = desk.text()
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return rendered_answer(str(done.value), desk.records).text


def told(tmp_path: Path, *questions: str) -> list[str]:
    planner = Planner(Workspace(tmp_path))
    return [planner.ask(question).answer for question in questions]


def test_how_many_one_board_serves_counts_streams_and_not_boards(tmp_path: Path) -> None:
    answer = answered(tmp_path, "how many cameras at 1 fps with mobilenet_v2 can a raspberry pi 5 handle?")
    assert "streams at 1 fps" in answer


def test_thirty_of_those_are_thirty_devices(tmp_path: Path) -> None:
    one, many = told(tmp_path, "resnet50 on an a10, images per second?", "we have 30 of those cards, total?")
    assert "with 30 of them" in many
    assert one.split(" images/s")[0].split(" fps")[0] in many


def test_which_of_a_family_compares_its_members(tmp_path: Path) -> None:
    answer = answered(tmp_path, "which pi do i need for mobilenet_v2 at 10 fps?")
    assert sum(line.startswith("| raspberry-pi") for line in answer.splitlines()) > 3


def test_another_board_alone_asks_the_same_of_it(tmp_path: Path) -> None:
    _, other = told(tmp_path, "energy of kws on an stm32l4r5zi?", "what would an nrf52840 do instead")
    assert "nrf52840" in other
    assert "mJ" in other.splitlines()[0]


def test_why_the_first_of_a_ranking_is_shown_beside_the_others(tmp_path: Path) -> None:
    ranked, why = told(
        tmp_path, "which three chips would you take for vww once a minute on battery?", "why the first one?"
    )
    boards = [line.split("|")[1].strip() for line in ranked.splitlines() if line.startswith("| ")][1:]
    assert boards
    assert all(board in why for board in boards)


def test_retraining_that_was_ruled_out_is_taken_back(tmp_path: Path) -> None:
    question = "ic on stm32f411 takes too long, I need 60 ms. what helps without retraining?"
    without, allowed = told(tmp_path, question, "and with retraining?")
    assert "(retraining" not in without
    assert "(retraining" in allowed


@pytest.mark.parametrize("count", [2, 5])
def test_as_many_of_the_largest_tensors_are_told_as_are_asked_for(tmp_path: Path, count: int) -> None:
    answer = answered(tmp_path, f"which {count} tensors of vww take most of the arena?")
    assert answer.count(" until layer ") == count
    assert "gaps that no tensor fills" not in answer


def test_moving_from_reference_kernels_is_compared_with_them(tmp_path: Path) -> None:
    question = "Moving from TFLM with reference kernels to CMSIS-NN on an STM32F746, how much faster is ic?"
    answer = answered(tmp_path, question)
    assert "tflm-reference" in answer
    assert "1x " not in answer


def test_no_answer_is_given_twice_in_a_row(tmp_path: Path) -> None:
    first, other = told(
        tmp_path, "latency of ic on an stm32f767?", "and if I had forgotten to switch the cache on?"
    )
    assert first.splitlines()[0] != other.splitlines()[0]


def test_what_a_chip_and_its_setting_were_asked_at_stays_for_the_same_chips(tmp_path: Path) -> None:
    *_, again = told(
        tmp_path,
        "vww on an stm32l4r5zi and an stm32h743zi at 100 MHz?",
        "why is the stm32h743zi faster there?",
    )
    assert "100 MHz" in again


@pytest.mark.parametrize(
    ("question", "cards"),
    [
        ("two A10s with resnet50, images per second?", 2),
        ("we own 4 T4s, total resnet50 throughput?", 4),
        ("does llama 3 70b fit on two 80 GB cards?", 2),
        ("six of those with resnet50 on an l4, images a second?", 6),
    ],
)
def test_a_count_beside_hardware_is_how_many_of_it(question: str, cards: int) -> None:
    assert read(question).number(Role.CARDS) == cards


def test_a_batch_before_a_board_counts_no_boards() -> None:
    assert not read("resnet50 in batch 8 on an A100").has(Role.CARDS)


def test_what_is_told_of_several_cards_is_not_named_as_left_out(tmp_path: Path) -> None:
    answer = answered(tmp_path, "Three A10s, BERT base, queries per second in total?")
    assert "with 3 of them" in answer
    assert "Three" not in answer


def test_a_core_by_its_name_computes_itself_and_not_the_engine_beside_it(tmp_path: Path) -> None:
    answer = answered(tmp_path, "board with an M55 at 250 MHz and 512 KB SRAM, how quick would ic be?")
    assert "ethos-u" not in answer
