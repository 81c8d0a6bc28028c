"""The memory that is said of a computer, beside another with its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

GIB = 2**30


@pytest.mark.parametrize(
    ("first", "then", "memories"),
    [
        (
            "Will llama 3.3 70B in Q8 run on a M4 Max with 64 GB?", "and on an M2 Pro 16GB?",
            {"apple-m2-pro": 16 * GIB, "apple-m4-max": 64 * GIB},
        ),
        (
            "mistral 7b on a Macbook M1 with 8 GB?", "compare it with an M3 Max, 64 GB",
            {"apple-m1": 8 * GIB, "apple-m3-max": 64 * GIB},
        ),
    ],
)  # fmt: skip
def test_each_keeps_its_own(first: str, then: str, memories: dict[str, int], tmp_path: Path) -> None:
    talk = Planner(Workspace(tmp_path))
    talk.ask(first)
    calls = [c["arguments"] for c in talk.ask(then).tool_calls if c["name"] == "estimate_generation"]
    given = {call["target"]: call["memory_bytes"] for call in calls if call.get("memory_bytes")}
    assert given
    assert all(memories[target] == size for target, size in given.items())


def test_the_most_that_a_chip_takes_is_told_to_who_did_not_say_what_is_installed(tmp_path: Path) -> None:
    told = [
        "say how much yours has"
        in Planner(Workspace(tmp_path)).ask(f"llama 3 8b on an M4 Max{memory}?").answer
        for memory in ("", " with 128 GB")
    ]
    assert told == [True, False]
