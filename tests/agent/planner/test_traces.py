"""A trace that is spoken of, without a model and a board to compare it with."""

import re
from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from stubs import power_traces, torq
from stubs.trace_files import shown


@pytest.fixture
def planner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planner:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trace.csv").write_text(torq.TIMELINE)
    return Planner(Workspace(directory=tmp_path))


@pytest.mark.parametrize(
    "question",
    [
        "here is my trace trace.csv, which op is the bottleneck?",
        "What takes the most time in trace.csv?",
        "I have a Torq timeline in trace.csv. Does the DMA overlap with compute?",
        "why is it slow? see trace.csv",
    ],
)
def test_a_trace_alone_is_explained(planner: Planner, question: str) -> None:
    answer = planner.ask(question)
    assert [call["name"] for call in answer.tool_calls] == ["explain_trace"]
    assert answer.answer.startswith(
        "`conv2d` (8,000 cycles, 57.1 %) takes the most time, then `fully_connected`"
    )
    assert "Compute and transfers at once 20 %" in answer.answer
    assert not answer.marked


def test_a_name_in_a_trace_is_no_reference(tmp_path: Path, planner: Planner) -> None:
    (tmp_path / "trace.csv").write_text(torq.TIMELINE.replace("conv2d", "{{r1.operators[0].share}}"))
    assert "`((r1.operators[0].share))` (8,000 cycles, 57.1 %)" in planner.ask("explain trace.csv").answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "IPC is 0.4 and 12 % misses, what now?",
            ("memory-bound", "cache miss rate is 0.12", "ipc of width is 0.1"),
        ),
        ("perf stat says IPC 0.4 and 12 % L1 misses; what should I do?", ("memory-bound", "better locality")),
        ("My NPU is idle 40% of the time, why?", ("npu idle share is 0.4",)),
        ("we see 8% branch mispredictions", ("branch miss rate is 0.08",)),
    ],
)
def test_counters_in_a_question_are_judged(planner: Planner, question: str, told: tuple[str, ...]) -> None:
    answer = planner.ask(question)
    assert [call["name"] for call in answer.tool_calls] == ["explain_counters"]
    assert all(words in answer.answer for words in told)
    assert "did not take" not in answer.answer
    assert "I took" not in answer.answer


def test_a_power_trace_is_told_by_inference_and_layer(planner: Planner, tmp_path: Path) -> None:
    (tmp_path / "power.csv").write_text(power_traces.marked(power_traces.made()))
    answer = planner.ask("which layer in power.csv takes the most energy?")
    assert "the mean of 40" in answer.answer
    assert re.search(r"`mark 1` \(1\d\d µJ, 66.6 %\) takes the most energy, then `mark 2`", answer.answer)


def test_runs_of_a_file_are_told_with_what_speaks_against_them(planner: Planner, tmp_path: Path) -> None:
    rows = (f"{at},{4320000 if at else 51840000},4000,90000,{20 if at else 240},0.25" for at in range(120))
    (tmp_path / "uart.csv").write_text("\n".join(rows) + "\n")
    answer = planner.ask("can I trust my measurement in uart.csv?").answer
    assert "Of 119 runs after the first half take 20 ms or less" in answer
    assert "first inference in" in answer
    assert "Not met: 10 warm-up runs" in answer


def test_a_current_without_a_voltage_asks_for_the_supply_and_overlooks_no_file(
    planner: Planner, tmp_path: Path
) -> None:
    (tmp_path / "ppk.csv").write_text(power_traces.ppk2(power_traces.made(2000, 4)))
    answer = planner.ask("here is ppk.csv, how much energy does an inference take?").answer
    assert "Name the supply" in answer
    assert "did not take into account" not in answer
    answer = planner.ask("here is ppk.csv at 3.3 V, how much energy does an inference take?").answer
    assert "One inference takes" in answer
    assert "`edgewright import ppk.csv --supply 3.3`" in answer


def test_heat_comes_before_the_clocks_that_it_changed(planner: Planner, tmp_path: Path) -> None:
    (tmp_path / "warm.csv").write_text(shown("warm.csv"))
    assert planner.ask("here is warm.csv, was it throttled?").answer.startswith("Mind: throttling")
