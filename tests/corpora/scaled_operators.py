"""Operators of one integer kind whose scales lie near what kernels take, and beyond."""

from __future__ import annotations

from collections.abc import Iterator

from edgewright.tools.graph import DType, ModelGraph, OptionValue, Quantization

from .tflm_parts import Part, constant, data, fixed, integers, single, tensor

_I8 = DType.INT8
_NONE: dict[str, OptionValue] = {"fused_activation_function": "NONE"}
_WINDOW: dict[str, OptionValue] = {
    "padding": "SAME", "stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1, **_NONE,
}  # fmt: skip
_POOL: dict[str, OptionValue] = {
    "padding": "VALID", "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2, **_NONE,
}  # fmt: skip
_IMAGE = (1, 4, 4, 4)


def scaled_operators() -> dict[str, ModelGraph]:
    return dict([*_multiplied(), *_added(), *_moved(), *_fixed(), *_absent()])


def _x(*shape: int, scale: float = 1.0, zero: int = 0) -> Part:
    found = Quantization((scale,), (zero,))
    return lambda index, dtype: tensor(index, shape, dtype, quantization=found)


def _weights(*shape: int, channels: int = 1, axis: int = 0) -> Part:
    """Scale 1 in the first channel and half of it in the others."""
    found = Quantization((1.0, *(0.5,) * (channels - 1)), (0,) * channels, axis)
    return lambda index, dtype: constant(index, shape, dtype, quantization=found)


def _bias(channels: int = 1) -> Part:
    found = Quantization((1.0, *(0.5,) * (channels - 1)), (0,) * channels)
    return lambda index, _: constant(index, (4,), DType.INT32, quantization=found)


def _multiplied() -> Iterator[tuple[str, ModelGraph]]:
    """The scale of the sums is so many times that of the output."""
    for times in (100.0, 254.9, 255.5, 256.0, 1e6):
        out, image = _x(1, 4, scale=1 / times), _x(*_IMAGE, scale=1 / times)
        for channels in (1, 4):
            name = f"{times} {channels}"
            inputs = [_x(*_IMAGE), _weights(4, 1, 1, 4, channels=channels), _bias(channels)]
            yield f"convolution {name}", single("CONV_2D", _I8, inputs, [image], _WINDOW)
            inputs = [_x(*_IMAGE), _weights(1, 3, 3, 4, channels=channels, axis=3), _bias(channels)]
            options = {**_WINDOW, "depth_multiplier": 1}
            yield f"depthwise {name}", single("DEPTHWISE_CONV_2D", _I8, inputs, [image], options)
            inputs = [_x(1, 4), _weights(4, 4, channels=channels), _bias(channels)]
            options = {**_NONE, "keep_num_dims": False}
            yield f"dense {name}", single("FULLY_CONNECTED", _I8, inputs, [out], options)
            inputs = [
                integers(*_IMAGE),
                _weights(4, 1, 1, 4, channels=channels),
                _x(*_IMAGE),
                _bias(channels),
            ]
            options = {"padding": "SAME", "stride_h": 1, "stride_w": 1, **_NONE}
            yield f"transposed {name}", single("TRANSPOSE_CONV", _I8, inputs, [image], options)
        product = {"adj_x": False, "adj_y": False, "asymmetric_quantize_inputs": False}
        made = [_x(1, 4, 4, scale=1 / times)]
        inputs = [_x(1, 4, 4), _weights(1, 4, 4)]
        yield f"product with weights {times}", single("BATCH_MATMUL", _I8, inputs, made, product)
        yield f"product {times}", single("BATCH_MATMUL", _I8, [_x(1, 4, 4)] * 2, made, product)


def _added() -> Iterator[tuple[str, ModelGraph]]:
    """An input's scale is so many times that of the output."""
    for times in (1e-6, 127.0, 128.0, 4095.0, 4096.0, 16383.0, 16385.0, 524287.0, 524289.0, 1e9):
        out = [_x(1, 4, scale=1 / times)]
        for dtype in (_I8, DType.INT16):
            for kind in ("ADD", "SUB", "MUL"):
                options = {**_NONE, "pot_scale_int16": False} if kind != "MUL" else _NONE
                yield f"{kind} {dtype} {times}", single(kind, dtype, [_x(1, 4)] * 2, out, options)
        for kind in ("SQUARED_DIFFERENCE", "MAXIMUM"):
            yield f"{kind} {times}", single(kind, _I8, [_x(1, 4)] * 2, out, {})
        for kind in ("HARD_SWISH", "RELU", "TANH", "QUANTIZE"):
            yield f"{kind} {times}", single(kind, _I8, [_x(1, 4)], out, {})


def _moved() -> Iterator[tuple[str, ModelGraph]]:
    """The output's scale and zero point are those of the input, or not."""
    row, image, none = _x(1, 4), _x(*_IMAGE), dict[str, OptionValue]()
    around = integers(0, 0, 1, 1, shape=(2, 2))
    for scale, zero in ((1.0, 0), (1.0, 3), (1.01, 0), (0.5, 0)):
        cases: dict[str, tuple[list[Part | None], list[tuple[int, ...]], dict[str, OptionValue]]] = {
            "CONCATENATION": ([row, row], [(1, 8)], {"axis": 1, **_NONE}),
            "MAX_POOL_2D": ([image], [(1, 2, 2, 4)], _POOL),
            "AVERAGE_POOL_2D": ([image], [(1, 2, 2, 4)], _POOL),
            "PAD": ([row, around], [(1, 6)], none),
            "PADV2": ([row, around, _weights(1)], [(1, 6)], none),
            "MIRROR_PAD": ([row, around], [(1, 6)], {"mode": "REFLECT"}),
            "TRANSPOSE": ([row, integers(1, 0)], [(4, 1)], none),
            "SLICE": ([row, integers(0, 0), integers(1, 2)], [(1, 2)], none),
            "STRIDED_SLICE": ([row, integers(0, 0), integers(1, 2), integers(1, 1)], [(1, 2)], none),
            "SPLIT": ([integers(3, shape=()), image], [(1, 4, 4, 2)] * 2, {"num_splits": 2}),
            "PACK": ([row, row], [(2, 1, 4)], {"axis": 0, "values_count": 2}),
            "EXPAND_DIMS": ([row, integers(0, shape=())], [(1, 1, 4)], none),
            "RESHAPE": ([row, integers(4, 1)], [(4, 1)], none),
            "SPACE_TO_DEPTH": ([image], [(1, 2, 2, 16)], {"block_size": 2}),
            "DEPTH_TO_SPACE": ([image], [(1, 8, 8, 1)], {"block_size": 2}),
            "RESIZE_BILINEAR": ([image, integers(8, 8)], [(1, 8, 8, 4)], none),
            "RESIZE_NEAREST_NEIGHBOR": ([image, integers(8, 8)], [(1, 8, 8, 4)], none),
            "MEAN": ([image, integers(1, 2)], [(1, 4)], {"keep_dims": False}),
        }
        for kind, (inputs, shapes, options) in cases.items():
            outputs = [_x(*shape, scale=scale, zero=zero) for shape in shapes]
            yield f"{kind} to {scale} {zero}", single(kind, _I8, inputs, outputs, options)


def _fixed() -> Iterator[tuple[str, ModelGraph]]:
    """Outputs that kernels give one scale."""
    for scale, zero in ((1 / 256, -128), (1 / 256, 0), (1 / 128, -128), (1 / 128, 0), (16 / 256, 127)):
        for kind, options in (
            ("SOFTMAX", {"beta": 1.0}), ("LOGISTIC", {}), ("LOG_SOFTMAX", {}), ("L2_NORMALIZATION", _NONE),
        ):  # fmt: skip
            out = [_x(1, 4, scale=scale, zero=zero)]
            yield f"{kind} {scale} {zero}", single(kind, _I8, [_x(1, 4, scale=0.1)], out, options)


def _absent() -> Iterator[tuple[str, ModelGraph]]:
    """Without a bias."""
    made = [data(*_IMAGE)]
    for dtype in (DType.FLOAT32, _I8):
        inputs = [data(*_IMAGE), fixed(4, 1, 1, 4)]
        yield f"convolution alone {dtype}", single("CONV_2D", dtype, inputs, made, _WINDOW)
        inputs = [data(*_IMAGE), fixed(1, 3, 3, 4)]
        options = {**_WINDOW, "depth_multiplier": 1}
        yield f"depthwise alone {dtype}", single("DEPTHWISE_CONV_2D", dtype, inputs, made, options)
        options = {**_NONE, "keep_num_dims": False}
        yield (
            f"dense alone {dtype}",
            single("FULLY_CONNECTED", dtype, [data(1, 4), fixed(4, 4)], [data(1, 4)], options),
        )
