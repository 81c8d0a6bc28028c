"""Scratch buffers and persistent data that TFLite Micro's portable kernels ask for.

Read in tensorflow/tflite-micro at 90b983c2, lite/micro/kernels/*.cc: the calls of
RequestScratchBufferInArena and AllocatePersistentBuffer in each kernel's Prepare.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...graph import DType, Tensor
from .kernel_call import NOTHING, Call, KernelRequests, dims_bytes, interpreter_bytes
from .tflm_structs import (
    ADD_N_DATA,
    BATCH_MATMUL_QUANTIZATION,
    CUMSUM_DATA,
    EMBEDDING_LOOKUP_DATA,
    EVAL_TENSOR,
    LOG_SOFTMAX_DATA,
)

Rule = Callable[[Call], KernelRequests]
QUANTIZED = frozenset({DType.INT8, DType.INT16})
_INT16_LOOKUP_BYTES = 513 * 2


def convolution(call: Call) -> KernelRequests:
    """Multiplier and shift of each channel; int4 weights are unpacked into scratch before use."""
    weights = call.input(1)
    channels = call.dim(weights, 3 if call.op.kind == "DEPTHWISE_CONV_2D" else 0)
    return KernelRequests((4 * channels,) * 2, _unpacked_int4(call, weights))


def fully_connected(call: Call) -> KernelRequests:
    weights = call.input(1)
    return KernelRequests(fully_connected_channel_data(call), _unpacked_int4(call, weights))


def fully_connected_channel_data(call: Call) -> tuple[int, ...]:
    quantization = call.input(1).quantization
    if call.input(0).dtype is DType.FLOAT32 or quantization is None or not quantization.per_channel:
        return ()
    return (4 * len(quantization.scales),) * 2


def transpose_conv(call: Call) -> KernelRequests:
    """An accumulator for every output element: 32 bits for int8, 64 for int16."""
    channels = call.dim(call.input(1), 0)
    scratch: list[int] = []
    data = call.input(2)
    if data.dtype is DType.INT8:
        scratch.append(4 * call.elements(call.output))
    elif data.dtype is DType.INT16:
        scratch.append(8 * call.elements(call.output))
        bias = call.optional_input(3)
        if bias is not None and bias.dtype is DType.INT16:
            scratch.append(8 * call.elements(bias))
    return KernelRequests((4 * channels,) * 2, tuple(scratch))


def mean_or_sum(call: Call) -> KernelRequests:
    data, axes = call.input(0), call.input(1)
    accumulators = (4 * call.elements(call.output),) if data.dtype in QUANTIZED else ()
    return KernelRequests(scratch=(*accumulators, 4 * len(data.shape), 4 * call.elements(axes)))


def reduction(call: Call) -> KernelRequests:
    return KernelRequests(scratch=(4 * len(call.input(0).shape), 4 * call.elements(call.input(1))))


def softmax(call: Call) -> KernelRequests:
    """Two lookup tables with int16; none else."""
    return KernelRequests((_INT16_LOOKUP_BYTES,) * 2) if call.input(0).dtype is DType.INT16 else NOTHING


def svdf(call: Call) -> KernelRequests:
    data, features = call.input(0), call.input(1)
    batch, filters = call.dim(data, 0), call.dim(features, 0)
    if data.dtype is not DType.INT8:
        return KernelRequests(scratch=(4 * batch * filters,))
    units = filters // max(1, call.op.option_int("rank", 1))
    return KernelRequests(scratch=(4 * batch * filters, 4 * batch * units))


def lstm(call: Call) -> KernelRequests:
    return KernelRequests(scratch=(lstm_gate_bytes(call),) * 4)


def lstm_gate_bytes(call: Call) -> int:
    """Batch × state, in the type of the cell state (input 19); the hidden state is input 18."""
    data, hidden, cell = call.input(0), call.input(18), call.input(19)
    batch = call.dim(data, 1 if call.op.option_int("time_major", 0) else 0)
    return batch * call.dim(hidden, 1) * ((cell.dtype.bits or 0) // 8)


def batch_matmul(call: Call) -> KernelRequests:
    """A transposed copy of each operand that is not laid out as the kernel reads it, kept for good."""
    left, right = call.input(0), call.input(1)
    wanted: list[int] = []
    if left.dtype in QUANTIZED:
        wanted.append(call.sizeof(BATCH_MATMUL_QUANTIZATION))
    if call.op.option_int("adj_x", 0):
        wanted += _transposed_copy(call, left)
    if not call.op.option_int("adj_y", 0):
        wanted += _transposed_copy(call, right)
    return KernelRequests((*wanted, dims_bytes(call.output)))


def _transposed_copy(call: Call, tensor: Tensor) -> list[int]:
    data = interpreter_bytes(tensor) or 4 * call.elements(tensor)
    return [call.sizeof(EVAL_TENSOR), dims_bytes(tensor), data]


def mirror_pad(call: Call) -> KernelRequests:
    return KernelRequests(scratch=(4 * len(call.input(0).shape),) * 2)


def add_n(call: Call) -> KernelRequests:
    pointers = call.abi.pointer_bytes * len(call.op.inputs)
    data = (call.sizeof(ADD_N_DATA),) if call.output.dtype is DType.INT8 else ()
    return KernelRequests(data, (pointers,))


def log_softmax(call: Call) -> KernelRequests:
    return KernelRequests((call.sizeof(LOG_SOFTMAX_DATA),)) if call.input(0).dtype is DType.INT8 else NOTHING


def cumsum(call: Call) -> KernelRequests:
    return KernelRequests((call.sizeof(CUMSUM_DATA),)) if call.output.dtype is DType.INT8 else NOTHING


def embedding_lookup(call: Call) -> KernelRequests:
    return KernelRequests((dims_bytes(call.output), call.sizeof(EMBEDDING_LOOKUP_DATA)))


def relocated_shape(call: Call) -> KernelRequests:
    """The output's dimensions are copied out of the model to be written to."""
    return KernelRequests((dims_bytes(call.output),))


def _unpacked_int4(call: Call, weights: Tensor) -> tuple[int, ...]:
    return (call.elements(weights),) if weights.dtype is DType.INT4 else ()


REFERENCE: Mapping[str, Rule] = {
    "ADD_N": add_n,
    "BATCH_MATMUL": batch_matmul,
    "CONV_2D": convolution,
    "CUMSUM": cumsum,
    "DEPTHWISE_CONV_2D": convolution,
    "DEPTH_TO_SPACE": relocated_shape,
    "EMBEDDING_LOOKUP": embedding_lookup,
    "FULLY_CONNECTED": fully_connected,
    "GATHER": relocated_shape,
    "GATHER_ND": relocated_shape,
    "L2_POOL_2D": relocated_shape,
    "LOG_SOFTMAX": log_softmax,
    "MEAN": mean_or_sum,
    "MIRROR_PAD": mirror_pad,
    "REDUCE_ALL": reduction,
    "REDUCE_MAX": reduction,
    "REDUCE_MIN": reduction,
    "SOFTMAX": softmax,
    "SPACE_TO_DEPTH": relocated_shape,
    "SUM": mean_or_sum,
    "SVDF": svdf,
    "TRANSPOSE_CONV": transpose_conv,
    "UNIDIRECTIONAL_SEQUENCE_LSTM": lstm,
}
"""Operators whose portable kernels ask for more than their own data; all others ask for nothing."""
