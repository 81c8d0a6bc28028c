"""Two runs and linked firmware, named in a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.agent.planner.planner import Planner
from edgewright.agent.workspace import Workspace

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
    assert "all layers alike: 100 %" in answer


def test_a_map_of_a_linker_is_told_by_what_lies_where(tmp_path: Path, planner: Planner) -> None:
    (tmp_path / "fw.map").write_text(MAP)
    answer = planner.ask("what takes the space in fw.map?").answer
    assert "36 KiB of flash and 16 KiB of RAM" in answer
