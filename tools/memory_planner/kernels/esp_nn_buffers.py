"""Sizes of the buffers that ESP-NN's kernels work in.

Read in espressif/esp-nn at d45b843c (2026-04-27): esp_nn_get_*_scratch_size_* in src/convolution and
src/softmax; which chip takes which in include/esp_nn.h.
"""

from __future__ import annotations

from enum import StrEnum

from .abi import rounded_up
from .windows import Window

_S3_MARGIN = 64
_S3_WHOLE_INPUT_AT_MOST = 40 * 1024
_S3_WHOLE_INT16_AT_MOST = 48 * 1024
_P4_MARGIN = 32
_P4_CACHE_BUDGET = 32 * 1024
_LANES = 16


class Chip(StrEnum):
    """Which of its kernels ESP-NN compiles for a chip."""

    GENERIC = "generic"
    """Tuned C, for chips without vector instructions."""
    S3 = "esp32-s3"
    P4 = "esp32-p4"


def convolve(window: Window, chip: Chip) -> int:
    """esp_nn_get_conv_scratch_size."""
    match chip:
        case Chip.S3:
            return _convolve_s3(window)
        case Chip.P4:
            return _convolve_p4(window)
        case Chip.GENERIC:
            return 0


def depthwise(window: Window, multiplier: int, chip: Chip) -> int:
    """esp_nn_get_depthwise_conv_scratch_size; vector kernels of the ESP32-P4 work without."""
    return _depthwise_s3(window, multiplier) if chip is Chip.S3 else 0


def softmax(width: int) -> int:
    """esp_nn_get_softmax_scratch_size: the exponential of each element of a row."""
    return 4 * width


def _convolve_s3(window: Window) -> int:
    channels, outputs = window.input_channels, window.output_channels
    if _is_pointwise(window):
        return _pointwise(window) + _S3_MARGIN
    row, taps = window.kernel[1] * channels, _taps(window) * channels
    if row < _LANES <= taps:
        aligned = rounded_up(taps, _LANES)
        return 4 * outputs + 16 + outputs * aligned + 16 + aligned + _S3_MARGIN
    padded = _padded_input(window) if any(window.padding) else 0
    filters = _taps(window) * rounded_up(channels, _LANES) * outputs
    aligned_filters = rounded_up(row, _LANES) * window.kernel[0] * outputs
    return padded + filters + aligned_filters + _overhang(window) + _S3_MARGIN + 4 * outputs


def _pointwise(window: Window) -> int:
    """Filters widened to 8 channels, a transposed tile, and the input widened where it is not."""
    channels = rounded_up(window.input_channels, 8)
    pixels = window.input[0] * window.input[1]
    widened = pixels * channels if window.input_channels % 8 else 0
    return widened + channels * window.output_channels + (16 * channels if pixels >= 8 else 0)


def _overhang(window: Window) -> int:
    """A copy of the input with the columns and rows that the last windows reach beyond it."""
    right = max(0, window.output[1] * window.stride[1] + window.kernel[1] - 1 - window.input[1])
    bottom = max(0, window.output[0] * window.stride[0] + window.kernel[0] - 1 - window.input[0])
    if not right and not bottom:
        return 0
    return (window.input[1] + right) * (window.input[0] + bottom) * window.input_channels


def _convolve_p4(window: Window) -> int:
    channels, outputs = window.input_channels, window.output_channels
    sums = 4 * outputs
    if _is_pointwise(window):
        if channels < _LANES:
            return sums + _LANES * outputs + 32 + _P4_MARGIN
        return _pointwise(window) + _P4_MARGIN
    unpadded = not any(window.padding)
    if unpadded and window.kernel[1] * channels >= _LANES:
        return _taps(window) * rounded_up(channels, _LANES) * outputs + _P4_MARGIN + sums
    if _taps(window) * channels >= _LANES:
        return sums + _taps(window) * channels + _P4_MARGIN
    if unpadded:
        widened = _widened_channels(window)
        pixels = window.input[0] * window.input[1]
        return sums + _taps(window) * widened * outputs + pixels * widened + _P4_MARGIN
    return _convolve_small_p4(window) + _P4_MARGIN + sums


def _convolve_small_p4(window: Window) -> int:
    """Windows of fewer elements than a vector has, over a padded input: in tiles where it is large."""
    whole, budget = _padded_input(window), _P4_CACHE_BUDGET - 4 * window.output_channels
    if whole <= budget:
        return whole + _taps(window) * rounded_up(window.input_channels, _LANES) * window.output_channels
    channels = _widened_channels(window)
    filters = _taps(window) * channels * window.output_channels
    row = (window.input[1] + 2 * window.padding[1]) * channels
    spare, height = budget - filters, 1
    if spare > 0 and window.kernel[0] * row <= spare:
        height = min((spare - window.kernel[0] * row) // (window.stride[0] * row) + 1, window.output[0])
    return ((height - 1) * window.stride[0] + window.kernel[0] + 2 * window.padding[0]) * row + filters


def _widened_channels(window: Window) -> int:
    return rounded_up(-(-_LANES // window.kernel[1]), _LANES)


def _depthwise_s3(window: Window, multiplier: int) -> int:
    channels = window.input_channels
    filters = _taps(window) * channels * multiplier
    pixels = window.input[0] * window.input[1]
    if multiplier == 1 and channels % 8 == 0:
        return _depthwise_by_eights(window, filters)
    if multiplier == 1 and channels > 3:
        return _depthwise_widened(window)
    return 2 * (filters + pixels * channels) + 32 if multiplier % 4 == 0 else 32


def _depthwise_by_eights(window: Window, filters: int) -> int:
    channels = window.input_channels
    if window.kernel != (3, 3):
        whole = 2 * (filters + window.input[0] * window.input[1] * channels)
        rows = 2 * (filters + window.input[1] * window.kernel[0] * channels)
        return (whole if whole <= _S3_WHOLE_INT16_AT_MOST else rows) + 32
    if channels % 16 == 0:
        return filters + _depthwise_input(window) + 16
    if channels < 12:
        return 2 * (filters + window.input[0] * window.input[1] * channels) + 32
    widened = rounded_up(channels, 16)
    sides = [
        side + 2 * pad + max(0, made * step + 2 - side)
        for side, pad, made, step in zip(
            window.input, window.padding, window.output, window.stride, strict=True
        )
    ]
    pixels = sides[0] * sides[1] + window.output[0] * window.output[1]
    return 9 * widened + pixels * widened + 64


def _depthwise_input(window: Window) -> int:
    """The padded input of a 3x3 window, or three rows of it where it is large."""
    if any(window.padding):
        grown = [2 * pad for pad in window.padding]
    else:
        grown = [
            made * step + size - 1 - side
            for made, step, size, side in zip(
                window.output, window.stride, window.kernel, window.input, strict=True
            )
        ]
    if not any(grown):
        return 0
    width = window.input[1] + grown[1]
    whole = width * (window.input[0] + grown[0]) * window.input_channels
    return whole if whole <= _S3_WHOLE_INPUT_AT_MOST else width * 3 * window.input_channels


def _depthwise_widened(window: Window) -> int:
    """Filters, input and output with the channels filled up to a multiple of 8, one behind the other."""
    channels = rounded_up(window.input_channels, 8)
    end = rounded_up(2 * _taps(window) * channels, 16)
    end = rounded_up(end + 2 * window.input[0] * window.input[1] * channels, 16)
    end = rounded_up(end + window.output[0] * window.output[1] * channels, 16)
    return end + 3 * 4 * channels + 16


def _is_pointwise(window: Window) -> bool:
    return window.kernel == (1, 1) and window.padding == (0, 0) and window.stride == (1, 1)


def _taps(window: Window) -> int:
    return window.kernel[0] * window.kernel[1]


def _padded_input(window: Window) -> int:
    height, width = (side + 2 * pad for side, pad in zip(window.input, window.padding, strict=True))
    return height * width * window.input_channels
