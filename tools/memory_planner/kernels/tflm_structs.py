"""The structures that TFLite Micro keeps in its arena, member by member.

Read in tensorflow/tflite-micro at 90b983c2 (2026-08-20): lite/core/c/common.h, builtin_op_data.h,
lite/kernels/internal/types.h, lite/micro/*.h and lite/micro/kernels/. FULLY_CONNECTED's options have grown
since by a pointer and a count (`quant_spec` of the schema): seen in the `tflite-micro` wheel of 2026-10-23.
"""

from __future__ import annotations

from .abi import Struct, struct

_QUANTIZATION = struct("i p")
_QUANTIZATION_PARAMS = struct("2i")
EVAL_TENSOR = struct("2p e")
TENSOR = struct(_QUANTIZATION, _QUANTIZATION_PARAMS, "3p 2e b")
AFFINE_QUANTIZATION = struct("2p i")
_NODE = struct("6p i")
NODE_AND_REGISTRATION = struct(_NODE, "p")
SUBGRAPH_ALLOCATIONS = struct("2p")
SUBGRAPH_ALLOCATIONS_COMPRESSION = struct("3p")
SCRATCH_BUFFER_HANDLE = struct("p")
SCRATCH_BUFFER_REQUEST = struct("p 2i")
ALLOCATION_INFO = struct("2p 3i b")
PLANNED_BUFFER = struct("10i")
"""What the greedy planner notes of one buffer while it plans."""
BUILTIN_DATA_ALLOCATOR = struct("2p")
GREEDY_MEMORY_PLANNER = struct("p 2i 4p 2i p b")
SINGLE_ARENA_BUFFER_ALLOCATOR = struct("8p i")
MICRO_ALLOCATOR = struct("5p b 3p")
RECORDING_BUFFER_ALLOCATOR = struct("8p i 4p")
RECORDING_MICRO_ALLOCATOR = struct("5p b 3p", "p 24p")
RESOURCE_VARIABLES = struct("p 2i")
RESOURCE_VARIABLE = struct("4p b")

BUILTIN_DATA: dict[str, Struct] = {
    "ADD": struct("e b"),
    "ARG_MAX": struct("e"),
    "ARG_MIN": struct("e"),
    "AVERAGE_POOL_2D": struct("e 4i e 4i"),
    "BATCH_MATMUL": struct("3b"),
    "CALL_ONCE": struct("i"),
    "CAST": struct("2e"),
    "CONCATENATION": struct("i e"),
    "CONV_2D": struct("e 2i e 2i e"),
    "CUMSUM": struct("2b"),
    "DEPTH_TO_SPACE": struct("i"),
    "DEPTHWISE_CONV_2D": struct("e 3i e 2i"),
    "DIV": struct("e"),
    "FULLY_CONNECTED": struct("2e 2b e p i"),
    "GATHER": struct("2i"),
    "IF": struct("2i"),
    "L2_NORMALIZATION": struct("e"),
    "L2_POOL_2D": struct("e 4i e 4i"),
    "LEAKY_RELU": struct("i"),
    "MAX_POOL_2D": struct("e 4i e 4i"),
    "MEAN": struct("b"),
    "MIRROR_PAD": struct("e"),
    "MUL": struct("e"),
    "PACK": struct("2i"),
    "REDUCE_ALL": struct("b"),
    "REDUCE_MAX": struct("b"),
    "REDUCE_MIN": struct("b"),
    "RESHAPE": struct("9i"),
    "RESIZE_BILINEAR": struct("2b"),
    "RESIZE_NEAREST_NEIGHBOR": struct("2b"),
    "SHAPE": struct("e"),
    "SOFTMAX": struct("i"),
    "SPACE_TO_DEPTH": struct("i"),
    "SPLIT": struct("i"),
    "SPLIT_V": struct("i"),
    "SQUEEZE": struct("9i"),
    "STRIDED_SLICE": struct("5i b"),
    "SUB": struct("e b"),
    "SUM": struct("b"),
    "SVDF": struct("i e b"),
    "TRANSPOSE_CONV": struct("e 2i 2e"),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": struct("e 2i 3b"),
    "UNPACK": struct("2i"),
    "VAR_HANDLE": struct("2p"),
    "WHILE": struct("2i"),
}
BUILTIN_DATA_BEFORE: dict[str, Struct] = {**BUILTIN_DATA, "FULLY_CONNECTED": struct("2e 2b e")}
"""Of August 2026."""
"""Options of an operator as the interpreter unpacks them; nothing for operators not named."""

_ARITHMETIC = struct("b 14i 2d 2h 5i")
_COMPARISON = struct("7i b")
TRANSPOSE_CONV_PARAMS = struct("b 8h 9i")
_FULLY_CONNECTED_PARAMS = struct("9i 3b")
_GATE = struct(_FULLY_CONNECTED_PARAMS, _FULLY_CONNECTED_PARAMS)
_REDUCE = struct("11i")
_POOLING = struct("8i")
_PAD = struct(struct("b 5i b 5i b"), "i")
CONV_DATA = struct("8i i 2p 3i")
FULLY_CONNECTED_DATA = struct("9i 2p b")
SOFTMAX_DATA = struct("d 7i 5p")
SVDF_DATA = struct("9i")
POOLING_DATA = _POOLING
LSTM_DATA = struct(
    struct("b 4i"), struct("i h i"), "e", _GATE, _GATE, _GATE, _GATE,
    struct(_ARITHMETIC, _ARITHMETIC, _ARITHMETIC), "4i",
)  # fmt: skip
BATCH_MATMUL_DATA = struct("3p 3b")
BATCH_MATMUL_QUANTIZATION = struct("7i")
LOG_SOFTMAX_DATA = struct("5i 2p")
CUMSUM_DATA = struct("9i")
ADD_N_DATA = struct("10i")
EMBEDDING_LOOKUP_DATA = struct("i p")

KERNEL_DATA: dict[str, Struct] = {
    "ABS": struct("4i b i e"),
    "ADD": struct("b 14i"),
    "AVERAGE_POOL_2D": _POOLING,
    "BATCH_MATMUL": BATCH_MATMUL_DATA,
    "CALL_ONCE": struct("i b"),
    "CONCATENATION": struct(struct("i 2p 3i")),
    "CONV_2D": CONV_DATA,
    "DEPTHWISE_CONV_2D": CONV_DATA,
    "DEQUANTIZE": struct(struct("d i"), "3i"),
    "DIV": struct("7i"),
    "ELU": struct("256b"),
    "EQUAL": _COMPARISON,
    "FULLY_CONNECTED": FULLY_CONNECTED_DATA,
    "GREATER": _COMPARISON,
    "GREATER_EQUAL": _COMPARISON,
    "HARD_SWISH": struct("3h i h i"),
    "IF": struct("2i"),
    "L2_NORMALIZATION": struct("i"),
    "LEAKY_RELU": struct("6i"),
    "LESS": _COMPARISON,
    "LESS_EQUAL": _COMPARISON,
    "LOGISTIC": struct("4i"),
    "MAX_POOL_2D": _POOLING,
    "MEAN": _REDUCE,
    "MIRROR_PAD": struct("5i"),
    "MUL": struct("9i"),
    "NOT_EQUAL": _COMPARISON,
    "PAD": _PAD,
    "PADV2": _PAD,
    "PRELU": struct("7i"),
    "QUANTIZE": struct(struct("d i"), "3i"),
    "REDUCE_ALL": _REDUCE,
    "REDUCE_MAX": _REDUCE,
    "REDUCE_MIN": _REDUCE,
    "RELU": struct("7i"),
    "RELU6": struct("2i"),
    "RSQRT": struct("4i b i e"),
    "SELECT_V2": struct("b"),
    "SOFTMAX": SOFTMAX_DATA,
    "SPACE_TO_BATCH_ND": struct("i"),
    "SQUARED_DIFFERENCE": struct("b", _ARITHMETIC),
    "STRIDED_SLICE": struct("b 5i b 5i b 5i 5h b"),
    "SUB": struct("b 12i"),
    "SUM": _REDUCE,
    "SVDF": SVDF_DATA,
    "TANH": struct("4i"),
    "TRANSPOSE_CONV": struct(TRANSPOSE_CONV_PARAMS, "2i 2p"),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": LSTM_DATA,
    "VAR_HANDLE": struct("i"),
    "WHILE": struct("2i"),
}
"""What a reference kernel asks for when it is set up, before it sees its tensors."""

COMPRESSION_DATA: dict[str, Struct] = {
    "ASSIGN_VARIABLE": struct("i"),
    "CONCATENATION": struct(struct("i 2p 3i"), "10i"),
    "CONV_2D": struct("8i i 2p 3i", "2i"),
    "DEPTHWISE_CONV_2D": struct("8i i 2p 3i", "2i"),
    "FULLY_CONNECTED": struct("9i 2p b", "2i"),
    "TRANSPOSE_CONV": struct(TRANSPOSE_CONV_PARAMS, "4i 2p"),
}
"""The same where the interpreter was built to read compressed weights (USE_TFLM_COMPRESSION)."""

KERNELS = frozenset(BUILTIN_DATA) | frozenset(KERNEL_DATA) | frozenset(
    {
        "ADD_N", "ASSIGN_VARIABLE", "BATCH_TO_SPACE_ND", "BROADCAST_ARGS", "BROADCAST_TO", "CEIL", "COS",
        "DYNAMIC_UPDATE_SLICE", "EMBEDDING_LOOKUP", "EXP", "EXPAND_DIMS", "FILL", "FLOOR", "FLOOR_DIV",
        "FLOOR_MOD", "GATHER_ND", "LOG", "LOGICAL_AND", "LOGICAL_NOT", "LOGICAL_OR", "LOG_SOFTMAX",
        "MAXIMUM", "MINIMUM", "NEG", "READ_VARIABLE", "REVERSE_V2", "ROUND", "SELECT_V2", "SIN", "SLICE",
        "SQRT", "SQUARE", "TRANSPOSE", "ZEROS_LIKE",
    }
)  # fmt: skip
"""Operators that TFLite Micro has a kernel for."""
