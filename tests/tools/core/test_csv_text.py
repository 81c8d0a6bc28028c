"""Every table of a document as CSV: figures plain, units in the headings, nothing that a spreadsheet runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from edgewright.tools import UsageError, compare_deployments, estimate_performance, write_tables
from edgewright.tools.core.document import Document, Section, Table, figures, table_of, text
from edgewright.tools.core.quantity import Quantity, Result
from edgewright.tools.core.render.csv_text import tables


class Row(Result):
    name: str
    latency_ms: Quantity
    count: int | None


class Rows(Result):
    rows: tuple[Row, ...]
    power_mw: float | None = None


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def quantity(value: float | None, low: float | None = None, high: float | None = None) -> Quantity:
    basis = "unknown" if value is None else "fitted"
    return Quantity.model_validate({"value": value, "unit": "ms", "low": low, "high": high, "basis": basis})


RESULT = Rows(
    rows=(
        Row(name="=cmd()", latency_ms=quantity(12.3456789, 10, 15), count=3),
        Row(name="kws", latency_ms=quantity(None), count=None),
    ),
    power_mw=None,
)


def document(*blocks: Table, title: str = "") -> Document:
    return Document(RESULT, "t", (Section(title, blocks),))


TIMES = table_of(RESULT.rows, "rows", ("Name", "{name}"), ("Time", "{latency_ms~}"), ("Count", "{count}"))


def test_figures_are_plain_in_the_unit_of_the_heading_beside_the_ends_of_their_interval() -> None:
    (found,) = tables(document(TIMES)).values()
    head, first, second = rows_of(found)
    assert head == ["Name", "Time [ms]", "Time: low [ms]", "Time: high [ms]", "Count"]
    assert first == ["'=cmd()", "12.34568", "10", "15", "3"]
    assert second == ["kws", "unknown", "", "", "unknown"]


def test_figures_of_several_units_have_a_column_of_their_units() -> None:
    table = figures(
        "What", ("Time", "{rows[#0].latency_ms}"), ("Count", "{rows[#0].count}"), ("Name", "{rows[#1].name}")
    )
    (found,) = tables(document(table)).values()
    head, *rows = rows_of(found)
    assert head == ["What", "Value", "Value: unit", "Value: low", "Value: high"]
    assert rows == [
        ["Time", "12.34568", "ms", "10", "15"],
        ["Count", "3", "", "", ""],
        ["Name", "kws", "", "", ""],
    ]


def test_a_mark_beside_a_figure_is_a_column_of_its_own() -> None:
    marked = Table(("Best",), (((*_parts("{rows[#0].count}"), " *"),), (text("{rows[#0].count}"),)))
    (found,) = tables(document(marked)).values()
    assert rows_of(found) == [["Best", "Best: mark"], ["3", "*"], ["3", ""]]


def _parts(template: str) -> tuple[object, ...]:
    made = text(template)
    return made if isinstance(made, tuple) else (made,)


def test_tables_are_named_after_their_section_and_first_column_without_counts() -> None:
    assert list(tables(document(TIMES, title="Slowest (10 of 93)"))) == ["slowest"]
    assert list(tables(document(TIMES, TIMES))) == ["name", "name-2"]
    assert list(tables(document(TIMES, TIMES, title="All"))) == ["all-name", "all-name-2"]


def test_one_table_goes_into_a_file_and_several_into_a_folder(tmp_path: Path) -> None:
    compared = compare_deployments("kws", ["stm32h743zi", "nrf52840"])
    file = tmp_path / "boards.csv"
    assert write_tables(compared, file) == (str(file),)
    with pytest.raises(UsageError, match="exists already"):
        write_tables(compared, file)
    head = rows_of(file.read_text())[0]
    assert head[0] == "Figure"
    assert any(title.endswith(": mark") for title in head)

    estimate = estimate_performance("kws", "stm32h743zi")
    with pytest.raises(UsageError, match="2 tables: performance, layer"):
        write_tables(estimate, tmp_path / "estimate.csv")
    assert [Path(name).name for name in write_tables(estimate, tmp_path / "estimate")] == [
        "performance.csv",
        "layer.csv",
    ]
    layers = rows_of((tmp_path / "estimate" / "layer.csv").read_text())
    at = layers[0].index("Latency [ms]")
    assert sum(float(row[at]) for row in layers[1:]) == pytest.approx(estimate.latency_ms.value, rel=1e-4)


def test_a_result_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no table"):
        write_tables(RESULT, tmp_path / "x.csv", document=document())
