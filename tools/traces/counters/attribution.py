"""Where the cycles went, by cause; the shares sum to 1 and what no counter explains is called so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .rules import Rules

_CAUSES = {"l1_misses": "cache", "l2_misses": "cache", "llc_misses": "cache", "branch_misses": "branch"}
_WORDS = {
    "cache": "cache misses", "branch": "branch misses", "compute": "instructions", "stall": "other stalls",
    "idle": "NPU idle", "mac": "MACs", "unexplained": "unexplained",
}  # fmt: skip


class Part(NamedTuple):
    cause: str
    share: float
    how: str

    @property
    def words(self) -> str:
        return _WORDS[self.cause]


def attributed(counts: Mapping[str, float], rules: Rules) -> tuple[tuple[Part, ...], str]:
    """The parts, and a note where the assumed penalties come to more than there was time for.

    Cycles of an event are its count times the penalty of the rules; cycles of compute are the instructions
    at the core's full width. On a core that computes while it waits penalties overlap, so they are an upper
    bound: where all comes to more than the whole, what was lost is scaled down to what compute leaves.
    """
    cycles = counts.get("cycles")
    if "npu_idle" in counts:
        return _of_npu(counts), ""
    if not cycles:
        return (), ""
    lost, how = _lost(_with_last_level(counts), rules)
    stalled = counts.get("stalled_backend")
    compute = min(cycles, counts.get("instructions", 0.0) / rules.issue_width)
    note = ""
    room = cycles - compute if stalled is None else min(cycles - compute, stalled)
    room = max(0.0, room)
    total = sum(lost.values())
    if total > room:
        factor = room / total
        note = (
            f"the assumed penalties come to {total / cycles:.0%} of the cycles, more than the "
            f"{room / cycles:.0%} that are left for them: misses overlap with work, so they are scaled"
        )
        lost = {cause: value * factor for cause, value in lost.items()}
    parts = [Part(cause, value / cycles, how[cause]) for cause, value in lost.items()]
    if "instructions" in counts:
        text = f"instructions at {rules.issue_width:g} a cycle"
        parts.append(Part("compute", compute / cycles, text))
    if stalled is not None and stalled > sum(lost.values()):
        rest = min(stalled, cycles - compute) - sum(lost.values())
        parts.append(Part("stall", max(0.0, rest) / cycles, "stalls that were counted, less the misses"))
    left = 1 - sum(part.share for part in parts)
    text = "dependencies, waiting and whatever no counter was taken of"
    return (*parts, Part("unexplained", max(0.0, left), text)), note


def _of_npu(counts: Mapping[str, float]) -> tuple[Part, ...]:
    """Of an accelerator: idle, busy with MACs, and active without."""
    idle, active = counts["npu_idle"], counts.get("npu_active", 0.0)
    whole = max(counts.get("cycles", 0.0), idle + active)
    if not whole:
        return ()
    parts = [Part("idle", idle / whole, "idle cycles that were counted")]
    if "mac_cycles" in counts:
        parts.append(Part("mac", min(counts["mac_cycles"], whole - idle) / whole, "cycles with a MAC"))
    left = 1 - sum(part.share for part in parts)
    text = "active without a MAC: elementwise work, weights that are decoded, waiting for data"
    return (*parts, Part("unexplained", max(0.0, left), text))


def _with_last_level(counts: Mapping[str, float]) -> Mapping[str, float]:
    """perf's cache-misses are those of the last level."""
    if "llc_misses" in counts or "cache_misses" not in counts:
        return counts
    return {**counts, "llc_misses": counts["cache_misses"]}


def _lost(counts: Mapping[str, float], rules: Rules) -> tuple[dict[str, float], dict[str, str]]:
    lost: dict[str, float] = {}
    how: dict[str, list[str]] = {}
    for event, cause in _CAUSES.items():
        if event in counts and event in rules.penalties:
            lost[cause] = lost.get(cause, 0.0) + counts[event] * rules.penalties[event]
            level = event.partition("_")[0].upper() if cause == "cache" else "branch"
            how.setdefault(cause, []).append(f"{level} misses x {rules.penalties[event]:g}")
    return lost, {cause: " + ".join(texts) for cause, texts in how.items()}
