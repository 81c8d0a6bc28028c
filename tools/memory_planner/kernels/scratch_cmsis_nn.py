"""What TFLite Micro's CMSIS-NN kernels ask for, where they differ from the portable ones.

Read in tensorflow/tflite-micro at 90b983c2, lite/micro/kernels/cmsis_nn/*.cc, built for speed as its
Makefile does by default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....hardware_db import Core
from ...graph import DType
from . import cmsis_nn_buffers as cmsis
from .abi import Struct, struct
from .cmsis_nn_buffers import Isa
from .kernel_call import Call, KernelRequests
from .scratch import QUANTIZED, batch_matmul, fully_connected_channel_data, lstm_gate_bytes, svdf
from .tflm_structs import (
    BATCH_MATMUL_DATA,
    CONV_DATA,
    FULLY_CONNECTED_DATA,
    LSTM_DATA,
    POOLING_DATA,
    SOFTMAX_DATA,
    TRANSPOSE_CONV_PARAMS,
)
from .windows import window_of

IsaRule = Callable[[Call, Isa], KernelRequests]
_GATE = struct("2i 2p 2i 2p p e")
KERNEL_DATA: Mapping[str, Struct] = {
    "AVERAGE_POOL_2D": struct(POOLING_DATA, "i"),
    "BATCH_MATMUL": struct(BATCH_MATMUL_DATA, "4i i"),
    "CONV_2D": struct(CONV_DATA, "i"),
    "DEPTHWISE_CONV_2D": struct(CONV_DATA, "i"),
    "FULLY_CONNECTED": struct(FULLY_CONNECTED_DATA, "2i p 3i"),
    "MAX_POOL_2D": struct(POOLING_DATA, "i"),
    "SOFTMAX": struct(SOFTMAX_DATA, "2i"),
    "SVDF": struct("9i p"),
    "TRANSPOSE_CONV": struct(TRANSPOSE_CONV_PARAMS, "3i 2p"),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": struct(LSTM_DATA, struct("15i", _GATE, _GATE, _GATE, _GATE)),
}


def isa_of(core: Core) -> Isa:
    if core.vector is not None and core.vector.value == "mve":
        return Isa.MVE
    return Isa.DSP if core.dsp is not None and core.dsp.value else Isa.NONE


def convolution(call: Call, isa: Isa) -> KernelRequests:
    data, weights = call.input(0), call.input(1)
    if data.dtype not in QUANTIZED:
        return KernelRequests()
    window = window_of(call, data, weights)
    size = cmsis.convolve_s8(window, isa) if data.dtype is DType.INT8 else cmsis.convolve_s16(window, isa)
    return KernelRequests((4 * call.dim(weights, 0),) * 2, _present(size))


def depthwise(call: Call, isa: Isa) -> KernelRequests:
    data, weights = call.input(0), call.input(1)
    if data.dtype not in QUANTIZED:
        return KernelRequests()
    size = 0
    if data.dtype is DType.INT8:
        rule = cmsis.depthwise_s4 if weights.dtype is DType.INT4 else cmsis.depthwise_s8
        size = rule(window_of(call, data, weights), isa)
    return KernelRequests((4 * call.dim(weights, 3),) * 2, _present(size))


def fully_connected(call: Call, isa: Isa) -> KernelRequests:
    """Kernel sums stay in the arena where weights and bias are constant; else they are scratch."""
    data, weights, bias = call.input(0), call.input(1), call.optional_input(2)
    persistent = fully_connected_channel_data(call)
    if data.dtype is not DType.INT8 or weights.dtype is DType.INT4:
        return KernelRequests(persistent)
    outputs = call.dim(call.output, -1)
    if len(call.output.shape) > 2 and call.dim(weights, -1) % 4 == 0:
        return KernelRequests(persistent, () if persistent else (8 * outputs,))
    sums = _present(cmsis.kernel_sums(outputs, isa))
    if weights.is_constant and (bias is None or bias.is_constant):
        return KernelRequests(persistent + sums)
    return KernelRequests(persistent, sums)


def transpose_conv(call: Call, isa: Isa) -> KernelRequests:
    data, weights = call.input(2), call.input(1)
    scratch: tuple[int, ...] = ()
    if data.dtype is DType.INT8:
        scratch = cmsis.transpose_convolve_s8(window_of(call, data, weights), isa)
    elif data.dtype is DType.INT16:
        scratch = (8 * call.elements(call.output),)
        bias = call.optional_input(3)
        if bias is not None and bias.dtype is DType.INT16:
            scratch += (8 * call.elements(bias),)
    return KernelRequests((4 * call.dim(weights, 0),) * 2, scratch)


def average_pool(call: Call, isa: Isa) -> KernelRequests:
    data = call.input(0)
    if data.dtype not in QUANTIZED:
        return KernelRequests()
    return KernelRequests(scratch=_present(cmsis.average_pool(call.dim(data, 3), isa)))


def matrix_product(call: Call, isa: Isa) -> KernelRequests:
    wanted = batch_matmul(call)
    if call.input(0).dtype not in QUANTIZED:
        return wanted
    first, *rest = wanted.persistent
    sums = cmsis.kernel_sums(call.dim(call.output, -1), isa) if call.input(0).dtype is DType.INT8 else 0
    return KernelRequests((*rest, first), _present(sums))


def svdf_with_sums(call: Call, isa: Isa) -> KernelRequests:
    wanted = svdf(call)
    if call.input(0).dtype is not DType.INT8:
        return wanted
    sums = cmsis.kernel_sums(call.dim(call.input(1), 0), isa)
    return KernelRequests(_present(sums), wanted.scratch)


def lstm(call: Call, _: Isa) -> KernelRequests:
    """Three buffers instead of four, and eight vectors of effective biases, unless it runs in float."""
    size, data = lstm_gate_bytes(call), call.input(0)
    if data.dtype not in QUANTIZED:
        return KernelRequests(scratch=(size,) * 4)
    bias = 8 if data.dtype is DType.INT16 else 4
    return KernelRequests((bias * call.dim(call.input(18), 1),) * 8, (size,) * 3)


def _present(size: int) -> tuple[int, ...]:
    return (size,) if size > 0 else ()


CMSIS_NN: Mapping[str, IsaRule] = {
    "AVERAGE_POOL_2D": average_pool,
    "BATCH_MATMUL": matrix_product,
    "CONV_2D": convolution,
    "DEPTHWISE_CONV_2D": depthwise,
    "FULLY_CONNECTED": fully_connected,
    "SVDF": svdf_with_sums,
    "TRANSPOSE_CONV": transpose_conv,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": lstm,
}
"""Operators whose CMSIS-NN kernels ask for something else than the portable ones."""
