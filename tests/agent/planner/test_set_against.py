"""A time or rate that no answer used stands beside the figure that the answer begins with."""

from __future__ import annotations

import pytest

from edgewright.agent.planner.answers.set_against import set_against
from edgewright.agent.planner.bench import Record
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read

TIME = {"latency_ms": {"value": 20.0, "low": 15.0, "high": 30.0, "unit": "ms"}}
ANSWER = "{{r1.latency_ms|~}}: kws on nrf52840; as 2 s."


@pytest.mark.parametrize(
    ("question", "stands"),
    [
        ("kws on an nrf52840, 50 ms", "surely below *50 ms*"),
        ("kws on an nrf52840, 10 ms", "surely above *10 ms*"),
        ("kws on an nrf52840, 22 ms", "neither surely above nor surely below *22 ms*"),
        ("kws on an nrf52840, 10 ms and 50 ms", "surely above *10 ms* and surely below *50 ms*"),
        ("kws on an nrf52840, 3 years", ""),
        ("kws on an nrf52840, 2 s", ""),
    ],
)
def test_it_says_on_which_side_the_whole_interval_lies(question: str, stands: str) -> None:
    record = Record("r1", "estimate_performance", TIME)
    told = set_against(read(question), ANSWER, {Role.MODEL}, {"r1": record})
    assert told == (f"{{{{r1.latency_ms|~}}}} lies {stands}." if stands else "")


def test_what_was_used_is_not_told_again() -> None:
    record = Record("r1", "estimate_performance", TIME)
    query = read("kws on an nrf52840 within 50 ms")
    assert set_against(query, ANSWER, {Role.LATENCY_MS}, {"r1": record}) == ""
    assert set_against(query, ANSWER, set(), {}) == ""
