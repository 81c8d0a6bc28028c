"""An accelerator behind a link: a narrower one is never faster, and what crosses it takes its time."""

from __future__ import annotations

import math

import pytest

from edgewright.hardware_db import load_target, target_ids
from edgewright.hardware_db.coefficients.link import load_link_coefficients
from edgewright.hardware_db.coefficients.offsets import load_offsets
from edgewright.hardware_db.measurements import rows
from edgewright.hardware_db.measurements.published import published
from edgewright.tools import analyze_roofline, estimate_performance
from edgewright.tools.core.deployment import Deployment, deployment
from edgewright.tools.core.quantity import Basis
from edgewright.tools.core.settings import Settings
from edgewright.tools.cost_model.signature import signature
from edgewright.tools.cost_model.table import estimate_many

PAIRS = [
    (unit.module, name) for name in target_ids() for unit in load_target(name).accelerators if unit.module
]
NETWORKS = ("kws", "resnet18", "mobilenet_v2", "resnet50", "yolov8n", "yolov8s", "yolov8m", "yolo11n",
            "yolov5n_seg", "efficientnet_edgetpu_l", "vgg16", "vit_base_patch16", "mobilenet_v1", "resnet34",
            "efficientnet_lite0", "ssd_mobilenet_v1", "yolov5m", "yolo11s", "squeezenet_1_1",
            "deeplab_v3")  # fmt: skip
"""Small and large, measured and not, that stay on a chip and that do not."""


def _alone(place: Deployment) -> Deployment:
    """As the cost model has it, without what was measured of the very case."""
    settings = place.settings.model_copy(update={"measured_first": False})
    return place.model_copy(update={"settings": settings})


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("network", NETWORKS)
def test_a_board_is_no_faster_than_the_module_that_it_carries(network: str, batch: int) -> None:
    places = [deployment(name, batch=batch) for pair in PAIRS for name in pair]
    table = estimate_many(network, [*places, *map(_alone, places)])
    repeats = load_offsets().repeat
    measured = {row.target for row in published(signature(table.models[0]))}
    for at in range(0, len(table), 2):
        module, board = table.latency_ms[at], table.latency_ms[at + 1]
        if module.value is None or board.value is None:  # what a module leaves to its host has no time
            continue
        names = {table.deployments[at + n].target.measured_as for n in (0, 1)}
        allowed = repeats.get("npu", repeats["any"]) if names <= measured else 1 + 1e-9
        assert module.value <= board.value * allowed, (network, table.ref(at + 1).target)


def test_a_network_that_a_chip_cannot_hold_waits_for_the_link() -> None:
    """57.8 and 58.1 frames a second were measured (coefficients/link.json); the link alone allows 71."""
    figures = estimate_performance("yolov8s", _alone(deployment("raspberry-pi-5-hailo-8l")))
    assert figures.latency_ms.value is not None
    assert figures.latency_ms.low is not None
    assert figures.latency_ms.value > 1e3 / 71
    assert figures.latency_ms.low < 1e3 / 58 < (figures.latency_ms.high or 0)
    assert any("PCIe 3.0 x1" in stated for stated in figures.stands_on)


def test_weights_that_are_reloaded_cross_once_a_batch() -> None:
    place = _alone(deployment("raspberry-pi-5-hailo-8"))
    one = estimate_performance("yolov8m", place)
    eight = estimate_performance("yolov8m", place.at(batch=8))
    assert one.per_image_ms.value is not None
    assert eight.per_image_ms.value is not None
    assert eight.per_image_ms.value < one.per_image_ms.value / 1.5


def test_frames_alone_bind_a_small_network_behind_one_lane() -> None:
    """640 x 640 x 3 bytes over PCIe 3.0 x1."""
    share = load_link_coefficients().pcie_share
    figures = estimate_performance("yolov8n", _alone(deployment("raspberry-pi-5-hailo-8")))
    least_ms = 640 * 640 * 3 / (8e9 * 128 / 130 / 8 * share) * 1e3
    assert figures.latency_ms.value is not None
    assert figures.latency_ms.value >= least_ms * (1 - 1e-9)


def test_the_roofline_of_a_board_behind_a_link_has_the_link_as_its_memory() -> None:
    report = analyze_roofline("yolov8s", deployment("raspberry-pi-5-hailo-8l", settings=Settings()))
    assert report.memory_level == "PCIe 3.0 x1"
    assert report.bound == "memory"
    assert report.bandwidth_gb_s == pytest.approx(0.9846 * load_link_coefficients().pcie_share, rel=1e-3)


def test_an_edge_tpu_fetches_what_its_memory_does_not_hold() -> None:
    """VGG-16's 138 MB of weights less 8 MiB, over 500 MB/s."""
    figures = estimate_performance("vgg16", _alone(deployment("raspberry-pi-5-coral-usb")))
    assert figures.latency_ms.value is not None
    assert figures.latency_ms.value >= (138.4e6 - 8 * 2**20) / 500e6 * 1e3 * 0.99


def test_a_module_that_keeps_a_network_for_sure_keeps_it_on_a_board() -> None:
    """YOLOv8s-pose takes 2.5 ms on a Hailo-8, in which its weights cannot come over four lanes."""
    module = estimate_performance("yolov8s_pose", deployment("hailo-8")).latency_ms
    board = estimate_performance("yolov8s_pose", deployment("raspberry-pi-5-hailo-8")).latency_ms
    assert module.basis is Basis.PUBLISHED
    assert board.value == pytest.approx(module.value)
    assert board.high is not None
    assert module.high is not None
    assert board.high > module.high


def test_where_a_smaller_chip_decides_whether_weights_stay_the_interval_holds_both() -> None:
    figures = estimate_performance("mobilenet_v2", deployment("raspberry-pi-5-hailo-8l")).latency_ms
    module = estimate_performance("mobilenet_v2", deployment("hailo-8")).latency_ms
    assert figures.low is not None
    assert module.value is not None
    assert figures.low < 2 * module.value


def test_published_rates_of_a_board_are_told_of_it_alone() -> None:
    measured = [row for row in rows() if row["id"].startswith("hailo_boards") and row["network"] == "yolov8s"]
    fastest_ms = min(float(row["latency_ms"]) for row in measured if row["target"].endswith("8l"))
    board, module = (estimate_performance("yolov8s", name).latency_ms
                     for name in ("raspberry-pi-5-hailo-8l", "hailo-8l"))  # fmt: skip
    assert board.basis is Basis.PUBLISHED
    assert board.value == pytest.approx(fastest_ms, rel=0.01)
    assert module.value is not None
    assert module.high is not None
    assert module.value < module.high <= fastest_ms


def test_left_out_errors_of_boards_lie_within_the_stored_intervals() -> None:
    stored = load_link_coefficients()
    for row in stored.rows:
        factor = stored.interval_factor if row.reloaded else stored.resident_factor
        assert abs(math.log(row.measured_ms / row.without_network_ms)) <= math.log(factor), row.id
