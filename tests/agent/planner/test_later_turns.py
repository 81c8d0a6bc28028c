"""What a later turn of a conversation is about: a limit anew, the program, the figure that was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.query import Role
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_performance


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def talk(planner: Planner, *questions: str) -> str:
    return [planner.ask(question).answer for question in questions][-1]


def test_a_limit_takes_the_place_of_the_one_of_its_kind(planner: Planner) -> None:
    answer = talk(
        planner,
        "vww on an esp32-s3 within 300 ms?",
        "and on an stm32h743?",
        "the client now insists on 50 ms, do they both survive that?",
    )
    assert "50 ms" in answer.splitlines()[0]
    assert "300 ms" not in answer
    assert "did not take into account" not in answer


def test_a_wanted_life_is_judged_again_at_another_rate(planner: Planner) -> None:
    answer = talk(
        planner,
        "ad on an stm32l4r5, one run every 10 minutes on two AA lithium cells: five years?",
        "the customer wants one every 2 seconds, still five years?",
    )
    assert "five years" in answer.splitlines()[0]


@pytest.mark.parametrize(
    ("first", "then", "role", "values"),
    [
        ("kws on an nrf52840 four times a second?", "four times a second is overkill, once a second will do",
         Role.RATE_HZ, (1.0,)),
        ("ad on an stm32l4r5 every 10 minutes?", "every 20 seconds please, every 10 minutes is too rare",
         Role.RATE_HZ, (0.05,)),
        ("ic on an stm32h743 within 50 ms?", "no, 50 ms was last year's. now it is 20 ms",
         Role.LATENCY_MS, (20.0,)),
        ("kws on an nrf5340, sleep 2 uA, 500 mAh lipo?", "the datasheet says 6 uA asleep, not 2 uA",
         Role.SLEEP_UA, (6.0,)),
        ("vww on an esp32-s3 at 5 fps?", "and the energy at 5 fps or at 2 fps?", Role.RATE_HZ, (5.0, 2.0)),
    ],
)  # fmt: skip
def test_a_figure_gives_way_to_the_one_that_is_said_in_its_place(
    first: str, then: str, role: Role, values: tuple[float, ...]
) -> None:
    assert understood(then, understood(first, None, {}), {}).numbers(role) == pytest.approx(values)


def test_a_fact_that_is_added_is_of_the_board_that_was_settled_on() -> None:
    turns = (
        "kws on a nrf5340 or an stm32l4r5, which draws less per inference?",
        "the stm32l4r5. 2 AA cells, 5 inferences a second?",
        "and at half the clock?",
        "sorry, I forgot: the microphone needs 0.6 mA permanently. Redo it please for the full clock",
    )
    query = understood(turns[0], None, {})
    for turn in turns[1:]:
        query = understood(turn, query, {})
    assert query.all(Role.TARGET) == ("stm32l4r5zi",)
    assert query.number(Role.SENSOR_UA) == 600


def test_a_slower_clock_is_held_against_the_life_on_several_cells(planner: Planner) -> None:
    first = "ad on an stm32l4r5, once a second, 2 AA cells (2500 mAh), how many days?"
    answer = talk(planner, first, "and at half the clock, does it last longer?")
    assert "Unknown battery" not in answer
    assert "On the battery" in answer


def test_what_a_board_lacks_most_is_named(planner: Planner) -> None:
    answer = talk(
        planner,
        "vww on esp32-s3 and esp32, 200 times a day, 4 alkaline AA 2500 mAh 6 V. which?",
        "two years wanted and under 15 dollars. Which one is it?",
    )
    assert "against two years" in answer.partition(";")[0]


def test_another_rate_is_of_as_many_streams_as_before() -> None:
    first = understood("yolov8n on a raspberry pi 5, 4 cameras at 10 fps, enough?", None, {})
    then = understood("10 fps is more than they need, 2 fps then", first, {})
    assert then.number(Role.DEVICES) == 4
    assert understood("and 8 per second in all?", then, {}).number(Role.DEVICES) is None


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("does any of our model data go to the internet when we ask you this?", "docs/chat.md"),
        ("can you put that in a file I can mail to my boss?", "docs/cli.md"),
        ("how should I cite that number in my thesis?", "docs/concepts/trust.md"),
    ],
)
@pytest.mark.parametrize(
    "case", ["vww on an esp32-s3, how long?", "llama 3.1 8b on an rtx 4090, how many tokens/s?"]
)
def test_what_is_asked_of_the_program_is_told_by_a_page_while_a_case_is_at_hand(
    planner: Planner, case: str, question: str, page: str
) -> None:
    assert f"From {page}" in talk(planner, case, question)


def test_a_figure_that_was_told_is_told_again_in_brief(planner: Planner) -> None:
    told = planner.ask("qwen 2.5 14b on an rtx 4070, how many tokens/s?").answer
    again = planner.ask("how quick").answer
    assert again.startswith("As before: ")
    assert told.split(" tokens/s")[0] in again
    assert len(again.splitlines()) == 1


def test_where_an_energy_comes_from_is_told_of_the_energy(planner: Planner) -> None:
    answer = talk(
        planner, "vww on an esp32-s3, how long?", "are the millijoules of that measured or made up?"
    )
    assert "mJ" in answer.split(" is ")[0]
    assert "the power" in answer


def test_either_is_each_of_the_two_that_were_named_over_two_turns(planner: Planner) -> None:
    answer = talk(
        planner,
        "llama 3.1 8b on an nvidia l4, 4 bit?",
        "and on an rtx 4090?",
        "what if we take qwen2.5 32b instead, does either hold it with 8k context?",
    )
    assert "qwen2.5-32b" in answer.partition("\n")[0]
    assert "| l4 |" in answer
    assert "| rtx-4090 |" in answer


def test_it_narrows_no_networks_that_were_named_together(planner: Planner) -> None:
    questions = (
        "kws and vww on an stm32h743, do they fit side by side?",
        "would halving the input do it for both speed and memory?",
    )
    answer = talk(planner, *questions)
    assert "kws" in answer
    assert "vww" in answer


def test_as_it_is_settles_on_no_board(planner: Planner) -> None:
    answer = talk(
        planner,
        "ic on a max78000 or an stm32u585, which is faster?",
        "does the max78000 run my network as it is?",
        "final answer for purchasing in two sentences please",
    )
    assert "Chosen: max78000" not in answer
    assert "stm32u585ai" in answer.splitlines()[0]


def test_the_first_board_of_a_table_of_networks_and_boards_is_the_one_named_first(planner: Planner) -> None:
    answer = talk(
        planner,
        "kws and vww on a himax we2, how long?",
        "and on an alif ensemble e7, how much quicker?",
        "how long does vww take on the first one?",
    )
    assert "on himax-we2" in answer.splitlines()[0]


@pytest.mark.parametrize(
    ("first", "question", "left_out"),
    [
        ("kws on an rp2040, how long?", "is the mfcc already in that number?", "Not in it: preprocessing"),
        ("kws on an nrf52840 every 5 s on a CR2032, how long does it last?", "does that include the radio?",
         "Left out: microphone or camera"),
        ("ic on an stm32f446re, how much ram?", "is the stack counted?", "Not in it: stack, heap"),
    ],
)  # fmt: skip
def test_what_is_in_a_figure_is_told_by_the_page_on_such_figures(
    planner: Planner, first: str, question: str, left_out: str
) -> None:
    assert left_out in talk(planner, first, question)


def test_the_same_answer_again_gives_way_to_the_next_likely_reading(planner: Planner) -> None:
    answer = talk(planner, "ic on an stm32l476rg at 80 MHz, does that go?", "what's making it take that long")
    assert "-bound" in answer.splitlines()[0]


def test_a_pair_of_networks_goes_to_the_next_board_together(planner: Planner) -> None:
    asked = (
        "kws and ic on an nrf52840",
        "and vww there?",
        "what about the same pair on an rp2350 at 100 MHz",
    )
    answer = talk(planner, *asked)
    slow = deployment("rp2350", clock_mhz=100)
    for network in ("kws", "ic"):
        assert (
            f"| {network} | {estimate_performance(network, slow).latency_ms.headline().partition(' [')[0]}"
            in answer
        )


@pytest.mark.parametrize(
    ("question", "together"),
    [("now it is going to be nine", "9 at 5 fps"), ("and with two more?", "6 times 5 fps")],
)
def test_more_cameras_are_what_there_are_from_then_on(planner: Planner, question: str, together: str) -> None:
    answer = talk(planner, "yolov8n for four cameras at 5 fps each on an rtx 3060, enough?", question)
    assert together in answer


def test_the_first_one_is_as_the_user_named_them(planner: Planner) -> None:
    talk(planner, "kws on an rp2040 or an esp32-s3, which is faster?")
    assert "kws on rp2040" in talk(planner, "what does the first one draw?")
    assert "rp2040" in talk(planner, "how sure are you of the first one?").partition("\n")[0]


def test_the_weaker_one_is_spoken_of_and_not_asked_for(planner: Planner) -> None:
    talk(planner, "vww on an stm32f746 and on an ensemble-e7, latency of each?")
    assert "stm32f746ng" in talk(planner, "what would help the weaker of the two most?").partition("\n")[0]


def test_both_are_the_networks_that_came_one_after_the_other(planner: Planner) -> None:
    talk(planner, "arena of ad?", "and of vww?")
    answer = talk(planner, "could both of them live on an rp2350?")
    assert "vww" in answer
    assert "ad" in answer.split()[0:12] or "| ad |" in answer


def test_with_that_means_the_change_before(planner: Planner) -> None:
    talk(planner, "kws on an stm32l4r5, latency?", "what if I prune half of the channels?")
    assert talk(planner, "and with that, is 30 ms reached at 100 MHz?").startswith("prune-50")


def test_a_clock_that_was_supposed_ends_with_another_board(planner: Planner) -> None:
    talk(planner, "kws on an stm32h743, energy?", "what if it ran at 100 MHz?")
    assert "100 MHz" not in talk(planner, "would an apollo4 be better?")


@pytest.mark.parametrize(
    "words",
    ["8B is too weak, we need the 70b", "the 8b was too dumb, take the 70b", "8b is not good enough, 70b?"],
)
def test_a_network_that_is_too_weak_comes_back_no_more(planner: Planner, words: str) -> None:
    planner.ask("llama 3 8b on an L4 or an H100?")
    planner.ask(words)
    answer = planner.ask("so decide for me please: which model on which card").answer
    assert answer.startswith("I would take h100-sxm5")
    assert "8b" not in answer


def test_what_an_hour_costs_stands_beside_the_card_that_is_taken(planner: Planner) -> None:
    planner.ask("llama 3 8b on an L4 for 0.70 an hour: what does a million tokens cost?")
    planner.ask("an H100 is 2.50 an hour, and there?")
    assert "h100-sxm5 at 2.50 an hour" in planner.ask("so which card?").answer


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        (("our firmware needs 250 KB flash, still ok?", "and on an stm32l4r5?"), "left beside 250 KB"),
        (("the rest of the app takes 90 kB of RAM", "and on the rp2040?"), "left beside 90 kB"),
        (("our firmware needs 250 KB flash", "and on an stm32l4r5?", "and ic there?"), "left beside 250 KB"),
    ],
)
def test_a_reserve_holds_on_another_board_and_for_another_network(
    planner: Planner, turns: tuple[str, ...], left: str
) -> None:
    answer = talk(planner, "does vww fit on an nrf52840?", *turns)
    assert answer.startswith("Yes, ")
    assert left in answer


def test_how_fast_it_is_stays_the_question_where_a_reserve_holds(planner: Planner) -> None:
    answer = talk(
        planner, "does kws fit on an nrf52840?", "our app takes 90 kB of RAM", "how fast is it on the rp2040?"
    )
    assert " ms (" in answer.splitlines()[0]
