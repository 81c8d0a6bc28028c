"""Every common operator in every type, as a model of its own, against TensorFlow Lite Micro's interpreter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

import pytest

from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Subgraph, Tensor
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.placement.operators import place_operators

Place = Callable[..., Deployment]
Accepts = Callable[[bytes], bool]

F32, F16, I8, I16, I32, I64, U8, BOOL = (
    DType.FLOAT32, DType.FLOAT16, DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.UINT8, DType.BOOL,
)  # fmt: skip
TYPES = (F32, F16, I8, I16, I32, I64, U8, BOOL)
QUANTISED = {I8, I16, U8, DType.INT4}
BIAS = {I8: I32, U8: I32, I16: I64}
OUTPUT_SCALES = {
    ("SOFTMAX", I8): (1 / 256, -128), ("SOFTMAX", I16): (1 / 32768, 0), ("LOGISTIC", I8): (1 / 256, -128),
    ("LOGISTIC", I16): (1 / 32768, 0), ("TANH", I8): (1 / 128, 0), ("TANH", I16): (1 / 32768, 0),
    ("L2_NORMALIZATION", I8): (1 / 128, 0), ("LOG_SOFTMAX", I8): (16 / 256, 127),
}  # fmt: skip
"""What kernels demand of the output of functions whose range is fixed."""


@dataclass(frozen=True)
class Sample:
    """One operator on inputs ("x" computed, "w" weights, "b" bias) and constants (values, shape)."""

    kind: str
    inputs: tuple[Any, ...]
    output: tuple[int, ...]
    made: DType | None = None
    options: dict[str, OptionValue] = field(default_factory=dict)

    def graph(self, dtype: DType, weights: DType | None = None) -> ModelGraph:
        tensors: list[Tensor] = []

        def add(shape: tuple[int, ...], kind: DType, *, constant: bool, **rest: Any) -> int:
            stored = kind.storage_bytes(prod(shape)) if constant else 0
            tensors.append(Tensor(len(tensors), "t", shape, kind, stored or 0, is_constant=constant, **rest))
            return tensors[-1].index

        read = []
        for first, second in self.inputs:
            match first:
                case "x":
                    read.append(add(second, dtype, constant=False, quantization=scale(dtype)))
                case "w":
                    kind = weights or (I8 if dtype is I16 else dtype)
                    read.append(add(second, kind, constant=True, quantization=scale(kind)))
                case "b":
                    kind = BIAS.get(dtype, dtype)
                    made = Quantization((0.25,), (0,)) if dtype in BIAS else None
                    read.append(add(second, kind, constant=True, quantization=made))
                case _:
                    read.append(add(second, I32, constant=True, values=first))
        output = self.made or dtype
        demanded = OUTPUT_SCALES.get((self.kind, output))
        quantized = Quantization(demanded[:1], demanded[1:]) if demanded else scale(output)
        written = add(self.output, output, constant=False, quantization=quantized)
        op = Op(0, self.kind, tuple(read), (written,), options=self.options)
        fed = tuple(i for i in read if not tensors[i].is_constant)
        main = Subgraph("main", tuple(tensors), (op,), fed, (written,))
        return ModelGraph(self.kind, "tflite", "0" * 64, None, (main,))


def scale(dtype: DType) -> Quantization | None:
    return Quantization((0.5,), (0,)) if dtype in QUANTISED else None


S = (1, 4, 4, 2)
X = ("x", S)
SQUARE = ("x", (4, 4))
ALL_ONES = ((1, 1, 1, 1), (2, 2))
WINDOW = {"padding": "SAME", "stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1}
POOL = {"padding": "VALID", "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2}
WEIGHTED = (
    Sample("CONV_2D", (X, ("w", (3, 2, 2, 2)), ("b", (3,))), (1, 4, 4, 3), options=WINDOW),
    Sample(
        "DEPTHWISE_CONV_2D",
        (X, ("w", (1, 2, 2, 2)), ("b", (2,))),
        S,
        options=WINDOW | {"depth_multiplier": 1},
    ),
    Sample("FULLY_CONNECTED", (("x", (1, 8)), ("w", (3, 8)), ("b", (3,))), (1, 3)),
)
UNARY = (
    "ABS CEIL COS ELU EXP FLOOR HARD_SWISH LEAKY_RELU LOG LOGICAL_NOT LOGISTIC LOG_SOFTMAX NEG RELU RELU6 "
    "ROUND RSQRT SIN SQRT SQUARE TANH L2_NORMALIZATION ZEROS_LIKE GELU RELU_N1_TO_1 SIGN"
)
BINARY = "ADD SUB MUL DIV MAXIMUM MINIMUM SQUARED_DIFFERENCE FLOOR_DIV FLOOR_MOD ADD_N POW"
COMPARISONS = "EQUAL NOT_EQUAL GREATER GREATER_EQUAL LESS LESS_EQUAL"
REDUCTIONS = "MEAN SUM REDUCE_MAX REDUCE_MIN REDUCE_ALL REDUCE_ANY REDUCE_PROD"
POOLS = "AVERAGE_POOL_2D MAX_POOL_2D L2_POOL_2D"


def samples() -> Iterator[Sample]:
    yield from WEIGHTED
    yield from (Sample(kind, (X,), S) for kind in UNARY.split())
    yield from (Sample(kind, (X, X), S) for kind in BINARY.split())
    yield from (Sample(kind, (X, X), S, BOOL) for kind in COMPARISONS.split())
    yield from (Sample(kind, (X, ((1, 2), (2,))), (1, 2)) for kind in REDUCTIONS.split())
    yield from (Sample(kind, (X, ((3,), ())), (1, 4, 4), I32) for kind in ("ARG_MAX", "ARG_MIN"))
    yield from (Sample(kind, (X,), (1, 2, 2, 2), options=POOL) for kind in POOLS.split())
    yield from (Sample("QUANTIZE", (X,), S, made) for made in (I8, I16, U8))
    yield from (Sample("CAST", (X,), S, made) for made in (F32, I8, I64))
    yield Sample("SOFTMAX", (X,), S, options={"beta": 1.0})
    yield Sample("DEQUANTIZE", (X,), S, F32)
    yield Sample("SHAPE", (X,), (4,), I32, {"out_type": "INT32"})
    yield Sample("BATCH_MATMUL", (("x", (1, 4, 3)), ("x", (1, 3, 2))), (1, 4, 2))
    yield Sample("CONCATENATION", (X, X), (1, 4, 4, 4), options={"axis": 3})
    yield Sample("CUMSUM", (X, ((3,), ())), S)
    yield Sample("BATCH_TO_SPACE_ND", (("x", (4, 2, 2, 1)), ((2, 2), (2,)), ((0,) * 4, (2, 2))), (1, 4, 4, 1))
    yield Sample("SPACE_TO_BATCH_ND", (("x", (1, 4, 4, 1)), ((2, 2), (2,)), ((0,) * 4, (2, 2))), (4, 2, 2, 1))
    yield Sample("DEPTH_TO_SPACE", (("x", (1, 2, 2, 4)),), (1, 4, 4, 1), options={"block_size": 2})
    yield Sample("SPACE_TO_DEPTH", (("x", (1, 4, 4, 1)),), (1, 2, 2, 4), options={"block_size": 2})
    yield Sample("BROADCAST_TO", (("x", (1, 2)), ((3, 2), (2,))), (3, 2))
    yield Sample("EXPAND_DIMS", (SQUARE, ((0,), (1,))), (1, 4, 4))
    yield Sample("FILL", (((2, 2), (2,)), ("x", ())), (2, 2))
    yield Sample("GATHER", (SQUARE, ((0, 1), (2,))), (2, 4), options={"axis": 0})
    yield Sample("GATHER_ND", (SQUARE, ((0, 1), (2, 1))), (2, 4))
    yield Sample("MIRROR_PAD", (SQUARE, ALL_ONES), (6, 6), options={"mode": "REFLECT"})
    yield Sample("PACK", (("x", (4,)), ("x", (4,))), (2, 4), options={"values_count": 2, "axis": 0})
    yield Sample("PAD", (SQUARE, ALL_ONES), (6, 6))
    yield Sample("RESHAPE", (X, ((1, 32), (2,))), (1, 32))
    yield Sample("RESIZE_BILINEAR", (X, ((8, 8), (2,))), (1, 8, 8, 2))
    yield Sample("RESIZE_NEAREST_NEIGHBOR", (X, ((8, 8), (2,))), (1, 8, 8, 2))
    yield Sample("REVERSE_V2", (SQUARE, ((0,), (1,))), (4, 4))
    yield Sample("SLICE", (SQUARE, ((0, 0), (2,)), ((2, 2), (2,))), (2, 2))
    yield Sample("STRIDED_SLICE", (SQUARE, ((0, 0), (2,)), ((2, 2), (2,)), ((1, 1), (2,))), (2, 2))
    yield Sample("SPLIT", (((0,), ()), SQUARE), (4, 4), options={"num_splits": 1})
    yield Sample("SQUEEZE", (("x", (1, 4, 4)),), (4, 4))
    yield Sample("TILE", (SQUARE, ((1, 2), (2,))), (4, 8))
    yield Sample("TRANSPOSE", (SQUARE, ((1, 0), (2,))), (4, 4))
    yield Sample("UNPACK", (("x", (1, 4)),), (4,), options={"num": 1, "axis": 0})


def claimed(graph: ModelGraph, deployment: Deployment) -> bool | None:
    (placed,) = place_operators(graph, deployment)
    return placed.placement.supported


@pytest.mark.parametrize("sample", [pytest.param(s, id=f"{s.kind}-{s.made or 'same'}") for s in samples()])
def test_a_kernel_takes_the_types_that_the_interpreter_takes(
    sample: Sample, place: Place, tflm_accepts: Accepts
) -> None:
    where = place("tflm-reference", isa="x86-64")
    graphs = {dtype: sample.graph(dtype) for dtype in TYPES}
    told = {dtype for dtype, graph in graphs.items() if claimed(graph, where)}
    assert told == {dtype for dtype, graph in graphs.items() if tflm_accepts(write_tflite(graph))}


@pytest.mark.parametrize("sample", [pytest.param(s, id=s.kind) for s in WEIGHTED])
def test_weights_may_have_the_types_that_the_interpreter_takes(
    sample: Sample, place: Place, tflm_accepts: Accepts
) -> None:
    where = place("tflm-reference", isa="x86-64")
    for dtype, weights in ((F32, F32), (F32, I8), (F32, F16), (I8, I8), (I8, DType.INT4), (I16, I8)):
        graph = sample.graph(dtype, weights)
        assert claimed(graph, where) is tflm_accepts(write_tflite(graph)), f"{dtype} with {weights}"
