"""Power traces that are larger than is read in one go."""

from pathlib import Path

import pytest

from edgewright.tools import InputError, TraceReport, explain_trace
from edgewright.tools.traces import trace_file
from edgewright.tools.traces.formats import power_stream
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


def test_another_table_of_that_size_is_refused_by_its_size(tmp_path: Path, small_pieces: None) -> None:
    with pytest.raises(InputError, match="is larger than"):
        explained(tmp_path, "op,time_ms\n" + "CONV_2D,1.25\n" * 9000)
