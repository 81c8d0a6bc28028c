"""Energy by power and time; by a figure for a MAC where the user's own file gives one.

The mean power follows from the time then.
"""

from __future__ import annotations

import numpy as np

from ...hardware_db import Target
from ..core.own_figures import GIVEN, given_active_mw
from ..core.quantity import Basis, Quantity, weakest
from ..core.records import replace
from .power import UNKNOWN_POWER, Power
from .quantity_column import QuantityColumn

NOTE = "energy: {:g} pJ for a MAC as given; operators without MACs are taken to draw none"


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


def given_pj_per_mac(target: Target) -> float | None:
    """Picojoules of the whole target for a MAC; a power that was given as well goes before."""
    if given_active_mw(target) is not None:
        return None
    mode = next((mode for mode in target.power if mode.id == GIVEN), None)
    return None if mode is None or mode.energy_per_mac_pj is None else mode.energy_per_mac_pj.value


def energy_of(target: Target, macs: float) -> Quantity | None:
    """Of `macs`, in µJ; None where the target has no figure for one."""
    pj = given_pj_per_mac(target)
    return None if pj is None else Quantity.exact(pj * macs * 1e-6, "uJ", Basis.DERIVED)


def power_of(power: Power, target: Target, macs: float, latency_ms: Quantity) -> Power:
    """The mean power while `macs` take `latency_ms`; `power` where no figure for a MAC is given."""
    spent, pj = energy_of(target, macs), given_pj_per_mac(target)
    if spent is None or spent.value is None or pj is None:
        return power
    if not latency_ms.value or not latency_ms.low or not latency_ms.high:
        return UNKNOWN_POWER
    mean = Quantity(
        value=spent.value / latency_ms.value,
        low=spent.value / latency_ms.high,
        high=spent.value / latency_ms.low,
        unit="mW",
        basis=weakest((Basis.DERIVED, latency_ms.basis)),
    )
    return replace(UNKNOWN_POWER, milliwatts=mean, evidence=NOTE.format(pj))
