"""The first word answers the form of the question, and what explains a figure is computed for the case."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.query import Role
from edgewright.agent.workspace import Workspace
from edgewright.tools import compare_deployments, deployment, estimate_performance, plan_memory


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("an stm32h743 needs 420 ms for vww, isn't that far too slow?", "Yes"),
        ("an stm32h743 needs 420 ms for vww, is that normal?", "No"),
        ("an stm32h743 needs 420 ms for vww, what is going on?", "420 ms is 9"),
        ("vww takes me 45 ms on an stm32h743, is something broken?", "No"),
        ("I measured 45 ms for vww on an stm32h743, believable?", "Yes"),
    ],
)
def test_the_first_word_answers_whether_it_is_right_or_whether_it_is_wrong(
    planner: Planner, question: str, word: str
) -> None:
    assert planner.ask(question).answer.startswith(word)


def test_what_two_releases_of_a_library_differ_by_is_no_flat_no(planner: Planner) -> None:
    own = float(estimate_performance("kws", deployment("stm32l4r5zi", "tflm-cmsis-nn")).latency_ms.low or 0)
    assert planner.ask(f"{own * 0.9:.0f} ms for kws on an stm32l4r5zi with cmsis-nn, ok?").answer.startswith(
        "Nearly"
    )
    assert planner.ask(f"{own * 0.5:.0f} ms for kws on an stm32l4r5zi with cmsis-nn, ok?").answer.startswith(
        "No"
    )


def test_causes_of_a_slow_figure_stand_by_how_near_they_come_to_it(planner: Planner) -> None:
    answer = planner.ask("mobilenet_v2 takes 60 ms on my Pi 4, what could be the reason").answer
    listed = answer.partition("the nearest first: ")[2].partition(". ")[0]
    times = [float(ms) for ms in re.findall(r"\(([\d.]+) ms \(", listed)]
    assert len(times) > 1
    assert times == sorted(times, key=lambda ms: abs(math.log(ms / 60)))
    assert "one thread of 4" in listed


def test_a_board_that_an_accelerator_hangs_on_is_no_rival() -> None:
    on = understood("my Coral stick hangs on a Raspberry Pi 3, mobilenet_v2 takes 11 ms, why?", None, {})
    assert (on.all(Role.TARGET), on.text(Role.HOST)) == (("coral-usb",), "raspberry-pi-3b")
    against = understood("is mobilenet_v2 faster on a Coral stick than on a Raspberry Pi 4?", None, {})
    assert set(against.all(Role.TARGET)) == {"raspberry-pi-4b-coral-usb", "raspberry-pi-4b"}


def test_what_is_alive_at_the_peak_adds_up_to_the_arena(planner: Planner) -> None:
    answer = planner.ask("why is the arena of vww on an nrf52840 larger than its largest tensor?").answer
    parts = re.findall(r"\| ([\d.]+) (KiB|B) \| <?[\d.]+ % \|", answer)
    plan = plan_memory("vww", deployment("nrf52840"))
    assert sum(float(size) * (1024 if unit == "KiB" else 1) for size, unit in parts) == pytest.approx(
        plan.arena_bytes, rel=0.01
    )


def test_a_cause_that_is_named_is_judged_by_its_factor(planner: Planner) -> None:
    answer = planner.ask("is it only the clock that makes the H743 faster than the F446 at kws?").answer
    found = compare_deployments("kws", [deployment("stm32h743zi"), deployment("stm32f446re")]).causes[0]
    clock = next(one.factor for one in found.factors if one.cause == "clock")
    assert answer.startswith("Mostly, not only, the clock makes ")
    assert float(re.search(r"makes ([\d.]+)x", answer)[1]) == pytest.approx(clock, rel=0.01)  # type: ignore[index]


def test_whether_memory_holds_two_back_is_told_of_both(planner: Planner) -> None:
    answer = planner.ask(
        "is the Ethos-U55 256 quicker than the 128 on vww, or does memory hold both back?"
    ).answer
    assert re.search(
        r"memory holds .*: it takes [\d.]+ % on ethos-u55-\d+ and [\d.]+ % on ethos-u55-\d+ of the time",
        answer,
    )
    assert "I did not answer" not in answer


def test_what_the_figures_deny_is_not_explained_as_if_it_were_so(planner: Planner) -> None:
    denied = planner.ask("Why is int8 slower than fp16 for mobilenet_v2 on an RTX 3060?").answer
    assert denied.startswith("By my figures int8 is not slower")
    assert "DEPTHWISE_CONV_2D" in denied.partition("\n")[0]
    assert (
        "By my figures" not in planner.ask("Why is vww slower on the nRF52840 than on the STM32H743?").answer
    )


def test_a_board_of_ones_own_gets_the_command_with_its_figures(planner: Planner) -> None:
    answer = planner.ask("our own PCB: a Cortex-M33 at 120 MHz with 128 kB of RAM. how do I add it?").answer
    assert re.match(
        r"`edgewright targets add my-board --like \S+ --clock 120MHz --ram 128kB --source", answer
    )


def test_what_became_a_bit_faster_is_not_taken_for_a_denial(planner: Planner) -> None:
    doubled = (
        "We doubled the Ethos-U55 from 128 to 256 MACs and vww became just a bit faster. Bug on our side?"
    )
    assert planner.ask(doubled).answer.startswith("No, less than *doubled*")


@pytest.mark.parametrize(
    ("question", "starts", "holds"),
    [
        (
            "Their brochure says 900 fps for resnet50 on a Hailo-8 and I see 500. Is it broken?",
            "No",
            "500 and 900 fps are pl",
        ),
        ("kws needs 55 ms on my nrf52840, have I made a mistake?", "No, 55 ms", "faster than I expect"),
        (
            "kws needs 55 ms on my nrf52840, normal or did I forget a compiler switch?",
            "Nothing is wrong",
            "fast",
        ),
        ("kws takes 900 ms on my nrf52840, did I forget a compiler switch?", "Yes", "slower than I expect"),
        ("A forum has kws at 98 ms on an stm32l4r5zi, credible?", "Nearly, 98 ms", "outside the interval"),
        ("My logic analyser says 98 ms, kws on an stm32l4r5zi. Fine?", "Nearly, 98 ms", "faster than I exp"),
        ("A vendor advertises 190 fps for yolov8n on the orin nano, credible?", "Only with int8", "fps"),
        (
            "I got 9 tok/s from llama 3.1 8b q4 on a 3060, others have 52. Is something wrong?",
            "Yes, 9 tok/s",
            "52 is",
        ),
        ("my friend gets 52 tok/s from llama 3.1 8b q4 on a 3060, possible?", "Yes", "plausible"),
    ],
)
def test_each_figure_is_judged_by_whose_it_is(
    planner: Planner, question: str, starts: str, holds: str
) -> None:
    answer = planner.ask(question).answer
    assert answer.startswith(starts)
    assert holds in answer
    assert "did not take into account" not in answer


@pytest.mark.parametrize(
    ("question", "starts"),
    [
        ("Does int8 make mobilenet_v2 five times faster on a Pi 5?", "No, less than *five times*"),
        ("is kws on the rp2350 twice as fast as on the rp2040?", "Yes, more than *twice*"),
        ("is kws on the rp2040 twice as fast as on the rp2350?", "No, not *twice*"),
        ("I hoped for 9x from rp2040 to rp2350 with kws but measured 4x, ok?", "By my figures"),
        ("from 60 to 120 MHz on the stm32l4r5zi, does kws get twice as fast?", "Yes, about *twice*"),
        ("would batch 16 instead of 1 help resnet50 on a t4?", "Yes, "),
        ("would 2 RTX 3090 cost twice as much as one for llama 70b?", ""),
    ],
)
def test_a_ratio_that_is_claimed_is_judged_whatever_makes_the_answer(
    planner: Planner, question: str, starts: str
) -> None:
    found = planner.ask(question)
    assert found.answer.startswith(starts)
    assert starts or "*twice*:" not in found.answer
    assert not found.marked


def test_why_something_is_not_twice_as_fast_gets_no_yes(planner: Planner) -> None:
    answer = planner.ask("why isn't resnet50 twice as fast on a t4 with batch 2?").answer
    assert not answer.startswith(("Yes", "No,"))
