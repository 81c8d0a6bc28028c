"""Energy by layer out of power traces whose truth is known, and models of energy fitted to rows."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from edgewright.tools import InputError, TraceReport, UsageError, explain_trace
from stubs import power_traces as power
from stubs.work import TWELVE, times_as_long

Explain = Callable[..., TraceReport]


def area(time_s: power.Floats, power_w: power.Floats) -> float:
    """By trapezoids, in joules."""
    return float(((power_w[1:] + power_w[:-1]) / 2 * np.diff(time_s)).sum())


@pytest.fixture
def explained(tmp_path: Path) -> Explain:
    def run(*texts: str | bytes, **more: float) -> TraceReport:
        files = [tmp_path / f"file{at}.csv" for at in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_bytes(text.encode() if isinstance(text, str) else text)
        return explain_trace(*files, **more)

    return run


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("form", "with_log"), [("marker", False), ("gate", True), ("joulescope", True), ("none", True)]
)
def test_each_layers_energy_is_within_three_percent_of_the_truth(
    explained: Explain, form: str, with_log: bool, seed: int
) -> None:
    trace = power.made(seed=seed)
    text = {"marker": power.marked, "joulescope": power.joulescope}.get(form, lambda t: power.ppk2(t, form))(
        trace
    )
    found = explained(text, *([power.log()] if with_log else []), supply_v=3.3).energy
    assert found is not None
    assert [row.energy_uj for row in found.layers] == pytest.approx(list(power.TRUTH_UJ.values()), rel=0.03)
    assert sum(row.share for row in found.layers) == pytest.approx(1)
    assert found.inferences == 40


def test_layers_of_a_long_trace_are_cut_as_sharply(explained: Explain) -> None:
    trace = power.made(hz=40_000, inferences=400)
    found = explained(power.joulescope(trace), power.log()).energy
    assert found is not None
    assert [row.energy_uj for row in found.layers] == pytest.approx(list(power.TRUTH_UJ.values()), rel=0.03)
    assert found.inferences == 400


def test_static_and_dynamic_energy_sum_to_the_whole(explained: Explain) -> None:
    found = explained(power.marked(power.made())).energy
    assert found is not None
    assert found.idle_mw == pytest.approx(power.IDLE_MW, rel=0.02)
    assert found.static_uj == pytest.approx(7 * power.IDLE_MW, rel=0.03)
    dynamic = sum(row.dynamic_uj or 0.0 for row in found.layers)
    assert found.inference_uj == pytest.approx(dynamic + (found.static_uj or 0.0), rel=1e-3)


def test_mean_peak_and_deviation_are_those_of_the_readings(explained: Explain) -> None:
    trace = power.made()
    found = explained(power.marked(trace)).energy
    assert found is not None
    assert found.peak_mw == pytest.approx(trace.power_w.max() * 1e3, rel=1e-4)
    assert found.deviation_mw == pytest.approx(trace.power_w.std() * 1e3, rel=1e-4)
    assert found.energy_uj == pytest.approx(area(trace.time_s, trace.power_w) * 1e6, rel=1e-4)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: ("\ufeff" + text).replace("\n", "\r\n").encode(),
        lambda text: text.replace(",", ";").replace(".", ",").encode(),
    ],
    ids=["BOM and CRLF", "decimal commas"],
)
def test_spreadsheets_habits_change_nothing(explained: Explain, change: Callable[[str], bytes]) -> None:
    found = explained(change(power.marked(power.made(inferences=4)))).energy
    assert found is not None
    assert found.layers[0].energy_uj == pytest.approx(160, rel=0.03)


def test_a_gap_is_not_integrated_and_told(explained: Explain) -> None:
    trace = power.made(inferences=4, noise=0)
    kept = np.ones(len(trace.time_s), bool)
    kept[:200] = False
    late = power.Made(trace.time_s + np.where(np.arange(len(kept)) > 1000, 5.0, 0.0), *trace[1:])
    found = explained(power.marked(late))
    assert found.energy is not None
    assert found.energy.energy_uj == pytest.approx(area(trace.time_s, trace.power_w) * 1e6, rel=0.02)
    assert "gaps" in [doubt.name for doubt in found.doubts]


def test_a_current_without_a_voltage_asks_for_the_supply(explained: Explain) -> None:
    with pytest.raises(UsageError, match="no voltage"):
        explained(power.ppk2(power.made(inferences=2)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("time_s,power_mw\n0,5\n1,6\n0.5,7\n", "Line 4: time goes back from 1 s to 0.5 s"),
        ("time_s,power_mw\n0,5\n1,six\n2,6\n", "Line 3: no row of numbers"),
        ("time_s,power_mw\n0,5\n1\n", "Line 3: no row of numbers"),
        ("time_s,power_mw\n0,5\n1,nan\n", "Line 3: a sample that is no number"),
        ("time_s,power_mw\n0,5\n", "fewer than two samples"),
    ],
)
def test_a_trace_that_cannot_be_is_refused_with_its_line(explained: Explain, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        explained(text)


@pytest.mark.parametrize("bad", ["-2147483648", "-60"])
def test_a_board_that_gives_more_than_it_takes_is_no_trace(explained: Explain, bad: str) -> None:
    """A meter's noise around zero stays; a row that one damaged byte made gave an energy below zero."""
    rows = [f"{n / 2000},{power}" for n, power in enumerate((5.1, -0.2, bad, 50.0, 5.0, 5.1))]
    with pytest.raises(InputError, match=r"0\.001 s: a board gives none back"):
        explained("time_s,power_mw\n" + "\n".join(rows) + "\n")
    calm = [row for row in rows if bad not in row]
    energy = explained("time_s,power_mw\n" + "\n".join(calm) + "\n").energy
    assert energy is not None
    assert energy.energy_uj > 0


def test_a_column_without_a_unit_is_named(explained: Explain) -> None:
    with pytest.raises(UsageError, match="'current' does not say its unit"):
        explained("time_s,bus_voltage_v,current\n0,3.3,5\n1,3.3,5\n")


def test_a_million_samples_are_read_in_linear_time(tmp_path: Path) -> None:
    trace = power.made(hz=100_000, inferences=400)
    assert len(trace.time_s) > 1_000_000
    table = np.column_stack((trace.time_s * 1e3, trace.power_w / 3.3e-6, trace.layer > 0))[:1_000_000]
    (tmp_path / "log.csv").write_text(power.log())

    def reading(count: int) -> Callable[[], object]:
        file = tmp_path / f"{count}.csv"
        head = "Timestamp(ms),Current(uA),D0-D7"
        np.savetxt(file, table[:count], "%.3f,%.2f,%d", header=head, comments="")
        return lambda: found.append(explain_trace(file, tmp_path / "log.csv", supply_v=3.3).energy)

    found: list[Any] = []
    assert times_as_long(reading, 1_000_000) <= TWELVE
    assert found[-1].layers[0].energy_uj == pytest.approx(160, rel=0.03)


def rows(noise: float, count: int = 40) -> str:
    """Energy of a static power of 20 mW, 0.2 nJ a cycle and 1 nJ a byte."""
    chance = np.random.default_rng(2)
    cycles, traffic = chance.uniform(1e5, 1e7, count), chance.uniform(1e4, 1e6, count)
    clock = chance.choice((80.0, 160.0, 240.0), count)
    ms = cycles / clock / 1e3
    mj = (20e-3 * ms + 0.2e-6 * cycles + 1e-6 * traffic) * chance.lognormal(0, noise, count)
    table = zip(cycles, traffic, ms, mj, strict=True)
    body = "".join(f"l{at},{c:.0f},{b:.0f},{t:.5f},{e:.6f}\n" for at, (c, b, t, e) in enumerate(table))
    return "layer,cycles,dma_cycles,bytes,time_ms,energy_mj\n" + "\n".join(
        f"{name},{c},0,{rest}" for name, c, rest in (line.split(",", 2) for line in body.splitlines())
    )


def test_a_model_of_energy_finds_the_terms_that_made_the_rows(explained: Explain) -> None:
    found = explained(rows(0.02)).energy_fit
    assert found is not None
    terms = {term.name: term.coefficient for term in found.terms}
    assert terms["static power x time"] == pytest.approx(20e-3, rel=0.1)
    assert terms["cycles"] == pytest.approx(0.2e-6, rel=0.1)
    assert terms["traffic"] == pytest.approx(1e-6, rel=0.1)
    assert min(found.r2, found.left_out_r2) > 0.99
    assert found.left_out_error < 0.03


def test_the_documents_form_fits_worse_where_runs_differ_in_length(explained: Explain) -> None:
    found = explained(rows(0.02)).energy_fit
    assert found is not None
    assert found.documents_left_out_r2 is not None
    assert found.documents_left_out_r2 < found.left_out_r2


def test_noise_is_not_explained(explained: Explain) -> None:
    found = explained(rows(1.0)).energy_fit
    assert found is not None
    assert found.left_out_r2 < 0.9


def test_too_few_rows_are_fitted_to_nothing(explained: Explain) -> None:
    assert explained("\n".join(rows(0.02).splitlines()[:6])).energy_fit is None


def test_bytes_with_a_line_that_looks_like_columns_are_no_power_trace(explained: Explain) -> None:
    with pytest.raises(InputError) as caught:
        explained(b"\x00\xe5\x01,current\x07\n" + bytes(range(256)) * 8)
    assert "column" not in str(caught.value)


INA226 = """device_timestamp,pc_timestamp,bus_voltage,shunt_voltage_mV,current_mA,power_mW
00:02:21,2025-11-27 02:51:00.672659,15.631,6.253,1533.0,24575.0
00:02:21,2025-11-27 02:51:00.677602,15.63,6.03,1505.0,23725.0
00:02:21,2025-11-27 02:51:00.730201,15.632,6.245,1570.0,24525.0
00:02:21,2025-11-27 02:51:00.730960,15.631,6.02,1513.0,23625.0
00:02:21,2025-11-27 02:51:00.731591,15.631,6.025,1514.0,23675.002
00:02:21,2025-11-27 02:51:00.732344,15.631,6.26,1574.0,24625.0
00:02:21,2025-11-27 02:51:00.795042,15.631,5.983,1512.0,23500.0
00:02:21,2025-11-27 02:51:00.797031,15.631,6.023,1514.0,23600.0
00:02:21,2025-11-27 02:51:00.798578,15.631,6.287,1580.0,24700.0
00:02:21,2025-11-27 02:51:00.799308,15.631,5.98,1503.0,23500.0
00:02:21,2025-11-27 02:51:00.851483,15.631,6.198,1558.0,24375.0
00:02:22,2025-11-27 02:51:00.854335,15.63,6.032,1516.0,23675.002
00:02:22,2025-11-27 02:51:00.855111,15.631,6.262,1520.0,24625.0
00:02:22,2025-11-27 02:51:00.856466,15.631,5.987,1505.0,23500.0
00:02:22,2025-11-27 02:51:00.910367,15.631,6.255,1572.0,24575.0
00:02:22,2025-11-27 02:51:00.911183,15.631,6.028,1515.0,23675.002
00:02:22,2025-11-27 02:51:00.911851,15.632,6.04,1518.0,23725.0
00:02:22,2025-11-27 02:51:00.912985,15.631,5.987,1507.0,23500.0
00:02:22,2025-11-27 02:51:00.970258,15.631,6.253,1572.0,24575.0
00:02:22,2025-11-27 02:51:00.971027,15.631,6.028,1515.0,23675.002
00:02:22,2025-11-27 02:51:01.030524,15.634,6.187,1555.0,24300.002
00:02:22,2025-11-27 02:51:01.031823,15.631,6.227,1565.0,24450.0
00:02:22,2025-11-27 02:51:01.032342,15.631,6.005,1509.0,23600.0
00:02:22,2025-11-27 02:51:01.034114,15.632,6.032,1567.0,23725.0
00:02:22,2025-11-27 02:51:01.038230,15.631,6.293,1578.0,24750.0
00:02:22,2025-11-27 02:51:01.038572,15.631,5.983,1504.0,23500.0
00:02:22,2025-11-27 02:51:01.090610,15.631,6.205,1560.0,24375.0
00:02:22,2025-11-27 02:51:01.091276,15.631,6.265,1575.0,24625.0
00:02:22,2025-11-27 02:51:01.091771,15.631,6.04,1518.0,23725.0
00:02:22,2025-11-27 02:51:01.092467,15.631,6.227,1566.0,24450.0
"""
"""Rows 7,999 to 8,028 of github.com/Abedtegar/Current-Logger-INA226-ESP32C3 logs/20251127_024810/data_log.csv,
commit 17241c6: an INA226 read by an ESP32-C3, and its times by the computer that it is plugged into."""


def test_a_real_log_of_an_ina226_has_the_energy_of_its_trapezoids(explained: Explain) -> None:
    found = explained(INA226)
    rows = [line.split(",") for line in INA226.splitlines()[1:]]
    times = [datetime.datetime.fromisoformat(row[1]).timestamp() for row in rows]
    watts = [float(row[5]) / 1e3 for row in rows]
    assert found.energy is not None
    assert found.energy.energy_uj == pytest.approx(area(np.array(times), np.array(watts)) * 1e6, rel=1e-6)
    assert found.energy.peak_mw == pytest.approx(24750)
    assert (found.energy.gaps, found.energy.in_bursts) == (0, True)
    assert found.energy.rate_hz == pytest.approx((len(rows) - 1) / (times[-1] - times[0]))
    assert "readings in bursts" in [doubt.name for doubt in found.doubts]


def test_a_time_of_day_without_a_date_is_seconds_of_the_day(explained: Explain) -> None:
    rows = "".join(f"23:59:{at / 1e3:06.3f};{5 if at % 2 else 7}\n" for at in range(2000))
    found = explained("timestamp;power_mw\n" + rows).energy
    assert found is not None
    assert found.rate_hz == pytest.approx(1000, rel=1e-3)
    assert found.duration_ms == pytest.approx(1999, rel=1e-6)


def test_a_time_of_day_that_is_none_is_refused_with_its_line(explained: Explain) -> None:
    with pytest.raises(InputError, match="Line 3"):
        explained("timestamp,power_mw\n12:00:00.1,5\nnoon,5\n12:00:00.3,5\n")


def levels(watts: tuple[float, ...], seconds: tuple[float, ...], cycles: int, noise: float = 0.03) -> str:
    """A trace at 1 kHz that goes through levels again and again."""
    random = np.random.default_rng(2)
    one = np.concatenate([np.full(round(s * 1e3), w) for w, s in zip(watts, seconds, strict=True)])
    power_w = np.tile(one, cycles) * random.normal(1, noise, len(one) * cycles)
    rows = (f"{at / 1e3:.3f},{w * 1e3:.5f}\n" for at, w in enumerate(power_w))
    return "time_s,power_mw\n" + "".join(rows)


def test_levels_of_power_have_their_share_of_the_time_and_their_changes(explained: Explain) -> None:
    found = explained(levels((5e-6, 4e-3, 60e-3), (0.5, 0.3, 0.2), cycles=12)).energy
    assert found is not None
    assert [state.mean_mw for state in found.states] == pytest.approx([5e-3, 4, 60], rel=0.02)
    assert [state.share for state in found.states] == pytest.approx([0.5, 0.3, 0.2], abs=0.01)
    assert [state.times for state in found.states] == [12, 12, 12]


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.08])
def test_power_that_keeps_to_one_level_has_no_levels(explained: Explain, noise: float) -> None:
    found = explained(levels((30e-3,), (1.0,), cycles=3, noise=noise)).energy
    assert found is not None
    assert found.states == ()


@pytest.mark.parametrize(("idle_mw", "name"), [(30, "static power"), (4, "dynamic power")])
def test_what_to_change_first_goes_by_where_the_energy_goes(
    explained: Explain, idle_mw: float, name: str
) -> None:
    found = explained(levels((idle_mw / 1e3, 50e-3), (0.3, 0.1), cycles=8))
    assert [each.name for each in found.advice] == [name]


def test_an_oscilloscopes_units_name_its_channels(explained: Explain) -> None:
    """As Keysight's InfiniiVision saves a trace; the values are made up."""
    rows = "".join(
        f"{at / 1e4 - 0.1:.5E},{3.3:.4f},{2e-3 if at % 100 < 50 else 9e-3:.5E}\n" for at in range(2000)
    )
    found = explained(f"x-axis,1,2\nsecond,Volt,Ampere\n{rows}").energy
    assert found is not None
    assert found.rate_hz == pytest.approx(1e4)
    assert found.mean_mw == pytest.approx(3.3 * 5.5, rel=2e-3)
    assert found.peak_mw == pytest.approx(3.3 * 9)
