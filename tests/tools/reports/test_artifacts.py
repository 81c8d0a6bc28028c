"""The files of an analysis and of a sweep, under the names that others give them."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from edgewright.tools import (
    EdgewrightError,
    UsageError,
    deployment,
    estimate_performance,
    run_sweep,
    write_artifacts,
)
from edgewright.tools.core.files import save_all
from edgewright.tools.reports.charts.picture import can_draw
from edgewright.tools.reports.charts.swept import front_of_sweep
from edgewright.tools.reports.sweep_artifacts import write_sweep_artifacts

TABLES = ["layerwise_breakdown.csv", "precision_tradeoffs.csv", "hardware_summary.csv"]
PICTURES = ["layerwise_activation_memory.png", "layerwise_macs.png", "precision_tradeoffs.png"]


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as source:
        return list(csv.DictReader(source))


def test_the_tables_bear_the_names_and_columns_of_the_document(tmp_path: Path) -> None:
    written = write_artifacts("resnet8:float32", "stm32h743zi", tmp_path / "a")
    assert list(written.files) == TABLES + (PICTURES if can_draw() else [])
    layers = rows_of(tmp_path / "a" / TABLES[0])
    assert list(layers[0]) == ["layer", "output_elements", "parameter_bytes", "activation_bytes", "macs"]
    assert layers[0]["output_elements"] == "16384"
    assert int(layers[0]["activation_bytes"]) == 4 * int(layers[0]["output_elements"])
    assert list(rows_of(tmp_path / "a" / TABLES[1])[0])[:2] == ["precision", "accuracy_mean"]


def test_the_summary_is_traffic_and_work_over_the_time(tmp_path: Path) -> None:
    place = deployment("stm32l4r5zi", batch=2)
    write_artifacts("kws", place, tmp_path / "a", memory_bandwidth_gb_s=12.8)
    (found,) = rows_of(tmp_path / "a" / TABLES[2])
    layers = rows_of(tmp_path / "a" / TABLES[0])
    moved = sum(int(row["parameter_bytes"]) + int(row["activation_bytes"]) for row in layers)
    ms = estimate_performance("kws", place).latency_ms.value
    assert ms is not None
    assert int(found["estimated_total_bytes"]) == moved
    assert float(found["achieved_bandwidth_gbps"]) == pytest.approx(moved / ms / 1e6, rel=1e-6)
    assert float(found["bandwidth_utilization"]) == pytest.approx(moved / ms / 1e6 / 12.8, rel=1e-6)


def test_what_is_not_known_is_an_empty_cell(tmp_path: Path) -> None:
    write_artifacts("resnet8:float32", "stm32h743zi", tmp_path / "a")
    half = next(row for row in rows_of(tmp_path / "a" / TABLES[1]) if row["precision"] == "float16")
    assert half["latency_ms_mean"] == ""
    assert {row["accuracy_mean"] for row in rows_of(tmp_path / "a" / TABLES[1])} == {""}


def test_a_name_in_a_table_computes_nothing(tmp_path: Path) -> None:
    from edgewright.tools.core.render.csv_lines import csv_lines

    assert csv_lines([("=cmd()", "@x")]) == "'=cmd(),'@x\n"


def test_all_files_are_written_or_none(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / TABLES[2]).write_text("mine")
    with pytest.raises(UsageError, match="overwritten"):
        write_artifacts("kws", "stm32l4r5zi", folder)
    assert [path.name for path in folder.iterdir()] == [TABLES[2]]
    with pytest.raises(UsageError, match="no folder"):
        write_artifacts("kws", "stm32l4r5zi", tmp_path / "b" / "c")
    with pytest.raises(UsageError, match="bandwidth"):
        write_artifacts("kws", "stm32l4r5zi", tmp_path / "d", memory_bandwidth_gb_s=0)


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(EdgewrightError, match="No space left"):
        save_all({"a.csv": "1"}, tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_is_drawn_per_inference_and_what_has_no_energy_is_counted(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("{models: [kws], targets: [stm32l4r5zi, nrf52833], runtimes: usual, batches: [1, 2]}")
    run_sweep(plan, tmp_path / "swept")
    drawn = front_of_sweep(tmp_path / "swept", "kws")
    assert drawn is not None
    (chart,) = drawn.charts
    assert {row["name"] for row in chart.rows} == {"stm32l4r5zi, batch 1", "stm32l4r5zi, batch 2"}
    one, two = (row["latency"] for row in chart.rows)
    assert one == pytest.approx(two, rel=0.01)
    assert "not known of nrf52833" in drawn.caption
    assert front_of_sweep(tmp_path, "kws") is None


def test_a_sweep_leaves_the_layers_of_every_model(tmp_path: Path) -> None:
    (tmp_path / "precision_tradeoffs.csv").write_text(
        "precision,accuracy_mean,latency_ms_mean,memory_mb_mean,energy_proxy_j_mean,accepted_ratio\n"
        "int8,,1.5,0.1,,1\n"
    )
    names = write_sweep_artifacts(tmp_path / "plan.yaml", ("kws", "resnet8"), tmp_path)
    assert "layerwise_breakdown.csv" in names
    assert {row["model"] for row in rows_of(tmp_path / "layerwise_breakdown.csv")} == {"kws", "resnet8"}
