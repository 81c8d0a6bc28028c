"""What can stand in for an operator, and how a graph is written that way."""

from __future__ import annotations

import math

from ..core.records import dataclass
from ..graph import Op
from .rewrite import Edit, Rewrite
from .splits import MOST_PARTS

_NO_ACTIVATION = {"fused_activation_function": "NONE"}
_IMAGE_RANK = 4


@dataclass(frozen=True)
class Substitute:
    kinds: tuple[str, ...]
    """Operators that it needs: offered only where the runtime takes them in the same type."""
    advice: str
    """Follows "replace it": what to do, and what that costs."""
    rewrite: Rewrite | None
    """None where the operators differ too much in their inputs to be written automatically."""


def _same_place(kind: str) -> Rewrite:
    """One operator for another that reads its first input alone."""

    def rewrite(edit: Edit, op: Op) -> bool:
        edit.op(kind, op.inputs[:1], op.outputs)
        return True

    return rewrite


def _all_inputs(kind: str) -> Rewrite:
    def rewrite(edit: Edit, op: Op) -> bool:
        edit.op(kind, op.inputs, op.outputs, dict(op.options))
        return True

    return rewrite


def _with_constant(kind: str) -> Rewrite:
    """An operator of two inputs, the second of them a constant of one element."""

    def rewrite(edit: Edit, op: Op) -> bool:
        edit.op(kind, (op.inputs[0], edit.scalar(op.inputs[0])), op.outputs, _NO_ACTIVATION)
        return True

    return rewrite


def _hard_swish(edit: Edit, op: Op) -> bool:
    shifted, clipped = edit.like(op.inputs[0]), edit.like(op.inputs[0])
    edit.op("ADD", (op.inputs[0], edit.scalar(op.inputs[0])), (shifted,), _NO_ACTIVATION)
    edit.op("RELU6", (shifted,), (clipped,))
    edit.op("MUL", (op.inputs[0], clipped), op.outputs, _NO_ACTIVATION)
    return True


def _clip(edit: Edit, op: Op) -> bool:
    raised = edit.like(op.inputs[0])
    edit.op("MAXIMUM", (op.inputs[0], edit.scalar(op.inputs[0])), (raised,))
    edit.op("MINIMUM", (raised, edit.scalar(raised)), op.outputs)
    return True


def _square(edit: Edit, op: Op) -> bool:
    edit.op("MUL", (op.inputs[0], op.inputs[0]), op.outputs, _NO_ACTIVATION)
    return True


def _squared_difference(edit: Edit, op: Op) -> bool:
    difference = edit.like(op.outputs[0])
    edit.op("SUB", op.inputs, (difference,), _NO_ACTIVATION)
    edit.op("MUL", (difference, difference), op.outputs, _NO_ACTIVATION)
    return True


def _tile(edit: Edit, op: Op) -> bool:
    """Copies along each dimension in turn."""
    repeats = edit.tensors[op.inputs[1]].values or ()
    axes = [axis for axis, times in enumerate(repeats) if times > 1]
    if not axes or math.prod(repeats) > MOST_PARTS:
        return False
    x = op.inputs[0]
    for axis in axes:
        shape = tuple(n * (repeats[axis] if at == axis else 1) for at, n in enumerate(edit.tensors[x].shape))
        out = op.outputs[0] if axis == axes[-1] else edit.like(x, shape)
        edit.op("CONCATENATION", (x,) * repeats[axis], (out,), {"axis": axis, **_NO_ACTIVATION})
        x = out
    return True


def _reshape(edit: Edit, op: Op) -> bool:
    shape = edit.tensors[op.outputs[0]].shape
    edit.op("RESHAPE", (op.inputs[0], edit.integers(shape)), op.outputs, {"new_shape": shape})
    return True


def _pooled_mean(edit: Edit, op: Op) -> bool:
    """The mean over height and width is a pooling whose window is the whole image."""
    shape, axes = edit.tensors[op.inputs[0]].shape, edit.tensors[op.inputs[1]].values or ()
    if len(shape) != _IMAGE_RANK or sorted(axis % _IMAGE_RANK for axis in axes) != [1, 2]:
        return False
    batch, height, width, channels = shape
    pooled = edit.like(op.outputs[0], (batch, 1, 1, channels))
    window = {"filter_height": height, "filter_width": width, "stride_h": height, "stride_w": width}
    edit.op("AVERAGE_POOL_2D", op.inputs[:1], (pooled,), {**window, "padding": "VALID", **_NO_ACTIVATION})
    out = edit.tensors[op.outputs[0]].shape
    edit.op("RESHAPE", (pooled, edit.integers(out)), op.outputs, {"new_shape": out})
    return True


_RETRAIN = "replace it by {} and retrain"
_EXACT = "replace it by {}, which computes the same"


def _retrained(kind: str) -> Substitute:
    return Substitute((kind,), _RETRAIN.format(kind), _same_place(kind))


SUBSTITUTES: dict[str, tuple[Substitute, ...]] = {
    "BIDIRECTIONAL_SEQUENCE_LSTM": (
        Substitute(
            ("UNIDIRECTIONAL_SEQUENCE_LSTM",), _RETRAIN.format("UNIDIRECTIONAL_SEQUENCE_LSTM"), rewrite=None
        ),
    ),
    "ELU": (_retrained("RELU"),),
    "EXPAND_DIMS": (Substitute(("RESHAPE",), _EXACT.format("RESHAPE"), _reshape),),
    "GELU": (_retrained("RELU"),),
    "HARD_SWISH": (
        _retrained("RELU6"),
        Substitute(
            ("ADD", "RELU6", "MUL"), "write it as ADD, RELU6 and MUL, which compute the same", _hard_swish
        ),
    ),
    "LEAKY_RELU": (_retrained("RELU"),),
    "LOCAL_RESPONSE_NORMALIZATION": (_retrained("L2_NORMALIZATION"),),
    "MEAN": (
        Substitute(
            ("AVERAGE_POOL_2D", "RESHAPE"),
            "write it as AVERAGE_POOL_2D over the whole image, which computes the same",
            _pooled_mean,
        ),
    ),
    "MIRROR_PAD": (Substitute(("PAD",), _RETRAIN.format("PAD"), _all_inputs("PAD")),),
    "NEG": (Substitute(("MUL",), _EXACT.format("MUL with -1"), _with_constant("MUL")),),
    "PRELU": (_retrained("LEAKY_RELU"), _retrained("RELU")),
    "RELU_0_TO_1": (_retrained("RELU6"),),
    "RELU_N1_TO_1": (
        Substitute(("MAXIMUM", "MINIMUM"), "write it as MAXIMUM and MINIMUM, which compute the same", _clip),
        _retrained("TANH"),
    ),
    "RESIZE_BILINEAR": (
        Substitute(
            ("RESIZE_NEAREST_NEIGHBOR",),
            _RETRAIN.format("RESIZE_NEAREST_NEIGHBOR"),
            _all_inputs("RESIZE_NEAREST_NEIGHBOR"),
        ),
    ),
    "SELECT": (Substitute(("SELECT_V2",), _EXACT.format("SELECT_V2"), _all_inputs("SELECT_V2")),),
    "SQUARE": (Substitute(("MUL",), _EXACT.format("MUL with itself"), _square),),
    "SQUARED_DIFFERENCE": (
        Substitute(("SUB", "MUL"), "write it as SUB and MUL, which compute the same", _squared_difference),
    ),
    "SQUEEZE": (Substitute(("RESHAPE",), _EXACT.format("RESHAPE"), _reshape),),
    "TILE": (Substitute(("CONCATENATION",), _EXACT.format("CONCATENATION of copies"), _tile),),
    "UNIDIRECTIONAL_SEQUENCE_RNN": (
        Substitute(
            ("UNIDIRECTIONAL_SEQUENCE_LSTM",), _RETRAIN.format("UNIDIRECTIONAL_SEQUENCE_LSTM"), rewrite=None
        ),
    ),
}
"""Offered only where the runtime takes every one of their operators in the same type."""
