"""Output shapes of operators that go element by element, or fold dimensions away."""

from __future__ import annotations

from ..costs import families
from .operands import Operands, Rules, Shape, axis_of, broadcast


def same(at: Operands) -> list[Shape]:
    return [at.shape(0)]


def broadcasting(at: Operands) -> list[Shape]:
    return [broadcast(at.present())]


def reduced(at: Operands) -> list[Shape]:
    """Input 1 lists the dimensions that are folded."""
    data = at.shape(0)
    axes = {axis_of(axis, len(data)) for axis in at.integers(1)}
    if at.op.options.get("keep_dims"):
        return [tuple(1 if i in axes else d for i, d in enumerate(data))]
    return [tuple(d for i, d in enumerate(data) if i not in axes)]


def arg_extreme(at: Operands) -> list[Shape]:
    data = at.shape(0)
    axis = axis_of(at.integer(1), len(data))
    return [(*data[:axis], *data[axis + 1 :])]


def as_recorded(at: Operands) -> list[Shape]:
    """Handles and what stands behind them keep the shape of the file."""
    return list(at.recorded_outputs)


_REDUCTIONS = ("MEAN", "SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_ANY", "REDUCE_ALL")
_SAME = (
    "CUMSUM",
    "L2_NORMALIZATION",
    "LOCAL_RESPONSE_NORMALIZATION",
    "REVERSE_V2",
    "REVERSE_SEQUENCE",
    "ZEROS_LIKE",
    "MATRIX_SET_DIAG",
    "DYNAMIC_UPDATE_SLICE",
    "REAL",
    "IMAG",
)

RULES: Rules = {
    **dict.fromkeys(
        families.ARITHMETIC - {"RANGE", "RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL"}, broadcasting
    ),
    "ADD_N": broadcasting,
    **dict.fromkeys(families.ACTIVATIONS | families.SOFTMAXES | families.CONVERSIONS, same),
    **dict.fromkeys(_SAME, same),
    **dict.fromkeys(_REDUCTIONS, reduced),
    "ARG_MAX": arg_extreme,
    "ARG_MIN": arg_extreme,
    **dict.fromkeys(families.HANDLES, as_recorded),
}
