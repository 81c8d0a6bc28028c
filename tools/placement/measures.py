"""What of an operator its kernels may restrict: windows, steps, channels, axes."""

from __future__ import annotations

from .op_context import KernelContext

_WEIGHTS_AT = {"CONV_2D": 1, "DEPTHWISE_CONV_2D": 1, "TRANSPOSE_CONV": 1, "FULLY_CONNECTED": 1}
_IMAGE_RANK = 4
_AXES_AT = {
    "ARG_MAX": 1, "ARG_MIN": 1, "MEAN": 1, "REDUCE_ALL": 1, "REDUCE_ANY": 1, "REDUCE_MAX": 1, "REDUCE_MIN": 1,
    "REDUCE_PROD": 1, "REVERSE_V2": 1, "SPLIT": 0, "SPLIT_V": 2, "SUM": 1,
}  # fmt: skip
"""Operators that read from an input along which dimensions they work."""
_PADS = frozenset({"MIRROR_PAD", "PAD", "PADV2"})


def batch(context: KernelContext) -> list[int]:
    """First dimension of the first image that is no weights."""
    images = (t.shape for t in context.at.inputs if t is not None and len(t.shape) == _IMAGE_RANK)
    return [shape[0] for shape in images if shape != weights_shape(context)][:1]


def dimensions(context: KernelContext) -> list[int]:
    return [extent for t in context.tensors for extent in t.shape if extent >= 0]


def channels_in(context: KernelContext) -> list[int]:
    first = next((t for t in reversed(context.at.inputs[: _data_inputs(context)]) if t is not None), None)
    return list(first.shape[-1:]) if first is not None else []


def channels_out(context: KernelContext) -> list[int]:
    return [t.shape[-1] for t in context.at.outputs[:1] if t.shape]


def kernel(context: KernelContext) -> list[int]:
    """Height and width of what slides over the image; nothing where the operator slides nothing."""
    filter_size = _options(context, "filter_height", "filter_width")
    if len(filter_size) == 2:
        return filter_size
    shape = weights_shape(context)
    return [shape[1], shape[2]] if len(shape) == _IMAGE_RANK else []


def kernel_area(context: KernelContext) -> list[int]:
    return _area(kernel(context))


def dilated_height(context: KernelContext) -> list[int]:
    return _dilated(context)[:1]


def dilated_area(context: KernelContext) -> list[int]:
    return _area(_dilated(context))


def stride(context: KernelContext) -> list[int]:
    return _options(context, "stride_h", "stride_w")


def dilation(context: KernelContext) -> list[int]:
    return _options(context, "dilation_h_factor", "dilation_w_factor")


def depth_multiplier(context: KernelContext) -> list[int]:
    return _options(context, "depth_multiplier")


def weights_shape(context: KernelContext) -> tuple[int, ...]:
    position = _WEIGHTS_AT.get(context.op.kind)
    if position is None or position >= len(context.at.inputs):
        return ()
    weights = context.at.inputs[position]
    return weights.shape if weights is not None else ()


def axes(context: KernelContext) -> list[int]:
    """Dimensions, from 0, that the operator joins, splits, pads or reduces; nothing where not known."""
    kind = context.op.kind
    data = next((t for t in context.at.inputs if t is not None and not t.is_constant), None)
    rank = max((len(t.shape) for t in (data, *context.at.outputs) if t is not None), default=0)
    if kind in {"CONCATENATION", "PACK", "UNPACK"}:
        return [axis % rank for axis in _options(context, "axis") if rank]
    values = _values(context, 1 if kind in _PADS else _AXES_AT.get(kind, -1))
    if kind in _PADS:
        return [at for at in range(len(values) // 2) if values[2 * at] or values[2 * at + 1]]
    return [axis % len(data.shape) for axis in values if data is not None and data.shape]


def _dilated(context: KernelContext) -> list[int]:
    """Height and width that the window spans with its dilation."""
    by = (*dilation(context), 1, 1)[:2]
    return [(extent - 1) * factor + 1 for extent, factor in zip(kernel(context), by, strict=False)]


def _area(extents: list[int]) -> list[int]:
    return [extents[0] * extents[1]] if len(extents) == 2 else []


def _values(context: KernelContext, position: int) -> tuple[int, ...]:
    tensor = context.at.inputs[position] if 0 <= position < len(context.at.inputs) else None
    return (tensor.values or ()) if tensor is not None else ()


def _options(context: KernelContext, *names: str) -> list[int]:
    values = [context.op.options.get(name) for name in names]
    return [v for v in values if isinstance(v, int) and not isinstance(v, bool)]


def _data_inputs(context: KernelContext) -> int:
    """Operands up to the image: a transposed convolution has it behind the shape and the weights."""
    return 3 if context.op.kind == "TRANSPOSE_CONV" else 1
