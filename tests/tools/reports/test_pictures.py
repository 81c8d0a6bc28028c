"""Pictures of results: what they add up to, what they leave out, and the files that they become."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from pathlib import Path

import pytest

from edgewright.agent.registry import TOOLS
from edgewright.tools import (
    MeasuredCandidates,
    UsageError,
    analyze_model,
    analyze_roofline,
    compare_deployments,
    deployment,
    estimate_performance,
    import_profile,
    plan_memory,
    recommend_model,
    simulate_optimizations,
    trace_timeline,
    write_pictures,
)
from edgewright.tools.core.document import Chart
from edgewright.tools.reports.charts.attribution import sunburst
from edgewright.tools.reports.charts.board_rows import compared_rows
from edgewright.tools.reports.charts.boards import dashboard
from edgewright.tools.reports.charts.flame import estimated_flame
from edgewright.tools.reports.charts.pareto import of_models
from edgewright.tools.reports.charts.picture import can_draw
from edgewright.tools.reports.charts.predicted import predicted_and_measured
from edgewright.tools.reports.charts.radar import radar
from edgewright.tools.reports.charts.spec import Row
from edgewright.tools.reports.charts.steps import optimization_timeline
from edgewright.tools.reports.charts.tree import Leaf, folded, nodes_of
from edgewright.tools.reports.charts.utilization import utilization
from edgewright.tools.reports.pictures import pictures_of

CASE = ("mobilenet_v2:int8", "stm32l4r5zi")
TRACE = """"Event","Tag","Ticks"
0,CONV_2D,3500000
1,DEPTHWISE_CONV_2D,1000000
2,CONV_2D,1500000
3,DEPTHWISE_CONV_2D,900000
4,CONV_2D,1500000
5,DEPTHWISE_CONV_2D,900000
6,CONV_2D,1500000
7,DEPTHWISE_CONV_2D,900000
8,CONV_2D,1500000
9,AVERAGE_POOL_2D,10000
10,RESHAPE,1000
11,FULLY_CONNECTED,10000
12,SOFTMAX,2000
"""
"""As TFLM's MicroProfiler writes it."""
needs_library = pytest.mark.skipif(not can_draw(), reason="the charting library is not installed")


def sunburst_of(model: str, target: str) -> Chart:
    drawn = sunburst(analyze_roofline(model, target), estimate_performance(model, target))
    assert drawn is not None
    return drawn.charts[0]


def test_each_ring_adds_up_to_the_whole_in_time_and_in_energy() -> None:
    rows = sunburst_of(*CASE).rows
    for depth in (1, 2, 3):
        ring = [row for row in rows if row["depth"] == depth]
        assert sum(row["time_share"] for row in ring) == pytest.approx(1)
        assert sum(row["energy_share"] for row in ring) == pytest.approx(1)
        assert sum(row["layers"] for row in ring) == 65


def test_a_part_lies_within_what_it_is_a_part_of() -> None:
    nodes = nodes_of([Leaf(("a", "x"), (3.0, 1.0), ""), Leaf(("a", "y"), (1.0, 5.0), ""),
                      Leaf(("b", "z"), (4.0, 2.0), "")])  # fmt: skip
    spans = {node.path: (node.begins, node.shares) for node in nodes}
    assert spans["a",] == ((0.0, 0.0), (0.5, 0.75))
    assert spans["a", "y"] == ((0.375, 0.125), (0.125, 0.625))
    assert spans["b", "z"] == ((0.5, 0.75), (0.5, 0.25))


def test_what_is_too_thin_to_be_seen_is_one_part_with_its_count() -> None:
    leaves = [Leaf(("a", f"{n}"), (1e-3,), "") for n in range(5)] + [Leaf(("a", "most"), (99.0,), "")]
    last = nodes_of(leaves)[-1]
    assert (last.path, last.leaves) == (("a", "5 others"), 5)


def test_layers_whose_time_is_not_known_are_left_out_and_counted() -> None:
    roofline = analyze_roofline(*CASE)
    first = roofline.layers[0].model_copy(update={"latency_ms": None})
    partial = roofline.model_copy(update={"layers": (first, *roofline.layers[1:])})
    drawn = sunburst(partial)
    assert drawn is not None
    assert "Layers left out, as their time is not known: 1." in drawn.caption
    assert "layer 0" not in {row["name"] for row in drawn.charts[0].rows}
    nothing = roofline.model_copy(
        update={"layers": tuple(layer.model_copy(update={"latency_ms": None}) for layer in roofline.layers)}
    )
    assert sunburst(nothing) is None


def test_energy_is_no_choice_where_it_is_not_known() -> None:
    assert [label for label, _ in sunburst_of("resnet8:int8", "nrf52833").choices] == ["Time"]
    assert [label for label, _ in sunburst_of(*CASE).choices] == ["Time", "Energy"]


def test_collapsed_stacks_are_lines_that_flamegraph_reads_and_sum_to_the_time() -> None:
    estimate = estimate_performance(*CASE)
    drawn = estimated_flame(analyze_roofline(*CASE), estimate)
    assert drawn is not None
    lines = drawn.stacks.splitlines()
    assert all(re.fullmatch(r"[^;]+(;[^;]+){3} \d+", line) for line in lines)
    total_ms = sum(layer.latency_ms or 0.0 for layer in estimate.layers)
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == pytest.approx(total_ms * 1e6, rel=1e-6)


def test_a_frame_takes_no_semicolon_and_no_line_break_out_of_a_name() -> None:
    leaf = Leaf(("a;b\nc", " "), (1.0,), "")
    assert folded([leaf], "m;1", 10) == "m:1;a:b c;unnamed 10\n"


def test_an_imported_profile_has_a_flame_graph_of_what_was_measured(tmp_path: Path) -> None:
    trace = tmp_path / "kws.csv"
    trace.write_text(TRACE)
    profile = import_profile(trace, "kws:int8", deployment("stm32l4r5zi", clock_mhz=120))
    flame = next(each for each in pictures_of(profile) if each.name == "flamegraph")
    measured = sum(layer.measured_ms or 0.0 for layer in profile.layers)
    others = sum(event.measured_ms for event in profile.unmatched_events)
    total = sum(int(line.rsplit(" ", 1)[1]) for line in flame.stacks.splitlines())
    assert total == pytest.approx((measured + others) * 1e6, rel=1e-4)


def compared() -> tuple[Row, ...]:
    boards = ("stm32h743zi", "nrf52840", "raspberry-pi-4b", "host-x86-64")
    return compared_rows(compare_deployments("kws", boards).ranking)


def test_on_the_radar_the_best_lies_on_the_rim_and_ten_times_as_much_a_ring_inwards() -> None:
    drawn = radar(compared(), "kws")
    assert drawn is not None
    points = [row for row in drawn.charts[0].rows if row["figure"] == "Latency"]
    far = {row["ratio"]: math.hypot(row["x"], row["y"]) for row in points}
    assert far[1.0] == pytest.approx(1)
    order = sorted(far)
    assert [far[ratio] for ratio in order] == sorted(far.values(), reverse=True)
    steps = [(1 - far[ratio]) / math.log10(ratio) for ratio in order[1:]]
    assert steps == pytest.approx([steps[0]] * len(steps))


def test_what_is_not_known_of_a_board_is_no_point_and_is_said() -> None:
    drawn = radar(compared(), "kws")
    assert drawn is not None
    energy = {row["name"]: row for row in drawn.charts[0].rows if row["figure"] == "Energy"}
    assert energy["host-x86-64"]["x"] is None
    assert energy["host-x86-64"]["ratio_text"] == "unknown"
    assert "energy of host-x86-64" in drawn.caption


def test_a_dashboard_shows_four_figures_at_once() -> None:
    drawn = dashboard(compared(), "kws")
    assert drawn is not None
    assert [chart.spec["description"] for chart in drawn.charts] == [
        "Latency", "Energy", "RAM (arena)", "Price"
    ]  # fmt: skip
    assert radar(compared()[:1], "kws") is None


def test_lanes_of_use_follow_each_other_in_time_and_grey_what_is_not_known() -> None:
    line = trace_timeline("kws", "max78000", levers=False)
    drawn = utilization(line)
    assert drawn is not None
    lanes = {use.unit: [row for row in drawn.charts[0].rows if row["unit"] == use.unit] for use in line.uses}
    assert list(lanes) == ["compute engine", "memory bus", "DMA"]
    for rows in lanes.values():
        assert all(one["ends"] == pytest.approx(two["begins"]) for one, two in pairwise(rows))
    assert lanes["compute engine"][0]["use"] is None
    assert lanes["compute engine"][0]["use_text"] == "unknown"
    assert "grey is not known" in drawn.caption


def test_of_no_known_use_there_is_no_picture() -> None:
    line = trace_timeline("kws", "max78000", levers=False)
    assert utilization(line.model_copy(update={"uses": ()})) is None


def test_the_steps_of_an_optimisation_end_where_the_combination_does() -> None:
    report = simulate_optimizations("mobilenet_v2:float32", "stm32h743zi")
    drawn = optimization_timeline(report)
    assert drawn is not None
    assert report.fit is not None
    assert report.fit.changes is not None
    assert [chart.spec["description"] for chart in drawn.charts] == ["Latency", "Energy"]
    rows = drawn.charts[0].rows
    assert rows[0]["latency"] == report.options[0].before.latency_ms.value
    assert rows[-1]["latency"] == report.fit.changes.after.latency_ms.value
    assert len(rows) == 1 + len(report.fit.changes.changes)


def test_steps_without_energy_are_latency_alone_and_say_so() -> None:
    drawn = optimization_timeline(simulate_optimizations("mobilenet_v2:float32", "nrf52833"))
    assert drawn is not None
    assert [chart.spec["description"] for chart in drawn.charts] == ["Latency"]
    assert "Not known: energy." in drawn.caption


@pytest.mark.parametrize("x", ["energy", "latency"])
def test_a_front_of_models_is_what_none_that_does_not_fail_betters(x: str) -> None:
    ranking = recommend_model("image-classification", "stm32h743zi")
    drawn = {picture.name: picture for picture in of_models(ranking)}[f"pareto_accuracy_{x}"]
    rows = [row for row in drawn.charts[0].rows if row["verdict"] != "FAIL"]
    for row in rows:
        bettered = any(
            other[x] <= row[x] and other["accuracy"] >= row["accuracy"]
            and (other[x], other["accuracy"]) != (row[x], row["accuracy"]) for other in rows
        )  # fmt: skip
        assert row["front"] is not bettered
    assert len({row["name"] for row in drawn.charts[0].rows if row["front"]}) > 1


def test_what_was_measured_stands_beside_what_was_predicted(tmp_path: Path) -> None:
    trace = tmp_path / "kws.csv"
    trace.write_text(TRACE)
    profile = import_profile(trace, "kws:int8", deployment("stm32l4r5zi", clock_mhz=120))
    drawn = predicted_and_measured(profile)
    assert drawn is not None
    whole, *layers = drawn.charts[0].rows
    assert (whole["measured"], whole["predicted"]) == (profile.latency_ms.value, profile.estimated_ms.value)
    assert (whole["predicted_low"], whole["predicted_high"]) == (
        profile.estimated_ms.low, profile.estimated_ms.high
    )  # fmt: skip
    assert [row["measured"] for row in layers] == [layer.measured_ms for layer in profile.layers]
    missing = profile.layers[0].model_copy(update={"measured_ms": None})
    partial = predicted_and_measured(profile.model_copy(update={"layers": (missing, *profile.layers[1:])}))
    assert partial is not None
    assert "not known: 1." in partial.caption
    assert "layer 0" not in {row["name"] for row in partial.charts[0].rows}


@needs_library
def test_a_folder_takes_every_picture_in_every_form_and_keeps_what_is_there(tmp_path: Path) -> None:
    result = analyze_model("kws", "stm32h743zi")
    written = [Path(name).name for name in write_pictures(result, tmp_path / "drawn")]
    for picture in pictures_of(result):
        for ending in (".png", ".svg", ".csv"):
            assert f"{picture.name}{ending}" in written
    assert "flamegraph.folded" in written
    with pytest.raises(UsageError, match="would be overwritten"):
        write_pictures(result, tmp_path / "drawn")


@needs_library
def test_a_picture_says_its_title_and_how_to_read_it(tmp_path: Path) -> None:
    write_pictures(analyze_roofline("kws", "stm32h743zi"), tmp_path / "sun.svg")
    drawn = (tmp_path / "sun.svg").read_text(encoding="utf-8")
    assert "What the time of kws:int8 on stm32h743zi goes to" in drawn
    assert "From the inside outwards" in drawn
    assert "var(--" not in drawn


@pytest.mark.parametrize(("name", "says"), [
    ("x.bmp", "not written as '.bmp'"), ("x.png", "can hold one picture"),
])  # fmt: skip
def test_a_file_that_cannot_hold_it_is_refused(name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(says)):
        write_pictures(analyze_model("kws", "stm32h743zi"), tmp_path / name)
    assert not (tmp_path / name).exists()


def test_what_cannot_be_drawn_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no picture of it"):
        write_pictures(plan_memory("kws", "stm32h743zi"), tmp_path / "x.png")


def test_the_commands_that_draw_are_those_whose_results_can_be_drawn() -> None:
    drawable = set(pictures_of.registry) - {object} - {pictures_of.dispatch(object)}
    kinds = {kind for kind in drawable if kind.__name__ != "Result"}
    assert {tool.result for tool in TOOLS if tool.pictured} == kinds - {MeasuredCandidates}
