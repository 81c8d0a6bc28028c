"""What the kernels on ESP-NN ask for, where they differ from the portable ones.

Read in espressif/esp-tflite-micro at 99f49e14 (2026-08-14), tensorflow/lite/micro/kernels/esp_nn/*.cc. The
interpreter and all other kernels there ask for what those of tensorflow/tflite-micro do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....hardware_db import Core
from ...graph import DType
from . import esp_nn_buffers as esp
from .abi import Struct, struct
from .esp_nn_buffers import Chip
from .kernel_call import Call, KernelRequests
from .scratch import convolution, softmax
from .tflm_structs import CONV_DATA, SOFTMAX_DATA
from .windows import window_of

ChipRule = Callable[[Call, Chip], KernelRequests]
KERNEL_DATA: Mapping[str, Struct] = {
    "CONV_2D": struct(CONV_DATA, "i"),
    "DEPTHWISE_CONV_2D": struct(CONV_DATA, "i"),
    "SOFTMAX": struct(SOFTMAX_DATA, "i"),
}


def chip_of(core: Core) -> Chip:
    if core.vector is None or core.vector.value != "pie":
        return Chip.GENERIC
    return Chip.P4 if core.isa.value.startswith("rv32") else Chip.S3


def windowed(call: Call, chip: Chip) -> KernelRequests:
    wanted, data, weights = convolution(call), call.input(0), call.input(1)
    if data.dtype is not DType.INT8:
        return wanted
    window = window_of(call, data, weights)
    if call.op.kind == "CONV_2D":
        size = esp.convolve(window, chip)
    else:
        size = esp.depthwise(window, call.op.option_int("depth_multiplier", 0), chip)
    return KernelRequests(wanted.persistent, wanted.scratch + ((size,) if size > 0 else ()))


def softmax_with_exponentials(call: Call, _: Chip) -> KernelRequests:
    """The kernel takes the second dimension for the width of a row, whatever the rank is."""
    data, wanted = call.input(0), softmax(call)
    if data.dtype is not DType.INT8 or call.output.dtype is not DType.INT8:
        return wanted
    return KernelRequests(wanted.persistent, (esp.softmax(call.dim(data, 1)),))


ESP_NN: Mapping[str, ChipRule] = {
    "CONV_2D": windowed,
    "DEPTHWISE_CONV_2D": windowed,
    "SOFTMAX": softmax_with_exponentials,
}
"""Operators whose kernels on ESP-NN ask for something else than the portable ones."""
