"""What coefficients shrink to where nothing was measured, and how far each level may stray from it."""

from __future__ import annotations

import numpy as np

from ...cost_model.features import FEATURES
from .pooled import Floats, Width

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
    "weight_bytes": 1.5, "activation_bytes": 0.7,
}  # fmt: skip
"""Of an accelerator: a third of its peak in convolutions, a thirtieth in depthwise layers, five microseconds
an operator, traffic near its bandwidth, half of it kept on chip."""
NOTHING = 1e-6
"""For columns that a kind of processor is not priced by."""

WIDTHS = {
    "dtype": Width(1.0, 2.5),
    "kin": Width(0.4, 0.7),
    "isa": Width(0.25, 0.4),
    "runtime": Width(0.5, 1.0),
    "library": Width(0.3, 0.5),
    "pair": Width(0.2, 0.35),
    "version": Width(0.15, 0.25),
    "target": Width(0.12, 0.25),
    "threads": Width(0.2, 1.0),
    "spread": Width(0.15, 0.3),
    "board": Width(0.1, 0.3),
    "software": Width(0.2, 0.7),
    "family": Width(0.15, 0.5),
    "cores": Width(0.3, 1.0),
    "cores_of": Width(0.1, 0.2),
    "width": Width(0.4, 0.7),
    "clock": Width(0.3, 1.5),
}
UNIT_WIDTHS = WIDTHS | {
    "kin": Width(0.4, 2.0),
    "isa": Width(0.3, 1.0),
    "target": Width(0.2, 0.7),
    "software": Width(0.3, 1.2),
    "family": Width(0.2, 1.0),
    "sort": Width(0.5, 1.5),
    "host": Width(0.5, 1.5),
    "clock": Width(0.3, 3.0),
    "clock_of": Width(0.1, 2.0),
}
"""Accelerators of one family differ in size and memory by far more than cores of one instruction set do, and
the peaks of some are not known."""


def widths(kind: str) -> dict[str, Width]:
    return UNIT_WIDTHS if kind == "unit" else WIDTHS


def priors() -> dict[str, Floats]:
    """Kind of processor → logarithms of the coefficients."""
    core, unit = _logs(CORE), _logs(UNIT)
    return {"mcu": core, "cpu": core, "unit": unit}


def _logs(costs: dict[str, float]) -> Floats:
    return np.log([costs.get(name, NOTHING) for name in FEATURES])
