"""Latency, cycles and energy, per layer and in total."""

from __future__ import annotations

import numpy as np

from ..core.quantity import Quantity
from ..core.units import show
from ..placement.op_placement import Runs
from .anchor import sort_of_place
from .own_offset import NO_ESTIMATE, one_measurement
from .performance_estimate import LayerEstimate, PerformanceEstimate
from .quantity_column import QuantityColumn
from .study import Study


def estimate_of(case: Study) -> PerformanceEstimate:
    """Figures of one batch. Energy is power × time, layer by layer and in sum."""
    latency = case.latency_ms
    power = case.power.milliwatts
    layers = _layers(case)
    accelerated = sum(layer.accelerated for layer in layers)
    return PerformanceEstimate(
        model=case.graph.name,
        deployment=case.deployment.ref,
        dtype=arithmetic_dtype(case),
        latency_ms=latency,
        per_image_ms=latency.scaled(1 / case.deployment.batch, "ms"),
        measured=case.measured,
        inferences_per_second=_rate(latency, case.deployment.batch),
        cycles=None if latency.value is None else latency.value * case.deployment.clock_mhz * 1e3,
        energy_uj=energy(power, latency),
        power_mw=power,
        accelerated_layers=accelerated,
        cpu_only_layers=len(layers) - accelerated,
        optimized_layers=sum(layer.optimized and not layer.accelerated for layer in layers),
        layers=layers,
        stands_on=tuple(s for s in (*case.times.evidence, case.power.evidence) if s),
        assumptions=case.assumptions,
        warnings=(*case.warnings, *_no_estimate(case)),
    )


def _no_estimate(case: Study) -> tuple[str, ...]:
    """Says so of an interval too wide to be one, with what would narrow it."""
    low, high = case.latency_ms.low, case.latency_ms.high
    if not low or not high or high <= NO_ESTIMATE * low:
        return ()
    remedy = one_measurement(sort_of_place(case.deployment))
    return (
        f"what one inference takes is unknown, between {show(low, 'ms')} and {show(high, 'ms')}: {remedy}",
    )


def arithmetic_dtype(case: Study) -> str:
    """The type that most MACs are done in."""
    macs: dict[str, int] = {}
    for dtype, count in zip(case.table.dtypes, case.table.macs.tolist(), strict=True):
        macs[dtype] = macs.get(dtype, 0) + count
    return max(macs, key=lambda d: macs[d]) if any(macs.values()) else case.graph.dtype.value


def energy(power_mw: Quantity, latency_ms: Quantity) -> Quantity:
    """mW × ms = µJ; the interval spans both, in the root of squares of their relative widths."""
    return energy_column(QuantityColumn.of("mW", [power_mw]), QuantityColumn.of("ms", [latency_ms]))[0]


def energy_column(power_mw: QuantityColumn, latency_ms: QuantityColumn) -> QuantityColumn:
    """The same of many."""
    known = ~np.isnan(power_mw.value) & ~np.isnan(latency_ms.value)
    known &= np.nan_to_num(power_mw.high) > 0
    value = power_mw.value * latency_ms.value
    nothing = value == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.hypot(np.log(power_mw.high / power_mw.value), np.log(latency_ms.high / latency_ms.value))
        down = np.hypot(np.log(power_mw.value / power_mw.low), np.log(latency_ms.value / latency_ms.low))
        down, up = (np.where(nothing, 0.0, width) for width in (down, up))
        figures = (value, value / np.exp(down), value * np.exp(up))
    basis = np.maximum(power_mw.basis, latency_ms.basis)
    return QuantityColumn.known_where("uJ", known, figures, basis)


def _rate(latency: Quantity, batch: int) -> Quantity:
    if not latency.value or not latency.low or not latency.high:
        return Quantity.unknown("1/s")
    return Quantity(
        value=batch * 1e3 / latency.value,
        low=batch * 1e3 / latency.high,
        high=batch * 1e3 / latency.low,
        unit="1/s",
        basis=latency.basis,
    )


def _layers(case: Study) -> tuple[LayerEstimate, ...]:
    seconds = case.times.total_s
    traffic = case.table.traffic_bytes
    mw = case.power.milliwatts.value
    layers = []
    columns = zip(case.graph.ops, case.processors, case.optimized, case.flags.runs, strict=True)
    for index, (op, processor, is_optimized, runs) in enumerate(columns):
        ms = None if np.isnan(seconds[index]) else float(seconds[index]) * 1e3
        layers.append(
            LayerEstimate(
                index=index,
                op=op.label,
                processor=processor,
                cycles=None if ms is None else ms * case.deployment.clock_mhz * 1e3,
                latency_ms=ms,
                energy_uj=None if ms is None or mw is None else ms * mw,
                power_mw=mw,
                macs=int(case.table.macs[index]) if case.table.counted[index] else None,
                memory_bytes=int(traffic[index]),
                accelerated=runs is Runs.ACCELERATED,
                optimized=is_optimized,
            )
        )
    return tuple(layers)
