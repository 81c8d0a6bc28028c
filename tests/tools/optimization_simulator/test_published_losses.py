import pytest

from edgewright.tools.optimization_simulator.techniques.structure.published import (
    UNREAD,
    lost_by_pruning,
    lost_by_resolution,
    lost_by_width,
    lost_in_int8,
    reached_by,
)


# Top-1 of MobileNet v1: 70.9 at width 1, 68.4 at 0.75; v2: 71.8, 69.8; v3 large: 75.2, 73.3; small: 67.5, 65.4.
def test_the_range_of_a_published_width_spans_the_networks_it_was_published_for() -> None:
    losses = [70.9 - 68.4, 71.8 - 69.8, 75.2 - 73.3, 67.5 - 65.4]
    assert lost_by_width(0.75).startswith(f"{min(losses):.3g} to {max(losses):.3g} points")


def test_between_two_published_points_both_are_named() -> None:
    told = lost_by_resolution(0.5)
    assert told.startswith("5.7 to 11.5 points")
    assert "57 % and 43 %" in told


def test_below_the_least_published_point_it_is_told_so() -> None:
    assert "the least that was tried" in lost_by_width(0.1)


def test_what_nobody_published_is_to_be_measured() -> None:
    assert "21.1" in lost_by_pruning(0.8)
    assert "6.4 to 7.6" in lost_by_pruning(0.5)
    assert reached_by("kws") == UNREAD
    assert "measure" in UNREAD


@pytest.mark.parametrize(("name", "top1"), [("mobilenet_v2:0.35:96:int8", "60.3 %"), ("resnet18", "69.76 %")])
def test_a_student_is_told_with_what_it_reaches_alone_and_where_that_stands(name: str, top1: str) -> None:
    told = reached_by(name)
    assert told.startswith(top1)
    assert "github.com" in told or "docs.pytorch.org" in told


def test_a_network_whose_accuracy_is_published_in_both_types_has_its_own_loss() -> None:
    assert "64.9 % instead of 67.5 %" in lost_in_int8("mobilenet_v3_small:int8")
    assert lost_in_int8("mobilenet_v3_small") == lost_in_int8("mobilenet_v3_small:float32")
    assert "69.7 % instead of 70.9 %" in lost_in_int8("mobilenet_v1")
    assert "49" in lost_in_int8("mobilenet_v1:0.25")


def test_a_network_with_one_type_or_none_has_no_loss_of_its_own() -> None:
    for name in ("resnet50", "yolov8n", "mobilenet_v3_small:0.75", "kws.tflite", "", ":int8"):
        assert lost_in_int8(name) == ""
