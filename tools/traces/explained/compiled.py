"""What compilers' reports say of each layer, and what binds it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from ..recording import CompiledCost, Recording
from .trace_report import CompiledLayer

_MOST_LAYERS = 5_000


def compiled_of(read: Sequence[Recording]) -> dict[str, Any]:
    """Units work at once, so the one with the most cycles binds; a tie goes to the NPU."""
    layers = [cost for one in read for cost in one.compiled][:_MOST_LAYERS]
    if not layers:
        return {}
    shares: dict[str, float] = defaultdict(float)
    engines: Counter[str] = Counter()
    for cost in layers:
        engines[cost.engine] += cost.times
    engines.pop("", None)
    whole = sum(cost.cycles or 0.0 for cost in layers)
    for cost in layers:
        if cost.cycles and whole and (unit := _bound(cost.parts)):
            shares[unit] += cost.cycles / whole
    return {
        "compiled": tuple(map(_row, layers)),
        "engines": dict(engines.most_common()),
        "bound_shares": dict(sorted(shares.items(), key=lambda item: -item[1])),
    }


def _row(cost: CompiledCost) -> CompiledLayer:
    return CompiledLayer(
        name_untrusted=cost.name,
        op_untrusted=cost.op,
        cycles=cost.cycles,
        bound=_bound(cost.parts),
        macs=cost.macs,
        rom_bytes=None if cost.rom_bytes is None else int(cost.rom_bytes),
        engine=cost.engine,
        times=cost.times,
        why_untrusted=cost.why,
    )


def _bound(parts: Mapping[str, float]) -> str:
    return max(parts, key=lambda unit: (parts[unit], unit == "NPU")) if any(parts.values()) else ""
