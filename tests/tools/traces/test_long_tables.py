"""Tables of operators that are larger than is read in one go."""

from pathlib import Path

import pytest

from edgewright.tools import InputError, explain_trace, import_profile
from edgewright.tools.traces import trace_file
from edgewright.tools.traces.formats import power_stream, table_stream
from stubs.traces import KWS_TICKS, Import

RUN = "".join(f"{tag},{ticks}\n" for tag, ticks in KWS_TICKS)
TOTAL = sum(ticks for _, ticks in KWS_TICKS)
RUNS = 400


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if 64 MiB were 16 KiB, and 200,000 events 1,000."""
    monkeypatch.setattr(trace_file, "MOST_BYTES", 1 << 14)
    monkeypatch.setattr(power_stream, "_PIECE_BYTES", 1 << 12)
    monkeypatch.setattr(table_stream, "_HEAD_BYTES", 1 << 12)
    monkeypatch.setattr(table_stream, "_MOST_KEPT", 1_000)


def test_every_nth_run_of_a_long_table_has_the_mean_of_all(imported: Import) -> None:
    found = imported("op,cycles\n" + RUN * RUNS, name="long.csv")
    assert found.latency_ms.value == pytest.approx(TOTAL / 120e3)
    assert found.runs == 50
    assert found.residuals[0].index == 6
    assert any("one run in 8 is kept of 400" in note for note in found.assumptions)


def test_indices_tell_where_a_run_begins(imported: Import) -> None:
    rows = "".join(f"{at},{tag},{ticks}\n" for at, (tag, ticks) in enumerate(KWS_TICKS))
    found = imported("index,op,cycles\n" + rows * RUNS, name="long.csv")
    assert (found.latency_ms.value, found.runs) == (pytest.approx(TOTAL / 120e3), 50)


def test_a_run_that_lost_an_event_is_left_out_and_shifts_no_other(imported: Import) -> None:
    lines = RUN.splitlines(keepends=True)
    text = "op,cycles\n" + RUN * 200 + "".join(lines[:4] + lines[5:]) + RUN * 200 + "".join(lines[:3])
    found = imported(text, name="long.csv")
    assert found.latency_ms.value == pytest.approx(TOTAL / 120e3)
    assert any("1 run with events that are lost: left out" in note for note in found.assumptions)


def test_what_does_not_repeat_is_refused(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("op,cycles\n" + "".join(f"op{at},5\n" for at in range(5000)))
    with pytest.raises(InputError, match="larger than"):
        explain_trace(tmp_path / "long.csv")


def test_a_time_that_is_none_deep_in_a_long_table_is_named_with_its_line(tmp_path: Path) -> None:
    text = "op,cycles\n" + RUN * 300 + "CONV_2D,nan\n" + RUN * 100
    (tmp_path / "long.csv").write_text(text)
    line = 1 + 300 * len(KWS_TICKS) + 1
    with pytest.raises(InputError, match=f"Line {line}"):
        import_profile(tmp_path / "long.csv", "kws:int8", "stm32l4r5zi")
