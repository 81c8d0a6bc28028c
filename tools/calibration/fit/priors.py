"""What coefficients shrink to where nothing was measured, and how far each level may stray from it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ...cost_model.features import FEATURES
from .pooled import Model
from .table import Floats, Width

WIDTHS = Path(__file__).parent / "widths.csv"
"""Of every class and level: how far its nodes stray from their parents, in natural logarithms. Accelerators
of one family differ in size and memory by far more than cores of one instruction set do."""
NOISE = "noise"

CORE = {
    "conv": 1.2, "conv_3x3": 1.2, "conv_few_channels": 2, "conv_odd_channels": 2, "pointwise": 1,
    "pointwise_odd_channels": 1.5, "depthwise": 4, "depthwise_other": 5, "dense": 1.5, "matmul": 1.5,
    "im2col": 2, "im2col_pointwise": 1, "conv_output": 10, "depthwise_output": 15, "dense_output": 10,
    "activation": 60, "softmax": 150, "pool": 5, "elementwise": 10, "move": 4, "quantize": 8, "other": 8,
    "op": 600, "view": 200, "weight_bytes": 0.05, "activation_bytes": 0.02,
}  # fmt: skip
"""Cycles of a core with two 8-bit MACs a cycle: half a cycle and its loads a MAC, requantised outputs."""
UNIT = {
    "conv": 3, "conv_3x3": 3, "conv_few_channels": 6, "conv_odd_channels": 4, "pointwise": 3,
    "pointwise_odd_channels": 4, "depthwise": 30, "depthwise_other": 30, "dense": 4, "matmul": 4, "op": 5,
    "call": 20, "weight_bytes": 1.5, "activation_bytes": 0.7, "fill": 0.3,
}  # fmt: skip
"""Of an accelerator: a third of its peak in convolutions, a thirtieth in depthwise layers, five microseconds
an operator and twenty a call, traffic near its bandwidth, half of it kept on chip, a third of a microsecond's
work to fill it."""
NOTHING = 1e-6
"""For columns that a kind of processor has no coefficient of."""

CLASSES = {
    "mcu": CORE, "cpu": CORE, "gpu": UNIT,
    "npu": {name: cost for name, cost in UNIT.items() if name != "call"},
}  # fmt: skip
"""NPUs have no column of a call: the errors of networks left out grew from 17.2 to 18.1 %."""


def models() -> dict[str, Model]:
    """Class of processor → logarithms of the coefficients, and the widths that `tune` chose."""
    widths: dict[str, dict[str, Width]] = {name: {} for name in CLASSES}
    noise = {}
    with WIDTHS.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["level"] == NOISE:
                noise[row["class"]] = float(row["scale"])
            else:
                widths[row["class"]][row["level"]] = Width(float(row["shape"]), float(row["scale"]))
    return {name: Model(_logs(costs), widths[name], noise[name], name) for name, costs in CLASSES.items()}


def write_widths(chosen: Mapping[str, Model]) -> None:
    """Keeps widths for the next fit."""
    with WIDTHS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("class", "level", "shape", "scale"))
        for name, model in chosen.items():
            writer.writerow((name, NOISE, "", f"{model.noise:.3g}"))
            for level, width in model.widths.items():
                writer.writerow((name, level, f"{width.shape:.3g}", f"{width.scale:.3g}"))


def _logs(costs: Mapping[str, float]) -> Floats:
    return np.log([costs.get(name, NOTHING) for name in FEATURES])
