"""`report` writes one file and says so; its exit code does not judge."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def edgewright(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "edgewright.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_report_takes_the_limits_of_check_and_is_done_when_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    words = (
        "report",
        "kws:int8",
        "-t",
        "stm32l4r5zi",
        "--max-latency",
        "1ms",
        "--reserve",
        "64KiB",
        "-o",
        file,
    )
    run = edgewright(*words, "--json")
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert document["tool"] == "write_report"
    assert document["result"]["verdict"] == "FAIL"
    assert document["result"]["bytes"] == file.stat().st_size
    assert "Reserved for stack, heap, application" in file.read_text()


def test_a_report_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    run = edgewright("report", "kws", "-t", "stm32l4r5zi", "-o", tmp_path / "report.docx")
    assert (run.returncode, run.stdout) == (2, "")
    assert ".html or .md" in run.stderr


def test_a_model_that_is_none_leaves_no_file(tmp_path: Path) -> None:
    run = edgewright("report", "/dev/null", "-t", "stm32l4r5zi", "-o", tmp_path / "r.html")
    assert run.returncode == 3
    assert list(tmp_path.iterdir()) == []
