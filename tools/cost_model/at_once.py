"""Inferences at once: where each takes one core of an accelerator, all cores do more of them than one.

rate of all cores = rate of one × (1 + (cores - 1) × share), the share by published runs, as the cores have
one memory. The time of an inference stays that of one core.
"""

from __future__ import annotations

from statistics import median

from ...hardware_db import Accelerator
from ...hardware_db.measurements.at_once import AtOnceRow, at_once_rows
from ..core.deployment import Deployment
from ..core.quantity import Basis, Quantity
from ..core.units import digits
from .reference_peaks import ONE_CORE_EACH

_ALONE = Quantity.exact(1.0, "x")


def cores_of(unit: Accelerator | None) -> int:
    """Cores that are known to take an inference each; 1 where one inference takes all of the accelerator."""
    return unit.count.value if unit and unit.count and _runs(unit) else 1


def cores_at_once(deployment: Deployment) -> int:
    """The same of what a runtime drives."""
    return cores_of(deployment.accelerator)


def gain_at_once(deployment: Deployment) -> Quantity:
    """How many times the rate of one core all of them reach, from the least to the most published."""
    cores, shares = cores_at_once(deployment), [run.share for run in _runs(deployment.accelerator)]
    if cores == 1:
        return _ALONE
    value, low, high = (1 + (cores - 1) * of(shares) for of in (median, min, max))
    return Quantity(value=value, low=low, high=high, unit="x", basis=Basis.FITTED)


def at_once_evidence(deployment: Deployment) -> str:
    """On what the rate of all cores stands; empty where there is one."""
    gain, runs = gain_at_once(deployment), _runs(deployment.accelerator)
    if gain.value is None or gain.low is None or gain.high is None or gain is _ALONE:
        return ""
    repositories = ", ".join(dict.fromkeys(run.repository for run in runs))
    return (
        f"all {cores_at_once(deployment)} cores at once: {digits(gain.value)} ({digits(gain.low)} to "
        f"{digits(gain.high)}) times the rate of one, by {len(runs)} runs on {runs[0].target}: {repositories}"
    )


def _runs(unit: Accelerator | None) -> tuple[AtOnceRow, ...]:
    return at_once_rows(unit.family) if unit and unit.family in ONE_CORE_EACH else ()
