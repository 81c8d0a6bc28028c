"""Models of one operator each: every builtin that TFLite Micro has a kernel for, in the types that it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edgewright.tools.graph import DType, ModelGraph, OptionValue

from .tflm_parts import Part, bias, data, fixed, integers, ranged, single, state, weights

F, I8, I16, I32, I64, BOOL = DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.BOOL
Case = tuple[str, Sequence[DType], Sequence[Part | None], Sequence[Part], dict[str, OptionValue]]
ROW, IMAGE = data(1, 13), data(1, 5, 7, 6)
NONE = {"fused_activation_function": "NONE"}


def windowed(stride: int = 1, padding: str = "SAME", dilation: int = 1) -> dict[str, OptionValue]:
    return {
        "padding": padding, "stride_h": stride, "stride_w": stride, "dilation_h_factor": dilation,
        "dilation_w_factor": dilation, **NONE,
    }  # fmt: skip


def pooled(window: int, stride: int, padding: str) -> dict[str, OptionValue]:
    return {
        "padding": padding, "stride_h": stride, "stride_w": stride, "filter_height": window,
        "filter_width": window, **NONE,
    }  # fmt: skip


def elementwise() -> Iterator[Case]:
    for kind, dtypes in {
        "ABS": (F, I8, I16), "CEIL": (F,), "COS": (F,), "ELU": (F, I8), "EXP": (F,), "FLOOR": (F,),
        "HARD_SWISH": (F, I8), "LOG": (F,),
        "NEG": (F,), "RELU": (F, I8, I16), "RELU6": (F, I8, I16), "ROUND": (F,), "RSQRT": (F, I8, I16), "SIN": (F,),
        "SQRT": (F,), "SQUARE": (F,), "ZEROS_LIKE": (F, I8, I32, I64), "LOGICAL_NOT": (BOOL,),
    }.items():  # fmt: skip
        yield kind, dtypes, [ROW], [ROW], {}
    yield "LEAKY_RELU", (F, I8, I16), [IMAGE], [IMAGE], {"alpha": 0.5}
    wide = {"int8": (1 / 256, -128), "int16": (1 / 32768, 0)}
    signed = {"int8": (1 / 128, 0), "int16": (1 / 32768, 0)}
    yield "LOGISTIC", (F, I8, I16), [ranged(1, 13, **signed)], [ranged(1, 13, **wide)], {}
    yield "TANH", (F, I8, I16), [ranged(1, 13, **signed)], [ranged(1, 13, **signed)], {}
    yield "LOG_SOFTMAX", (F, I8), [ROW], [ranged(1, 13, int8=(16 / 256, 127), int16=(1.0, 0))], {}
    yield "SOFTMAX", (F, I8, I16), [data(3, 11)], [ranged(3, 11, **wide)], {"beta": 1.0}
    narrow = {"int8": (1 / 256, -128), "int16": (1 / 65536, -32768)}
    yield "SOFTMAX", (I8,), [ROW], [ranged(1, 13, dtype=I16, **narrow)], {"beta": 1.0}
    yield "L2_NORMALIZATION", (F, I8), [ROW], [ROW], NONE
    yield "PRELU", (F, I8), [IMAGE, fixed(1, 1, 6)], [IMAGE], {}
    yield "QUANTIZE", (F,), [ROW], [data(1, 13, dtype=I8)], {}
    yield "QUANTIZE", (I8,), [ROW], [data(1, 13, dtype=I16)], {}
    yield "DEQUANTIZE", (I8, I16), [ROW], [data(1, 13, dtype=F)], {}
    for to in (F, I8, I32):
        yield "CAST", (F, I8, I32), [ROW], [data(1, 13, dtype=to)], {}
    yield "CUMSUM", (F, I8), [ROW, integers(1, shape=())], [ROW], {"exclusive": False, "reverse": True}


def of_two() -> Iterator[Case]:
    for kind in ("ADD", "SUB"):
        yield kind, (F, I8, I16, I32), [ROW, ROW], [ROW], NONE
        yield kind, (F, I8), [IMAGE, data(1, 1, 1, 6)], [IMAGE], NONE
    yield "MUL", (F, I8, I16, I32), [IMAGE, data(1, 5, 7, 1)], [IMAGE], NONE
    yield "DIV", (F, I8), [ROW, ROW], [ROW], NONE
    for kind, dtypes in {
        "FLOOR_DIV": (F,), "FLOOR_MOD": (F,), "MAXIMUM": (F, I8, I16, I32, I64), "MINIMUM": (F, I8, I16, I32, I64),
        "SQUARED_DIFFERENCE": (F, I8, I32),
    }.items():  # fmt: skip
        yield kind, dtypes, [ROW, ROW], [ROW], {}
    for kind in ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL"):
        yield kind, (F, I8, I32, I64), [ROW, ROW], [data(1, 13, dtype=BOOL)], {}
    for kind in ("LOGICAL_AND", "LOGICAL_OR"):
        yield kind, (BOOL,), [ROW, ROW], [ROW], {}
    yield "ADD_N", (F, I8), [ROW, ROW, ROW, ROW], [ROW], {}
    yield "SELECT_V2", (F, I8, I16), [data(1, 13, dtype=BOOL), ROW, ROW], [ROW], {}


def layers() -> Iterator[Case]:
    for stride, padding in ((1, "SAME"), (2, "VALID")):
        side = 5 if padding == "SAME" else 2
        options = windowed(stride, padding)
        for kernel in (1, 3):
            out = (
                5 if padding == "SAME" else -(-(5 - kernel + 1) // 2),
                7 if padding == "SAME" else -(-(7 - kernel + 1) // 2),
            )
            yield (
                "CONV_2D",
                (F, I8, I16),
                [IMAGE, weights(9, kernel, kernel, 6), bias(9)],
                [data(1, *out, 9)],
                options,
            )
        yield (
            "DEPTHWISE_CONV_2D", (F, I8, I16), [IMAGE, weights(1, 3, 3, 12, axis=3), bias(12)],
            [data(1, side, 7 if padding == "SAME" else 3, 12)], {**options, "depth_multiplier": 2},
        )  # fmt: skip
    yield "CONV_2D", (F, I8), [IMAGE, weights(9, 3, 3, 6)], [data(1, 5, 7, 9)], windowed()
    yield "CONV_2D", (F, I8), [IMAGE, weights(9, 3, 3, 3), bias(9)], [data(1, 5, 7, 9)], windowed()
    yield (
        "CONV_2D",
        (I8,),
        [IMAGE, fixed(9, 3, 3, 6, dtype=DType.INT4), bias(9)],
        [data(1, 5, 7, 9)],
        windowed(),
    )
    yield "CONV_2D", (I16,), [IMAGE, weights(9, 3, 3, 6), bias(9, I32)], [data(1, 5, 7, 9)], windowed()
    yield (
        "CONV_2D",
        (F, I8),
        [IMAGE, weights(9, 3, 3, 6), bias(9)],
        [data(1, 1, 3, 9)],
        windowed(1, "VALID", 2),
    )
    yield (
        "DEPTHWISE_CONV_2D", (I8,), [IMAGE, fixed(1, 3, 3, 6, dtype=DType.INT4), bias(6)], [IMAGE],
        {**windowed(), "depth_multiplier": 1},
    )  # fmt: skip
    dense = {
        **NONE, "weights_format": "DEFAULT", "keep_num_dims": False, "asymmetric_quantize_inputs": False,
    }  # fmt: skip
    yield "FULLY_CONNECTED", (F, I8, I16), [data(3, 10), weights_of(7, 10), None], [data(3, 7)], dense
    yield "FULLY_CONNECTED", (F, I8, I16), [data(3, 10), weights(7, 10), bias(7)], [data(3, 7)], dense
    yield (
        "FULLY_CONNECTED",
        (I8,),
        [data(1, 10), fixed(7, 10, dtype=DType.INT4), bias(7)],
        [data(1, 7)],
        dense,
    )
    yield "FULLY_CONNECTED", (F, I8), [data(1, 10), data(7, 10), bias(7)], [data(1, 7)], dense
    keep = {**dense, "keep_num_dims": True}
    yield "FULLY_CONNECTED", (F, I8), [data(1, 4, 12), fixed(7, 12), bias(7)], [data(1, 4, 7)], keep
    for window, stride, padding, side in ((2, 2, "VALID", (2, 3)), (3, 1, "SAME", (5, 7))):
        out = data(1, *side, 6)
        for kind in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
            yield kind, (F, I8, I16), [IMAGE], [out], pooled(window, stride, padding)
        yield "L2_POOL_2D", (F,), [IMAGE], [out], pooled(window, stride, padding)
    up = {"padding": "SAME", "stride_h": 2, "stride_w": 2, **NONE}
    for biased in ([], [bias(4)]):
        yield (
            "TRANSPOSE_CONV", (F, I8, I16),
            [integers(1, 10, 14, 4), weights(4, 3, 3, 6), IMAGE, *biased], [data(1, 10, 14, 4)], up,
        )  # fmt: skip
    yield (
        "TRANSPOSE_CONV", (I16,),
        [integers(1, 10, 14, 4), weights(4, 3, 3, 6), IMAGE, bias(4, I16)], [data(1, 10, 14, 4)], up,
    )  # fmt: skip
    for adj_x, adj_y in ((False, False), (True, False), (False, True), (True, True)):
        left, right = ((2, 6, 4) if adj_x else (2, 4, 6)), ((2, 5, 6) if adj_y else (2, 6, 5))
        options = {"adj_x": adj_x, "adj_y": adj_y, "asymmetric_quantize_inputs": False}
        yield "BATCH_MATMUL", (F, I8, I16), [data(*left), data(*right)], [data(2, 4, 5)], options
    yield (
        "BATCH_MATMUL", (F, I8), [data(2, 4, 6), fixed(2, 6, 5)], [data(2, 4, 5)],
        {"adj_x": False, "adj_y": False, "asymmetric_quantize_inputs": False},
    )  # fmt: skip
    for rank in (1, 2):
        yield (
            "SVDF", (F,), [data(2, 10), fixed(24, 10), fixed(24, 5), bias(24 // rank), state(2, 120)],
            [data(2, 24 // rank)], {"rank": rank, **NONE},
        )  # fmt: skip
        for kept in (I8, I16):
            yield (
                "SVDF", (I8,),
                [data(2, 10), fixed(24, 10), fixed(24, 5, dtype=kept), bias(24 // rank), state(2, 120, dtype=kept)],
                [data(2, 24 // rank)], {"rank": rank, **NONE},
            )  # fmt: skip
    for major in (False, True):
        yield sequence(F, major)
        yield sequence(I8, major)
        yield sequence(I16, major)


def sequence(dtype: DType, time_major: bool) -> Case:
    """An LSTM over 4 steps of 3 features, of 5 units, without the optional parts."""
    cell = F if dtype is F else I16
    inputs: list[Part | None] = [data(4, 2, 3) if time_major else data(2, 4, 3)]
    inputs += [weights_of(5, 3) for _ in range(4)] + [weights_of(5, 5) for _ in range(4)]
    inputs += [None] * 3 + [bias(5) for _ in range(4)] + [None] * 2
    inputs += [state(2, 5), state(2, 5, dtype=cell)] + [None] * 4
    options: dict[str, OptionValue] = {
        "fused_activation_function": "TANH", "cell_clip": 0.0, "proj_clip": 0.0, "time_major": time_major,
        "asymmetric_quantize_inputs": False,
    }  # fmt: skip
    out = data(4, 2, 5) if time_major else data(2, 4, 5)
    return "UNIDIRECTIONAL_SEQUENCE_LSTM", (dtype,), inputs, [out], options


def weights_of(*shape: int) -> Part:
    return lambda index, of_case: fixed(*shape, dtype=F if of_case is F else I8)(index, of_case)


def reductions() -> Iterator[Case]:
    for keep in (False, True):
        out = data(1, 1, 1, 6) if keep else data(1, 6)
        options = {"keep_dims": keep}
        for kind, dtypes in {
            "MEAN": (F, I8, I16),
            "SUM": (F, I8, I16),
            "REDUCE_MAX": (F, I8),
            "REDUCE_MIN": (F, I8),
        }.items():
            yield kind, dtypes, [IMAGE, integers(1, 2)], [out], options
    yield "MEAN", (F, I8), [data(3, 9), integers(1)], [data(3)], {"keep_dims": False}
    yield "REDUCE_ALL", (BOOL,), [data(3, 9), integers(1)], [data(3)], {"keep_dims": False}
    for kind in ("ARG_MAX", "ARG_MIN"):
        yield kind, (F, I8), [ROW, integers(1)], [data(1, dtype=I32)], {"output_type": "INT32"}


def rearranged() -> Iterator[Case]:
    image = (F, I8)
    yield (
        "BATCH_TO_SPACE_ND",
        image,
        [data(4, 2, 2, 3), integers(2, 2), integers(0, 0, 0, 0, shape=(2, 2))],
        [data(1, 4, 4, 3)],
        {},
    )
    yield (
        "SPACE_TO_BATCH_ND",
        image,
        [data(1, 4, 4, 3), integers(2, 2), integers(0, 0, 0, 0, shape=(2, 2))],
        [data(4, 2, 2, 3)],
        {},
    )
    yield "DEPTH_TO_SPACE", image, [data(1, 2, 3, 8)], [data(1, 4, 6, 2)], {"block_size": 2}
    yield "SPACE_TO_DEPTH", image, [data(1, 4, 6, 2)], [data(1, 2, 3, 8)], {"block_size": 2}
    yield "BROADCAST_TO", (F, I8, I32), [data(1, 7), integers(3, 7)], [data(3, 7)], {}
    yield "BROADCAST_ARGS", (I32, I64), [data(3), data(3)], [data(3)], {}
    yield (
        "CONCATENATION",
        (F, I8, I16, I32, BOOL),
        [data(1, 5), data(1, 9), data(1, 1)],
        [data(1, 15)],
        {"axis": 1, **NONE},
    )
    yield "CONCATENATION", (F, I8), [data(1, 5), fixed(1, 9)], [data(1, 14)], {"axis": -1, **NONE}
    yield "DYNAMIC_UPDATE_SLICE", (F, I8, I16), [data(4, 6), data(2, 3), data(2, dtype=I32)], [data(4, 6)], {}
    yield "EMBEDDING_LOOKUP", (F, I8), [data(3, dtype=I32), fixed(6, 4)], [data(3, 4)], {}
    yield "EXPAND_DIMS", (F, I8), [ROW, integers(0)], [data(1, 1, 13)], {}
    yield "FILL", (F, I8, I32), [integers(3, 4), data()], [data(3, 4)], {}
    yield "GATHER", image, [data(6, 4), integers(5, 1, 0)], [data(3, 4)], {"axis": 0, "batch_dims": 0}
    yield "GATHER_ND", image, [data(6, 4), integers(0, 1, 2, shape=(3, 1))], [data(3, 4)], {}
    yield (
        "MIRROR_PAD",
        image,
        [data(1, 4, 4), integers(0, 0, 1, 1, 1, 1, shape=(3, 2))],
        [data(1, 6, 6)],
        {"mode": "REFLECT"},
    )
    yield "PACK", (F, I8, I32), [data(3, 5), data(3, 5)], [data(3, 2, 5)], {"values_count": 2, "axis": 1}
    yield "UNPACK", (F, I8, I32), [data(3, 2, 5)], [data(3, 5), data(3, 5)], {"num": 2, "axis": 1}
    yield (
        "PAD",
        (F, I8, I16, I32),
        [IMAGE, integers(0, 0, 1, 2, 0, 3, 0, 0, shape=(4, 2))],
        [data(1, 8, 10, 6)],
        {},
    )
    yield (
        "PADV2",
        (F, I8),
        [IMAGE, integers(0, 0, 1, 2, 0, 3, 0, 0, shape=(4, 2)), fixed(1)],
        [data(1, 8, 10, 6)],
        {},
    )
    yield "RESHAPE", (F, I8, I16, I32), [data(2, 9), integers(3, 6)], [data(3, 6)], {"new_shape": (3, 6)}
    yield "RESHAPE", (F,), [data(2, 9)], [data(3, 6)], {"new_shape": (3, 6)}
    yield (
        "RESIZE_BILINEAR",
        image,
        [IMAGE, integers(10, 14)],
        [data(1, 10, 14, 6)],
        {"align_corners": False, "half_pixel_centers": False},
    )
    yield (
        "RESIZE_NEAREST_NEIGHBOR",
        (F, I8, I16),
        [IMAGE, integers(10, 14)],
        [data(1, 10, 14, 6)],
        {"align_corners": False, "half_pixel_centers": False},
    )
    yield "REVERSE_V2", (F, I8, I32), [data(3, 6), integers(1)], [data(3, 6)], {}
    yield "SHAPE", (F, I8), [data(3, 6)], [data(2, dtype=I32)], {"out_type": "INT32"}
    yield "SLICE", (F, I8, I16, I32), [data(4, 9), integers(1, 2), integers(2, 5)], [data(2, 5)], {}
    yield (
        "SPLIT",
        (F, I8, I16, I32),
        [integers(1, shape=()), data(3, 8)],
        [data(3, 4), data(3, 4)],
        {"num_splits": 2},
    )
    yield (
        "SPLIT_V",
        (F, I8, I16, I32),
        [data(3, 8), integers(3, 5), integers(1, shape=())],
        [data(3, 3), data(3, 5)],
        {"num_splits": 2},
    )
    yield "SQUEEZE", (F, I8), [data(1, 3, 1, 4)], [data(3, 4)], {"squeeze_dims": (0, 2)}
    strided = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
    yield (
        "STRIDED_SLICE",
        (F, I8, I16, I32),
        [data(4, 9), integers(0, 1), integers(4, 9), integers(2, 3)],
        [data(2, 3)],
        strided,
    )
    yield "TRANSPOSE", (F, I8, I16), [data(2, 3, 4), integers(2, 0, 1)], [data(4, 2, 3)], {}
    yield "CONCATENATION", (I8,), [data(0, 5), data(2, 5)], [data(2, 5)], {"axis": 0, **NONE}
    yield "ADD", (F, I8), [data(), data()], [data()], NONE


FAMILIES = (elementwise, of_two, layers, reductions, rearranged)
_UNCHECKED = frozenset({"LOGICAL_AND", "LOGICAL_OR"})
"""Their kernels take the bytes of any type for truth values, without a look at the type."""


def operator_models() -> dict[str, ModelGraph]:
    """By a name that is theirs alone."""
    made: dict[str, ModelGraph] = {}
    for family in FAMILIES:
        for kind, dtypes, inputs, outputs, options in family():
            for dtype in dtypes:
                built = single(kind, dtype, inputs, outputs, dict(options))
                made[f"{built.name} {len(made)}"] = built
    return made


def refusable_models() -> dict[str, ModelGraph]:
    """The first case of each operator in the types that it is not listed for: most are refused, some run."""
    made: dict[str, ModelGraph] = {}
    seen = set(_UNCHECKED)
    for family in FAMILIES:
        for kind, dtypes, inputs, outputs, options in family():
            if kind in seen:
                continue
            seen.add(kind)
            for dtype in (F, I8, I16, I32, I64, BOOL, DType.UINT8, DType.FLOAT16):
                if dtype not in dtypes:
                    built = single(kind, dtype, inputs, outputs, dict(options))
                    made[f"{built.name} elsewhere"] = built
    return made
