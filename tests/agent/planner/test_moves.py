"""Later turns that lean on the answer before: each is put as a question that stands by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

from .test_turns import talk

OPENINGS = {
    "several": "Which of my boards is best for vww: nrf52840, rp2040, esp32-s3 or stm32h743? I need 5 fps.",
    "one": "does kws fit on an nrf52840 and how fast is it?",
    "batch": "resnet50 on a T4 at batch 8, how many images per second?",
    "cameras": "yolov8n, 4 cameras at 15 fps each, is a Jetson Orin Nano 8GB enough?",
    "writer": "llama 3.1 8b on an rtx 3060 12gb, how fast?",
    "battery": "kws once a minute on an nrf52840 from a CR2032, how long does it last?",
    "chosen": "cheapest chip for ic under 30 ms?",
    "claimed": "I measured 60 ms for vww on an stm32h743, is that normal?",
}


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("opening", "turn", "begins"),
    [
        ("several", "why not the rp2040?", "Only stm32h743zi meets 5 per second"),
        ("one", "why not a cortex-m0?", "Only nrf52840 fits"),
        ("batch", "why not the A100?", "a100-sxm4-80gb reaches most"),
        ("cameras", "why not the raspberry pi 5?", "jetson-orin-nano-8gb surely meets 60 per second"),
        ("writer", "why not a 4060 ti?", "rtx-3060 is the fastest"),
        ("battery", "why not the esp32?", "nrf52840 lasts longest"),
        ("several", "does it still hold at twice the rate?", "stm32h743zi surely meets 10 per second"),
        ("cameras", "does it still hold with twice as many cameras?", "Yes, one is enough for 8 at 15 fps"),
        ("cameras", "how many cameras could it do at most?", "14 streams at 15 per second"),
        ("batch", "which batch is best?", "Batch 4 is enough"),
        ("writer", "what does it cost?", "329 USD a card"),
        ("one", "can it run vww as well?", "Yes, kws and vww together on nrf52840"),
        ("batch", "can it run bert_base beside it?", "Yes, bert_base and resnet50 together on t4"),
        ("cameras", "can it also run mobilenet_v2 on each frame?", "Yes: mobilenet_v2 and yolov8n together"),
        ("one", "ok, I take that one. how do I get it running?", "`edgewright code kws -t nrf52840`"),
        ("several", "what would it take to reach 10 fps on the esp32-s3?", "Least effort that reaches"),
        ("one", "my colleague says it is twice as fast. who is right?", "Only with plumerai as kernels"),
        ("several", "why?", "Why: esp32-s3 takes 2.3x as long as stm32h743zi"),
        ("several", "and the second best?", "Probably, though not surely: vww on esp32-s3"),
        ("chosen", "is a cortex-m4 enough?", "No, ic does not meet that on stm32l4r5zi"),
        ("batch", "and per hour?", "5,068,157"),
        ("writer", "and for less than 150 dollars?", "arc-a380, 139 USD"),
        ("one", "under 3 dollars?", "RP2350 with tflm-cmsis-nn"),
        (
            "writer",
            "my colleague says it is twice as fast. who is right?",
            "No, 110.4 tokens per second is 2x faster",
        ),
    ],
)
def test_a_move_is_answered_as_the_question_that_says_the_same(
    planner: Planner, opening: str, turn: str, begins: str
) -> None:
    assert talk(planner, OPENINGS[opening], turn).startswith(begins)


@pytest.mark.parametrize("turn", ["anything cheaper that does it?", "is there something cheaper?"])
@pytest.mark.parametrize("opening", [name for name in OPENINGS if name != "writer"])
def test_what_is_cheaper_keeps_what_was_demanded(planner: Planner, opening: str, turn: str) -> None:
    planner.ask(OPENINGS[opening])
    calls = planner.ask(turn).tool_calls
    given = next(call["arguments"] for call in calls if call["name"] == "recommend_hardware")
    assert given.get("latency_ms") or given.get("rate_hz")


@pytest.mark.parametrize("opening", [name for name in OPENINGS if name != "writer"])
def test_what_is_faster_is_faster_than_what_was_told(planner: Planner, opening: str) -> None:
    planner.ask(OPENINGS[opening])
    calls = planner.ask("is there a faster one?").tool_calls
    found = next(call for call in calls if call["name"] == "recommend_hardware")
    fastest = min(row["latency_ms"]["value"] for row in found["result"]["ranking"])
    assert fastest < found["arguments"]["latency_ms"]


def test_a_price_asked_in_between_changes_no_subject(planner: Planner) -> None:
    talk(planner, OPENINGS["writer"], "what does it cost?")
    assert "llama-3.1-8b on rtx-4090" in planner.ask("and on a 4090?").answer


@pytest.mark.parametrize(
    "turn",
    [
        "would a faster clock help?",
        "can you put that in a file I can mail to my boss?",
        "how do I put that into a GitLab job?",
        "is there a faster one than the stm32u5?",
    ],
)
def test_what_only_sounds_like_a_move_is_none(turn: str, planner: Planner) -> None:
    planner.ask(OPENINGS["one"])
    planner.ask(turn)
    assert planner.session.turns[-1].question == turn
    query = planner._understood(turn, planner.session.turns[:1])
    assert not query.written_out


def test_a_number_that_was_a_figure_before_is_that_figure_again(planner: Planner) -> None:
    planner.ask("ad on an stm32l4r5 at 120 MHz, what energy does one inference need?")
    planner.ask("one inference in 10 seconds, two AA lithium cells (3000 mAh, 3 V together). how many years?")
    planner.ask("and at half the clock?")
    told = planner.ask("Back to 120. What limits it there?")
    assert "at 120 MHz" in told.answer
    assert "mAh" not in told.answer


def test_a_number_that_is_denied_is_no_figure(planner: Planner) -> None:
    talk(planner, "yolov5n at 320 on a pi 4, 8 fps, is that on?", "and a pi 5 instead?")
    answer = talk(planner, "changed my mind, 15 fps not 8. which of them holds it?")
    assert "meet 15 fps" in answer


def test_cells_that_were_said_to_be_in_series_stay_so(planner: Planner) -> None:
    planner.ask("kws on an nrf52840, how fast?")
    first = planner.ask("two cells in series, 3 V and 3000 mAh, once a second: how long?").answer
    later = planner.ask("and every ten seconds?").answer
    assert "gives 3,000 mAh" in first
    assert "gives 3,000 mAh" in later


def test_the_bytes_of_a_picture_are_no_room_that_there_is(planner: Planner) -> None:
    talk(
        planner,
        "mobilenet_v2 at 72 fps on a coral usb, does it keep up?",
        "one picture is 150 kB, is it the link?",
    )
    assert "150 kB" not in talk(planner, "and on an rk3588?")


def test_what_is_put_in_is_no_time(planner: Planner) -> None:
    assert "input-320x320" in talk(planner, "yolov8n on a pi 5, how fast?", "and if I make the picture 320?")


def test_people_are_sessions_whatever_else_their_number_could_be(planner: Planner) -> None:
    calls = planner.ask("about 50 people typing at once with llama 3 8b, which GPU do we need?").tool_calls
    assert {call["arguments"].get("batch") for call in calls} >= {50}
