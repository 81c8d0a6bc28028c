"""One operator at a time, on either side of what Ethos-U takes."""

from __future__ import annotations

from collections.abc import Iterator

from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Subgraph, Tensor

I8, U8, I16, I32, I64, F32, BOOL = (
    DType.INT8, DType.UINT8, DType.INT16, DType.INT32, DType.INT64, DType.FLOAT32, DType.BOOL,
)  # fmt: skip
SCALE = Quantization((0.05,), (0,))
Shape = tuple[int, ...]


def single(
    kind: str, inputs: list[tuple[str, Shape, DType]], made: tuple[Shape, DType], **options: OptionValue
) -> ModelGraph:
    """A model of one operator.

    `inputs` are "x" (given to the model), "w" (constant) or integers that matter, such as "0,3,1,2".
    """
    tensors, given = [], []
    for index, (what, shape, dtype) in enumerate(inputs):
        values = tuple(int(v) for v in what.split(",")) if what not in {"x", "w"} else None
        tensors.append(_tensor(index, shape, dtype, constant=what != "x", values=values))
        given += [index] if what == "x" else []
    output = len(tensors)
    tensors.append(_tensor(output, *made))
    op = Op(0, kind, tuple(range(output)), (output,), options=options)
    main = Subgraph("main", tuple(tensors), (op,), tuple(given), (output,))
    return ModelGraph(kind, "architecture", "", None, (main,))


def _tensor(
    index: int, shape: Shape, dtype: DType, *, constant: bool = False, values: tuple[int, ...] | None = None
) -> Tensor:
    elements = 1
    for extent in shape:
        elements *= extent
    return Tensor(
        index, f"t{index}", shape, dtype,
        stored_bytes=(dtype.storage_bytes(elements) or 0) if constant else 0,
        is_constant=constant, values=values,
        quantization=SCALE if dtype in {I8, U8, I16} else None,
    )  # fmt: skip


def cases() -> Iterator[tuple[str, ModelGraph]]:
    yield from _windows()
    yield from _enlarged()
    yield from _axes()
    yield from _types()


def _windows() -> Iterator[tuple[str, ModelGraph]]:
    for stride, padding in ((3, "SAME"), (4, "SAME"), (5, "SAME"), (4, "VALID")):
        size = -(-16 // stride) if padding == "SAME" else (16 - 3) // stride + 1
        for kind, shape in (("CONV_2D", (8, 3, 3, 8)), ("DEPTHWISE_CONV_2D", (1, 3, 3, 8))):
            options = {
                "padding": padding, "stride_h": stride, "stride_w": stride, "dilation_h_factor": 1,
                "dilation_w_factor": 1, "fused_activation_function": "NONE",
            }  # fmt: skip
            if kind == "DEPTHWISE_CONV_2D":
                options["depth_multiplier"] = 1
            inputs = [("x", (1, 16, 16, 8), I8), ("w", shape, I8), ("w", (8,), I32)]
            yield f"{kind} {stride} {padding}", single(kind, inputs, ((1, size, size, 8), I8), **options)
    for window, padding in ((8, "SAME"), (9, "SAME"), (9, "VALID")):
        size = 16 if padding == "SAME" else 16 - window + 1
        for kind in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
            yield f"{kind} {window} {padding}", single(
                kind, [("x", (1, 16, 16, 8), I8)], ((1, size, size, 8), I8), padding=padding, stride_h=1,
                stride_w=1, filter_height=window, filter_width=window, fused_activation_function="NONE",
            )  # fmt: skip
    for stride in (1, 2, 3):
        made = (1, 8 * stride, 8 * stride, 4)
        shape = ",".join(map(str, made))
        inputs = [(shape, (4,), I32), ("w", (4, 3, 3, 8), I8), ("x", (1, 8, 8, 8), I8)]
        yield (
            f"TRANSPOSE_CONV {stride}",
            single("TRANSPOSE_CONV", inputs, (made, I8), padding="SAME", stride_h=stride, stride_w=stride),
        )


def _enlarged() -> Iterator[tuple[str, ModelGraph]]:
    for kind in ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"):
        for factor, half in ((2, False), (2, True), (3, False), (4, True), (8, False)):
            if kind == "RESIZE_NEAREST_NEIGHBOR" and half:
                continue
            made = (1, 4 * factor, 4 * factor, 4)
            inputs = [("x", (1, 4, 4, 4), I8), (f"{made[1]},{made[2]}", (2,), I32)]
            yield (
                f"{kind} {factor} {half}",
                single(kind, inputs, (made, I8), align_corners=False, half_pixel_centers=half),
            )


def _axes() -> Iterator[tuple[str, ModelGraph]]:
    for axes, shape, made in (
        ("1,2", (1, 8, 8, 4), (1, 1, 1, 4)),
        ("3", (1, 8, 8, 4), (1, 8, 8, 1)),
        ("3", (1, 1, 8, 4), (1, 1, 8, 1)),
        ("1,2", (2, 8, 8, 4), (2, 1, 1, 4)),
        ("2", (1, 1, 4200, 4), (1, 1, 1, 4)),
    ):
        count = (len(axes.split(",")),)
        yield (
            f"MEAN {axes} {shape}",
            single("MEAN", [("x", shape, I8), (axes, count, I32)], (made, I8), keep_dims=True),
        )
    for order, shape in (
        ("0,3,1,2", (1, 8, 4, 6)), ("0,2,1,3", (2, 8, 4, 6)), ("3,2,1,0", (40, 300, 8, 300)),
        ("0,1,3,2", (1, 8, 4, 6)),
    ):  # fmt: skip
        made = tuple(shape[int(axis)] for axis in order.split(","))
        for dtype in (I8, I32):
            inputs = [("x", shape, dtype), (order, (4,), I32)]
            yield f"TRANSPOSE {order} {dtype.value}", single("TRANSPOSE", inputs, (made, dtype))
    for axis, channels in (("3", 127), ("3", 128), ("2", 16)):
        made = (1, 4, 4) if axis == "3" else (1, 4, channels)
        inputs = [("x", (1, 4, 4, channels), I8), (axis, (1,), I32)]
        yield f"ARG_MAX {axis} {channels}", single("ARG_MAX", inputs, (made, I32), output_type="INT32")
    for axis in (0, 1):
        made = (3, 6, 8) if axis == 0 else (4, 3, 8)
        inputs = [("x", (4, 6, 8), I8), ("x", (3,), I32)]
        yield f"GATHER {axis}", single("GATHER", inputs, (made, I8), axis=axis, batch_dims=0)
    for steps, made in (("1,2,2,1", (1, 4, 4, 8)), ("1,1,1,2", (1, 8, 8, 4))):
        inputs = [("x", (1, 8, 8, 8), I8), ("0,0,0,0", (4,), I32), ("1,8,8,8", (4,), I32), (steps, (4,), I32)]
        yield f"STRIDED_SLICE {steps}", single(
            "STRIDED_SLICE", inputs, (made, I8), begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0,
            shrink_axis_mask=0,
        )  # fmt: skip


def _types() -> Iterator[tuple[str, ModelGraph]]:
    shape = (1, 4, 4, 8)
    for dtype in (I8, U8, I16, I32, F32):
        two = [("x", shape, dtype), ("x", shape, dtype)]
        yield f"ADD {dtype.value}", single("ADD", two, (shape, dtype), fused_activation_function="NONE")
        yield f"MINIMUM {dtype.value}", single("MINIMUM", two, (shape, dtype))
        yield f"RELU {dtype.value}", single("RELU", two[:1], (shape, dtype))
    for kind in ("TANH", "LOGISTIC", "ABS", "EXP", "LOG", "RSQRT", "ELU", "SQRT", "NEG", "FLOOR"):
        yield f"{kind} int8", single(kind, [("x", shape, I8)], (shape, I8))
    yield "QUANTIZE float32", single("QUANTIZE", [("x", shape, F32)], (shape, I8))
    yield "QUANTIZE int8", single("QUANTIZE", [("x", shape, I8)], (shape, I16))
    yield "DEQUANTIZE int8", single("DEQUANTIZE", [("x", shape, I8)], (shape, F32))
    for constant in ("w", "x"):
        for dtype in (I8, I16):
            inputs = [("x", (1, 16), dtype), (constant, (4, 16), I8)]
            yield f"FULLY_CONNECTED {constant} {dtype.value}", single(
                "FULLY_CONNECTED", inputs, ((1, 4), dtype), fused_activation_function="NONE",
                keep_num_dims=False, weights_format="DEFAULT",
            )  # fmt: skip
