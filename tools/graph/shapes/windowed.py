"""Output shapes of windows that slide: TFLite's rules for SAME and VALID padding."""

from __future__ import annotations

from ..windows import steps
from .operands import UNKNOWN, Operands, Rules, Shape, ShapeError, known

_AXES = {2: ("h", "w"), 3: ("d", "h", "w")}


def conv_2d(at: Operands) -> list[Shape]:
    """Data [n, h, w, c], filter [out, h, w, c of a group]."""
    batch, *sides, channels = at.shape(0, 4)
    out_channels, *window, group = at.shape(1, 4)
    _check_channels(channels, group, out_channels)
    at.check_bias(2, out_channels)
    return [(batch, *slid(at, sides, window), out_channels)]


def depthwise_conv_2d(at: Operands) -> list[Shape]:
    """Filter [1, h, w, c × multiplier]."""
    batch, *sides, channels = at.shape(0, 4)
    _, *window, out_channels = at.shape(1, 4)
    if known(channels) and (channels == 0 or out_channels % channels):
        raise ShapeError(f"{out_channels} filters do not divide among {channels} channels")
    at.check_bias(2, out_channels)
    return [(batch, *slid(at, sides, window), out_channels)]


def conv_3d(at: Operands) -> list[Shape]:
    """Data [n, d, h, w, c], filter [d, h, w, c, out]."""
    batch, *sides, channels = at.shape(0, 5)
    *window, group, out_channels = at.shape(1, 5)
    _check_channels(channels, group, out_channels)
    at.check_bias(2, out_channels)
    return [(batch, *slid(at, sides, window), out_channels)]


def pool_2d(at: Operands) -> list[Shape]:
    batch, *sides, channels = at.shape(0, 4)
    window = [at.op.option_int("filter_height", 1), at.op.option_int("filter_width", 1)]
    return [(batch, *slid(at, sides, window), channels)]


def transposed(at: Operands) -> list[Shape]:
    """TRANSPOSE_CONV and CONV_3D_TRANSPOSE: input 0 says the output's shape, input 2 is the data."""
    target = at.integers(0)
    data = at.shape(2, len(target))
    filters = at.shape(1)
    if not 3 <= len(target) == len(filters):
        raise ShapeError(f"its output shape has {len(target)} dimensions, its filter {len(filters)}")
    if known(data[-1], filters[-1]) and data[-1] != filters[-1]:
        raise ShapeError(f"the filter reads {filters[-1]} channels, {data[-1]} arrive")
    if known(data[0]) and known(target[0]) and data[0] != target[0]:
        raise ShapeError(f"its output shape has a batch of {target[0]}, its data one of {data[0]}")
    return [tuple(target)]


def slid(at: Operands, sides: list[int], window: list[int]) -> list[int]:
    """How often the window fits each side, at the operator's strides, dilations and padding."""
    padding = at.op.option_str("padding", "VALID")
    sizes = []
    for name, side, size in zip(_AXES[len(sides)], sides, window, strict=True):
        stride = max(at.op.option_int(f"stride_{name}", 1), 1)
        dilation = max(at.op.option_int(f"dilation_{name}_factor", 1), 1)
        fits = steps(side, size, stride, dilation, padding) if known(side) else UNKNOWN
        if known(side) and fits < 1:
            raise ShapeError(f"a window of {(size - 1) * dilation + 1} does not fit a side of {side}")
        sizes.append(fits)
    return sizes


def _check_channels(channels: int, group: int, filters: int) -> None:
    """Each group of channels has as many filters."""
    if not known(channels, group, filters):
        return
    if group < 1 or channels < 1 or channels % group:
        raise ShapeError(f"the filter reads {group} channels, {channels} arrive")
    if filters % (channels // group):
        raise ShapeError(f"{filters} filters do not divide among {channels // group} groups")


RULES: Rules = {
    "CONV_2D": conv_2d,
    "DEPTHWISE_CONV_2D": depthwise_conv_2d,
    "CONV_3D": conv_3d,
    "AVERAGE_POOL_2D": pool_2d,
    "MAX_POOL_2D": pool_2d,
    "L2_POOL_2D": pool_2d,
    "TRANSPOSE_CONV": transposed,
    "CONV_3D_TRANSPOSE": transposed,
}
