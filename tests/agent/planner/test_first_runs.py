"""A first run beside later ones is no time of an inference, and an interval is no bound of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.first_runs import first_run
from edgewright.agent.planner.query import Role
from edgewright.agent.planner.reading import read
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "first", "later"),
    [
        ("mobilenet_v2 on an i.MX8M Plus: first inference 7 s, every one after that 9 ms. Normal?", 7000, 9),
        ("the first run of resnet50 takes 3 s on a jetson orin nano, all following 6 ms, is it broken?", 3000, 6),
        ("yolov8n on coral usb: 180 ms for the first frame, 75 ms for the others - bug?", 180, 75),
        ("vww on a pi 4 takes 4 ms, the first time it took 90 ms, is that normal?", 90, 4),
        ("mobilenet_v2 on an i.MX8M Plus: 7 s for the first call, then 9 ms. We boot in 5 s. Normal?", 7000, 9),
    ],
)  # fmt: skip
def test_later_runs_are_what_is_judged(planner: Planner, question: str, first: float, later: float) -> None:
    query = read(question)
    assert [slot.number for slot in first_run(query)] == [pytest.approx(first)]
    assert sorted(query.numbers(Role.CLAIMED_MS)) == pytest.approx([later, first])
    answer = planner.ask(question).answer
    assert "first run: that is normal" in answer.partition("\n")[0]
    judged = answer[answer.index("Of those after it") :].partition(" I estimate")[0]
    assert f"{later:g} ms" in judged
    assert f"{first:g}" not in judged


@pytest.mark.parametrize(
    "question",
    [
        "kws on an nrf52840 takes 100 ms, my colleague says 300 ms. who is right?",
        "kws on an nrf52840: the first result must come within 2 s, then one every 500 ms. Possible?",
        "with the first model 90 ms, with the second 60 ms: is that plausible for kws on an nrf52840?",
        "the first run takes 100 ms and the ones after it 90 ms, kws on an nrf52840, plausible?",
    ],
)
def test_two_times_are_no_first_run_by_themselves(question: str) -> None:
    assert first_run(read(question)) == ()


@pytest.mark.parametrize(
    "question",
    [
        "kws on an stm32h743zi, a norm demands guaranteed 50 ms. Can your 90 % upper bound go in the safety case?",
        "vww on an stm32h743zi: guaranteed below 100 ms for the certification?",
        "does kws on an stm32h743zi hold a hard real-time deadline of 50 ms?",
    ],
)
def test_what_has_to_hold_in_every_run_is_never_promised(planner: Planner, question: str) -> None:
    answer = planner.ask(question).answer
    assert answer.startswith(("Not guaranteed", "No."))
    assert "measure the longest of many runs under full load" in answer
    assert "one such case in ten" in answer
