"""A roofline in characters, for terminals: the roofs, what the kernels reach at best, and the model."""

from __future__ import annotations

import math
from collections import Counter

from ..core.units import digits, show
from .roofline_report import RooflineReport

WIDTH, HEIGHT = 60, 14
_LABEL = 11
_MARGIN = 4.0
"""Room beyond the outermost of what is drawn, as a factor."""


def text_roofline(report: RooflineReport) -> str:
    """Both axes logarithmic; empty where a roof or the model's place under it is not known."""
    peak, bandwidth, x = report.peak_gops, report.bandwidth_gb_s, report.arithmetic_intensity
    if not peak or not bandwidth or not x or not report.compute_utilization:
        return ""
    reached = report.compute_utilization * peak
    intensities = [layer.arithmetic_intensity for layer in report.layers if layer.arithmetic_intensity]
    across = _Scale.holding([x, peak / bandwidth, *intensities], WIDTH)
    up = _Scale.holding(
        [reached, peak, *([report.achievable_gops] if report.achievable_gops else [])], HEIGHT
    )
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    for column in range(WIDTH):
        at = across.value(column)
        if report.achievable_gops:
            _put(grid, column, up.place(min(report.achievable_gops, bandwidth * at)), ".")
        _put(grid, column, up.place(min(peak, bandwidth * at)), "-" if bandwidth * at >= peak else "/")
    _put(grid, across.place(x), up.place(reached), "X")
    labels = {up.place(peak): show(peak, "GOP/s"), up.place(reached): show(reached, "GOP/s")}
    lines = [
        f"{labels.get(row, ''):>{_LABEL}} |{''.join(grid[row])}".rstrip() for row in range(HEIGHT - 1, -1, -1)
    ]
    margin = " " * (_LABEL + 1)
    return "\n".join([*lines, f"{margin}+{'-' * WIDTH}", f"{margin} {_rug(across, intensities)}".rstrip(),
                      f"{margin} {_ends(across)}", *_legend(report, x)])  # fmt: skip


class _Scale:
    def __init__(self, low: float, high: float, steps: int) -> None:
        self._low, self._high, self._steps = math.log(low), math.log(high), steps - 1

    @classmethod
    def holding(cls, values: list[float], steps: int) -> _Scale:
        return cls(min(values) / _MARGIN, max(values) * _MARGIN, steps)

    def place(self, value: float) -> int:
        return round((math.log(value) - self._low) / (self._high - self._low) * self._steps)

    def value(self, step: int) -> float:
        return math.exp(self._low + step / self._steps * (self._high - self._low))


def _put(grid: list[list[str]], column: int, row: int, mark: str) -> None:
    if 0 <= row < len(grid):
        grid[row][column] = mark


def _rug(across: _Scale, intensities: list[float]) -> str:
    """How many layers lie at each intensity, to nine."""
    counts = Counter(across.place(value) for value in intensities)
    return "".join(f"{min(counts[column], 9)}" if counts[column] else " " for column in range(WIDTH))


def _ends(across: _Scale) -> str:
    left, right = (digits(across.value(step)) for step in (0, WIDTH - 1))
    return f"{left}{'FLOP/byte':^{WIDTH - len(left) - len(right)}}{right}"


def _legend(report: RooflineReport, x: float) -> list[str]:
    lines = [
        f"X the model at {digits(x)} FLOP/byte; digits: layers at that intensity",
        f"/ {show(report.bandwidth_gb_s, 'GB/s')} from {report.memory_level}, - peak of {report.dtype}",
    ]
    if report.achievable_gops:
        lines.append(f". the best that these kernels reach, {show(report.achievable_gops, 'GOP/s')}")
    return lines
