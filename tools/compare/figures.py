"""Figures of two versions, and whether a difference is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.quantity import Basis, Quantity, weakest
from ..cost_model.performance_estimate import PerformanceEstimate
from ..cost_model.study import Study
from ..memory_planner.memory_plan import MemoryPlan
from .alignment import Pair
from .model_diff import Direction, FigureChange


class Version(NamedTuple):
    case: Study
    speed: PerformanceEstimate


def figure_changes(before: Version, after: Version, others: Sequence[Pair]) -> tuple[FigureChange, ...]:
    """Changes of what a build is judged by. Less is better in all of them.

    Layers that both versions have err alike, and of a layer that grew or shrank so does the lesser part.
    The change is what is left, and its interval is that of what was removed and of what was added: with
    the half-widths s of the estimates, √((s₁ × removed)² + (s₂ × added)²).
    """
    plans = before.case.plan, after.case.plan
    latencies = before.speed.latency_ms, after.speed.latency_ms
    spread = _unshared(before, after, others)
    return (
        _exact(
            "arena", plans[0].arena_bytes, plans[1].arena_bytes, "B", weakest(p.arena_basis for p in plans)
        ),
        _exact("model", plans[0].model_bytes, plans[1].model_bytes, "B", Basis.DERIVED),
        _estimated("flash", plans[0].flash, plans[1].flash, _code_spread(*plans)),
        _exact("macs", before.case.table.total_macs, after.case.table.total_macs, "", Basis.DERIVED),
        _estimated("latency", *latencies, spread),
        _estimated("energy", before.speed.energy_uj, after.speed.energy_uj, spread),
    )


class Spread(NamedTuple):
    """How far the change may lie from its value, as shares of the figure before."""

    down: float
    up: float


def _unshared(before: Version, after: Version, others: Sequence[Pair]) -> Spread:
    removed = added = 0.0
    for a, b in others:
        change = _time(after, b) - _time(before, a)
        removed, added = removed + max(-change, 0.0), added + max(change, 0.0)
    whole = before.speed.latency_ms.value or 1.0
    widths = [_half_widths(version.speed.latency_ms) for version in (before, after)]
    down = np.hypot(removed * widths[0].up, added * widths[1].down) / whole
    up = np.hypot(removed * widths[0].down, added * widths[1].up) / whole
    return Spread(float(down), float(up))


def _time(version: Version, layer: int | None) -> float:
    return 0.0 if layer is None else version.speed.layers[layer].latency_ms or 0.0


def _half_widths(figure: Quantity) -> Spread:
    if not figure.value or figure.low is None or figure.high is None:
        return Spread(0.0, 0.0)
    return Spread(1 - figure.low / figure.value, figure.high / figure.value - 1)


def _code_spread(before: MemoryPlan, after: MemoryPlan) -> Spread:
    """Model bytes are known; of the code, only what differs errs."""
    if before.code_bytes is None or after.code_bytes is None or not before.flash.value:
        return Spread(0.0, 0.0)
    share = abs(after.code_bytes - before.code_bytes) / before.flash.value
    widths = _half_widths(after.flash)
    return Spread(share * widths.down, share * widths.up)


def _exact(name: str, before: float | None, after: float | None, unit: str, basis: Basis) -> FigureChange:
    if before is None or after is None:
        return _unknown(name, before, after, unit)
    return _change(name, before, after, unit, basis, Spread(0.0, 0.0))


def _estimated(name: str, before: Quantity, after: Quantity, spread: Spread) -> FigureChange:
    if before.value is None or after.value is None:
        return _unknown(name, before.value, after.value, before.unit)
    basis = weakest((before.basis, after.basis))
    return _change(name, before.value, after.value, before.unit, basis, spread)


def _unknown(name: str, before: float | None, after: float | None, unit: str) -> FigureChange:
    return FigureChange(
        name=name, before=before, after=after, change=None, low=None, high=None, percent=None,
        unit=unit, direction=Direction.UNKNOWN, basis=Basis.UNKNOWN,
    )  # fmt: skip


def _change(name: str, before: float, after: float, unit: str, basis: Basis, spread: Spread) -> FigureChange:
    change = after - before
    low, high = change - spread.down * before, change + spread.up * before
    return FigureChange(
        name=name, before=before, after=after, change=change, low=low, high=high,
        percent=100 * change / before if before else None,
        unit=unit, direction=_direction(change, low, high), basis=basis,
    )  # fmt: skip


def _direction(change: float, low: float, high: float) -> Direction:
    if change == 0:
        return Direction.SAME
    if low > 0:
        return Direction.WORSE
    return Direction.BETTER if high < 0 else Direction.UNSURE
