"""RAM of X-CUBE-AI is never estimated too low, and how much too high, on networks that the bounds have not seen."""

from collections.abc import Sequence
from statistics import median

import pytest

from edgewright.tools.core.deployment import deployment
from edgewright.tools.memory_planner import cube_arena
from edgewright.tools.memory_planner.reporting import plan
from edgewright.tools.model_zoo.named import build_architecture

from .cube_activations import Published, newest, newest_published, published


def largest(rows: Sequence[Published]) -> tuple[float, float]:
    """Published over apart, and over overlapped, with the margin of a twentieth that `cube_arena` adds."""
    single = [row for row in rows if row.bounds.heads == 1 and not row.bounds.reads_image]
    apart = max(row.activation_bytes / row.bounds.apart for row in rows)
    return 1.05 * apart, 1.05 * max(row.activation_bytes / row.bounds.overlapped for row in single)


def test_no_published_activation_size_of_the_newest_releases_is_above_the_estimate() -> None:
    assert all(estimate > size for estimate, size in newest_published())


def test_the_estimate_is_in_the_median_less_than_a_fifth_too_high() -> None:
    assert median(estimate / size for estimate, size in newest_published()) < 1.2


def test_the_factors_are_those_that_the_published_sizes_give() -> None:
    apart, overlapped = largest(newest())
    assert pytest.approx(apart, rel=0.01) == cube_arena.APART_AT_MOST
    assert pytest.approx(overlapped, rel=0.01) == cube_arena.OVERLAPPED_AT_MOST


def test_the_estimate_is_safe_for_a_family_of_networks_that_its_factors_were_not_drawn_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    over = []
    for family in {row.family for row in newest()}:
        apart, overlapped = largest([row for row in newest() if row.family != family])
        monkeypatch.setattr(cube_arena, "APART_AT_MOST", apart)
        monkeypatch.setattr(cube_arena, "OVERLAPPED_AT_MOST", overlapped)
        over += [
            cube_arena.at_most(row.bounds, row.release) / row.activation_bytes
            for row in newest()
            if row.family == family
        ]
    assert len(over) == len(newest())
    assert min(over) >= 1
    assert median(over) < 1.2


def test_detectors_with_several_outputs_are_never_estimated_too_low_by_any_release() -> None:
    detectors = [row for row in published() if row.bounds.heads > 1]
    assert {row.release for row in detectors} == {"8.1"}
    for row in detectors:
        assert cube_arena.at_most(row.bounds, row.release) >= row.activation_bytes
        assert cube_arena.at_most(row.bounds, "10.2") >= row.activation_bytes


def test_a_release_up_to_8_1_is_met_and_a_newer_one_taken_at_most() -> None:
    net = build_architecture("kws", dtype="int8")
    old, newer, unnamed = (
        plan(net, deployment("stm32h743zi", f"x-cube-ai{release}")).arena for release in ("@7.3", "@10.2", "")
    )
    assert (old.value or 0) < (newer.value or 0)
    assert newer == unnamed
    assert (newer.low or 0) <= (old.value or 0)


# network_generate_report.txt and network.c: clarobit/fingercount_ai at 895aafc7 (10.2.0, balanced): 45,072 bytes.
def test_a_generated_project_that_overlaps_all_it_can_lies_inside_the_interval() -> None:
    from edgewright.tools.graph.builder import GraphBuilder
    from edgewright.tools.graph.requantize import to_int8

    b = GraphBuilder("fingers")
    y = b.input((1, 96, 96, 1))
    for filters in (16, 32, 64):
        y = b.max_pool2d(b.conv2d(y, filters, 3, padding="VALID", activation="RELU"), 2, stride=2)
    y = b.fully_connected(b.flatten(y), 64, activation="RELU")
    graph = to_int8(b.build([b.softmax(b.fully_connected(y, 6))]))
    size = plan(graph, deployment("stm32h743zi", "x-cube-ai")).arena
    assert (size.low or 0) <= 45072 <= (size.value or 0)
