"""What a timeline tells of a run, in numbers, characters and as a drawing."""

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from edgewright.agent.terminal import print_document
from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment, estimate_performance, plan_memory, trace_timeline
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.cells import BAR_WIDTH
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.timeline.drawing import drawing, write_drawing
from edgewright.tools.timeline.timeline import Timeline

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert('x')</script>&<![CDATA["


@pytest.fixture(scope="module")
def vww() -> ModelGraph:
    return build_architecture("vww", dtype="int8")


@pytest.fixture(scope="module")
def report(vww: ModelGraph) -> Timeline:
    return trace_timeline(vww, "stm32f746zg")


def test_the_timeline_is_that_of_the_plan_and_of_the_estimate(vww: ModelGraph, report: Timeline) -> None:
    plan, performance = plan_memory(vww, "stm32f746zg"), estimate_performance(vww, "stm32f746zg")
    assert [op.live_bytes for op in report.ops] == [layer.live_bytes for layer in plan.timeline]
    assert [op.latency_ms for op in report.ops] == [layer.latency_ms for layer in performance.layers]
    assert report.arena_bytes == plan.arena_bytes
    last = report.ops[-1]
    assert (last.begins_ms or 0) + (last.latency_ms or 0) == pytest.approx(performance.latency_ms.value)


def test_what_is_alive_at_an_operator_adds_up_to_its_bytes(report: Timeline) -> None:
    for op in report.ops:
        assert sum(report.buffers[b].bytes for b in op.buffers) >= (op.live_bytes or 0)
    peak = report.peak
    assert peak is not None
    assert (
        sum(b.bytes for b in peak.buffers) == peak.live_bytes == max(op.live_bytes or 0 for op in report.ops)
    )
    assert report.gap_bytes == (report.arena_nonpersistent_bytes or 0) - peak.live_bytes


def test_every_saving_is_simulated_and_lowers_the_arena(report: Timeline) -> None:
    arenas = [o.after.arena_bytes or 0 for o in report.savings if o.after]
    assert arenas == sorted(arenas)
    assert max(arenas) < (report.arena_bytes or 0)
    assert {"input-50", "bands-4", "pack"} <= {o.technique for o in report.savings}
    assert {"integer-io", "in-place", "reorder"} <= {o.technique for o in report.without_effect}
    assert all(o.reason for o in report.without_effect)


def test_a_model_that_cannot_be_planned_keeps_its_times_and_says_why() -> None:
    b = GraphBuilder("custom")
    x = b.unary("RELU", b.input((1, 8)))
    graph = b.build([b.op("CUSTOM", [x], (1, 8), custom_code="Mystery")])
    found = trace_timeline(graph, deployment("stm32f746zg", runtime="tflm-reference"))
    assert found.arena_bytes is None
    assert found.savings == ()
    assert any("custom" in warning for warning in found.warnings)
    assert "cannot be planned" in as_text(found)
    ET.fromstring(drawing(found))


def test_bars_are_number_signs_in_a_pipe_and_blocks_on_a_terminal(report: Timeline) -> None:
    plain, out = as_text(report), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    rows = [line for line in plain.splitlines() if re.search(r"\| peak +\|$", line)]
    assert len(rows) == 1
    assert rows[0].split()[1:4:2] == ["2", "CONV_2D"]
    assert "#" * BAR_WIDTH in rows[0]
    assert "█" not in plain
    print_document(describe(report), out, 100)
    out.seek(0)
    fine = out.read()
    assert "█" * 16 in fine
    assert "#" not in fine


def test_long_models_share_rows() -> None:
    found = trace_timeline(build_architecture("yolov5n", dtype="int8"), "raspberry-pi-4", levers=False)
    rows = [line for line in as_text(found).splitlines() if re.match(r"\| \d+-\d+ +\|", line)]
    assert len(found.ops) > 200
    assert 32 < len(rows) <= 64


def test_the_drawing_has_a_rectangle_for_every_placed_buffer(report: Timeline) -> None:
    titles = [t.text or "" for t in ET.fromstring(drawing(report)).iter(f"{SVG}title")]
    told = [t for t in titles if " to " in t and "operators" in t]
    assert len(told) == sum(b.offset is not None for b in report.buffers)
    assert any(t.startswith("conv2d_1: 36,864 bytes, 0 to 36,864, operators 2 to 3") for t in told)
    assert sum(t.startswith("operator ") for t in titles) == 2 * len(report.ops)


def test_rectangles_alive_together_do_not_overlap(report: Timeline) -> None:
    placed = [b for b in report.buffers if b.offset is not None]
    for one in placed:
        for other in placed:
            together = one.first_op < other.last_op and other.first_op < one.last_op
            if one is not other and together:
                start, end = one.offset or 0, (one.offset or 0) + one.bytes
                assert (other.offset or 0) >= end or (other.offset or 0) + other.bytes <= start


def test_names_out_of_the_model_are_escaped(vww: ModelGraph, tmp_path: Path) -> None:
    named = tuple(replace(t, name_untrusted=HOSTILE) for t in vww.tensors)
    graph = replace(vww, subgraphs=(replace(vww.main, tensors=named),))
    found = trace_timeline(graph, "stm32f746zg", levers=False)
    page = tmp_path / "timeline.html"
    write_drawing(found, page)
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "default-src 'none'" in text
    titles = [t.text for t in ET.fromstring(drawing(found)).iter(f"{SVG}title")]
    assert any((t or "").startswith(HOSTILE) for t in titles)


def test_a_drawing_is_an_svg_or_a_page(report: Timeline, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"not drawn as '.png'"):
        write_drawing(report, tmp_path / "timeline.png")
    with pytest.raises(UsageError, match="no folder"):
        write_drawing(report, tmp_path / "missing" / "timeline.svg")


def test_without_a_modelled_placement_there_is_no_map_and_the_drawing_says_so(vww: ModelGraph) -> None:
    found = trace_timeline(vww, deployment("stm32f746zg", runtime="x-cube-ai"), levers=False)
    assert found.gap_bytes is None
    told = drawing(found)
    assert "address in the arena" not in told
    assert "where the runtime places buffers is not known" in told


def test_a_trace_for_perfetto_has_an_event_for_each_operator_with_a_time(tmp_path: Path) -> None:
    found = trace_timeline("kws", "stm32l4r5zi", levers=False)
    file = tmp_path / "kws.json"
    write_drawing(found, file)
    trace = json.loads(file.read_text())
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert [event["args"]["index"] for event in events] == [op.index for op in found.ops]
    assert sum(event["dur"] for event in events) == pytest.approx((found.latency_ms.value or 0) * 1e3)
    assert all(b["ts"] >= a["ts"] + a["dur"] - 1e-6 for a, b in pairwise(events))
    assert trace["otherData"]["without_time"] == 0
