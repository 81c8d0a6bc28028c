"""Torq's traces: of the compiler, of the runtime, and both joined. Nothing here was written by a real board."""

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.tools import InputError, TraceReport, explain_trace
from stubs import torq

Explain = Callable[..., TraceReport]


@pytest.fixture
def explained(tmp_path: Path) -> Explain:
    def run(*contents: str | bytes, clock_mhz: float | None = None) -> TraceReport:
        files = []
        for at, content in enumerate(contents):
            files.append(tmp_path / f"trace{at}.csv")
            files[-1].write_bytes(content.encode() if isinstance(content, str) else content)
        return explain_trace(*files, clock_mhz=clock_mhz)

    return run


HEADED = "ID,Start,End,Location,Op Type\n" + torq.TIMELINE
WINDOWS = ("\ufeff" + HEADED).replace("\n", "\r\n").encode()


@pytest.mark.parametrize("text", [torq.TIMELINE, HEADED, WINDOWS, torq.NEWER], ids=str)
def test_the_time_divides_into_compute_transfers_both_and_neither(explained: Explain, text: str) -> None:
    use = explained(text).occupancy
    assert use is not None
    assert use.total_cycles == 20_000
    assert (use.compute_only_share, use.overlap_share) == pytest.approx((0.5, 0.2))
    assert (use.transfer_only_share, use.idle_share) == pytest.approx((0.3, 0))
    assert use.hidden_transfer_share == pytest.approx(0.4)


def test_each_slice_and_channel_has_its_use_and_its_bytes(explained: Explain) -> None:
    lanes = {lane.lane_untrusted: lane for lane in explained(torq.TIMELINE).lanes}
    assert list(lanes) == ["DMA in", "DMA out", "slice 0", "slice 1"]
    assert (lanes["slice 0"].busy_share, lanes["slice 1"].busy_share) == pytest.approx((0.4, 0.3))
    assert lanes["DMA in"].bytes == 64_000


def test_cycles_become_time_by_the_clock_that_is_named(explained: Explain) -> None:
    assert explained(torq.TIMELINE).operators[0].time_ms is None
    found = explained(torq.TIMELINE, clock_mhz=800).operators[0]
    assert (found.name_untrusted, found.cycles, found.time_ms) == ("conv2d", 8000, pytest.approx(0.01))


def test_what_the_compiler_expects_is_not_called_measured(explained: Explain) -> None:
    found = explained(torq.TIMELINE)
    assert found.sources[0].basis.value == "simulated"
    assert any("nothing in this file was measured" in line for line in found.assumptions)


def test_a_profile_of_the_simulator_says_that_its_times_are_not_the_hardwares(explained: Explain) -> None:
    assert any("not cycle-accurate" in line for line in explained(torq.RUNTIME).warnings)


def test_compile_time_and_run_time_are_joined_by_their_place_in_the_source(explained: Explain) -> None:
    source = "module {\n" + "\n" * 10 + "%1 = tosa.conv2d %0\n%2 = tosa.fully_connected %1\n"
    rows = explained(torq.RUNTIME, torq.TIMELINE, source).joined
    assert [row.operator_untrusted for row in rows] == ["tosa.conv2d@L12", "tosa.fully_connected@L13"]
    assert [row.lanes for row in rows] == [("DMA in", "slice 0"), ("DMA in", "slice 1")]
    assert [row.measured_ms for row in rows] == pytest.approx([0.020, 0.015])
    assert rows[0].implied_clock_mhz == pytest.approx(12_000 / 20)
    assert sum(row.share for row in rows) == pytest.approx(1)


def test_timelines_of_two_models_are_not_joined_and_it_is_told(explained: Explain) -> None:
    found = explained(torq.RUNTIME.replace("kws.mlir", "vww.mlir"), torq.TIMELINE)
    assert found.joined == ()
    assert any("they are of two models" in line for line in found.warnings)


def test_two_events_make_an_action_and_the_host_is_told_apart(explained: Explain) -> None:
    found = explained(torq.EVENTS)
    assert {lane.lane_untrusted: lane.busy_share for lane in found.lanes} == pytest.approx(
        {"NSS": 42 / 82, "host": 40 / 82}
    )
    assert "host works" in [advice.name for advice in found.advice]


def test_an_action_that_never_ended_is_left_out_and_told(explained: Explain) -> None:
    found = explained(torq.ACTIONS)
    assert [(row.name_untrusted, row.time_ms) for row in found.operators] == [("NSS", pytest.approx(0.04))]
    assert any("1 action began and never ended" in line for line in found.warnings)


@pytest.mark.parametrize("content", [torq.ANNOTATED, torq.workbook()], ids=["csv", "xlsx"])
def test_an_annotated_profile_names_slices_and_what_runs_on_them(
    explained: Explain, content: str | bytes
) -> None:
    found = explained(content)
    assert [row.name_untrusted for row in found.operators] == ["conv2d", "fully_connected"]
    assert {lane.lane_untrusted for lane in found.lanes} == {"DMA in", "DMA out", "slice 0", "slice 1"}
    assert found.occupancy is not None
    assert found.occupancy.total_ms == pytest.approx(0.08)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (torq.TIMELINE[:-40], "Line 5: 'S1_1,12000,18000"),
        (torq.TIMELINE + "hello\n", "Line 6: 'hello' is no row"),
        (torq.TIMELINE.replace("S0_0,4000,12000", "S0_0,12000,4000"), "Line 4: it ends at 4000, before"),
        (torq.TIMELINE.replace("S0_0,4000", "S0_0,nan"), "Line 4: 'nan' is no time"),
        (torq.RUNTIME.replace("1,35.0", "1,3.0"), "Line 3: time goes back from 20 to 3"),
        (torq.RUNTIME + "2,3", "Line 4: 2 cells, the header has 4"),
        (torq.EVENTS.replace("1,52,NSS", "1,2,NSS"), "Line 5: time goes back from 12 to 2"),
        (torq.workbook()[:-30], "workbook is broken or cut off"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line_and_nothing_is_used(
    explained: Explain, text: str | bytes, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        explained(text)


def test_names_in_a_torq_trace_reach_no_terminal(explained: Explain) -> None:
    evil = torq.TIMELINE.replace("conv2d", "\x1b]0;owned\x07\x1b[2Jconv\u202e")
    assert not set(explained(evil).operators[0].name_untrusted) & set("\x1b\x07\u202e")
