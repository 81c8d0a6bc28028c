"""Energy by layer out of power traces whose truth is known, and models of energy fitted to rows."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from edgewright.tools import InputError, TraceReport, UsageError, explain_trace
from stubs import power_traces as power

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


def test_a_column_without_a_unit_is_named(explained: Explain) -> None:
    with pytest.raises(UsageError, match="'current' does not say its unit"):
        explained("time_s,bus_voltage_v,current\n0,3.3,5\n1,3.3,5\n")


def test_a_million_samples_take_less_than_three_seconds(tmp_path: Path) -> None:
    trace = power.made(hz=100_000, inferences=400)
    assert len(trace.time_s) > 1_000_000
    table = np.column_stack((trace.time_s * 1e3, trace.power_w / 3.3e-6, trace.layer > 0))[:1_000_000]
    file = tmp_path / "ppk.csv"
    np.savetxt(file, table, "%.3f,%.2f,%d", header="Timestamp(ms),Current(uA),D0-D7", comments="")
    (tmp_path / "log.csv").write_text(power.log())
    begin = time.process_time()
    found = explain_trace(file, tmp_path / "log.csv", supply_v=3.3).energy
    assert time.process_time() - begin < 3
    assert found is not None
    assert found.layers[0].energy_uj == pytest.approx(160, rel=0.03)


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
