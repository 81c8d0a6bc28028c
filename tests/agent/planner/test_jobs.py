"""Several networks that share a board over the turns of a talk: which of them, and how often each runs."""

from __future__ import annotations

import pytest

from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.jobs import rates_of
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.planner.want import Want


def after(*turns: str) -> Query:
    """The last turn, each of those before established as its answer leaves it."""
    earlier: Query | None = None
    for turn in turns:
        query = understood(turn, earlier, {})
        alone = query.model_copy(update={"established": ()})
        earlier = query.model_copy(update={"established": (*query.established, alone)})
    assert earlier is not None
    return earlier.model_copy(update={"established": earlier.established[:-1]})


@pytest.mark.parametrize(
    ("turns", "rates"),
    [
        (("kws on an esp32-s3 twice per second, how loaded is it?",
          "and also vww once per second on the same chip. is there time for both?"), {"kws": 2, "vww": 1}),
        (("yolov8s on a jetson orin nano 8gb at 20 fps, ok?", "add mobilenet v2 at 10 Hz. Still ok?"),
         {"yolov8s": 20, "mobilenet_v2": 10}),
        (("yolov8s on a jetson orin nano 8gb at 20 fps?", "add mobilenet v2. both at 5 Hz, still ok?"),
         {"yolov8s": 5, "mobilenet_v2": 5}),
        (("kws on an stm32f746 5 times a second?", "ad 2x per second too on that chip?",
          "and ic once a second on top: does all that fit?"), {"kws": 5, "ad": 2, "ic": 1}),
        (("vww on an esp32-s3, two frames a second?",
          "now kws shall run on it as well, every 250 ms, next to two frames a second. Enough time for both?"),
         {"kws": 4, "vww": 2}),
        (("vww at 1 fps and ic at 2 fps on an stm32h743, how busy?", "now vww at 4 fps"), {"vww": 4, "ic": 2}),
        (("yolov8s at 20 fps on a jetson orin nano 8gb?", "add mobilenet v2 at 10 Hz. Still ok?",
          "same jobs on an Orin NX 16GB, how full?"), {"yolov8s": 20, "mobilenet_v2": 10}),
    ],
)  # fmt: skip
def test_each_of_several_jobs_keeps_the_rate_that_it_was_given(
    turns: tuple[str, ...], rates: dict[str, float]
) -> None:
    assert rates_of(after(*turns)) == rates


def test_the_load_of_what_runs_is_added_to_what_joins_it() -> None:
    query = after("vww on an esp32-s3, how long?", "I also want kws on it. can it do both at once?")
    assert query.wants[0] is Want.PIPELINE
    assert set(query.all(Role.MODEL)) == {"vww", "kws"}


def test_what_is_asked_of_another_network_too_is_asked_of_it_alone() -> None:
    assert after("kws on an nrf52840, how long?", "and vww too?").all(Role.MODEL) == ("vww",)
