"""Where a case was measured, the answer starts from the measurement."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgewright.hardware_db.coefficients.offsets import load_offsets
from edgewright.hardware_db.measurements import rows
from edgewright.hardware_db.measurements.published import published
from edgewright.tools import (
    Basis,
    Deployment,
    Settings,
    all_deployments,
    analyze_roofline,
    check_constraints,
    compare_deployments,
    deployment,
    estimate_many,
    estimate_performance,
    find_limit,
    parse_model,
    simulate_optimizations,
    sweep_frequency,
)
from edgewright.tools.core.document import describe
from edgewright.tools.cost_model.measured import likeness_of
from edgewright.tools.cost_model.signature import signature
from edgewright.tools.model_formats.writer.save import save_tflite

ALONE = Settings(measured_first=False)
VWW_MS = {"7.1": (254.647,), "7.3": (224.921, 230.468), "8.0": (221.141,)}
"""Of NUCLEO-L4R5ZI by release of X-CUBE-AI: MLPerf Tiny's results v0.7 to v1.1."""


def l4r5(release: str = "", **more: Any) -> Deployment:
    return deployment("stm32l4r5zi", f"x-cube-ai@{release}" if release else "x-cube-ai", **more)


@pytest.mark.parametrize("release", VWW_MS)
def test_the_published_latencies_of_a_release_lie_in_its_narrow_interval(release: str) -> None:
    latency = estimate_performance("vww", l4r5(release)).latency_ms
    assert latency.basis is Basis.PUBLISHED
    assert all(ms in latency for ms in VWW_MS[release])
    assert latency.high / latency.low <= 1.5


def test_where_no_release_is_named_the_newest_that_was_measured_answers() -> None:
    newest = estimate_performance("vww", l4r5())
    assert newest.latency_ms == estimate_performance("vww", l4r5("8.0")).latency_ms
    assert newest.measured.releases == ("8.0",)
    assert "with other releases 224.9 to 254.6 ms" in newest.measured.note


def test_a_release_without_a_measurement_is_scaled_from_the_nearest_one() -> None:
    case = estimate_performance("vww", l4r5("9.0")).measured
    assert (case.differs_in, case.releases) == ("release", ("8.0",))


def test_the_answer_names_how_many_measurements_which_release_and_whose() -> None:
    case = estimate_performance("vww", l4r5("7.3")).measured
    assert (case.measurements, case.differs_in, case.releases) == (2, "", ("7.3",))
    assert all(source.startswith("mlcommons/tiny_results") for source in case.sources)


def test_layers_add_up_to_what_was_measured() -> None:
    estimate = estimate_performance("vww", l4r5())
    assert sum(layer.latency_ms for layer in estimate.layers) == pytest.approx(estimate.latency_ms.value)


def test_without_measured_first_the_cost_model_answers_alone() -> None:
    alone = estimate_performance("vww", l4r5(settings=ALONE))
    assert alone.latency_ms.basis is Basis.FITTED
    assert alone.measured is None
    assert estimate_performance("vww", l4r5()).measured.estimate_ms == pytest.approx(alone.latency_ms.value)


def test_one_deployment_is_a_row_of_the_table_whether_measured_scaled_or_estimated() -> None:
    places = [
        l4r5(), l4r5(clock_mhz=80), deployment("stm32h743zi", "x-cube-ai"), deployment("rp2040"),
        deployment("stm32h743zi", "x-cube-ai", settings=ALONE),
    ]  # fmt: skip
    table = estimate_many("vww", places)
    bases = set()
    for row, place in enumerate(places):
        one = estimate_performance("vww", place).latency_ms
        assert table.latency_ms[row] == one
        bases.add(one.basis)
    assert bases >= {Basis.PUBLISHED, Basis.SCALED, Basis.FITTED}


def test_at_another_clock_the_measurement_is_scaled_and_says_so() -> None:
    estimate = estimate_performance("vww", l4r5(clock_mhz=80))
    assert (estimate.latency_ms.basis, estimate.measured.differs_in) == (Basis.SCALED, "clock")
    assert "another clock" in estimate.assumptions[0]


def test_a_file_and_the_architecture_of_the_same_layers_share_their_measurements(tmp_path: Path) -> None:
    file = tmp_path / "kws.tflite"
    save_tflite(parse_model("kws"), file)
    assert signature(parse_model(file)) == signature(parse_model("kws")) != signature(parse_model("vww"))


def test_another_type_is_another_case() -> None:
    assert estimate_performance("vww:float32", l4r5()).latency_ms.basis is not Basis.PUBLISHED


def test_a_changed_model_keeps_the_gain_that_the_cost_model_gives_it() -> None:
    """The measurement moves both sides alike: a gain is no difference between a fit and a stopwatch."""
    option, alone = (
        simulate_optimizations("vww", l4r5(settings=settings), technique="prune-30").options[0]
        for settings in (None, ALONE)
    )
    measured = estimate_performance("vww", l4r5()).latency_ms
    assert option.before.latency_ms.value == pytest.approx(measured.value)
    assert option.before.latency_ms.basis is measured.basis
    assert option.gain["latency"] == pytest.approx(alone.gain["latency"])


def test_latency_falls_smoothly_over_the_clock_past_the_one_that_was_measured() -> None:
    steps = sweep_frequency("vww", l4r5(), [100, 110, 119, 120]).steps
    cycles = [step.latency_ms.value * step.clock_mhz for step in steps]
    assert max(cycles) / min(cycles) < 1.01


def test_a_build_of_former_years_is_not_taken_for_the_one_that_estimates_stand_for() -> None:
    """MLPerf Tiny v0.5 measured TFLM 2.3.1 at twice what the same library takes since."""
    estimate = estimate_performance("vww", deployment("stm32l4r5zi", "tflm-cmsis-nn"))
    assert estimate.latency_ms.basis is not Basis.PUBLISHED
    assert estimate.latency_ms.value < 500


def test_a_limit_between_estimate_and_measurement_is_judged_by_the_measurement() -> None:
    limits = {"latency_ms": 400}
    assert find_limit("vww", l4r5(), limits, "clock").value < 120
    latency = next(c for c in check_constraints("vww", l4r5(), limits).checks if c.name == "latency")
    assert latency.basis is Basis.PUBLISHED


def test_a_comparison_and_a_check_say_what_was_measured() -> None:
    rank = compare_deployments("vww", [l4r5(), "nrf52840"]).ranking
    assert Basis.PUBLISHED in {row.latency_ms.basis for row in rank}
    first = describe(check_constraints("vww", l4r5(), remedies=False)).sections[0].blocks[0]
    assert "Measured: " in first.text


def test_no_layer_is_faster_than_its_peak_where_the_whole_was_measured_fast() -> None:
    times = np.array([1.0, 1.0, 8.0])
    from edgewright.tools.cost_model.times import LayerTimes

    none = times * 0
    layers = LayerTimes(times, none, none, none, times, none, none, 2.0, Basis.FITTED, ())
    least = np.array([0.9, 0.1, 1.0])
    faster = layers.stretched(0.5, least)
    assert faster.total_s.sum() == pytest.approx(5.0)
    assert (faster.total_s >= least * (1 - 1e-9)).all()
    assert dataclasses.replace(layers).stretched(2.0, least).total_s.tolist() == [2.0, 2.0, 16.0]


def test_every_published_case_is_a_row_that_the_fit_reads() -> None:
    known = {row["id"]: row for row in rows()}
    for case in published(signature(parse_model("vww"))):
        assert float(known[case.id]["latency_ms"]) == case.latency_ms
        assert "dead_channels" not in known[case.id]["flag"]


def test_no_machine_of_the_user_is_taken_for_one_that_somebody_measured() -> None:
    hosts = [place for place in all_deployments() if place.target.id.startswith("host-")]
    table = estimate_many("mobilenet_v2", hosts)
    assert {str(basis) for basis in table.to_dict()["latency_ms_basis"]}.isdisjoint({"published", "scaled"})


def test_a_single_measurement_is_trusted_as_far_as_repeats_agree() -> None:
    repeat = load_offsets().repeat
    assert all(1 < factor**2 <= 1.5 for factor in repeat.values())


def test_the_interval_of_a_case_holds_what_other_builds_took_unless_one_is_named() -> None:
    """MLPerf Tiny v0.5 has 182 ms with TFLM 2.3 of what EdgeMark's build of 2024 takes 111 ms for."""
    untold, told = (
        estimate_performance("kws", deployment("stm32l4r5zi", runtime)).latency_ms
        for runtime in ("tflm-cmsis-nn", "tflm-cmsis-nn@-O3, FPU on")
    )
    assert untold.value == told.value
    assert float(told.high or 0) < 150 < 180 < float(untold.high or 0)


def test_a_batch_between_two_that_were_measured_takes_no_longer_than_the_larger() -> None:
    times = [
        float(estimate_performance("bert_base", deployment("t4", batch=n)).latency_ms) for n in (1, 2, 4)
    ]
    assert times == sorted(times)
    assert times[1] < 2 * times[0] * 1.1


def test_nothing_is_scaled_from_a_board_of_another_size() -> None:
    """Of ResNet-50 at batch 64 Jetsons were measured: an A100 has a hundred times their peak."""
    found = estimate_performance("resnet50", deployment("a100-sxm4-80gb", "tensorrt", batch=64))
    assert found.measured is None or "jetson-tx2" not in found.measured.targets
    assert float(found.latency_ms.high or 0) / float(found.latency_ms) > 2


def test_the_first_layer_of_a_network_is_not_charged_what_an_inference_costs_as_such() -> None:
    found = estimate_performance("resnet50", deployment("a100-sxm4-80gb", "tensorrt", batch=64))
    layers = [float(layer.latency_ms) for layer in found.layers]
    assert layers[0] < 0.2 * sum(layers)
    assert sum(layers) == pytest.approx(float(found.latency_ms), rel=0.01)


def test_the_farther_a_batch_the_less_a_measurement_tells_of_it() -> None:
    alike = likeness_of("gpu", "batch")
    kept = [alike.kept(1, batch) for batch in (1, 2, 8, 64)]
    assert kept[0] == 1
    assert kept == sorted(kept, reverse=True)
    assert kept[3] < 0.4


def test_what_fills_a_processor_is_not_bound_by_starting_it() -> None:
    one, many = (analyze_roofline("resnet50", deployment("a100-sxm4-80gb", batch=n)) for n in (1, 64))
    assert one.bound_detail == "launch"
    assert many.bound_detail == "kernel efficiency"
