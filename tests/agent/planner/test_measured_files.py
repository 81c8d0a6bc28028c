"""Two runs and linked firmware, named in a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace
from stubs import counter_logs, ctf_traces

KINDS = ("conv1", "dw1", "conv2", "dw2", "conv3", "dw3", "fc")
TIMES = (10.0, 4.0, 20.0, 5.0, 15.0, 6.0, 2.0)
MAP = """
Memory Configuration

Name             Origin             Length             Attributes
FLASH            0x08000000         0x00100000         xr
RAM              0x20000000         0x00040000         xrw
*default*        0x00000000         0xffffffff

Linker script and memory map

.text           0x08000000     0x1000
 .text.main     0x08000000     0x1000 build/main.o
.rodata         0x08001000     0x8000
 .rodata.model  0x08001000     0x8000 build/model.o
.bss            0x20000000     0x4000
 .bss.arena     0x20000000     0x4000 build/main.o
"""


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


def write_run(file: Path, factor: float) -> None:
    rows = (f"{name},{time * factor!r}\n" for name, time in zip(KINDS, TIMES, strict=True))
    file.write_text("layer,time_ms\n" + "".join(rows))


def test_two_runs_are_compared_and_not_read_as_one(tmp_path: Path, planner: Planner) -> None:
    write_run(tmp_path / "before.csv", 1.0)
    write_run(tmp_path / "after.csv", 0.5)
    answer = planner.ask("what changed from before.csv to after.csv?").answer
    assert answer.startswith("62 ms before and 31 ms after")
    assert "all layers alike 100 %" in answer


def test_a_map_of_a_linker_is_told_by_what_lies_where(tmp_path: Path, planner: Planner) -> None:
    (tmp_path / "fw.map").write_text(MAP)
    answer = planner.ask("what takes the space in fw.map?").answer
    assert "36 KiB of flash and 16 KiB of RAM" in answer


OPERATORS = (
    *(("CONV_2D", 14.2), ("DEPTHWISE_CONV_2D", 0.8), ("CONV_2D", 5.9), ("DEPTHWISE_CONV_2D", 0.9)),
    *(("CONV_2D", 6.1), ("DEPTHWISE_CONV_2D", 0.8), ("CONV_2D", 5.9), ("DEPTHWISE_CONV_2D", 0.8)),
    *(
        ("CONV_2D", 5.8),
        ("AVERAGE_POOL_2D", 0.2),
        ("RESHAPE", 0.01),
        ("FULLY_CONNECTED", 0.05),
        ("SOFTMAX", 0.02),
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "why is kws on the stm32h743zi slower than you said? my measurements are in ops.csv",
        "here is my trace ops.csv of kws on stm32h743zi, which op is the bottleneck?",
    ],
)
def test_a_trace_of_a_known_model_is_held_against_the_estimate_and_explained(
    tmp_path: Path, planner: Planner, question: str
) -> None:
    rows = "".join(f"{op},{ms}\n" for op, ms in OPERATORS)
    (tmp_path / "ops.csv").write_text("op,time_ms\n" + rows)
    answer = planner.ask(question).answer
    assert answer.startswith("Measured 41.5 ms, estimated")
    assert "outside its interval" in answer
    assert "`layer 0 (CONV_2D)` (14.2 ms, 34.2 %) takes the most time" in answer
    assert "Why: the clock, or the whole build" in answer


def test_a_log_without_operators_is_told_by_itself(tmp_path: Path, planner: Planner) -> None:
    rows = "".join(f"{at},{993600 + at},4000,90000,4.6,0.25\n" for at in range(20))
    (tmp_path / "uart.csv").write_text(rows)
    answer = planner.ask("here is my log uart.csv of kws on stm32h743zi, why is it slow?").answer
    assert "19 runs after the first" in answer


def test_heat_that_slows_runs_is_told_beside_the_clocks(tmp_path: Path, planner: Planner) -> None:
    rows = "".join(
        f"{at},{20 + at / 20:.3f},{40 + at / 3:.1f},{216 if at < 30 else 200},300\n" for at in range(60)
    )
    (tmp_path / "warm.csv").write_text("run,latency_ms,temperature_c,frequency_mhz,power_mw\n" + rows)
    answer = planner.ask("does warm.csv show throttling?").answer
    assert "throttling, as from 40 to" in answer
    assert "takes the least energy" in answer


def test_a_trace_in_ctf_is_a_file_to_the_chat(tmp_path: Path, planner: Planner) -> None:
    (tmp_path / "metadata").write_text(ctf_traces.metadata())
    events = ctf_traces.inferences(["CONV_2D", "SOFTMAX"], [900, 100], runs=2)
    (tmp_path / "trace.ctf").write_bytes(b"".join(events))
    answer = planner.ask("my trace trace.ctf, which op is the bottleneck?").answer
    assert answer.startswith("`CONV_2D` (1.8 ms, 90 %) takes the most time")


def test_a_file_that_is_only_mentioned_is_not_read_for_a_trace(tmp_path: Path, planner: Planner) -> None:
    (tmp_path / "notes.txt").write_text("hello\n")
    answer = planner.ask("does kws fit on the stm32h743zi? my notes are in notes.txt").answer
    assert "no times of operators" not in answer


def test_counters_without_a_rule_are_told_by_where_the_cycles_and_the_energy_go(
    tmp_path: Path, planner: Planner
) -> None:
    samples = Path(__file__).parents[3] / "docs" / "samples"
    (tmp_path / "energy.csv").write_bytes((samples / "energy.csv").read_bytes())
    answer = planner.ask("here is my log energy.csv, where does the energy go?").answer
    assert "Fitted to 40 rows: energy = static power x time + cycles + traffic." in answer
    assert "cycles 43.6 %, static power x time 34.7 % and traffic" in answer


def test_accesses_to_memory_are_told_by_their_working_set(tmp_path: Path, planner: Planner) -> None:
    samples = Path(__file__).parents[3] / "docs" / "samples"
    (tmp_path / "lackey.txt").write_bytes((samples / "lackey.txt").read_bytes())
    answer = planner.ask("here is my trace lackey.txt, how local are its accesses?").answer
    assert "It touches 6 KiB of data" in answer


@pytest.mark.parametrize(
    "question",
    [
        "uart.csv is what my STM32H743ZI printed for kws at 216 MHz: how far off is your estimate?",
        "Here is uart.csv of kws on the stm32h743zi at 216 MHz, why is it slower than you said?",
    ],
)
def test_runs_of_a_whole_model_are_set_against_the_estimate(
    tmp_path: Path, planner: Planner, question: str
) -> None:
    (tmp_path / "uart.csv").write_text(counter_logs.UART)
    found = planner.ask(question)
    assert [call["name"] for call in found.tool_calls] == ["import_profile"]
    assert found.answer.startswith("Measured 4.63 ms, estimated ")
    assert "Of 19 runs" in found.answer
