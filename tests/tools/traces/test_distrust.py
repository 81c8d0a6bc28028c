"""Each planted fault is caught, and none is seen in what is clean."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from edgewright.tools import TraceReport, explain_trace
from stubs import power_traces as power

Floats = npt.NDArray[np.float64]
FACTS = "# framework: TFLM 2024-11\n# flags: -O3\n# board: STM32F746 Discovery\n# warm-up: 10\n"


def times(seed: int, runs: int = 120) -> Floats:
    """Milliseconds of steady runs, 0.3 % apart."""
    return 20.0 * np.random.default_rng(seed).normal(1, 0.003, runs)


def serial(ms: Floats, mhz: float = 216.0, head: str = FACTS, scale: float = 1.0) -> str:
    rows = (f"{at},{t * mhz * 1e3:.0f},4000,90000,{t * scale:.5f},0.25" for at, t in enumerate(ms))
    return f"{head}run,cycles,misses,accesses,latency_ms,energy_mj\n" + "\n".join(rows) + "\n"


def found_in(folder: Path, text: str, **more: float) -> TraceReport:
    (folder / "trace.csv").write_text(text)
    return explain_trace(folder / "trace.csv", **more)


def doubts(report: TraceReport) -> list[str]:
    return [doubt.name for doubt in report.doubts]


@pytest.mark.parametrize("seed", range(40))
def test_clean_runs_raise_no_doubt(tmp_path: Path, seed: int) -> None:
    assert doubts(found_in(tmp_path, serial(times(seed)), clock_mhz=216)) == []


def _trend(ms: Floats) -> str:
    return serial(ms * np.linspace(1, 1.08, len(ms)))


def _cold(ms: Floats) -> str:
    return serial(np.concatenate((ms[:1] * 12, ms[1:])))


def _no_warm_up(ms: Floats) -> str:
    return serial(ms * np.concatenate((np.linspace(2, 1.1, 8), np.ones(len(ms) - 8))))


def _interrupted(ms: Floats) -> str:
    late = np.zeros(len(ms), bool)
    late[30::25] = True
    return serial(np.where(late, ms * 2.5, ms))


FAULTS: dict[str, Callable[[Floats], str]] = {
    "thermal trend": _trend,
    "first inference in": _cold,
    "no warm-up": _no_warm_up,
    "interrupts": _interrupted,
    "too few runs": lambda ms: serial(ms[:20]),
    "clock not as claimed": lambda ms: serial(ms, mhz=108),
    "unit mixed up": lambda ms: serial(ms, scale=1e-3),
    "debug build": lambda ms: serial(ms, head=FACTS.replace("-O3", "-O0 -g")),
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_was_planted_in_runs_is_caught_alone(tmp_path: Path, fault: str, seed: int) -> None:
    assert doubts(found_in(tmp_path, FAULTS[fault](times(seed)), clock_mhz=216)) == [fault]


@pytest.mark.parametrize("seed", range(10))
def test_a_clean_power_trace_raises_no_doubt(tmp_path: Path, seed: int) -> None:
    assert doubts(found_in(tmp_path, power.marked(power.made(seed=seed)))) == []


def _repeated(trace: power.Made) -> str:
    """Each reading three times, as of an instrument that is read faster than it converts."""
    held = np.repeat(trace.power_w[::3], 3)[: len(trace.power_w)]
    return power.marked(power.Made(trace.time_s, held, trace.layer))


def _clipped(trace: power.Made) -> str:
    return power.marked(power.Made(trace.time_s, np.minimum(trace.power_w, 0.038), trace.layer))


def _shunt(trace: power.Made) -> str:
    volts = np.minimum(trace.power_w * 2.4, 0.08192)
    rows = (
        f"{t:.6f},{p * 1e3:.5f},{v * 1e3:.4f}"
        for t, p, v in zip(trace.time_s, trace.power_w, volts, strict=True)
    )
    return "time_s,power_mw,shunt_mv\n" + "\n".join(rows) + "\n"


def _product(trace: power.Made) -> str:
    rows = (
        f"{t:.6f},{p / 3 * 1e3:.6f},3.0,{p:.8f}" for t, p in zip(trace.time_s, trace.power_w, strict=True)
    )
    return "time_s,current_ma,voltage_v,power_mw\n" + "\n".join(rows) + "\n"


POWER_FAULTS: dict[str, Callable[[int], str]] = {
    "duplicate readings": lambda seed: _repeated(power.made(seed=seed)),
    "shunt range": lambda seed: _clipped(power.made(seed=seed)),
    "unit mixed up": lambda seed: _product(power.made(seed=seed)),
    "averages longer than it samples": lambda seed: (
        "# conversion_ms: 282\n" + power.marked(power.made(seed=seed))
    ),
    "too few samples": lambda seed: power.marked(power.made(hz=4000, seed=seed)),
    "sampled too little": lambda seed: power.marked(power.made(inferences=8, seed=seed)),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("fault", POWER_FAULTS)
def test_a_fault_that_was_planted_in_power_is_caught_alone(tmp_path: Path, fault: str, seed: int) -> None:
    assert doubts(found_in(tmp_path, POWER_FAULTS[fault](seed))) == [fault]


def test_the_range_of_an_ina226_is_81_92_millivolts(tmp_path: Path) -> None:
    assert doubts(found_in(tmp_path, _shunt(power.made()))) == ["shunt range"]


def test_the_checklist_is_checked_not_printed(tmp_path: Path) -> None:
    whole = {item.name: item.met for item in found_in(tmp_path, serial(times(1))).checklist}
    assert whole.pop("energy at 1 kHz or more for 1 s or more") is None
    assert all(whole.values())
    bare = {item.name: item.met for item in found_in(tmp_path, serial(times(1)[:20], head="")).checklist}
    assert bare["100 runs or more"] is False
    assert bare["compiler flags documented"] is None
    cold = {item.name: item.met for item in found_in(tmp_path, _cold(times(1))).checklist}
    assert cold["10 warm-up runs, left out"] is False


def heated(seed: int, slower: float, clock: bool = False) -> str:
    """150 runs while it becomes warmer; `slower` of them by the last."""
    random = np.random.default_rng(seed)
    rows = []
    for at in range(150):
        ms = 20 * (1 + slower * at / 150) * random.normal(1, 0.002)
        mhz = 216 if not clock or at < 75 else 180
        rows.append(f"{at},{ms * 216:.1f}e3,{ms:.5f},{40 + at / 6:.1f},{mhz},300\n")
    return "run,cycles,latency_ms,temperature_c,frequency_mhz,power_mw\n" + "".join(rows)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("clock", [False, True])
def test_runs_that_become_slower_with_heat_are_throttled(tmp_path: Path, seed: int, clock: bool) -> None:
    assert "throttling" in doubts(found_in(tmp_path, heated(seed, 0.1, clock)))


@pytest.mark.parametrize("seed", range(3))
def test_warmth_that_changes_nothing_is_no_throttling(tmp_path: Path, seed: int) -> None:
    found = found_in(tmp_path, heated(seed, 0.0))
    assert doubts(found) == []
    assert found.run_times is not None
    assert found.run_times.thermal is not None
    assert (found.run_times.thermal.start_c, found.run_times.thermal.most_c) == (40, 64.8)


@pytest.mark.parametrize(("noise", "met"), [(0.005, True), (0.2, False)])
def test_whether_95_percent_of_the_runs_keep_near_the_median_is_checked(
    tmp_path: Path, noise: float, met: bool
) -> None:
    steady = times(3, 150)
    found = found_in(tmp_path, serial(steady + np.random.default_rng(3).normal(0, 20 * noise, 150)))
    assert {item.name: item.met for item in found.checklist}["p95 within 5 % of p50"] is met
