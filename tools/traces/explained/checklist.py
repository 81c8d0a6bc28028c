"""The reproducibility checklist, item by item: met, not met, or not known from the files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..power.energy_report import EnergyReport
from ..recording import Counted
from .trace_report import Advice, CheckedItem

_FREQUENCY = ("frequency", "clock", "governor", "freq", "sysclk")
_WARM = ("warmup", "warm-up", "warm up", "warm_up")
_DOCUMENTED = {
    "framework version": ("framework", "runtime", "version", "library", "tflm", "onnxruntime"),
    "compiler flags": ("flags", "cflags", "compiler", "optimization", "optimisation", "build"),
    "hardware": ("board", "hardware", "chip", "target", "device", "cpu"),
}
_RUNS, _WARM_UPS, _HZ, _MS = 100, 10, 1000.0, 1000.0
_SPREAD = 1.05
"""Of the 95th percentile over the median."""


def checklist(
    rows: Sequence[Counted],
    energy: EnergyReport | None,
    facts: Mapping[str, str],
    doubts: Sequence[Advice],
) -> tuple[CheckedItem, ...]:
    """Of runs with a row each, of a power trace, or of both."""
    names = {doubt.name for doubt in doubts}
    return (
        _frequency(rows, facts),
        _warm_up(facts, names),
        _runs(rows),
        _item("p50, p95 and p99 can be told", len(rows) >= _RUNS if rows else None, f"{len(rows)} runs"),
        _steady(rows),
        _energy(energy),
        *(_documented(what, words, facts) for what, words in _DOCUMENTED.items()),
    )


def _item(name: str, met: bool | None, found: str) -> CheckedItem:
    return CheckedItem(name=name, met=met, found=found if met is not None else "not in the files")


def _frequency(rows: Sequence[Counted], facts: Mapping[str, str]) -> CheckedItem:
    stated = _stated(facts, _FREQUENCY)
    logged = any("frequency_mhz" in row.counts or {"cycles", "time_ms"} <= row.counts.keys() for row in rows)
    found = stated or ("logged with each run" if logged else "")
    return _item("clock locked or logged", True if found else None, found)


def _warm_up(facts: Mapping[str, str], doubts: set[str]) -> CheckedItem:
    name = f"{_WARM_UPS} warm-up runs, left out"
    if doubts & {"no warm-up", "first inference in"}:
        return _item(name, False, "the first runs are slow")
    stated = _stated(facts, _WARM)
    digits = "".join(c for c in stated.partition("=")[2] if c.isdigit())[:6]
    if digits:
        return _item(name, int(digits) >= _WARM_UPS, stated)
    return _item(name, None, "")


def _runs(rows: Sequence[Counted]) -> CheckedItem:
    timed = sum("time_ms" in row.counts or "cycles" in row.counts for row in rows)
    return _item(f"{_RUNS} runs or more", timed >= _RUNS if timed else None, f"{timed} runs")


def _steady(rows: Sequence[Counted]) -> CheckedItem:
    name = "p95 within 5 % of p50"
    times = [row.counts["time_ms"] for row in rows if "time_ms" in row.counts]
    if len(times) < 2:
        return _item(name, None, "")
    middle, high = np.percentile(times, (50, 95)).tolist()
    ratio = high / middle if middle > 0 else np.inf
    return _item(name, ratio <= _SPREAD, f"{ratio - 1:+.2%}")


def _energy(energy: EnergyReport | None) -> CheckedItem:
    name = "energy at 1 kHz or more for 1 s or more"
    if energy is None:
        return _item(name, None, "")
    met = energy.rate_hz >= 0.99 * _HZ and energy.duration_ms >= 0.99 * _MS
    return _item(name, met, f"{energy.rate_hz:.4g} Hz for {energy.duration_ms / 1e3:.3g} s")


def _documented(what: str, words: Sequence[str], facts: Mapping[str, str]) -> CheckedItem:
    stated = _stated(facts, words)
    return _item(f"{what} documented", True if stated else None, stated)


def _stated(facts: Mapping[str, str], words: Sequence[str]) -> str:
    return next((f"{key} = {value}" for key, value in facts.items() if any(w in key for w in words)), "")
