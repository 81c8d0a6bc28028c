"""What is cheaper, faster or more frugal than the hardware that is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("is there a cheaper board than the h743 that runs ic under 100 ms?", "price_usd"),
        ("cheaper alternative to the H743 for ic, 100 ms?", "price_usd"),
        ("which board is more frugal than an esp32-s3 for vww at 1 fps", "energy_uj"),
        ("anything faster than the nrf52840 for kws?", "latency_ms"),
        ("is there a board that beats the pi 5 on mobilenet v2", "latency_ms"),
    ],
)
def test_what_has_to_be_better_is_held_against_the_figure_of_the_one_that_is_named(
    tmp_path: Path, question: str, field: str
) -> None:
    answer = Planner(Workspace(tmp_path)).ask(question)
    ranked = next(call for call in answer.tool_calls if call["name"] == "recommend_hardware")
    assert ranked["result"] is not None
    named = next(
        call["result"] for call in answer.tool_calls
        if call["name"] == ("get_target" if field == "price_usd" else "estimate_performance") and call["result"]
    )  # fmt: skip
    its = named[field]
    assert ranked["arguments"][field] == pytest.approx(
        its["value"] if isinstance(its, dict) else its, rel=1e-6
    )
    assert "Against " in answer.answer
    chosen = answer.answer.partition(" with ")[0]
    assert chosen
    assert chosen != named.get("name")
