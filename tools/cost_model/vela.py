"""Vela's cycles as the time of each layer, corrected by what silicon took."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...hardware_db.coefficients.vela import load_vela_coefficients
from ..core.deployment import Deployment
from ..core.quantity import Basis
from ..core.records import replace
from ..ethos_u.compiled import Compiled, Home
from ..ethos_u.vela import vela_answer
from ..graph import ModelGraph
from .times import LayerTimes

if TYPE_CHECKING:
    from .times import LayerTimes


def times_by_vela(graph: ModelGraph, deployment: Deployment, fitted: LayerTimes) -> LayerTimes:
    """The times of an NPU's layers as Vela simulates them, where those are nearer to silicon than the fit.

    Cycles over the NPU's clock, times the median ratio of measured latencies to Vela's. What the CPU
    computes is left as in `fitted`. Which of the two is nearer the widths of their intervals tell.
    """
    compiled = vela_answer(graph, deployment).compiled
    if compiled is None:
        return fitted
    group = load_vela_coefficients().group(cited=compiled.system.rates_cited)
    if group is None:
        return fitted
    if fitted.basis is not Basis.UNKNOWN and fitted.interval_factor <= group.interval_factor:
        ms = compiled.cycles * group.factor / compiled.system.clock_mhz / 1e3
        text = (
            f"Vela {compiled.version} comes to {ms:.3g} ms {group.stated}: the fit is nearer to silicon here"
        )
        return replace(fitted, evidence=(*fitted.evidence, text))
    return _corrected(compiled, fitted, group.factor, group.interval_factor, group.stated)


def _corrected(
    compiled: Compiled, fitted: LayerTimes, factor: float, interval_factor: float, note: str
) -> LayerTimes:
    operators = compiled.operators
    rows = np.array([o.home is not Home.CPU for o in operators], dtype=np.bool_)
    second = factor / (compiled.system.clock_mhz * 1e6)
    sram = np.array([o.sram_cycles for o in operators]) * second
    outside = np.array([o.dram_cycles + o.flash_cycles for o in operators]) * second
    compute = np.array([o.npu_cycles for o in operators]) * second
    total = np.array([o.cycles for o in operators]) * second
    return LayerTimes(
        compute_s=np.where(rows, compute, fitted.compute_s),
        activation_s=np.where(rows, sram, fitted.activation_s),
        weight_s=np.where(rows, outside, fitted.weight_s),
        overhead_s=np.where(rows, 0.0, fitted.overhead_s),
        total_s=np.where(rows, total, fitted.total_s),
        compute_roof_s=np.where(rows, compute, fitted.compute_roof_s),
        memory_roof_s=np.where(rows, np.maximum(sram, outside), fitted.memory_roof_s),
        interval_factor=interval_factor,
        basis=Basis.SIMULATED if compiled.system.rates_cited else Basis.ASSUMED,
        evidence=(f"Vela {compiled.version}: {compiled.cycles:,} cycles, {note}",),
    )
