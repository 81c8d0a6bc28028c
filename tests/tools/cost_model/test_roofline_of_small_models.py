import numpy as np
import pytest

from edgewright.tools import analyze_roofline, deployment, estimate_performance
from edgewright.tools.cost_model.study import study
from edgewright.tools.graph import DType
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.model import ModelGraph
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.roofline import roofline
from edgewright.tools.roofline.roofline import roofline_of


def dense(inputs: int, outputs: int) -> ModelGraph:
    b = GraphBuilder("dense")
    x = b.input((1, inputs))
    return to_int8(b.build(outputs=[b.fully_connected(x, outputs)]))


def test_intensity_counts_two_flop_a_mac_over_all_bytes_moved() -> None:
    report = analyze_roofline(dense(256, 64), deployment("stm32h743zi"))
    weights, biases = 256 * 64, 64 * 4
    assert report.arithmetic_intensity == pytest.approx(2 * 256 * 64 / (weights + biases + 256 + 64))


def test_the_ridge_point_is_peak_over_bandwidth() -> None:
    report = analyze_roofline(build_architecture("resnet50", dtype="float16"), deployment("a100-sxm4-80gb"))
    assert report.peak_gops == pytest.approx(312_000)
    assert report.ridge_point == pytest.approx(report.peak_gops / report.bandwidth_gb_s)
    assert 150 < report.ridge_point < 160


def test_h100_uses_its_dense_peak() -> None:
    report = analyze_roofline(build_architecture("resnet50", dtype="float16"), deployment("h100-sxm5"))
    assert report.peak_gops == pytest.approx(989_500, rel=0.01)


def test_bound_shares_add_up_to_one() -> None:
    report = analyze_roofline(build_architecture("kws", dtype="int8"), "stm32l4r5zi")
    assert sum(report.bound_shares.values()) == pytest.approx(1)
    assert report.bound == max(report.bound_shares, key=lambda bound: report.bound_shares[bound])


PLACES = [
    "stm32l4r5zi",
    "stm32h743zi/x-cube-ai",
    "raspberry-pi-4b",
    "a100-sxm4-80gb",
    "coral-dev-board",
    "ethos-u55-128",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["kws", "vww", "ad", "mobilenet_v2"])
def test_a_roof_binds_only_what_fills_half_of_it(name: str, place: str) -> None:
    target, _, runtime = place.partition("/")
    where = deployment(target, runtime or None)
    case = study(build_architecture(name, dtype=where.runtime.usual_dtype.value), where)
    report, times = roofline_of(case), case.times
    roofs = {"compute": times.compute_roof_s, "memory": times.memory_roof_s}
    whole = {bound: np.nansum(np.fmin(roof, times.total_s)) for bound, roof in roofs.items()}
    if report.bound in roofs:
        assert whole[report.bound] == max(whole.values())
        assert whole[report.bound] >= np.nansum(times.total_s) / 2
        assert report.bound_detail is None
    elif report.bound == "overhead":
        assert max(whole.values()) < np.nansum(times.total_s) / 2
        assert report.bound_detail is not None
    for layer, total in zip(report.layers, times.total_s, strict=True):
        if layer.bound in roofs:
            assert roofs[layer.bound][layer.index] >= total / 2


def test_a_cmsis_nn_convolution_on_a_cortex_m4_is_compute_bound() -> None:
    report = analyze_roofline("vww", deployment("stm32l4r5zi", "tflm-cmsis-nn"))
    assert report.bound == "compute"
    assert report.side == "compute"
    assert report.compute_utilization < 0.2, "of the data sheet's peak"


def test_resnet_50_for_one_image_fills_neither_roof_of_an_a100() -> None:
    report = analyze_roofline("resnet50", "a100-sxm4-80gb")
    assert report.bound == "overhead"
    assert report.side == "memory", "63 FLOP/byte against a ridge of 153"
    assert report.bound_in_words == "bound by launch and occupancy"


def test_what_binds_changes_at_the_batch_that_is_named() -> None:
    cases = [
        (name, target)
        for target in ("coral-dev-board", "a100-sxm4-80gb", "t4")
        for name in ("mobilenet_v1", "resnet50")
    ]
    reports = [(analyze_roofline(name, target), name, target) for name, target in cases]
    changing = [found for found in reports if found[0].changes_at_batch is not None]
    assert changing
    for report, name, target in changing:
        batch = report.changes_at_batch
        at, before = (analyze_roofline(name, deployment(target, batch=n)) for n in (batch, batch // 2))
        assert at.bound == report.changes_to != report.bound == before.bound


@pytest.mark.parametrize("target", ["coral-dev-board", "a100-sxm4-80gb", "t4", "raspberry-pi-4b"])
@pytest.mark.parametrize("name", ["mobilenet_v1", "resnet50"])
def test_batches_that_are_bisected_tell_what_binds_as_those_that_are_all_tried(
    monkeypatch: pytest.MonkeyPatch, name: str, target: str
) -> None:
    """As of networks of more than 5,000 operators."""
    tried = analyze_roofline(name, target)
    monkeypatch.setattr(roofline, "_SCANNED", 0)
    bisected = analyze_roofline(name, target)
    assert (bisected.changes_at_batch, bisected.changes_to) == (tried.changes_at_batch, tried.changes_to)
    assert bisected.largest_batch == tried.largest_batch


def test_where_no_batch_reaches_a_roof_the_largest_tried_says_how_far_it_comes() -> None:
    report = analyze_roofline("resnet50", "a100-sxm4-80gb")
    largest = report.largest_batch
    assert report.changes_at_batch is None
    assert largest is not None
    assert largest.batch == 1024
    at = analyze_roofline("resnet50", deployment("a100-sxm4-80gb", batch=1024))
    assert at.bound == report.bound
    assert (largest.memory_utilization, largest.achievable_utilization) == (
        at.memory_utilization, at.achievable_utilization,
    )  # fmt: skip
    assert "no batch up to 1,024 changes that" in report._repr_html_()


def test_layers_add_up_to_the_whole() -> None:
    report = estimate_performance(build_architecture("kws", dtype="int8"), "stm32l4r5zi")
    assert sum(layer.latency_ms or 0 for layer in report.layers) == pytest.approx(report.latency_ms.value)
    assert sum(layer.energy_uj or 0 for layer in report.layers) == pytest.approx(report.energy_uj.value)
    assert report.energy_uj.value == pytest.approx(report.power_mw.value * report.latency_ms.value)


@pytest.mark.parametrize(
    "target", ["stm32l4r5zi", "stm32h743zi", "stm32u575zi", "nrf52840", "a100-sxm4-80gb"]
)
@pytest.mark.parametrize("name", ["kws", "vww", "ic", "ad"])
def test_no_estimate_is_faster_than_the_hardware_peak(target: str, name: str) -> None:
    place = deployment(target)
    model = build_architecture(name, dtype=place.runtime.usual_dtype.value)
    report = analyze_roofline(model, place)
    if report.peak_gops is None or report.latency_ms.value is None:
        pytest.skip(f"peak or latency of {target} is not known")
    assert report.compute_utilization <= 1
    assert report.memory_utilization <= 1


def test_half_the_clock_doubles_a_compute_bound_time() -> None:
    model = build_architecture("ic", dtype="int8")
    fast = estimate_performance(model, deployment("stm32l4r5zi", clock_mhz=120))
    slow = estimate_performance(model, deployment("stm32l4r5zi", clock_mhz=60))
    assert slow.latency_ms.value == pytest.approx(2 * fast.latency_ms.value, rel=0.01)


def test_a_larger_batch_raises_the_intensity_on_a_gpu() -> None:
    model = build_architecture("resnet50", dtype="float16")
    one = analyze_roofline(model, deployment("a100-sxm4-80gb"))
    many = analyze_roofline(model, deployment("a100-sxm4-80gb", batch=64))
    assert many.arithmetic_intensity > 1.5 * one.arithmetic_intensity
    assert many.compute_utilization > one.compute_utilization


def test_reference_kernels_are_slower_than_optimised_ones_on_the_same_chip() -> None:
    model = build_architecture("vww", dtype="int8")
    portable = estimate_performance(model, deployment("stm32h743zi", "tflm-reference"))
    tuned = estimate_performance(model, deployment("stm32h743zi", "tflm-cmsis-nn"))
    assert portable.latency_ms.value > 2 * tuned.latency_ms.value


def test_a_board_without_measurements_has_a_wider_interval_and_says_so() -> None:
    model = build_architecture("kws", dtype="int8")
    measured = estimate_performance(model, deployment("stm32l4r5zi", "tflm-cmsis-nn"))
    akin = estimate_performance(model, deployment("stm32g474re", "tflm-cmsis-nn"))
    assert "on this very target" in measured.stands_on[0]
    assert "on other targets" in akin.stands_on[0]
    spread = [q.high / q.low for q in (measured.latency_ms, akin.latency_ms)]
    assert spread[1] > spread[0]


def test_a_library_that_was_never_measured_on_a_core_is_assumed() -> None:
    place = deployment("stm32u575zi", "tflm-reference")
    report = estimate_performance(build_architecture("kws", dtype="int8"), place)
    assert report.latency_ms.basis == "assumed"
    assert report.latency_ms.high > 2 * report.latency_ms.low


def test_an_operator_that_cannot_be_counted_makes_the_time_unknown_not_zero() -> None:
    b = GraphBuilder("odd")
    x = b.input((1, 16))
    graph = b.build(outputs=[b.op("CUSTOM", [x], (1, 16), custom_code="Mystery")])
    report = estimate_performance(graph, "stm32h743zi")
    assert report.latency_ms.value is None
    assert report.layers[0].latency_ms is None
    assert report.layers[0].macs is None
    assert any("not counted" in text for text in report.warnings)


def test_what_moves_inside_an_accelerator_is_unknown_and_not_its_link() -> None:
    report = analyze_roofline(build_architecture("mobilenet_v2", dtype="int8"), "coral-usb")
    inside = [layer for layer in report.layers if layer.memory_level == "unknown"]
    assert len(inside) == len(report.layers) - 1
    assert {layer.arithmetic_intensity for layer in inside} == {None}
    assert (report.memory_level, report.bandwidth_gb_s) == ("USB 3.0", 0.5)
    frame_s = 224 * 224 * 3 / 0.5e9
    latency_s = float(report.latency_ms) / 1e3
    assert report.memory_utilization == pytest.approx(frame_s / latency_s, rel=0.05)
    assert "bandwidth inside npu unknown: what layers move is left out of the time" in report.warnings


def test_the_arithmetic_type_is_that_of_most_macs() -> None:
    report = analyze_roofline(build_architecture("kws", dtype="int8"), "stm32h743zi")
    assert report.dtype == DType.INT8
