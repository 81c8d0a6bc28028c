"""Power traces that are larger than is read in one go."""

from pathlib import Path

import numpy as np
import pytest

from edgewright.tools import InputError, TraceReport, explain_trace
from edgewright.tools.traces import trace_file
from edgewright.tools.traces.formats import counter_stream, power_stream
from stubs import power_traces


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if 64 MiB were 64 KiB, and 2,000,000 readings 5,000."""
    monkeypatch.setattr(trace_file, "MOST_BYTES", 1 << 16)
    monkeypatch.setattr(power_stream, "_PIECE_BYTES", 1 << 14)
    monkeypatch.setattr(power_stream, "_MOST_KEPT", 5_000)


def explained(folder: Path, text: str) -> TraceReport:
    (folder / "power.csv").write_text(text)
    return explain_trace(folder / "power.csv")


def test_a_long_trace_has_the_energy_of_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_pieces: None
) -> None:
    text = power_traces.marked(power_traces.made())
    long = explained(tmp_path, text)
    monkeypatch.undo()
    short = explained(tmp_path, text)
    assert long.energy is not None
    assert short.energy is not None
    assert long.energy.energy_uj == pytest.approx(short.energy.energy_uj, rel=1e-3)
    assert long.energy.inferences == short.energy.inferences
    for one, other in zip(long.energy.layers, short.energy.layers, strict=True):
        assert one.energy_uj == pytest.approx(other.energy_uj, rel=0.1)
    assert long.energy.samples < short.energy.samples
    assert any("readings each are averaged" in line for line in long.assumptions)
    assert long.sources[0].rows == short.sources[0].rows


def test_no_more_readings_are_kept_than_fit(tmp_path: Path, small_pieces: None) -> None:
    rows = "".join(f"{at / 1e5:.5f},{10 + at % 3}\n" for at in range(150_000))
    found = explained(tmp_path, "time_s,power_mw\n" + rows).energy
    assert found is not None
    assert found.samples <= 10_001
    assert found.mean_mw == pytest.approx(11, rel=1e-3)


@pytest.mark.parametrize(
    ("broken", "why"),
    [("x,y", "Line 5001"), ("0.00001,3", "Line 5001: time goes back"), ("0.5", "Line 5001")],
)
def test_a_fault_deep_in_a_long_trace_is_told_with_its_line(
    tmp_path: Path, small_pieces: None, broken: str, why: str
) -> None:
    rows = [f"{at / 1e4:.5f},{10 + at % 3}.5" for at in range(9000)]
    rows[4999] = broken
    with pytest.raises(InputError, match=why):
        explained(tmp_path, "time_s,power_mw\n" + "\n".join(rows) + "\n")


def counted(runs: int) -> str:
    """Runs of 20 ms, 0.5 % apart, the first of them cold."""
    ms = 20 * np.random.default_rng(5).normal(1, 0.005, runs)
    ms[0] = 90
    rows = (f"{at},{t * 216e3:.0f},5000000,4000,90000,{t:.5f}" for at, t in enumerate(ms))
    return "# board: a board\nrun,cycles,instructions,misses,accesses,latency_ms\n" + "\n".join(rows) + "\n"


def test_a_long_table_of_counters_has_the_figures_of_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_pieces: None
) -> None:
    monkeypatch.setattr(counter_stream, "_MOST_KEPT", 1000)
    long = explained(tmp_path, counted(9000))
    monkeypatch.undo()
    short = explained(tmp_path, counted(9000))
    assert long.counters is not None
    assert short.counters is not None
    assert long.counters.counts["instructions"] == short.counters.counts["instructions"]
    assert long.run_times is not None
    assert short.run_times is not None
    assert long.run_times.first_ms == short.run_times.first_ms == 90
    assert long.run_times.p95_ms == pytest.approx(short.run_times.p95_ms, rel=2e-3)
    assert long.run_times.runs < 1000
    assert long.sources[0].rows == short.sources[0].rows == 9000
    assert any("every 16th of 9,000 rows is kept" in line for line in long.assumptions)
    assert long.facts == {"board": "a board"}


@pytest.mark.parametrize("broken", ["5,6", "1,2,3,4,x,6", "1,2,3,-4,5,6"])
def test_a_fault_deep_in_a_long_table_of_counters_is_told_with_its_line(
    tmp_path: Path, small_pieces: None, broken: str
) -> None:
    lines = counted(3000).splitlines()
    lines[2499] = broken
    with pytest.raises(InputError, match="Line 2500"):
        explained(tmp_path, "\n".join(lines) + "\n")
