from __future__ import annotations

import csv
from pathlib import Path

import pytest

from edgewright.agent.doctor.findings import Finding, Grade
from edgewright.commands.rows import write_rows
from edgewright.tools import UsageError

FINDINGS = (
    Finding(area="extras", about="onnx", grade=Grade.OK, found="installed"),
    Finding(
        area="extras", about="=cmd()", grade=Grade.PROBLEM, found="two\nlines", next_step="pip install it"
    ),
)


def test_findings_are_written_as_a_table_that_a_spreadsheet_only_shows(tmp_path: Path) -> None:
    write_rows(FINDINGS, tmp_path / "found.csv")
    with (tmp_path / "found.csv").open(newline="", encoding="utf-8") as source:
        header, first, second = csv.reader(source)
    assert header == ["area", "about", "grade", "found", "next_step"]
    assert first[1:3] == ["onnx", "ok"]
    assert second[1].startswith("'=")


def test_a_file_that_is_there_or_is_no_csv_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("kept")
    for name in ("mine.csv", "mine.txt"):
        with pytest.raises(UsageError):
            write_rows(FINDINGS, tmp_path / name)
    assert (tmp_path / "mine.csv").read_text() == "kept"


def test_no_rows_make_an_empty_file(tmp_path: Path) -> None:
    write_rows((), tmp_path / "none.csv")
    assert (tmp_path / "none.csv").read_text() == ""
