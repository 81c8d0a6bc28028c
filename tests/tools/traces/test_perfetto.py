"""Perfetto's binary trace and Chrome's JSON: tracks of slices, whoever wrote them."""

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.tools import EdgewrightError, InputError, explain_trace
from edgewright.tools.timeline.perfetto_packets import Slice, perfetto_trace
from stubs.work import TWELVE, times_as_long

SLICES = (
    Slice("0_DMA_IN", "load", 0, 4000), Slice("2_SLICE_0", "conv2d", 2000, 8000),
    Slice("2_SLICE_0", "add", 8000, 9000), Slice("OVERVIEW", "DMA: 4us (40 %)", 0, 4000),
)  # fmt: skip


def written(folder: Path, content: bytes | str, name: str = "trace.pb") -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_tracks_are_units_and_an_overview_of_them_is_none(tmp_path: Path) -> None:
    found = explain_trace(written(tmp_path, perfetto_trace(SLICES)))
    assert [lane.lane_untrusted for lane in found.lanes] == ["0_DMA_IN", "2_SLICE_0"]
    assert [(row.name_untrusted, row.time_ms) for row in found.operators] == [
        ("conv2d", pytest.approx(0.006)), ("add", pytest.approx(0.001)),
    ]  # fmt: skip
    assert found.occupancy is not None
    assert found.occupancy.overlap_share == pytest.approx(2 / 9)


def test_what_runs_inside_another_counts_once(tmp_path: Path) -> None:
    nested = (Slice("worker", "layer", 0, 10_000), Slice("worker", "kernel", 2000, 5000))
    found = explain_trace(written(tmp_path, perfetto_trace(nested)))
    assert {row.name_untrusted: row.share for row in found.operators} == pytest.approx(
        {"layer": 0.7, "kernel": 0.3}
    )


def test_a_trace_that_ends_amid_a_packet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ends amid a packet"):
        explain_trace(written(tmp_path, perfetto_trace(SLICES)[:-3]))


def test_no_bytes_do_more_than_raise_an_error_of_ours(tmp_path: Path) -> None:
    whole = perfetto_trace(SLICES)
    for seed in range(200):
        chance = random.Random(seed)
        broken = bytearray(whole)
        for _ in range(3):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        with contextlib.suppress(EdgewrightError):
            explain_trace(written(tmp_path, bytes(broken)))


def test_a_hundred_thousand_slices_are_read_in_linear_time(tmp_path: Path) -> None:
    def reading(count: int) -> Callable[[], object]:
        (tmp_path / str(count)).mkdir(exist_ok=True)
        many = (Slice(f"slice {n % 2}", f"op {n % 40}", n * 10, n * 10 + 9) for n in range(count))
        file = written(tmp_path / str(count), perfetto_trace(many))
        return lambda: rows.append(explain_trace(file).sources[0].rows)

    rows: list[int] = []
    assert times_as_long(reading, 100_000) <= TWELVE
    assert {*rows} == {12_500, 100_000}


CHROME = {
    "traceEvents": [
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": "stream 7"}},
        {"ph": "X", "name": "gemm", "pid": 1, "tid": 7, "ts": 10, "dur": 30, "cat": "kernel"},
        {"ph": "B", "name": "Memcpy HtoD", "pid": 1, "tid": 9, "ts": 0},
        {"ph": "E", "pid": 1, "tid": 9, "ts": 20},
        {"ph": "B", "name": "left open", "pid": 1, "tid": 9, "ts": 30},
    ]
}


def test_chromes_events_may_be_complete_or_begun_and_ended(tmp_path: Path) -> None:
    """As PyTorch's profiler and Nsight's exporters write them."""
    found = explain_trace(written(tmp_path, json.dumps(CHROME)))
    assert {lane.lane_untrusted: lane.doing for lane in found.lanes} == {
        "stream 7": "compute", "thread 9": "transfer",
    }  # fmt: skip
    assert found.occupancy is not None
    assert found.occupancy.hidden_transfer_share == pytest.approx(0.5)
    assert any("1 event began and never ended" in line for line in found.warnings)


def test_time_that_goes_back_is_refused(tmp_path: Path) -> None:
    events = [
        {"ph": "B", "name": "a", "tid": 1, "ts": 20},
        {"ph": "E", "tid": 1, "ts": 10},
    ]
    with pytest.raises(InputError, match="ends before it begins"):
        explain_trace(written(tmp_path, json.dumps(events)))
