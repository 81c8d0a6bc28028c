"""Whether a page or figures of what is named answer, builds that are to fail over a limit, what only a page tells."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.answers import pages
from edgewright.agent.planner.answers.frames import frames_of
from edgewright.agent.planner.conversation import understood
from edgewright.agent.workspace import Workspace

GENERAL = Path(__file__).parents[1] / "library" / "general.tsv"


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[str], str]:
    return lambda question: Planner(Workspace(tmp_path)).ask(question).answer


def test_pages_answer_what_is_asked_in_general_and_figures_the_rest(tmp_path: Path) -> None:
    """Of questions that no weight was fitted to."""
    with GENERAL.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    held = [row for row in rows if row["half"] == "held" and row["sections"] != "-"]
    workspace = Workspace(tmp_path)
    right = {"page": 0, "case": 0}
    for row in held:
        query = understood(row["question"], None, workspace.context, workspace.own_hardware)
        paged = pages.pages in [frame for frame, _ in frames_of(query)] or pages.tells(query, query.wants)
        is_case = row["sections"] == "case"
        right["case" if is_case else "page"] += paged is not is_case
    assert right["page"] >= 60
    assert right["case"] >= 80


@pytest.mark.parametrize(
    ("question", "command"),
    [
        (
            "our bitbucket runner has to refuse a push once mobilenet_v2:int8 takes 90 ms or more on a raspberry-pi-4b",
            "edgewright check mobilenet_v2:int8 -t raspberry-pi-4b --max-latency 90ms",
        ),
        (
            "how can jenkins block a merge when kws grows over 200 KiB of flash on the esp32-s3?",
            "edgewright check kws -t esp32-s3 --max-flash 200KiB",
        ),
        (
            "which command fails a build if vww needs more than 120 kB of RAM on an nrf52840?",
            "edgewright check vww -t nrf52840 --max-ram 120kB",
        ),
    ],
)
def test_a_build_that_is_to_fail_gets_the_command_with_its_limits(
    ask: Callable[[str], str], question: str, command: str
) -> None:
    answer = ask(question)
    assert command in answer.partition("\n")[0]
    assert "exit code 10" in answer
    assert "did not take into account" not in answer


def test_a_frame_rate_that_is_missed_is_no_build_that_fails(ask: Callable[[str], str]) -> None:
    answer = ask("our video pipeline fails to reach 30 fps with yolov8n on a raspberry-pi-5")
    assert "edgewright check" not in answer.partition("\n")[0]


def test_where_a_case_tells_nothing_a_page_tells_what_is_known(ask: Callable[[str], str]) -> None:
    answer = ask("is int8 to blame for the worse detections of yolov8n on a raspberry-pi-5?")
    assert "more for detectors" in answer


def test_a_page_stands_beside_figures_for_what_they_do_not_speak_of(ask: Callable[[str], str]) -> None:
    answer = ask("may the second core of an rp2040 take half of vww?")
    assert " ms" in answer.partition("\n")[0]
    assert "runs on one core" in answer
    assert "docs/" not in ask("how long does one run of vww take on an rp2040?")


def test_who_wants_to_order_by_an_estimate_gets_a_verdict_first(ask: Callable[[str], str]) -> None:
    answer = ask("Shall I buy 800 nrf5340 modules because of your latency for kws, or measure first?")
    assert "one measurement" in answer.partition("\n")[0]


def test_the_nearest_page_is_named_as_that(ask: Callable[[str], str]) -> None:
    assert ask("what is a flat buffer").startswith("I have no page on just this; the nearest is on *")


@pytest.mark.parametrize(
    ("question", "begins", "says"),
    [
        ("60 % of the weights of my resnet50 are zero, yet no faster on the Jetson Xavier NX. Bug in TensorRT?",
         "That is no fault.", "jetson-xavier-nx has no such 2:4 sparsity"),
        ("60 % of the weights of my resnet50 are zero, yet no faster on the Jetson Orin Nano. Bug in TensorRT?",
         "That is no fault.", "jetson-orin-nano-8gb does skip them where two of every four"),
        ("does 2:4 sparsity make resnet50 faster on an rtx 4070?", "rtx-4070 does skip them", "508 µs"),
        ("does 2:4 sparsity make resnet50 faster on a t4?", "The GPU of t4 has no such", "From Ampere on"),
    ],
)  # fmt: skip
def test_zeros_are_skipped_by_what_is_made_for_them(question: str, begins: str, says: str) -> None:
    answer = Planner(Workspace()).ask(question).answer
    assert answer.startswith(begins)
    assert says.casefold() in answer.casefold()
