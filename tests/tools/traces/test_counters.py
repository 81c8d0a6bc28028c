"""Counters as perf and firmware print them, and what follows from them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.tools import (
    CounterReport,
    InputError,
    UsageError,
    deployment,
    explain_counters,
    explain_trace,
)
from stubs.counter_logs import CSV, FRENCH, JSON, OF_THE_MANUAL, PMU, UART
from stubs.power_traces import joulescope, made
from stubs.traces import KWS_TICKS, TOTAL_MS, Import

Counted = Callable[..., CounterReport]


@pytest.fixture
def counted(tmp_path: Path) -> Counted:
    def run(text: str, rules: str = "") -> CounterReport:
        (tmp_path / "counters.txt").write_text(text, newline="")
        (tmp_path / "rules.toml").write_text(rules)
        given = tmp_path / "rules.toml" if rules else None
        found = explain_trace(tmp_path / "counters.txt", rules=given).counters
        assert found is not None
        return found

    return run


def value(report: CounterReport, name: str) -> float:
    return next(metric.value for metric in report.metrics if metric.name == name)


def test_the_example_of_perfs_own_manual_is_read(counted: Counted) -> None:
    found = counted(OF_THE_MANUAL)
    assert value(found, "ipc") == pytest.approx(18687303457 / 24821162526)
    assert value(found, "cache_miss_rate") == pytest.approx(27075259 / 172158895)
    assert found.kind == "memory-bound"
    assert found.rules[0].name == "CACHE_THRASHING"


@pytest.mark.parametrize("text", [FRENCH, JSON, CSV], ids=["text of a French locale", "-j", "-x,"])
def test_each_form_of_perf_stat_has_the_same_instructions_a_cycle(counted: Counted, text: str) -> None:
    assert value(counted(text), "ipc") == pytest.approx(121540390 / 77375671)


def test_what_perf_could_not_count_or_counted_in_turns_is_told(tmp_path: Path) -> None:
    for text, told in ((FRENCH, "stalled-cycles-backend"), (JSON, "62% of the time")):
        (tmp_path / "perf.txt").write_text(text)
        assert any(told in line for line in explain_trace(tmp_path / "perf.txt").warnings)


@pytest.mark.parametrize("text", [OF_THE_MANUAL, FRENCH, JSON, UART, PMU])
def test_the_causes_sum_to_the_whole_and_the_rest_is_called_unexplained(counted: Counted, text: str) -> None:
    causes = counted(text).causes
    assert sum(cause.share for cause in causes) == pytest.approx(1)
    assert causes[-1].cause == "unexplained"
    assert all(cause.share >= 0 for cause in causes)


def test_penalties_beyond_the_whole_are_scaled_and_told(counted: Counted) -> None:
    found = counted("cycles,instructions,LLC-load-misses\n1000,1000,900\n")
    assert sum(cause.share for cause in found.causes) == pytest.approx(1)
    assert any("more than" in line for line in found.assumptions)


def test_stalls_that_were_counted_bound_what_misses_may_take(counted: Counted) -> None:
    found = counted("cycles,instructions,STALL_BACKEND,L1D_CACHE_REFILL\n1000,400,300,10\n")
    shares = {cause.cause: cause.share for cause in found.causes}
    assert shares == pytest.approx(
        {"cache misses": 0.1, "instructions": 0.1, "other stalls": 0.2, "unexplained": 0.6}
    )


def test_firmware_that_prints_no_header_is_recognised_by_its_six_columns(counted: Counted) -> None:
    found = counted(UART)
    assert found.runs == 20
    assert value(found, "l1_miss_rate") == pytest.approx(4000 / 90000)
    assert value(found, "clock_mhz") == pytest.approx(216, rel=2e-3)


def test_each_layer_has_its_own_causes(tmp_path: Path) -> None:
    (tmp_path / "pmu.csv").write_text(PMU, newline="")
    found = explain_trace(tmp_path / "pmu.csv")
    assert [layer.name_untrusted for layer in found.counted_layers] == ["conv0", "fc"]
    assert [layer.rules[0].name for layer in found.counted_layers] == ["CACHE_MISSES", "CACHE_THRASHING"]
    assert found.counters is not None
    assert found.counters.counts["cycles"] == 150_000


def test_a_miss_rate_that_costs_no_cycles_is_no_finding(counted: Counted) -> None:
    """Of few accesses a third may miss and nothing be lost; the document's rule would call it thrashing."""
    found = counted("cycles,instructions,cache-references,cache-misses\n100000000,200000000,300,100\n")
    assert [rule.name for rule in found.rules] == []


@pytest.mark.parametrize(
    ("ipc", "width", "kind"), [(1.5, 4, "mixed"), (1.5, 2, "compute-bound"), (0.2, 2, "memory-bound")]
)
def test_instructions_a_cycle_are_judged_by_the_width_of_the_core(
    counted: Counted, ipc: float, width: int, kind: str
) -> None:
    text = (Path(__file__).parents[3] / "tools/traces/counters/rules.toml").read_text()
    rules = text.replace("issue_width = 4", f"issue_width = {width}")
    assert counted(f"cycles,instructions,npu_idle\n1000,{ipc * 1000:g},0\n", rules).kind == kind


@pytest.mark.parametrize("rules", ["nonsense", "[core]\nissue_width = 0", "[[rule]]\nname = 'x'"])
def test_rules_that_are_none_are_refused(counted: Counted, rules: str) -> None:
    with pytest.raises(InputError, match="holds no rules"):
        counted(PMU, rules)


def test_two_counters_that_do_not_belong_are_told(counted: Counted) -> None:
    found = counted("cycles,instructions,branches,branch-misses\n1000,900,10,50\n")
    assert any("do not belong together" in line for line in found.warnings)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (UART + "20,100", "Line 21: 2 cells where 6 belong"),
        (PMU + "dw1,100", "Line 4: 2 cells where 6 belong"),
        (PMU.replace("60000", "sixty"), "Line 2: 'sixty' is no time"),
        (JSON[:-40], "Line 2: .* is no row of perf's JSON"),
    ],
)
def test_counters_that_are_cut_off_or_no_numbers_name_their_line(
    counted: Counted, text: str, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        counted(text)


@pytest.mark.parametrize("given", [{}, {"ipc": -1.0}, {"cache_miss_rate": 12.0}, {"ipc": float("nan")}])
def test_figures_that_cannot_be_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        explain_counters(**given)


CLOCKED = "cycles,instructions,time_ms,frequency_mhz,power_mw\n" + "".join(
    f"{4_320_000},{3_000_000},{4320 / mhz:.4f},{mhz},{30 + 0.9 * mhz + 0.004 * mhz**2:.4f}\n"
    for mhz in (84, 126, 168, 216)
    for _ in range(3)
)
"""A static part, and a dynamic one that grows faster than the clock: no end of the range has the least energy."""


def test_measured_runs_at_several_clocks_tell_where_energy_and_its_product_with_time_are_least(
    tmp_path: Path,
) -> None:
    (tmp_path / "clocks.csv").write_text(CLOCKED)
    found = explain_trace(tmp_path / "clocks.csv")
    assert [row.clock_mhz for row in found.clocks] == [84, 126, 168, 216]
    assert {row.runs for row in found.clocks} == {3}
    energies = [(30 + 0.9 * mhz + 0.004 * mhz**2) * 4320 / mhz for mhz in (84, 126, 168, 216)]
    assert [row.energy_uj for row in found.clocks] == pytest.approx(energies, rel=1e-4)
    assert [row.clock_mhz for row in found.clocks if row.least_energy] == [84]
    assert [row.clock_mhz for row in found.clocks if row.least_edp] == [216]
    assert found.doubts == ()


def test_waiting_for_the_bus_is_told_with_its_share(tmp_path: Path) -> None:
    file = tmp_path / "npu.csv"
    file.write_text(
        "layer,cycles,ETHOSU_PMU_NPU_ACTIVE,ETHOSU_PMU_AXI0_RD_TRAN_REQ_STALLED\nconv,1000,900,300\n"
    )
    (layer,) = explain_trace(file).counted_layers
    assert {each.name: each.value for each in layer.metrics}["bus_stall_share"] == pytest.approx(0.3)
    assert "BUS_CONTENTION" in [rule.name for rule in layer.rules]


ISS = (Path(__file__).parents[3] / "docs" / "samples" / "iss.txt").read_text(encoding="utf-8")
"""Rows that a parser of such summaries in a public repository quotes of a run; what stands around them is ours."""


def test_a_summary_of_xtensas_simulator_is_its_cycles_instructions_and_stalls(tmp_path: Path) -> None:
    file = tmp_path / "iss.txt"
    file.write_text(f"hello\n{ISS}bye\n")
    found = explain_trace(file)
    assert found.sources[0].basis == "simulated"
    assert found.counters is not None
    counts = found.counters.counts
    assert counts["cycles"] == 411345 + 49249 + 131508 + 5 + 48 + 18 + 5
    assert counts["stalled_backend"] == 131508 + 5 + 48 + 18 + 5
    metrics = {each.name: each.value for each in found.counters.metrics}
    assert metrics["ipc"] == pytest.approx(0.6946, abs=1e-4)
    assert metrics["stall_share"] == pytest.approx(0.2222, abs=2e-4)
    shares = {each.cause: each.share for each in found.counters.causes}
    assert shares["instructions"] == pytest.approx(0.6946, abs=1e-4)


def test_a_summary_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "iss.txt"
    file.write_text("\n".join(ISS.splitlines()[:4]))
    with pytest.raises(InputError, match=r"ends at 77.78 % of the cycles"):
        explain_trace(file)


def test_runs_of_the_whole_model_are_held_against_the_estimate_and_tell_their_clock(imported: Import) -> None:
    found = imported(UART, name="uart.csv")
    assert found.latency_ms.value == pytest.approx(4.63, abs=0.01)
    assert (found.runs, found.layers_ms, found.ratio) == (
        19, None, pytest.approx(found.latency_ms.value / found.estimated_ms.value),
    )  # fmt: skip
    assert found.warnings[0].startswith("the trace was made at 216 MHz, the estimate is for 120 MHz")
    assert found.run_times is not None
    assert found.run_times.first_ms == pytest.approx(4.63)


def test_runs_that_count_cycles_alone_take_the_clock_that_is_named(imported: Import) -> None:
    text = "run,cycles,instructions\n" + "".join(f"{at},{1_000_000 + at},500000\n" for at in range(12))
    found = imported(text, deployment("stm32l4r5zi", "tflm-cmsis-nn", clock_mhz=100), name="runs.csv")
    assert found.latency_ms.value == pytest.approx(10, rel=1e-4)


def test_counters_by_layer_are_a_trace_of_the_model(imported: Import) -> None:
    rows = "".join(f"{tag},{ticks},{ticks // 2}\n" for tag, ticks in KWS_TICKS)
    found = imported("layer,cycles,instructions\n" + rows, name="pmu.csv")
    assert found.latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-6)
    assert found.residuals[0].index == 6


def test_power_alone_is_no_run_of_a_model_to_compare(imported: Import) -> None:
    with pytest.raises(InputError, match="no operators of a model"):
        imported(joulescope(made(1000, 2)), name="js.csv")
