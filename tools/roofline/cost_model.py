"""Time of every layer: the larger of compute and memory time, plus the kernel's overhead.

    compute = (MACs × cycles per MAC + element operations × cycles per element) / clock,
              never below MACs / peak MACs per second
    memory  = weight bytes / bandwidth of their region + activation bytes / bandwidth of theirs

The roofline is Williams, Waterman, Patterson, CACM 52(4), 2009; coefficients are `hardware_db/calibration`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..deployments import Deployment
from ..graph.layer_table import LayerTable, OpClass
from ..quantity import Basis, weakest
from .kernels import Kernels, accelerator_cost, core_kernels
from .levels import DataHomes
from .peaks import peak_macs_per_s
from .work import work_columns

Floats = npt.NDArray[np.float64]

UNCALIBRATED_FACTOR = 10.0
FEW_ROWS = 3
"""Coefficients that stand on fewer measurements are assumptions with a source."""


@dataclass(frozen=True, eq=False)
class LayerTimes:
    """Seconds of each layer, for one batch; NaN where the work cannot be known."""

    compute_s: Floats
    activation_s: Floats
    """Moving activations to and from their region."""
    weight_s: Floats
    """Reading weights from theirs."""
    overhead_s: Floats
    interval_factor: float
    basis: Basis
    stands_on: tuple[str, ...]

    @property
    def memory_s(self) -> Floats:
        return self.activation_s + self.weight_s

    @property
    def total_s(self) -> Floats:
        return np.maximum(self.compute_s, self.memory_s) + self.overhead_s


def layer_times(table: LayerTable, where: Deployment, homes: DataHomes) -> LayerTimes:
    """Cost every row of `table` on a deployment whose data lives in `homes`."""
    if where.accelerator is not None:
        return _on_accelerator(table, where, homes)
    return _on_core(table, where, homes)


def _on_core(table: LayerTable, where: Deployment, homes: DataHomes) -> LayerTimes:
    hz = where.clock_mhz * 1e6
    compute, overhead = _nans(table), _nans(table)
    used: list[Kernels] = []
    for dtype in sorted(set(table.dtypes)):
        kernels = core_kernels(where.runtime.id, where.core.isa.value, dtype)
        if kernels is None:
            continue
        rows = np.array([d == dtype for d in table.dtypes]) & table.counted
        used.append(kernels)
        cycles = _cycles(table, kernels) * where.batch
        peak = peak_macs_per_s(where, dtype)
        floor = table.macs * where.batch / peak if peak else np.zeros(len(table))
        compute[rows] = np.maximum(cycles / hz / where.threads, floor)[rows]
        overhead[rows] = kernels.op / hz
    activation_s, weight_s = _memory_times(table, where, homes)
    return LayerTimes(
        compute, activation_s, weight_s, overhead,
        interval_factor=max((k.interval_factor for k in used), default=UNCALIBRATED_FACTOR),
        basis=weakest(k.basis for k in used) if used else Basis.UNKNOWN,
        stands_on=tuple(dict.fromkeys(k.stands_on for k in used)),
    )  # fmt: skip


def _cycles(table: LayerTable, kernels: Kernels) -> Floats:
    prices = np.array([
        kernels.conv, kernels.depthwise, kernels.dense,
        kernels.element, kernels.transcendental, kernels.output,
    ])  # fmt: skip
    cycles: Floats = work_columns(table) @ prices
    return cycles


def _on_accelerator(table: LayerTable, where: Deployment, homes: DataHomes) -> LayerTimes:
    accelerator = where.accelerator
    assert accelerator is not None
    compute, overhead = _nans(table), _nans(table)
    activation_s, weight_s = _memory_times(table, where, homes)
    factor, told = UNCALIBRATED_FACTOR, []
    basis = Basis.UNKNOWN
    for dtype in sorted(set(table.dtypes)):
        peak = peak_macs_per_s(where, dtype)
        cost = accelerator_cost(where.runtime.id, accelerator.kind, dtype)
        if peak is None or cost is None:
            continue
        fitted, widening, stands_on = cost
        rows = np.array([d == dtype for d in table.dtypes]) & table.counted
        operations = table.macs + table.element_ops / 2
        compute[rows] = (operations * where.batch / (peak * fitted.compute_efficiency))[rows]
        launched = np.array([c is not OpClass.VIEW for c in table.classes])
        overhead[rows] = np.where(launched, fitted.op_us * 1e-6, 0.0)[rows]
        activation_s[rows] /= fitted.memory_efficiency
        weight_s[rows] /= fitted.memory_efficiency
        factor = fitted.interval_factor * widening
        basis = Basis.FITTED if widening == 1.0 and fitted.rows >= FEW_ROWS else Basis.ASSUMED
        told.append(stands_on)
    return LayerTimes(
        compute, activation_s, weight_s, overhead, factor, basis, tuple(dict.fromkeys(told))
    )  # fmt: skip


def _memory_times(table: LayerTable, where: Deployment, homes: DataHomes) -> tuple[Floats, Floats]:
    """Seconds to move activations and weights; 0 where the bandwidth is unknown, which is warned of."""
    moves = np.array([c is not OpClass.VIEW for c in table.classes])
    activations = (table.input_bytes + table.output_bytes) * where.batch * moves
    rate_a, rate_w = homes.activations.bytes_per_s, homes.weights.bytes_per_s
    zeros = np.zeros(len(table))
    return (
        activations / rate_a if rate_a else zeros.copy(),
        table.weight_bytes / rate_w if rate_w else zeros.copy(),
    )


def _nans(table: LayerTable) -> Floats:
    return np.full(len(table), np.nan)
