"""Multiply-accumulates of convolutions.

Every output element counts the whole kernel: taps that fall on the padding count like the others, as in
the published figures of MLPerf Tiny's models and in Vela.
"""

from __future__ import annotations

import math

from ..model import Op
from ..tensor import Tensor
from .work import OpContext, Rules, Work, elements


def conv_2d(at: OpContext) -> Work:
    """Filter [out, h, w, in]; in a grouped convolution `in` is the input channels of one group."""
    _, height, width, channels = at.shape(1, 4)
    return Work(macs=elements(at.output()) * height * width * channels)


def depthwise_conv_2d(at: OpContext) -> Work:
    """Filter [1, h, w, in × multiplier]: each output channel reads one input channel."""
    _, height, width, _ = at.shape(1, 4)
    return Work(macs=elements(at.output()) * height * width)


def transpose_conv(at: OpContext) -> Work:
    """Filter [out, h, w, in]; inputs: output shape, filter, data.

    Counted from the input, as torch.utils.flop_counter and fvcore do: each input element is multiplied
    into every tap of every output channel (input pixels × kernel × in × out), whatever the padding; taps
    that SAME crops from the border count. Implementations that insert zeros and then convolve, as Vela
    does, report output pixels × kernel × in × out: stride_h × stride_w as much, most of it by zero.
    """
    out_channels, height, width, _ = at.shape(1, 4)
    return Work(macs=elements(at.input(2)) * height * width * out_channels)


def conv_3d(at: OpContext) -> Work:
    """Filter [d, h, w, in, out]."""
    *kernel, channels, _ = at.shape(1, 5)
    return Work(macs=elements(at.output()) * math.prod(kernel) * channels)


def conv_3d_transpose(at: OpContext) -> Work:
    """Filter [d, h, w, out, in]; counted from the input as `transpose_conv` is."""
    *kernel, out_channels, _ = at.shape(1, 5)
    return Work(macs=elements(at.input(2)) * math.prod(kernel) * out_channels)


def is_pointwise(op: Op, filter_: Tensor) -> bool:
    """Whether a CONV_2D has a 1×1 kernel and stride 1."""
    return (
        len(filter_.shape) == 4
        and filter_.shape[1:3] == (1, 1)
        and op.option_int("stride_h", 1) == 1
        and op.option_int("stride_w", 1) == 1
    )


RULES: Rules = {
    "CONV_2D": conv_2d,
    "DEPTHWISE_CONV_2D": depthwise_conv_2d,
    "TRANSPOSE_CONV": transpose_conv,
    "CONV_3D": conv_3d,
    "CONV_3D_TRANSPOSE": conv_3d_transpose,
}
