import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment, simulate_optimizations
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.optimization_report import OptimizationReport, Option


def option(report: OptimizationReport, technique: str) -> Option:
    return next(o for o in report.options if o.technique == technique)


@pytest.fixture(scope="module")
def float_report() -> OptimizationReport:
    return simulate_optimizations(build_architecture("ic", dtype="float32"), "stm32l4r5zi")


def test_int8_makes_a_float_model_smaller_and_faster_on_a_microcontroller(
    float_report: OptimizationReport,
) -> None:
    int8 = option(float_report, "int8")
    assert int8.applicable
    assert int8.after is not None
    assert int8.after.parameter_bytes < 0.35 * int8.before.parameter_bytes
    assert int8.after.arena_bytes < 0.5 * int8.before.arena_bytes
    assert int8.after.latency_ms.value < int8.before.latency_ms.value
    assert int8.after.macs == int8.before.macs


def test_a_gain_is_the_difference_of_two_estimates(float_report: OptimizationReport) -> None:
    for o in float_report.options:
        if o.after is not None and "latency" in o.gain:
            assert o.gain["latency"] == pytest.approx(
                o.after.latency_ms.value / o.before.latency_ms.value - 1
            )


def test_int8_does_not_apply_to_an_int8_model() -> None:
    report = simulate_optimizations(build_architecture("ic", dtype="int8"), "stm32l4r5zi")
    int8 = option(report, "int8")
    assert not int8.applicable
    assert "already" in int8.reason


def test_float16_does_not_apply_where_the_runtime_has_no_such_kernels(
    float_report: OptimizationReport,
) -> None:
    assert not option(float_report, "float16").applicable


def test_the_same_technique_gains_differently_on_different_hardware() -> None:
    model = build_architecture("mobilenet_v2", dtype="float32")
    gains = {
        simulate_optimizations(model, deployment(target, runtime), technique="prune-50")
        .options[0]
        .gain["latency"]
        for target, runtime in (("stm32l4r5zi", "tflm-cmsis-nn"), ("a100-sxm4-80gb", "pytorch"))
    }
    assert len(gains) == 2


def test_options_that_apply_come_first_and_best_first(float_report: OptimizationReport) -> None:
    flags = [o.applicable for o in float_report.options]
    assert flags == sorted(flags, reverse=True)
    times = [o.after.latency_ms.value for o in float_report.options if o.after is not None]
    assert times == sorted(times)


def test_together_they_do_not_add_up(float_report: OptimizationReport) -> None:
    together = float_report.combined
    assert together is not None
    assert together.after is not None
    parts = [option(float_report, name) for name in together.technique.split(" + ")]
    summed = sum(part.gain["latency"] for part in parts)
    assert together.gain["latency"] != pytest.approx(summed, abs=0.01)
    assert together.after.latency_ms.value <= min(p.after.latency_ms.value for p in parts if p.after)


def test_heavy_layers_are_those_of_the_size_of_the_samples_of_the_source_document(
    float_report: OptimizationReport,
) -> None:
    assert float_report.heavy_layers
    assert all(hint.share >= 0.09 for hint in float_report.heavy_layers)


def test_unknown_goals_and_techniques_are_named_with_the_known_ones() -> None:
    model = build_architecture("kws", dtype="int8")
    with pytest.raises(UsageError, match="latency, energy, ram, flash"):
        simulate_optimizations(model, "stm32l4r5zi", "beauty")
    with pytest.raises(UsageError, match="int8"):
        simulate_optimizations(model, "stm32l4r5zi", technique="in8")
