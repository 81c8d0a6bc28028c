"""Figures that follow from counts, each with the counts that it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .rules import Rules

Counts = Mapping[str, float]


class Derived(NamedTuple):
    name: str
    value: float
    unit: str
    formula: str


def _ratio(of: str, to: str) -> Callable[[Counts], float | None]:
    def ratio(counts: Counts) -> float | None:
        below = counts.get(to)
        return counts[of] / below if of in counts and below else None

    return ratio


def _sums(of: str, *parts: str) -> Callable[[Counts], float | None]:
    """Share that `of` has of the sum of the parts."""

    def share(counts: Counts) -> float | None:
        total = sum(counts.get(part, 0.0) for part in parts)
        return counts[of] / total if of in counts and total else None

    return share


_FORMULAS: tuple[tuple[str, str, Callable[[Counts], float | None], str], ...] = (
    ("ipc", "1", _ratio("instructions", "cycles"), "instructions / cycles"),
    ("l1_miss_rate", "1", _ratio("l1_misses", "l1_accesses"), "L1 misses / L1 accesses"),
    ("l2_miss_rate", "1", _ratio("l2_misses", "l2_accesses"), "L2 misses / L2 accesses"),
    ("llc_miss_rate", "1", _ratio("llc_misses", "llc_accesses"), "last-level misses / last-level loads"),
    ("cache_miss_rate", "1", _ratio("cache_misses", "cache_accesses"), "cache misses / cache references"),
    ("branch_miss_rate", "1", _ratio("branch_misses", "branches"), "branch misses / branches"),
    ("stall_share", "1", _ratio("stalled_backend", "cycles"), "stalled cycles, back end / cycles"),
    ("frontend_share", "1", _ratio("stalled_frontend", "cycles"), "stalled cycles, front end / cycles"),
    ("simd_share", "1", _ratio("simd_instructions", "instructions"), "SIMD instructions / instructions"),
    ("mac_utilization", "1", _ratio("mac_cycles", "cycles"), "cycles with a MAC / cycles"),
    ("npu_idle_share", "1", _sums("npu_idle", "npu_idle", "npu_active"), "idle / (idle + active) cycles"),
    ("bus_stall_share", "1", _ratio("bus_stalls", "cycles"), "cycles that wait for the bus / cycles"),
    ("dma_share", "1", _ratio("dma_cycles", "cycles"), "cycles of transfers / cycles"),
    ("macs_per_cycle", "1", _ratio("macs", "cycles"), "MACs / cycles"),
)


def derived(counts: Counts, rules: Rules) -> tuple[Derived, ...]:
    """All that the counts allow, in this order; a rate above 1 is one of two counters that do not belong."""
    found = [
        Derived(name, value, unit, formula)
        for name, unit, of, formula in _FORMULAS
        if (value := of(counts)) is not None
    ]
    known = {each.name: each.value for each in found}
    if "cache_miss_rate" not in known and "l1_miss_rate" in known:
        found.append(
            Derived("cache_miss_rate", known["l1_miss_rate"], "1", "that of L1, the only one counted")
        )
    if "branch_miss_rate" in known:
        found.append(
            Derived("branch_accuracy", 1 - known["branch_miss_rate"], "1", "1 - branch misses / branches")
        )
    if "ipc" in known:
        text = f"instructions / cycles / {rules.issue_width:g} a cycle at most"
        found.append(Derived("ipc_of_width", known["ipc"] / rules.issue_width, "1", text))
    return (*found, *_over_time(counts, rules))


def _over_time(counts: Counts, rules: Rules) -> tuple[Derived, ...]:
    """Traffic to memory is what misses the last level; the document counts what is loaded from it."""
    ms = counts.get("time_ms")
    if not ms:
        return ()
    found = []
    if "cycles" in counts:
        found.append(Derived("clock_mhz", counts["cycles"] / ms / 1e3, "MHz", "cycles / time"))
    missed = counts.get("llc_misses", counts.get("cache_misses"))
    if missed is not None:
        rate = missed * rules.line_bytes / ms / 1e6
        text = f"last-level misses x {rules.line_bytes:g} B / time"
        found.append(Derived("bandwidth_gb_s", rate, "GB/s", text))
    if "energy_mj" in counts:
        found.append(Derived("power_mw", counts["energy_mj"] / ms * 1e3, "mW", "energy / time"))
    return tuple(found)
