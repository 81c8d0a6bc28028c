"""Operators written in smaller parts, so that they keep within a kernel's limits."""

from __future__ import annotations

from collections.abc import Mapping

from ...hardware_db.schema import Limit
from ..core.records import dataclass
from ..graph import Op, OptionValue
from . import kernel_limits as limits
from . import measures, settings
from .op_context import PlacementContext
from .rewrite import Edit, Rewrite

MOST_PARTS = 64
"""More of them is no way to write a network."""
_FUSED = "fused_activation_function"
_ALONE: Mapping[str, OptionValue] = {_FUSED: "NONE"}


@dataclass(frozen=True)
class Change:
    """A way to write an operator so that a rule no longer objects."""

    advice: str
    kinds: tuple[str, ...]
    """Operators that it needs."""
    rewrite: Rewrite | None
    """None for what cannot be made here, such as retraining with another window."""


def split_for(context: PlacementContext, rule: str) -> Change | None:
    """What keeps within the limit that a rule, by its name, found to be exceeded."""
    make = _SPLITS.get((context.op.kind, rule)) or _SPLITS.get(("", rule))
    return make(context) if make else None


def _depthwise(context: PlacementContext) -> Change | None:
    """Each part computes some of the channels, which depend on nothing else."""
    most = min(_most(context, Limit.CHANNELS_IN), _most(context, Limit.CHANNELS_OUT))
    channels = (measures.channels_in(context) or [0])[0]
    parts = _equal_parts(channels, most) if measures.depth_multiplier(context) in ([], [1]) else None
    if parts is None or parts == 1:
        return None
    advice = f"split its {channels} channels into {parts} depthwise convolutions of {channels // parts}"
    return Change(
        f"{advice}, which compute the same",
        ("SPLIT", "DEPTHWISE_CONV_2D", "CONCATENATION"),
        lambda edit, op: _write_depthwise(edit, op, parts),
    )


def _write_depthwise(edit: Edit, op: Op, parts: int) -> bool:
    x, shape = op.inputs[0], edit.tensors[op.inputs[0]].shape
    pieces = tuple(edit.like(x, (*shape[:-1], shape[-1] // parts)) for _ in range(parts))
    edit.op("SPLIT", (edit.integers((len(shape) - 1,), ()), x), pieces, {"num_splits": parts})
    outputs = tuple(_part_of_output(edit, op, parts) for _ in range(parts))
    for piece, output in zip(pieces, outputs, strict=True):
        edit.op(op.kind, (piece, *_part_of_weights(edit, op, parts)), (output,), op.options)
    _join(edit, outputs, op)
    return True


def _filters(context: PlacementContext) -> Change | None:
    """Each part computes some of the output channels from all of the input."""
    channels = (measures.channels_out(context) or [0])[0]
    parts = _equal_parts(channels, _most(context, Limit.CHANNELS_OUT))
    if parts is None or parts == 1:
        return None
    advice = f"split its {channels} filters into {parts} convolutions of {channels // parts}"
    return Change(
        f"{advice}, which compute the same",
        ("CONV_2D", "CONCATENATION"),
        lambda edit, op: _write_filters(edit, op, parts),
    )


def _write_filters(edit: Edit, op: Op, parts: int) -> bool:
    outputs = tuple(_part_of_output(edit, op, parts) for _ in range(parts))
    for output in outputs:
        edit.op(op.kind, (op.inputs[0], *_part_of_weights(edit, op, parts)), (output,), op.options)
    _join(edit, outputs, op)
    return True


def _activation(context: PlacementContext) -> Change | None:
    """The activation becomes an operator of its own."""
    kind = context.op.option_str(_FUSED, "NONE")
    return Change(
        f"take {kind} out of it as an operator of its own, which computes the same",
        (kind,),
        _write_activation,
    )


def _write_activation(edit: Edit, op: Op) -> bool:
    raw = edit.like(op.outputs[0])
    edit.op(op.kind, op.inputs, (raw,), {**op.options, **_ALONE})
    edit.op(op.option_str(_FUSED, "NONE"), (raw,), op.outputs)
    return True


def _pooling(context: PlacementContext) -> Change | None:
    """A window that is also the step is the same as two, one over what the other makes."""
    window, step, most = measures.kernel(context), measures.stride(context), _most(context, Limit.KERNEL)
    first = [_equal_parts(extent, most) for extent in window]
    if window != step or len(first) != 2 or first[0] is None or first[1] is None:
        return None
    outer = (first[0], first[1])
    inner = (window[0] // outer[0], window[1] // outer[1])
    if max(outer) > most:
        return None
    advice = f"pool by {inner[0]}x{inner[1]} and then by {outer[0]}x{outer[1]}, which computes the same"
    advice += " up to rounding" if context.op.kind == "AVERAGE_POOL_2D" else ""
    return Change(advice, (context.op.kind,), lambda edit, op: _write_pooling(edit, op, inner, outer))


def _write_pooling(edit: Edit, op: Op, inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    batch, height, width, channels = edit.tensors[op.outputs[0]].shape
    between = edit.like(op.outputs[0], (batch, height * outer[0], width * outer[1], channels))
    for source, target, (high, wide) in ((op.inputs[0], between, inner), (between, op.outputs[0], outer)):
        sizes = {"filter_height": high, "filter_width": wide, "stride_h": high, "stride_w": wide}
        edit.op(op.kind, (source,), (target,), {**op.options, **sizes})
    return True


def _part_of_output(edit: Edit, op: Op, parts: int) -> int:
    shape = edit.tensors[op.outputs[0]].shape
    return edit.like(op.outputs[0], (*shape[:-1], shape[-1] // parts))


def _part_of_weights(edit: Edit, op: Op, parts: int) -> tuple[int, ...]:
    """Weights and bias of one part: the dimension of the output channels is the one that is cut."""
    made = []
    for position, tensor in enumerate(op.inputs[1:]):
        if tensor < 0:
            made.append(tensor)
            continue
        shape = list(edit.tensors[tensor].shape)
        cut = 0 if position == 0 and op.kind == "CONV_2D" else len(shape) - 1
        shape[cut] //= parts
        made.append(edit.part(tensor, tuple(shape)))
    return tuple(made)


def _join(edit: Edit, parts: tuple[int, ...], op: Op) -> None:
    axis = len(edit.tensors[op.outputs[0]].shape) - 1
    edit.op("CONCATENATION", parts, op.outputs, {"axis": axis, **_ALONE})


def _most(context: PlacementContext, limit: Limit) -> int:
    within = context.support.limits.get(limit) if context.support else None
    return within[1] if within else 1 << 31


def _equal_parts(whole: int, most: int) -> int | None:
    """The least number of equal parts of at most `most` each; None where it needs none, or cannot be."""
    if whole <= most or most < 1:
        return None if whole <= 0 or most < 1 else 1
    return next((n for n in range(2, MOST_PARTS + 1) if whole % n == 0 and whole // n <= most), None)


_SPLITS = {
    ("DEPTHWISE_CONV_2D", limits.channels_in_in_limits.__name__): _depthwise,
    ("DEPTHWISE_CONV_2D", limits.channels_out_in_limits.__name__): _depthwise,
    ("CONV_2D", limits.channels_out_in_limits.__name__): _filters,
    ("AVERAGE_POOL_2D", limits.kernel_in_limits.__name__): _pooling,
    ("MAX_POOL_2D", limits.kernel_in_limits.__name__): _pooling,
    ("", settings.activation_fused.__name__): _activation,
}
"""By operator, or by none for all of them, and by the rule that refuses."""
