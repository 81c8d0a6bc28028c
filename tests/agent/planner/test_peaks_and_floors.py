"""What a peak counts and allows, and times that lie below what the hardware can do at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("PyTorch, resnet50, fp32, RTX 3080, batch=1: time.time() around model(x) gives me 0.09 ms. Can I promise 10000 fps?",
         ("No, 0.09 ms is", "which cannot be: at the peak of 29.8 TOP/s its arithmetic alone takes 27", "and its data",
          "synchronise before both stamps")),
        ("I timed mobilenet_v2 on a Raspberry Pi 4 and get 0.8 ms. Can that be?",
         ("No, 0.8 ms is", "which cannot be", "its arithmetic alone takes 5.22 ms")),
        ("yolov8n on the Orin Nano: 3000 fps measured. Really?",
         ("3000 fps is", "which cannot be", "its arithmetic alone takes 87")),
    ],
)  # fmt: skip
def test_a_time_below_the_floor_cannot_be(planner: Planner, question: str, told: tuple[str, ...]) -> None:
    answer = planner.ask(question).answer
    for words in told:
        assert words in answer
    assert "is short enough" not in answer


def test_a_fast_time_above_the_floor_is_not_called_impossible(planner: Planner) -> None:
    answer = planner.ask("My resnet50 on T4 takes 0.2 ms per image. Too good to be true?").answer
    assert "which cannot be" not in answer
    assert "its arithmetic alone takes 126 µs and its data 406 µs" in answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Orin Nano is advertised with 40 TOPS. resnet50 has 8 GFLOPs. So 5000 fps. I get 200. Where is the rest?",
         ("40 TOPS is the int8 peak with two of every four weights zero (sparse)", "dense it is 20 TOP/s in int8",
          "(your *8 GFLOPs*)", "200 is 4.09 % of 40 TOPS", "5000 fps is that peak itself")),
        ("Coral has 4 TOPS, mobilenet_v2 300 million MACs. I should get 13000 per second but only get 300. Why?",
         ("*13000 per second* counts a MAC as one operation", "makes 6,6", "(your *300 million*)")),
        ("Hailo says 26 TOPS, resnet50 is 8 GOPs so i should get 3250 fps. The model zoo says 1300. Is somebody lying?",
         ("Nobody by that", "3250 fps is that peak itself", "1300 is 40.9 % of 26 TOPS")),
        ("Hailo-8 = 26 TOPS, Jetson Orin Nano = 40 TOPS, so Jetson is 1.5 times quicker with resnet50, correct?",
         ("No, not *1.5 times*", "hailo-8: 26 TOPS is its dense peak in int8", "in int8, which TOPS are of: 5.1 ms")),
    ],
)  # fmt: skip
def test_what_a_peak_counts_and_how_much_of_it_is_reached(
    planner: Planner, question: str, told: tuple[str, ...]
) -> None:
    answer = planner.ask(question)
    assert not answer.marked
    assert "did not take into account" not in answer.answer
    for words in told:
        assert words in answer.answer


def test_both_roofs_have_their_time_where_it_is_asked_what_holds_it_back(planner: Planner) -> None:
    answer = planner.ask("What limits resnet50 on the T4?").answer
    assert "at the peaks the arithmetic takes 126 µs and the data 406 µs" in answer


def test_a_framework_that_is_named_on_a_card_is_what_its_figure_is_held_against(planner: Planner) -> None:
    answer = planner.ask(
        "resnet50 in PyTorch on my RTX 3080, batch 1, gives 160 img/s. Is that normal?"
    ).answer
    assert answer.startswith("Yes, 160 img/s is plausible")
    assert "with pytorch" in answer.partition("\n")[0]
