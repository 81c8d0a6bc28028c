"""Why a setting brings no more than it does, and what single weights that become zero do not change."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def latencies(planner: Planner, question: str) -> tuple[str, list[float]]:
    found = planner.ask(question)
    estimates = [call["result"] for call in found.tool_calls if call["name"] == "estimate_performance"]
    return found.answer, [each["latency_ms"]["value"] for each in estimates if each]


@pytest.mark.parametrize(
    ("words", "factor"),
    [
        ("does halving the clock of the stm32h743zi change the energy of kws?", 2.0),
        ("If I drop the clock of the stm32h743zi to a quarter, does kws take four times longer?", 4.0),
    ],
)
def test_a_step_of_the_clock_in_words_is_computed_before_and_after(
    planner: Planner, words: str, factor: float
) -> None:
    answer, found = latencies(planner, words)
    assert max(found) / min(found) == pytest.approx(factor, rel=0.01)
    assert "In proportion" in answer
    assert "cycles" in answer


def test_why_a_batch_brings_less_than_its_size_is_told_by_the_parts_of_the_time(planner: Planner) -> None:
    answer = planner.ask(
        "resnet-50 on a t4: batch 1 to 16, why isn't it sixteen times the throughput?"
    ).answer
    assert "Not in proportion" in answer
    assert "starting operators" in answer
    assert "| batch 1 |" in answer
    assert "| batch 16 |" in answer


def test_why_it_does_not_scale_is_asked_of_the_batch_that_was_spoken_of(planner: Planner) -> None:
    planner.ask("throughput of resnet18 on a jetson orin nano with tensorrt at batch 8")
    answer = planner.ask("why doesn't it scale by 8?").answer
    assert "Not in proportion" in answer
    assert "zero point" not in answer


def test_full_clocks_of_their_own_do_not_hide_what_two_chips_differ_in(planner: Planner) -> None:
    answer = planner.ask(
        "kws at 480 MHz on the stm32h743zi vs 180 MHz on the stm32f446re: why isn't the gap just 480/180?"
    ).answer
    assert "2.67x by the clock" in answer
    assert "memory" in answer


@pytest.mark.parametrize(
    "question",
    [
        "Would 50% unstructured pruning make ic faster on a cortex m7?",
        "I set half of the weights of vww to zero at random. Will my stm32l4r5zi be twice as fast?",
        "my student pruned resnet18 to 60 % zeros and the jetson nano is as slow as before, whose fault is it?",
        "if I prune 50% of the weights of kws, is it twice as fast on an nrf52840?",
    ],
)
def test_zeros_in_weights_are_no_channels_less(planner: Planner, question: str) -> None:
    found = planner.ask(question)
    assert "simulate_optimizations" not in {call["name"] for call in found.tool_calls}
    assert "are multiplied like any other number" in found.answer.partition("\n")[0]


def test_whole_channels_still_are(planner: Planner) -> None:
    found = planner.ask("what does pruning half of the channels of ic bring on the stm32h743zi?")
    assert "simulate_optimizations" in {call["name"] for call in found.tool_calls}


def test_why_not_rules_out_what_it_names_and_says_why(planner: Planner) -> None:
    found = planner.ask(
        "We build a battery doorbell that detects persons at 5 frames per second. Which board would you choose, "
        "and why not a Jetson?"
    )
    ranking = next(call["result"] for call in found.tool_calls if call["name"] == "recommend_hardware")[
        "ranking"
    ]
    assert not any("jetson" in row["target"] for row in ranking)
    assert "A Jetson on a battery" in found.answer


def test_fast_and_asleep_or_slow_is_computed_for_each_clock(planner: Planner) -> None:
    found = planner.ask("kws on an nrf52840: run it fast and then sleep, or at a low clock to save battery?")
    assert "sweep_frequency" in {call["name"] for call in found.tool_calls}
    assert "supply voltage" in found.answer


def test_what_does_it_mean_is_answered_by_the_word(planner: Planner) -> None:
    assert planner.ask("what does arena mean").answer.startswith("arena: ")


def test_why_the_first_token_takes_long_is_arithmetic(planner: Planner) -> None:
    answer = planner.ask(
        "why does the first token of a 4k prompt take so long with llama-3.1-8b on an apple m2?"
    )
    assert "prefill" in answer.answer
    assert "Memory-bound" not in answer.answer


@pytest.mark.parametrize(
    "question",
    [
        "what would a 96 mhz instead of 480 mhz clock do to kws on the h743",
        "kws on the h743 at 96 MHz instead of 480 MHz",
        "what if i drop the h743 from 480 to 96 mhz for kws",
    ],
)
def test_the_clock_that_is_taken_instead_is_the_one_after(question: str) -> None:
    answer = Planner(Workspace()).ask(question)
    assert answer.answer.startswith("74.8 ms")
    assert "instead of 15 ms" in answer.answer


def test_a_clock_above_the_rated_one_is_answered_at_the_rated_one_and_said(planner: Planner) -> None:
    answer, (at_rated,) = latencies(planner, "kws on the rp2040 at 250 MHz, how fast?")
    assert at_rated == pytest.approx(latencies(planner, "kws on the rp2040, how fast?")[1][0])
    assert "*250 MHz* is above the 133 MHz that it is rated for" in answer


def test_of_two_kernels_a_clock_that_is_named_holds_for_both(planner: Planner) -> None:
    asked = (
        "how much faster is ad if I turn on CMSIS-NN instead of the reference kernels, stm32l4r5zi at 80 mhz"
    )
    _, found = latencies(planner, asked)
    _, alone = latencies(planner, "ad on stm32l4r5zi with tflm-reference at 80 MHz, latency")
    assert alone[0] in found
