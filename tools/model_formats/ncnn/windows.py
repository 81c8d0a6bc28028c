"""ncnn's layers that look at images through windows: convolutions, pooling, padding, resizing."""

from __future__ import annotations

from collections.abc import Callable

from ...core.records import dataclass
from ...graph.builder import GraphBuilder
from ..tflite.reader import DamagedError
from .text import Layer, NotReadError

_SAME_UPPER, _SAME_LOWER = -233, -234
_MOST = 1 << 24
_FUSED = {1: "RELU", 3: "RELU6"}
_AFTER = {2: "LEAKY_RELU", 4: "LOGISTIC", 6: "HARD_SWISH"}


@dataclass(frozen=True)
class Window:
    """(height, width) each; what is padded before and after, None for as much as keeps the size."""

    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    before: tuple[int, int] | None
    after: tuple[int, int] | None

    def extent(self, axis: int) -> int:
        return self.dilation[axis] * (self.kernel[axis] - 1) + 1


def window_of(layer: Layer, *, dilates: bool = True) -> Window:
    """Of a convolution; a height that is not given is the width, and the other end is as this one."""
    kernel, stride = _pair(layer, 1, 11, 0), _pair(layer, 3 if dilates else 2, 13 if dilates else 12, 1)
    dilation = _pair(layer, 2, 12, 1) if dilates else (1, 1)
    left_key, top_key, right_key, bottom_key = (4, 14, 15, 16) if dilates else (3, 13, 14, 15)
    left = layer.whole(left_key)
    top = layer.whole(top_key, left)
    if min(*kernel, *stride, *dilation) < 1 or max(*kernel, *stride, *dilation) > _MOST:
        raise DamagedError(f"a {layer.kind} has a window without a size")
    if left in (_SAME_UPPER, _SAME_LOWER):
        return Window(kernel, stride, dilation, None, None)
    after = (layer.whole(bottom_key, top), layer.whole(right_key, left))
    if min(left, top, *after) < 0 or max(left, top, *after) > _MOST:
        raise DamagedError(f"a {layer.kind} pads by {min(left, top, *after)}")
    return Window(kernel, stride, dilation, (top, left), after)


def _pair(layer: Layer, of_width: int, of_height: int, default: int) -> tuple[int, int]:
    width = layer.whole(of_width, default)
    return layer.whole(of_height, width), width


def padded(b: GraphBuilder, x: int, window: Window, *, ceil: bool = False) -> tuple[int, str]:
    """The image with its padding, and how the window then goes over it: SAME where that is the same size."""
    if window.before is None or window.after is None:
        return x, "SAME"
    sides = b.shape(x)[1:3]
    amounts, is_same = [], True
    for axis, (side, before, after) in enumerate(zip(sides, window.before, window.after, strict=True)):
        room = side + before + after - window.extent(axis)
        if room < 0:
            raise DamagedError("a window is larger than its image")
        steps = (-(-room // window.stride[axis]) if ceil else room // window.stride[axis]) + 1
        is_same &= steps == -(-side // window.stride[axis]) and before + after > 0
        short = (steps - 1) * window.stride[axis] - room
        amounts.append((before, after + max(short, 0)))
    if is_same:
        return x, "SAME"
    if not any(map(any, amounts)):
        return x, "VALID"
    return b.pad(x, ((0, 0), *amounts, (0, 0))), "VALID"


def convolution(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    channels, groups, window = layer.whole(0), layer.whole(7, 1), window_of(layer)
    depth = b.shape(inputs[0])[3]
    area, is_depthwise = window.kernel[0] * window.kernel[1], groups == depth and groups > 1
    if channels < 1 or groups < 1 or depth % groups or channels % groups:
        raise DamagedError(f"a {layer.kind} has {channels} channels in {groups} groups, of {depth}")
    if layer.whole(6) != area * channels * (depth // groups):
        raise DamagedError(f"a {layer.kind} has {layer.whole(6)} weights for {depth} channels")
    x, padding = padded(b, inputs[0], window)
    activation = _FUSED.get(layer.whole(9), "NONE")
    if is_depthwise:
        x = b.depthwise_conv2d(
            x, window.kernel, multiplier=channels // groups, stride=window.stride, dilation=window.dilation,
            padding=padding, activation=activation,
        )  # fmt: skip
    else:
        x = b.conv2d(
            x, channels, window.kernel, stride=window.stride, dilation=window.dilation, padding=padding,
            activation=activation, groups=groups,
        )  # fmt: skip
    after = _AFTER.get(layer.whole(9))
    return [x if after is None else b.unary(after, x)]


def deconvolution(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    """Grouped ones have no counterpart, and are counted as nothing rather than as dense ones."""
    if layer.whole(7, 1) > 1:
        raise NotReadError
    window = window_of(layer)
    padding = "SAME" if window.before is None or any(window.before) else "VALID"
    return [
        b.transpose_conv2d(inputs[0], layer.whole(0), window.kernel, stride=window.stride, padding=padding)
    ]


def pooling(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    x, kind = inputs[0], "AVERAGE_POOL_2D" if layer.whole(0) else "MAX_POOL_2D"
    if layer.whole(7):
        raise NotReadError
    if layer.whole(4):
        channels = b.shape(x)[3]
        whole = b.shape(x)[1:3]
        pool = b.average_pool2d if layer.whole(0) else b.max_pool2d
        return [b.reshape(pool(x, (whole[0], whole[1])), (1, channels))]
    window = window_of(layer, dilates=False)
    x, padding = padded(b, x, window, ceil=layer.whole(5) == 0)
    pool = b.average_pool2d if kind == "AVERAGE_POOL_2D" else b.max_pool2d
    return [pool(x, window.kernel, stride=window.stride, padding=padding)]


def padding(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    amounts = [layer.whole(key) for key in (0, 1, 2, 3, 7, 8)]
    if not 0 <= min(amounts) <= max(amounts) <= _MOST:
        raise DamagedError("a Padding has no sense")
    top, bottom, left, right, front, behind = amounts
    return [b.pad(inputs[0], ((0, 0), (top, bottom), (left, right), (front, behind)))]


def resized(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    _, height, width, _ = b.shape(inputs[0])
    size = (
        layer.whole(3) or round(height * layer.numbers.get(1, 1.0)),
        layer.whole(4) or round(width * layer.numbers.get(2, 1.0)),
    )
    if not 0 < min(size) <= max(size) <= _MOST:
        raise DamagedError("an Interp makes an image without a size")
    kind = "RESIZE_NEAREST_NEIGHBOR" if layer.whole(0) == 1 else "RESIZE_BILINEAR"
    return [b.resize(inputs[0], size, kind=kind)]


LAYERS: dict[str, Callable[[GraphBuilder, Layer, list[int]], list[int]]] = {
    "Convolution": convolution, "ConvolutionDepthWise": convolution, "Deconvolution": deconvolution,
    "DeconvolutionDepthWise": deconvolution, "Pooling": pooling, "Padding": padding, "Interp": resized,
}  # fmt: skip
