"""Energy by layer and by kind out of a power trace."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...core.sanitize import plain_name
from ..recording import Floats, PowerSamples
from .cutting import Cut, Layers, cut
from .energy_report import EnergyReport, LayerEnergy
from .integral import Integral
from .states import states_of

_LEAST_IDLE = 20
"""Samples beside all windows from which their median is an idle power."""
_MOST_ROWS = 500


def energies(samples: PowerSamples, supply_v: float | None, layers: Layers | None) -> EnergyReport:
    """
    Raises:
        UsageError: a current without a voltage.
    """
    integral = Integral(samples, supply_v)
    power, time = integral.power_w, integral.time_s
    found = cut(samples, power, layers)
    length = float(time[-1])
    whole = float(integral.joules(np.array([0.0]), np.array([length]))[0])
    covered = max(length - integral.gap_s, 1e-12)
    plain = EnergyReport(
        samples=len(time),
        duration_ms=length * 1e3,
        rate_hz=1 / integral.interval_s if integral.interval_s else 0.0,
        energy_uj=whole * 1e6,
        mean_mw=whole / covered * 1e3,
        peak_mw=float(power.max()) * 1e3,
        deviation_mw=float(power.std()) * 1e3,
        gaps=integral.gaps,
        in_bursts=integral.in_bursts,
        states=states_of(time, power),
    )
    if found is None or not len(found.start_s):
        return plain
    joules = integral.joules(found.start_s, found.end_s)
    idle = _idle(time, power, found)
    rows = _rows(found, joules, idle)
    inferences = int(np.bincount(found.layer, minlength=len(found.names)).max())
    total = sum(row.energy_uj for row in rows)
    active = sum(row.time_ms for row in rows)
    return plain.model_copy(
        update={
            "how": found.how,
            "inferences": inferences,
            "idle_mw": None if idle is None else idle * 1e3,
            "inference_uj": total,
            "static_uj": None if idle is None else min(total, idle * active * 1e3),
            "layers": rows[:_MOST_ROWS],
            "by_kind": _by_kind(rows, total),
        }
    )


def _rows(found: Cut, joules: Floats, idle_w: float | None) -> tuple[LayerEnergy, ...]:
    """A row a layer: sums over its windows within an inference, means over inferences."""
    lengths = found.end_s - found.start_s
    rows = []
    total = float(joules.sum())
    for at, name in enumerate(found.names):
        own = found.layer == at
        if not own.any():
            continue
        energy, time = joules[own], lengths[own]
        low, high = np.quantile(energy, (0.05, 0.95))
        spent = float(time.mean())
        mean = float(energy.mean())
        rows.append(
            LayerEnergy(
                name_untrusted=name,
                op=plain_name(name.replace(" ", "_")),
                times=int(own.sum()),
                time_ms=spent * 1e3,
                energy_uj=mean * 1e6,
                low_uj=min(float(low), mean) * 1e6,
                high_uj=max(float(high), mean) * 1e6,
                share=float(energy.sum()) / total if total > 0 else 0.0,
                mean_mw=float(energy.sum() / time.sum()) * 1e3 if time.sum() > 0 else 0.0,
                dynamic_uj=None if idle_w is None else (mean - idle_w * spent) * 1e6,
            )
        )
    return tuple(rows)


def _idle(time_s: Floats, power_w: Floats, found: Cut) -> float | None:
    """Median beside all windows, without the samples next to an edge."""
    starts, ends = np.sort(found.start_s), np.sort(found.end_s)
    inside = np.searchsorted(starts, time_s, side="right") > np.searchsorted(ends, time_s, side="left")
    beside = ~inside
    edge = beside & (np.roll(inside, 1) | np.roll(inside, -1))
    kept = power_w[beside & ~edge]
    return float(np.median(kept)) if len(kept) >= _LEAST_IDLE else None


def _by_kind(rows: Sequence[LayerEnergy], total: float) -> tuple[LayerEnergy, ...]:
    """Names without their numbers: conv_3 and conv_7 are conv."""
    kinds: dict[str, list[LayerEnergy]] = {}
    for row in rows:
        kind = re.sub(r"[\s_/.#-]*\d+$", "", row.name_untrusted) or row.name_untrusted
        kinds.setdefault(kind, []).append(row)
    if len(kinds) == len(rows) and len(rows) > 1:
        return ()
    made = [_sum(kind, members, total) for kind, members in kinds.items()]
    return tuple(sorted(made, key=lambda row: -row.energy_uj))


def _sum(kind: str, members: Sequence[LayerEnergy], total: float) -> LayerEnergy:
    energy, time = sum(m.energy_uj for m in members), sum(m.time_ms for m in members)
    dynamic = [m.dynamic_uj for m in members if m.dynamic_uj is not None]
    return LayerEnergy(
        name_untrusted=kind,
        op=plain_name(kind.replace(" ", "_")),
        times=sum(m.times for m in members),
        time_ms=time,
        energy_uj=energy,
        low_uj=sum(m.low_uj for m in members),
        high_uj=sum(m.high_uj for m in members),
        share=energy / total if total > 0 else 0.0,
        mean_mw=energy / time if time > 0 else 0.0,
        dynamic_uj=sum(dynamic) if len(dynamic) == len(members) else None,
    )
