"""Sizes of the buffers that CMSIS-NN's kernels work in.

Read in ARM-software/CMSIS-NN at 4ab83cc3 (2026-06-17, the revision that TFLite Micro 90b983c2 builds):
Source/*/arm_*_get_buffer_sizes_*.c and Include/arm_nnsupportfunctions.h, as GCC compiles them.
"""

from __future__ import annotations

from enum import StrEnum

from ...core.records import replace
from .abi import rounded_up
from .windows import Window

_CHANNELS_IN_BLOCK_MVE = 124
_REVERSED_ABOVE_CHANNELS = 16


class Isa(StrEnum):
    """Which of its kernels CMSIS-NN compiles for a core."""

    NONE = "none"
    DSP = "dsp"
    MVE = "mve"


def convolve_s8(window: Window, isa: Isa) -> int:
    """arm_convolve_wrapper_s8_get_buffer_size."""
    channels = window.input_channels
    if _is_pointwise(window):
        return 0
    columns = window.kernel[0] * window.kernel[1] * channels
    if isa is not Isa.MVE:
        return 4 * rounded_up(columns, 4)
    general = 4 * rounded_up(columns, 16)
    return _convolve_row_s8(window, general) if _is_row(window) else general


def convolve_s16(window: Window, isa: Isa) -> int:
    """arm_convolve_wrapper_s16_get_buffer_size."""
    columns = window.kernel[0] * window.kernel[1] * window.input_channels
    return 8 * rounded_up(columns, 8) if isa is Isa.MVE else 4 * columns


def depthwise_s8(window: Window, isa: Isa) -> int:
    """arm_depthwise_conv_wrapper_s8_get_buffer_size."""
    if isa is Isa.MVE and window.input_channels == 1 and window.output_channels > 1:
        return _depthwise_as_convolution(window)
    if not _keeps_channels(window) or isa is Isa.NONE:
        return 0
    if isa is Isa.MVE:
        return _depthwise_optimized(window, isa)
    if window.kernel == (3, 3) and max(window.padding) <= 1:
        return 0
    return _depthwise_optimized(window, isa)


def depthwise_s4(window: Window, isa: Isa) -> int:
    """arm_depthwise_conv_wrapper_s4_get_buffer_size."""
    return _depthwise_optimized(window, isa) if _keeps_channels(window) else 0


def transpose_convolve_s8(window: Window, isa: Isa) -> tuple[int, int]:
    """arm_transpose_conv_s8_get_buffer_size, and that of the filter turned round."""
    height, width = window.kernel
    if max(window.stride) <= 2 and window.input_channels > _REVERSED_ABOVE_CHANNELS:
        columns = height * width * window.input_channels
        unit = 16 if isa is Isa.MVE else 4
        return 4 * rounded_up(columns, unit), columns * window.output_channels
    row = (window.input[1] - 1) * window.stride[1] + max(width, window.stride[0])
    return 4 * row * window.output_channels * max(height, window.stride[0]), 0


def kernel_sums(outputs: int, isa: Isa) -> int:
    """arm_fully_connected_s8_get_buffer_size and arm_svdf_s8_get_buffer_size."""
    return 4 * outputs if isa is Isa.MVE else 0


def average_pool(channels: int, isa: Isa) -> int:
    """arm_avgpool_s8_get_buffer_size and its int16 sister."""
    return 4 * channels if isa is Isa.DSP else 0


def _is_pointwise(window: Window) -> bool:
    return (
        window.kernel == (1, 1)
        and window.padding == (0, 0)
        and window.dilation == (1, 1)
        and window.input_channels == window.kernel_channels
    )


def _is_row(window: Window) -> bool:
    return (
        window.input[0] == 1
        and window.kernel[0] == 1
        and window.dilation[1] == 1
        and window.stride[1] * window.input_channels % 4 == 0
        and window.input_channels == window.kernel_channels
    )


def _convolve_row_s8(window: Window, general: int) -> int:
    """One row high: only the padded ends go through the buffer, unless they overlap."""
    pad, stride, kernel = window.padding[1], window.stride[1], window.kernel[1]
    uneven = int(_remainder((window.output[1] - 1) * stride + kernel - window.input[1], 2))
    right = max(1, (pad + uneven + stride - 1) // stride) if pad + uneven != 0 else 0
    left = max(1, (pad + stride - 1) // stride) if pad != 0 else 0
    if right + left + max(window.output[1] - (right + left), 0) != window.output[1]:
        return general
    channels = window.input_channels
    left_bytes = (kernel + pad) * channels
    right_bytes = (kernel - 1) * channels + (right * channels if uneven else pad * channels)
    return max(left_bytes, right_bytes)


def _depthwise_as_convolution(window: Window) -> int:
    """A single input channel: the filter is turned round and run as a convolution."""
    taps = window.kernel[0] * window.kernel[1]
    return convolve_s8(replace(window, kernel_channels=1), Isa.MVE) + window.output_channels * taps


def _keeps_channels(window: Window) -> bool:
    return window.input_channels == window.output_channels and window.batch == 1 and window.dilation == (1, 1)


def _depthwise_optimized(window: Window, isa: Isa) -> int:
    taps = window.kernel[0] * window.kernel[1]
    return 4 * _CHANNELS_IN_BLOCK_MVE * taps if isa is Isa.MVE else 2 * window.input_channels * taps


def _remainder(value: int, divisor: int) -> int:
    """C's remainder, which has the sign of `value`."""
    return abs(value) % divisor * (1 if value >= 0 else -1)
