"""A little of `make fuzz`, always the same: each format's first damaged files, read and put through every tool."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fuzz.__main__ import rows
from tests.fuzz.changes import of_yaml
from tests.fuzz.formats import FORMATS, Case, case, seeds
from tests.fuzz.ledger import Ledger, kind_of, stands
from tests.fuzz.trial import Outcome, run
from tests.hardening import Row, renew, table

pytest.importorskip("onnx")
QUICK = {"runtime": 20, "target": 40, "measurements": 40, "predictions": 40}
"""Whose files take longer to damage or to read."""


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_files_are_read_or_refused(name: str) -> None:
    tried = list(run([case(name, "parse", number) for number in range(QUICK.get(name, 200))]))
    assert len(tried) == QUICK.get(name, 200)
    assert _wrong(tried) == []


@pytest.mark.parametrize("name", [each.name for each in FORMATS.values() if each.ask])
def test_what_is_read_of_damaged_files_goes_through_every_tool(name: str) -> None:
    tried = list(run([case(name, "ask", number) for number in range(8)]))
    assert len(tried) == 8
    assert _wrong(tried) == []


def _wrong(tried: list[Outcome]) -> list[tuple[int, str]]:
    return [
        (each.case.number, told) for each in tried for told in each.wrong if stands(each.case, kind_of(told))
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_damaged_was_whole(name: str, tmp_path: Path) -> None:
    whole = [Case(name, "parse", 0, number, ()) for number in range(len(seeds(name)))]
    read = [each.taken for each in run(whole)]
    assert sum(read) > len(read) / 2


def test_the_same_number_makes_the_same_file() -> None:
    assert case("tflite", "ask", 7).content() == case("tflite", "ask", 7).content()


@pytest.mark.parametrize("deep", [b"a: " + b"[" * 100_000, b"- " * 100_000 + b"a", b"{a: " * 100_000])
def test_yaml_that_nests_deeper_than_its_loader_bears_is_damaged_as_text(deep: bytes) -> None:
    """The loader, which is of C, would end this process."""
    assert all(isinstance(of_yaml(deep, Random(seed)), bytes) for seed in range(4))


def test_counts_go_on_where_they_stopped_and_what_is_mended_is_told(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    good = case("budget", "parse", 3)
    ledger.take(Outcome(good, taken=True, calls=1, wrong=("read: OSError at tools/x.py:1: a",)))
    ledger.save()
    again = Ledger(tmp_path)
    assert again.tallies["budget/parse"].next == 4
    assert again.tallies["budget/parse"].found
    assert "| 20,000, 0 found | 4 files, 1 of them read | 1 |" in table(rows(again))
    assert again.replay() == []
    assert again.tallies["budget/parse"].found == {}
    assert again.tallies["budget/parse"].mended == 1


def test_rows_take_the_place_of_those_that_tried_the_same(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n\n<!-- tried: written by make fuzz and make chaos -->\n<!-- /tried -->\n\nEnd.\n")
    renew([Row("a", "1", "2"), Row("b", "1", "2")], page)
    renew([Row("b", "1", "9", ("x", "y", "z"))], page)
    lines = [line for line in page.read_text().splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[:4] for line in lines[2:]] == [["| a", "1", "2", "0"], ["| b", "1", "9", "3"]]
    assert page.read_text().endswith("End.\n")
