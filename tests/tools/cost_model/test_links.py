"""An accelerator behind a narrower link is never faster, and what was measured of that board stays with it."""

from __future__ import annotations

import math

import pytest

from edgewright.hardware_db import load_target, target_ids
from edgewright.hardware_db.measurements import rows
from edgewright.hardware_db.measurements.published import Published
from edgewright.tools import deployment, estimate_performance
from edgewright.tools.cost_model.links import is_narrowed, link_of, log_ratio

BARE = {"raspberry-pi-5-hailo-8": "hailo-8", "raspberry-pi-5-hailo-8l": "hailo-8l"}
NETWORKS = (
    "mobilenet_v1", "mobilenet_v2", "resnet18", "resnet34", "efficientnet_lite0", "ssd_mobilenet_v1", "yolov8n",
    "yolov8s", "yolov8m", "yolov5m", "yolo11n", "yolo11s", "squeezenet_1_1", "deeplab_v3",
)  # fmt: skip


def _row(target: str, latency_ms: float) -> Published:
    return Published("", target, "hailo8", "hailort", "", "int8", 1, 0, 0.0, latency_ms, "", "")


def test_every_narrowed_board_is_compared_with_its_accelerator_alone() -> None:
    narrowed = {
        name
        for name in target_ids()
        for unit in load_target(name).accelerators
        if is_narrowed(name, unit.family or unit.kind)
    }
    assert narrowed == BARE.keys()


@pytest.mark.parametrize("board", BARE)
def test_a_board_with_a_narrower_link_is_not_faster(board: str) -> None:
    faster = {}
    for network in NETWORKS:
        there, alone = (estimate_performance(network, name).latency_ms.value for name in (board, BARE[board]))
        assert there is not None, network
        assert alone is not None, network
        if there < alone * 0.999:
            faster[network] = f"{there:.3g} ms there, {alone:.3g} ms alone"
    assert not faster


def test_weights_cross_the_link_only_where_the_measured_time_leaves_room() -> None:
    place, weights = deployment("raspberry-pi-5-hailo-8"), 20_000_000
    alone, board = (link_of(name, "hailo8") for name in ("hailo-8", place.target.id))
    assert alone
    assert board
    at_least_ms = weights / alone.here * 1e3
    within, beyond = _row("hailo-8", at_least_ms * 0.9), _row("hailo-8", at_least_ms + 8)
    assert log_ratio(within, place, weights, 1.0, 1.0) == pytest.approx(math.log(within.latency_ms))
    waited_ms = 8 + weights / board.here * 1e3
    assert log_ratio(beyond, place, weights, 1.0, 1.0) == pytest.approx(math.log(waited_ms))


def test_published_rates_of_these_boards_are_told_of_them_alone() -> None:
    measured = {row["target"]: float(row["latency_ms"]) for row in rows() if row["id"] == "hailoboard-0000"}
    ((board, latency_ms),) = measured.items()
    there, alone = (estimate_performance("yolov8s", name).latency_ms for name in (board, BARE[board]))
    assert there.value == pytest.approx(latency_ms, rel=1e-3)
    assert alone.high is not None
    assert alone.high < latency_ms
