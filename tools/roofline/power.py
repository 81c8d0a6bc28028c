"""Power while computing: fitted where it was measured, the data sheet's elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db import PowerMode
from ...hardware_db.calibration import load_calibration
from ..deployments import Deployment
from ..quantity import Basis, Quantity

DATASHEET_FACTOR = 2.0
"""Run-mode currents hold for a loop in the fastest memory: kernels and flash draw up to twice that."""
RATED_SHARE = 0.3
"""Least share of its rated board power that a busy card was taken to draw."""


@dataclass(frozen=True)
class Power:
    milliwatts: Quantity
    stands_on: str


def active_power(where: Deployment) -> Power:
    """Power of the whole target while it runs an inference at the deployment's clock."""
    fitted = next((p for p in load_calibration().power if p.target == where.target.id), None)
    if fitted is not None:
        mw = fitted.mw_per_mhz * where.clock_mhz
        told = f"power: {fitted.rows} energy measurements of {where.target.id} at {fitted.supply_v:g} V"
        return Power(Quantity.within_factor(mw, fitted.interval_factor, "mW", Basis.FITTED), told)
    if not where.target.power:
        return Power(Quantity.unknown("mW"), "")
    return _from_datasheet(where, where.target.power[0])


def _from_datasheet(where: Deployment, mode: PowerMode) -> Power:
    supply = where.target.supply_v
    if mode.active_ua_per_mhz is not None and supply is not None:
        mw = mode.active_ua_per_mhz.value * where.clock_mhz * supply.value / 1000
        told = f"power: run current in {mode.active_ua_per_mhz.source} at {supply.value:g} V"
        return Power(Quantity.within_factor(mw, DATASHEET_FACTOR, "mW", Basis.DATASHEET), told)
    if mode.active_mw is not None:
        told = f"power: {mode.active_mw.source}"
        return Power(
            Quantity.within_factor(mode.active_mw.value, DATASHEET_FACTOR, "mW", Basis.DATASHEET), told
        )
    if mode.board_power_w is not None:
        mw = mode.board_power_w.value * 1000
        return Power(
            Quantity(value=mw, low=mw * RATED_SHARE, high=mw, unit="mW", basis=Basis.ASSUMED),
            "power: rated power of the whole board, which is an upper bound",
        )
    return Power(Quantity.unknown("mW"), "")
