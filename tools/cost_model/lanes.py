"""How wide the cores of Linux-class chips multiply: what a board that was never measured is told apart by."""

from __future__ import annotations

from ...hardware_db.cores import float32_macs_per_cycle

USUAL_LANES = 4.0
"""From which the effect of another width is counted."""

SHARED_ISAS = frozenset({"x86-64", "cpu", "rv64gc", "rv64gcv", "rv64imafcv"})
"""Instruction sets of cores too different to be one node."""


def lanes_of(processor: str, on_target: float | None) -> float | None:
    """Multiply-adds of float32 that a core starts in a cycle; None where no source gives it.

    A covariate with room to be wrong in, no ceiling: libraries have kernels for some vectors alone.

    Args:
        on_target: what the target's file gives for the core.
    """
    if processor in SHARED_ISAS:
        return on_target
    return float32_macs_per_cycle().get(processor, on_target)
