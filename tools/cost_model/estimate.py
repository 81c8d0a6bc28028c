"""Latency, cycles and energy, per layer and in total."""

from __future__ import annotations

import numpy as np

from ..core.intervals import product
from ..core.quantity import Quantity
from ..core.units import show
from ..placement.op_placement import Runs
from .anchor import sort_of_place
from .at_once import at_once_evidence, cores_at_once, gain_at_once
from .own_offset import NO_ESTIMATE, one_measurement
from .performance_estimate import LayerEstimate, PerformanceEstimate
from .study import Study


def estimate_of(case: Study) -> PerformanceEstimate:
    """Figures of one batch. Energy is power × time, layer by layer and in sum."""
    latency = case.latency_ms
    power = case.power.milliwatts
    layers = _layers(case)
    accelerated = sum(layer.accelerated for layer in layers)
    rate = _rate(latency, case.deployment.batch)
    cores, gain = cores_at_once(case.deployment), gain_at_once(case.deployment)
    return PerformanceEstimate(
        model=case.graph.name,
        deployment=case.deployment.ref,
        dtype=arithmetic_dtype(case),
        latency_ms=latency,
        per_image_ms=latency.scaled(1 / case.deployment.batch, "ms"),
        measured=case.measured,
        inferences_per_second=rate,
        at_once=cores,
        at_once_gain=gain,
        at_once_per_second=product("1/s", (rate, 1), (gain, 1)) if cores > 1 else rate,
        cycles=None if latency.value is None else latency.value * case.deployment.clock_mhz * 1e3,
        energy_uj=case.energy_uj,
        power_mw=power,
        accelerated_layers=accelerated,
        cpu_only_layers=len(layers) - accelerated,
        optimized_layers=sum(layer.optimized and not layer.accelerated for layer in layers),
        layers=layers,
        stands_on=tuple(
            s for s in (*case.times.evidence, case.power.evidence, at_once_evidence(case.deployment)) if s
        ),
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
    energies = _layer_energies(case)
    layers = []
    columns = zip(case.graph.ops, case.processors, case.optimized, case.flags.runs, strict=True)
    for index, (op, processor, is_optimized, runs) in enumerate(columns):
        ms = None if np.isnan(seconds[index]) else float(seconds[index]) * 1e3
        energy_uj = energies[index]
        layers.append(
            LayerEstimate(
                index=index,
                op=op.label,
                processor=processor,
                cycles=None if ms is None else ms * case.deployment.clock_mhz * 1e3,
                latency_ms=ms,
                energy_uj=energy_uj,
                power_mw=case.power.milliwatts.value if case.pj_per_mac is None else _mean(energy_uj, ms),
                macs=int(case.table.macs[index]) if case.table.counted[index] else None,
                memory_bytes=int(traffic[index]),
                accelerated=runs is Runs.ACCELERATED,
                optimized=is_optimized,
            )
        )
    return tuple(layers)


def _mean(energy_uj: float | None, ms: float | None) -> float | None:
    return None if energy_uj is None or not ms else energy_uj / ms


def _layer_energies(case: Study) -> list[float | None]:
    """By the layer's MACs where a figure for one is given, else by its time."""
    if case.pj_per_mac is not None:
        each = case.table.macs * case.deployment.batch * case.pj_per_mac * 1e-6
        return [float(uj) if counted else None for uj, counted in zip(each, case.table.counted, strict=True)]
    mw = case.power.milliwatts.value
    return [None if np.isnan(s) or mw is None else float(s) * 1e3 * mw for s in case.times.total_s]
