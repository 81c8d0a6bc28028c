"""A board over a pseudo-terminal: what it measures, and each way in which it can go wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from edgewright.tools import (
    InputError,
    MeasuredProfile,
    UsageError,
    deployment,
    parse_model,
    profile_on_board,
)
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.traces.formats.board import BoardLog
from stubs.board import SimulatedBoard, framed

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
KWS = build_architecture("kws", dtype="int8")
CYCLES = [100_000 * (1 + at) for at in range(len(KWS.ops))]
TOTAL_MS = sum(CYCLES) / 100e3
PLACE = deployment("stm32h743zi", "tflm-cmsis-nn")
Kwargs = dict[str, float]


def board(**said: object) -> SimulatedBoard:
    return SimulatedBoard(KWS, CYCLES, **said)


def profile(of: SimulatedBoard, repeat: int = 100, wait_s: float = 20.0) -> MeasuredProfile:
    return profile_on_board(KWS, PLACE, of.port, repeat=repeat, wait_s=wait_s)


def refused(of: SimulatedBoard, match: str, **more: float) -> None:
    with of, pytest.raises(InputError, match=match) as raised:
        profile(of, wait_s=float(more.get("wait_s", 10)))
    assert "\n" not in str(raised.value)


def test_a_boards_cycles_become_the_time_of_each_operator_at_its_own_clock() -> None:
    with board() as simulated:
        found = profile(simulated)
    assert found.deployment.clock_mhz == 100
    assert found.latency_ms.value == pytest.approx(TOTAL_MS)
    assert found.latency_ms.basis.value == "measured"
    assert [layer.measured_ms for layer in found.layers] == pytest.approx([c / 100e3 for c in CYCLES])
    assert {layer.runs for layer in found.layers} == {20}
    assert found.run_times is not None
    assert (found.run_times.runs, found.run_times.warm_up_runs) == (100, 10)
    assert found.run_times.first_ms == pytest.approx(3 * TOTAL_MS)
    assert found.run_times.load_ms == pytest.approx(0.5)


def test_what_a_board_says_about_itself_is_kept_and_shown() -> None:
    with board() as simulated:
        found = profile(simulated, repeat=100)
    assert found.board is not None
    assert (found.board.arena_used_bytes, found.board.counter, found.board.outputs_match) == (
        21_000,
        "dwt",
        True,
    )
    assert (found.board.elements, found.board.detailed_runs) == (24, 20)
    assert found.energy is not None
    assert "no power" in found.energy.why_not
    shown = as_text(found)
    assert "all 24 elements" in shown
    assert "100 MHz, as the board states it" in shown


def test_a_named_clock_wins_over_the_boards() -> None:
    place = deployment("stm32h743zi", "tflm-cmsis-nn", clock_mhz=200)
    with board() as simulated:
        found = profile_on_board(KWS, place, simulated.port, repeat=10, wait_s=20)
    assert found.deployment.clock_mhz == 200


def test_events_of_a_pmu_are_means_of_one_run() -> None:
    with board() as simulated:
        simulated.events = {"inst_retired": 500, "l1d_cache_refill": 7}
        found = profile(simulated, repeat=100)
    assert found.counters["instructions"] == 500 * len(KWS.ops)
    assert found.counters["l1_misses"] == 7 * len(KWS.ops)
    assert found.counters["cycles"] == sum(CYCLES)


def test_a_timer_that_counts_no_cycles_is_taken_at_its_own_rate() -> None:
    with board(counter="timer", rate_hz=10_000_000) as simulated:
        found = profile(simulated)
    assert found.latency_ms.value == pytest.approx(10 * TOTAL_MS)
    assert found.layers[0].measured_ms == pytest.approx(10 * CYCLES[0] / 100e3)


def test_outputs_that_differ_are_the_first_warning() -> None:
    with board() as simulated:
        simulated.different = 5
        found = profile(simulated)
    assert found.board is not None
    assert found.board.outputs_match is False
    assert (found.board.different_elements, found.board.largest_difference) == (10, 15)
    assert "10 of 24 elements, by up to 15 steps" in found.warnings[0]


def test_a_clock_other_than_the_stated_one_is_noticed() -> None:
    with SimulatedBoard(KWS, [100_000] * len(KWS.ops)) as simulated:
        simulated.run_s = 0.15  # 1.3 million cycles in 150 ms are 8.7 MHz
        found = profile(simulated, repeat=3)
    assert found.board is not None
    assert found.board.observed_mhz == pytest.approx(8.7, rel=0.1)
    assert any("define BOARD_CLOCK_HZ" in line for line in found.warnings)


def test_a_build_without_optimisation_is_noticed() -> None:
    with board() as simulated:
        simulated.built["optimized"] = 0
        assert any("debug build" in line for line in profile(simulated).warnings)


def test_prints_of_others_do_not_disturb() -> None:
    with board() as simulated:
        simulated.fault = lambda line: ["I (312) wifi: scan\r\n", "half a line" + line, "\x1b[0;32m\xff\n"]
        found = profile(simulated)
    assert found.latency_ms.value == pytest.approx(TOTAL_MS)


def damaged(kind: str, every: int) -> Callable[[str], Sequence[str]]:
    """Every so many lines of the kind loses a character."""
    seen = [0]

    def fault(line: str) -> Sequence[str]:
        if f" {kind} " in line:
            seen[0] += 1
            if seen[0] % every == 0:
                return [line[:12] + line[13:]]
        return [line]

    return fault


def test_a_damaged_line_of_an_operator_leaves_that_run_out_of_the_layers() -> None:
    with board() as simulated:
        simulated.fault = damaged("op", 13)  # once a run
        simulated.fault = damaged("op", 2 * len(KWS.ops))
        found = profile(simulated)
    assert found.runs == 100
    assert {layer.runs for layer in found.layers} == {10}
    assert any("10 lines came damaged" in line for line in found.warnings)


def test_a_damaged_end_of_the_runs_costs_only_patience() -> None:
    with board() as simulated:
        simulated.fault = damaged("done", 1)
        simulated.built["vectors"] = 0
        found = profile(simulated, wait_s=1)
    assert found.runs == 100
    assert found.board is not None
    assert found.board.outputs_match is None


def test_a_line_that_damages_too_much_is_refused() -> None:
    simulated = board()
    simulated.fault = damaged("run", 3)
    refused(simulated, "of 100 runs came damaged over")


def test_another_model_is_named() -> None:
    refused(board(model="00112233aabbccdd"), r"holds another model \(00112233aabbccdd\)")


def test_an_array_that_is_not_the_models_is_noticed() -> None:
    simulated = board()
    simulated.built |= {"bytes": 48_256, "crc32": 1}
    refused(simulated, "The array in the firmware is not")


def test_another_version_of_the_protocol_is_named() -> None:
    simulated = board()
    simulated.fault = lambda line: [_renumbered(line)]
    refused(simulated, "speaks version 2 of the protocol, this is version 1")


def _renumbered(line: str) -> str:
    import binascii

    text = line.replace("@ew1", "@ew2").rpartition("*")[0]
    return f"{text}*{binascii.crc_hqx(text.encode(), 0xFFFF):04X}\n"


def test_a_silent_board_is_told_from_one_that_says_something_else() -> None:
    silent = board()
    silent.fault = lambda _: []
    refused(silent, "it is silent", wait_s=1)
    other = board()
    other.fault = lambda _: ["ets Jun  8 2016 00:22:57\n"]
    refused(other, "lines of something else came", wait_s=2)


def test_a_board_that_was_not_set_up_says_why() -> None:
    refused(board(ready=0), "arena is too small, or an operator is not registered")


def test_a_core_without_a_counter_is_said() -> None:
    refused(board(counting=0), "no cycle counter")


def test_an_operator_that_fails_is_said() -> None:
    simulated = board()
    simulated.fault = lambda line: [framed("fail", of="run", why="invoke")] if " start " in line else [line]
    refused(simulated, "an operator failed")


def test_a_restart_amid_the_runs_is_one_clear_line() -> None:
    simulated = board()

    def reset(line: str) -> Sequence[str]:
        again = [framed("hello", **simulated.said), framed("build", **simulated.built)]
        return again if "start run=40*" in line else [line]

    simulated.fault = reset
    refused(simulated, "restarted amid its runs, after 40 of them")


def test_a_board_that_falls_silent_is_waited_for_and_left() -> None:
    simulated = board()
    simulated.fault = lambda line: [] if "run=7" in line else [line]
    quiet = [False]

    def hang(line: str) -> Sequence[str]:
        quiet[0] = quiet[0] or "start run=7*" in line
        return [] if quiet[0] else [line]

    simulated.fault = hang
    refused(simulated, "fell silent for 0.5 s after 7 runs", wait_s=0.5)


def test_a_port_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "port"
    file.write_text("")
    with pytest.raises(UsageError, match="is no serial line"):
        profile_on_board(KWS, PLACE, str(file))
    with pytest.raises(UsageError, match="cannot be opened: No such file"):
        profile_on_board(KWS, PLACE, "/dev/ttyNONE7")
    with board() as simulated, pytest.raises(UsageError, match="1234 is no rate"):
        profile_on_board(KWS, PLACE, simulated.port, baud=1234)


@pytest.mark.parametrize("repeat", [0, 10**6])
def test_a_count_of_runs_that_cannot_be_is_refused_before_the_port_is_opened(repeat: int) -> None:
    with pytest.raises(UsageError, match="cannot be measured"):
        profile_on_board(KWS, PLACE, "/dev/ttyNONE7", repeat=repeat)


def test_a_typed_line_needs_a_checksum_to_count() -> None:
    log = BoardLog()
    assert log.add("@ew1 run run=0 warm=0 ticks=5 operators=0 lost=0") is None
    assert log.damaged == 1
    assert log.add(framed("run", run=0, warm=0, ticks=5, operators=0, lost=0)) is not None


@pytest.mark.parametrize(
    "line",
    ["@ew1 op run=-1 i=0 tag=X ticks=1", "@ew1 op run=0 i=999999999999 tag=X ticks=1", "@ew1 run run=x"],
)
def test_figures_that_cannot_be_are_left_out(line: str) -> None:
    import binascii

    log = BoardLog()
    log.add(framed("run", run=0, warm=0, ticks=5, operators=1, lost=0))
    log.add(f"{line}*{binascii.crc_hqx(line.encode(), 0xFFFF):04X}")
    assert log.runs.keys() == {0}
    assert not log.runs[0].taken


def test_a_log_of_the_same_lines_is_imported(tmp_path: Path) -> None:
    from edgewright.tools import explain_trace, import_profile

    simulated = SimulatedBoard(KWS, CYCLES)
    said = [
        framed("hello", **simulated.said),
        framed("build", **simulated.built),
        *simulated._runs(5, 100, 20),
    ]
    log = tmp_path / "board.log"
    log.write_text("".join(["boot\n", *said, framed("vector", vector=0, output=0, elements=12, different=2)]))
    place = deployment("stm32h743zi", "tflm-cmsis-nn", clock_mhz=100)
    found = import_profile(log, KWS, place)
    assert found.latency_ms.value == pytest.approx(TOTAL_MS)
    assert found.source == "a board over a serial line"
    alone = explain_trace(log)
    assert alone.run_times is not None
    assert alone.run_times.p50_ms == pytest.approx(TOTAL_MS)
    assert any("differ from those expected in 2 of 12" in line for line in alone.warnings)
    assert parse_model(KWS) is KWS
