"""Energy between two moments: the integral of the samples by trapezoids, exact between samples."""

from __future__ import annotations

import numpy as np

from ....hardware_db.errors import InputError, UsageError
from ..recording import Floats, PowerSamples

_GAP = 10.0
"""Times the usual interval: what lies between is not integrated."""
_RARE = 0.02
"""Of the intervals; long ones that are more often are how the readings are delivered."""


class Integral:
    """Of power over time; `of(start, end)` for arrays of moments."""

    def __init__(self, samples: PowerSamples, supply_v: float | None) -> None:
        self.time_s = samples.time_s
        self.power_w = _power(samples, supply_v)
        steps = np.diff(self.time_s)
        usual = float(np.median(steps)) if len(steps) else 0.0
        long = steps > _GAP * usual
        self.in_bursts = bool(len(steps)) and float(long.mean()) > _RARE
        if self.in_bursts:
            usual = float(np.median(steps[long]))
        gap = steps > _GAP * usual if usual else np.zeros(len(steps), bool)
        self.interval_s = float(steps[~gap].mean()) if self.in_bursts else usual
        self.gap_s = float(steps[gap].sum())
        self.gaps = int(gap.sum())
        areas = np.where(gap, 0.0, steps * (self.power_w[1:] + self.power_w[:-1]) / 2)
        self._sums = np.concatenate(([0.0], np.cumsum(areas)))
        self._check()

    def _check(self) -> None:
        """Noise around zero is a reading; what gives more than the model takes is none.

        Raises:
            InputError: power below zero, over all or by more than any that is above it.
        """
        at = int(self.power_w.argmin())
        if self._sums[-1] < 0 or self.power_w[at] < -max(0.0, float(self.power_w.max())):
            raise InputError(
                f"The power falls to {self.power_w[at] * 1e3:.3g} mW at {self.time_s[at]:.6g} s: "
                "a board gives none back.",
                hint="Mend that row; where most are below zero, the meter's leads are swapped.",
            )

    def joules(self, start_s: Floats, end_s: Floats) -> Floats:
        """Between each start and its end; a moment between two samples takes its part of their trapezoid."""
        return self._until(np.asarray(end_s, float)) - self._until(np.asarray(start_s, float))

    def _until(self, moment: Floats) -> Floats:
        at = np.clip(np.searchsorted(self.time_s, moment, side="right") - 1, 0, len(self.time_s) - 2)
        step = self.time_s[at + 1] - self.time_s[at]
        part = np.clip((moment - self.time_s[at]) / np.where(step > 0, step, 1.0), 0.0, 1.0)
        whole = self._sums[at + 1] - self._sums[at]
        first, last = self.power_w[at], self.power_w[at + 1]
        area = step * part * (first + (last - first) * part / 2)
        return self._sums[at] + np.where(whole == 0.0, 0.0, area)


def _power(samples: PowerSamples, supply_v: float | None) -> Floats:
    """
    Raises:
        UsageError: current without a voltage.
    """
    if not np.isnan(samples.power_w[0]):
        return samples.power_w
    if supply_v is None:
        raise UsageError(
            "The file has a current and no voltage, so there is no power.",
            hint="Name the supply: --supply 3.3 (supply_v=3.3).",
        )
    assert samples.current_a is not None
    return samples.current_a * supply_v
