"""The predicted gain of int8 over float32 beside the measured one, by source and library."""

from __future__ import annotations

from edgewright.tools.calibration.validation.gains import gain_groups, shipped_gains
from edgewright.tools.calibration.validation.validation_report import Scheme


def report() -> None:
    print("\nint8 over float32: ratios of latency, predicted beside measured (wanted: 95 % right, 15 % off)")
    for scheme in (Scheme.IN_SAMPLE, Scheme.MODEL_OUT):
        gains = shipped_gains(scheme)
        clear = [gain.right for gain in gains if not 0.9 < gain.measured < 1.1]
        print(f"{scheme}; right in {sum(clear) / len(clear):.1%} of those measured 10 % or more from 1")
        for group in gain_groups(gains):
            print(
                f"    {group.repository:34} {group.runtime:18} {group.pairs:5} pairs "
                f"{group.right:8.1%} right {group.median_error:8.1%} off"
            )
