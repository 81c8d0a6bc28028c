"""Counters as perf and firmware print them, and what follows from them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.tools import CounterReport, InputError, UsageError, explain_counters, explain_trace

Counted = Callable[..., CounterReport]
OF_THE_MANUAL = """\
 Performance counter stats for 'make -j':

    8117.370256  task clock ticks     #      11.281 CPU utilization factor
            678  context switches     #       0.000 M/sec
            133  CPU migrations       #       0.000 M/sec
         235724  pagefaults           #       0.029 M/sec
    24821162526  CPU cycles           #    3057.784 M/sec
    18687303457  instructions         #    2302.138 M/sec
      172158895  cache references     #      21.209 M/sec
       27075259  cache misses         #       3.335 M/sec

 Wall-clock time elapsed:   719.554352 msecs
"""
"""github.com/torvalds/linux tools/perf/Documentation/perf-stat.txt, commit 020abf0: EXAMPLES."""
FRENCH = """\
 Performance counter stats for './cfg small.cfg 1000':

        77 375 671 cycles                  #    2,914 GHz
     <not supported> stalled-cycles-backend
       121 540 390 instructions            #    1,57  insns per cycle
        30 904 551 branches                # 1163,817 M/sec
           356 636 branch-misses           #    1,15% of all branches

       0,026554473 seconds time elapsed
"""
JSON = (
    '{"counter-value" : "77375671.000000", "unit" : "", "event" : "cycles", "event-runtime" : 5, "pcnt-running" : 62.5}\n'
    '{"counter-value" : "121540390.000000", "unit" : "", "event" : "instructions", "event-runtime" : 5, "pcnt-running" : 100.00}\n'
)
CSV = "77375671,,cycles,26554473,100.00,2.914,GHz\n121540390,,instructions:u,26554473,100.00,1.57,insn per cycle\n"
UART = "".join(f"{i},{1_000_000 + i},4000,90000,{(1e6 + i) / 216e3:.2f},0.25\n" for i in range(20))
PMU = (
    "layer,cycles,instructions,L1D_CACHE_REFILL,L1D_CACHE,BR_MIS_PRED\r\n"
    "conv0,100000,60000,3000,20000,100\r\nfc,50000,9000,4000,9000,10\r\n"
)


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
