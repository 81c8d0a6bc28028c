"""What this machine reaches, and the same model run in other ways on it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from edgewright.tools import (
    HostCeilings,
    InputError,
    Runs,
    TypePeak,
    UsageError,
    analyze_roofline,
    measure_ceilings,
    measure_variants,
    profile_on_host,
)
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.host_runs import ceilings, host, variants, worker
from stubs.onnx_models import small_onnx


def needs(package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed")


FOUND = HostCeilings(
    machine="Made Up 9000",
    threads=1,
    bandwidth_gb_s=10,
    peaks=(TypePeak(dtype="float32", gops=60, by="a test"), TypePeak(dtype="int8", gops=240, by="a test")),
)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "measure_ceilings", lambda _threads=1: FOUND)


@pytest.mark.usefixtures("known")
def test_the_roofline_of_a_host_stands_on_what_was_measured_there() -> None:
    report = analyze_roofline("kws:int8", "host", measured=True)
    assert report.peak_gops == pytest.approx(240)
    assert report.bandwidth_gb_s == pytest.approx(10)
    assert report.ridge_point == pytest.approx(24)
    assert any("ceilings measured here, 1 thread: 10 GB/s" in line for line in report.assumptions)
    assert analyze_roofline("kws:float32", "host", measured=True).peak_gops == pytest.approx(60)
    assert analyze_roofline("kws:int8", "host").bandwidth_gb_s == pytest.approx(20)


def test_ceilings_of_this_machine_are_none_of_a_board() -> None:
    with pytest.raises(UsageError, match="of this machine, not of stm32h743zi"):
        analyze_roofline("kws", "stm32h743zi", measured=True)


@needs("ai_edge_litert")
def test_a_model_reaches_no_more_arithmetic_than_a_large_matrix_product() -> None:
    """As a loose bound, since other work here may slow the product down while the model runs undisturbed."""
    found = profile_on_host("ad:float32", repeat=20, ceilings=True).attained
    assert found is not None
    assert 0 < found.compute_share < 3
    assert found.attained_gops == pytest.approx(found.compute_share * found.peak_gops)
    assert found.ridge_point == pytest.approx(found.peak_gops / found.bandwidth_gb_s)


@needs("ai_edge_litert")
def test_the_ceilings_of_this_machine_have_an_order_of_magnitude() -> None:
    found = measure_ceilings()
    assert 0.2 < found.bandwidth_gb_s < 2_000
    assert [peak.dtype for peak in found.peaks] == ["float32", "int8"]
    assert all(0.1 < peak.gops < 50_000 for peak in found.peaks)
    assert "GB/s" in as_text(found)


def test_without_litert_numpy_measures_float32_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    monkeypatch.setattr(worker, "_CEILING_S", 0.01)
    found = worker._ceilings({"threads": 1, "bytes": 1 << 20, "rows": 64, "side": 64})
    assert [(peak["dtype"], peak["by"]) for peak in found["peaks"]] == [("float32", "numpy")]


@needs("ai_edge_litert")
def test_reference_kernels_are_slower_than_xnnpack() -> None:
    found = measure_variants("kws:int8", repeat=5)
    usual, *others = found.variants
    assert (usual.name, usual.speedup, usual.differs) == ("as usual", None, None)
    reference = next(one for one in others if one.name == "reference kernels")
    assert reference.speedup is not None
    assert reference.speedup < 0.5
    assert reference.runs == 10
    assert "reference kernels" in as_text(found)


@needs("ai_edge_litert")
@pytest.mark.parametrize(("apart_ms", "differs"), [(0.0, False), (0.05, False), (5.0, True)])
def test_a_variant_differs_where_its_notch_and_that_of_the_usual_do_not_meet(
    monkeypatch: pytest.MonkeyPatch, apart_ms: float, differs: bool
) -> None:
    def ran(*_: object, variant: str, **__: object) -> tuple[Runs, None]:
        return Runs([10 + at / 10 + apart_ms * bool(variant) for at in range(11)], 12.0, 3), None

    monkeypatch.setattr(variants, "run_here", ran)
    found = {one.name: one for one in measure_variants("kws:int8").variants}
    assert found["reference kernels"].differs is differs


@needs("onnxruntime")
def test_levels_of_the_graphs_optimisation_are_the_variants_of_an_onnx_file(tmp_path: Path) -> None:
    found = measure_variants(small_onnx(tmp_path / "m.onnx"), repeat=5)
    names = ["as usual", "no layout changes", "no fusion", "the graph as it is"]
    assert [one.name for one in found.variants][:4] == names
    assert all(one.latency_ms.value for one in found.variants)


@needs("ai_edge_litert")
def test_a_variant_that_fails_says_why_and_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    real = host.run_here

    def fragile(*args: object, **more: object) -> object:
        if more["variant"] == "BUILTIN_REF":
            raise InputError("it crashed")
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(variants, "run_here", fragile)
    found = {one.name: one for one in measure_variants("ad:int8", repeat=3).variants}
    assert found["reference kernels"].why_not == "it crashed"
    assert found["reference kernels"].latency_ms.value is None
    assert found["no XNNPACK"].latency_ms.value is not None


def test_the_notch_of_equal_runs_is_a_point_and_shrinks_with_more_runs() -> None:
    assert variants.notch([2.0] * 9) == (2, 2, 2)
    few, many = variants.notch([1.0, 2.0, 3.0]), variants.notch([1.0, 2.0, 3.0] * 100)
    assert few[1] == many[1] == 2
    assert many[2] - many[0] < (few[2] - few[0]) / 5
