"""What an engineer sees of a result in a console or a notebook, and its rows as tables."""

import sys
import types

import pytest

from edgewright.hardware_db import load_runtime, load_target
from edgewright.tools import (
    EstimateTable,
    UsageError,
    analyze_roofline,
    check_constraints,
    compare_deployments,
    deployment,
    estimate_many,
    get_target,
    list_runtimes,
    parse_model,
    plan_memory,
)

BOARD = deployment("stm32h743zi", "tflm-cmsis-nn", clock_mhz=480)


@pytest.fixture(scope="module")
def table() -> EstimateTable:
    return estimate_many("kws:int8", [BOARD, deployment("nrf52840", "tflm-cmsis-nn")])


def test_one_line_names_model_deployment_and_answer() -> None:
    shown = repr(analyze_roofline("kws:int8", BOARD))
    assert shown.startswith("<RooflineReport kws:int8 on stm32h743zi/tflm-cmsis-nn: compute-bound, ")
    assert shown.endswith("]>")


@pytest.mark.parametrize(
    "value",
    [
        BOARD,
        BOARD.ref,
        load_target("stm32h743zi"),
        load_runtime("tflm-cmsis-nn"),
        parse_model("mobilenet_v2"),
        plan_memory("kws:int8", BOARD),
        plan_memory("kws:int8", BOARD).tensors[0],
        check_constraints("kws:int8", BOARD, {"latency_ms": 5}, remedies=False),
        compare_deployments("kws:int8", [BOARD, deployment("nrf52840")]),
        get_target("stm32h743zi"),
        list_runtimes(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_console_shows_one_line_and_print_a_few(value: object) -> None:
    assert repr(value).startswith(f"<{type(value).__name__} ")
    assert "\n" not in repr(value)
    assert len(repr(value)) < 250
    assert 0 < len(str(value).splitlines()) <= 30


def test_a_deployment_says_what_was_taken_for_granted() -> None:
    assert str(deployment("nrf52840")) == (
        "nrf52840/tflm-cmsis-nn at 64 MHz\n"
        "  no runtime named: took tflm-cmsis-nn, the usual one on nrf52840\n"
        "  no clock named: took the maximum, 64 MHz"
    )
    assert repr(BOARD) == "<Deployment stm32h743zi/tflm-cmsis-nn at 480 MHz>"


def test_a_model_shows_its_operators_types_and_shapes() -> None:
    assert repr(parse_model("kws:int8")).startswith("<ModelGraph kws:int8: 13 operators, int8, 1×49×10×1 → ")


def test_rows_are_flat_with_a_column_for_each_end_of_an_interval() -> None:
    rows = compare_deployments("kws:int8", [BOARD, deployment("nrf52840")]).to_rows()
    assert {row["target"] for row in rows} == {"stm32h743zi", "nrf52840"}
    row = rows[0]
    assert row["latency_ms_low"] < row["latency_ms"] < row["latency_ms_high"]
    assert row["latency_ms_basis"] == "scaled", "from what was published of it at another clock"
    assert row["verdict"] == "PASS"


def test_rows_of_another_field_are_taken_by_its_name() -> None:
    plan = plan_memory("kws:int8", BOARD)
    assert [row["region"] for row in plan.to_rows("regions")] == [use.region for use in plan.regions]
    with pytest.raises(UsageError, match=r"no rows 'region'. Rows that it holds: regions"):
        plan.to_rows("region")
    with pytest.raises(UsageError, match="no main rows"):
        plan.tensors[0].to_rows()


def test_no_checks_at_all_are_an_empty_table() -> None:
    report = analyze_roofline("kws:int8", BOARD)
    assert report.model_copy(update={"layers": ()}).to_rows() == []


def test_without_pandas_a_frame_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pip install pandas"):
        analyze_roofline("kws:int8", BOARD).to_frame()


def test_with_pandas_rows_and_columns_become_a_frame(
    monkeypatch: pytest.MonkeyPatch, table: EstimateTable
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=lambda data: ("frame", data)))
    report = analyze_roofline("kws:int8", BOARD)
    assert report.to_frame() == ("frame", report.to_rows())
    assert list(table.to_frame()[1]) == list(table.to_dict())


def test_a_table_of_estimates_has_a_column_for_each_figure(table: EstimateTable) -> None:
    columns = table.to_dict()
    assert {len(column) for column in columns.values()} == {2}
    assert columns["target"].tolist() == ["stm32h743zi", "nrf52840"]
    assert columns["latency_ms"][0] == table.latency_ms[0].value
    assert columns["latency_ms_basis"].tolist() == [table.latency_ms[row].basis for row in range(2)]
    assert columns["bound"][0] == "compute"
    assert repr(table) == "<EstimateTable kws:int8 on 2 deployments>"


def test_a_notebook_shows_the_document_with_its_drawing() -> None:
    html = analyze_roofline("kws:int8", BOARD)._repr_html_()
    assert html.startswith('<div class="edgewright"><style>.edgewright{')
    assert "<h1>Roofline on stm32h743zi" in html
    assert "<svg" in html


def test_a_notebook_shows_a_row_as_a_table_and_nothing_of_it_as_markup() -> None:
    layer = analyze_roofline("kws:int8", BOARD).layers[0].model_copy(update={"op": "<script>"})
    html = layer._repr_html_()
    assert html.startswith("<table>")
    assert "<script>" not in html


def test_a_result_is_the_document_that_the_command_line_prints() -> None:
    report = analyze_roofline("kws:int8", BOARD)
    assert report.to_dict() == report.model_dump(mode="json", by_alias=True)
    assert report.to_dict()["model"] == "kws:int8"
