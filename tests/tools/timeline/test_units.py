"""An accelerator's transfers and compute beside each other, in the shape of the Torq compiler's timeline."""

from pathlib import Path

import pytest

from edgewright.tools import UsageError, deployment, estimate_performance, explain_trace, trace_timeline
from edgewright.tools.timeline.drawing import write_drawing

PLACES = [("sl2610", "torq"), ("ethos-u55-128", "ethos-u"), ("stm32n657x0", "neural-art")]


@pytest.mark.parametrize(("target", "runtime"), PLACES)
def test_units_are_laid_out_within_the_estimate_of_each_layer(target: str, runtime: str) -> None:
    place = deployment(target, runtime)
    report = trace_timeline("kws:int8", place, levers=False)
    whole = estimate_performance("kws:int8", place).latency_ms.value
    assert whole is not None
    assert max(span.end_ms for span in report.units) == pytest.approx(whole, rel=0.01)
    begins = {op.index: op.begins_ms or 0.0 for op in report.ops}
    for span in report.units:
        assert begins[span.index] - 1e-9 <= span.start_ms <= span.end_ms


def test_transfers_of_a_layer_overlap_with_its_compute_and_the_share_is_told() -> None:
    report = trace_timeline("kws:int8", deployment("sl2610", "torq"), levers=False)
    assert {span.unit for span in report.units} >= {"DMA in", "DMA out", "slice 0"}
    assert report.shared_ms is not None
    assert 0 < report.shared_ms < max(span.end_ms for span in report.units)


@pytest.mark.parametrize("ending", ["csv", "pb"])
def test_what_is_written_is_read_again_and_called_an_estimate(tmp_path: Path, ending: str) -> None:
    report = trace_timeline("kws:int8", deployment("sl2610", "torq"), levers=False)
    write_drawing(report, tmp_path / f"units.{ending}")
    found = explain_trace(tmp_path / f"units.{ending}", clock_mhz=report.deployment.clock_mhz)
    assert found.sources[0].basis.value == "fitted"
    assert found.occupancy is not None
    assert found.occupancy.total_ms is not None
    shared = found.occupancy.overlap_share * found.occupancy.total_ms
    assert shared == pytest.approx(report.shared_ms, rel=0.01)


def test_rows_have_the_names_of_the_torq_compilers(tmp_path: Path) -> None:
    report = trace_timeline("kws:int8", deployment("sl2610", "torq"), levers=False)
    write_drawing(report, tmp_path / "units.csv")
    lines = (tmp_path / "units.csv").read_text().splitlines()
    assert lines[1] == "ID,Start,End,Location,Op Type,Bytes"
    assert {line.split(",")[0].rstrip("0123456789") for line in lines[2:]} >= {"DI", "DO", "S"}


def test_a_core_without_an_accelerator_has_no_units(tmp_path: Path) -> None:
    report = trace_timeline("kws:int8", deployment("stm32h743zi", "tflm-cmsis-nn"), levers=False)
    assert report.units == ()
    with pytest.raises(UsageError, match="no accelerator"):
        write_drawing(report, tmp_path / "units.csv")
