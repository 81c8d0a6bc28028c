"""The blocks of the YOLO networks; each takes the number of channels that it makes.

Batch normalisation and the branches of re-parametrised convolutions are folded, as for inference.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...hardware_db.errors import UsageError
from ..graph.builder import GraphBuilder
from ..graph.windows import Pair
from .blocks import conv, depthwise
from .shape import InputShape
from .transformer import matmul

silu = partial(conv, activation="SWISH")


def image(b: GraphBuilder, shape: InputShape, multiple: int = 32) -> int:
    """The input; what is halved and doubled again only fits where the side divides.

    Raises:
        UsageError: a side that is not a multiple.
    """
    side = shape.side
    if side % multiple:
        near = max(multiple, round(side / multiple) * multiple)
        raise UsageError(f"{side} pixels are no multiple of {multiple}.", hint=f"Try {near}.")
    return b.input((shape.batch, side, side, 3))


def split(b: GraphBuilder, x: int, parts: int, axis: int = -1) -> list[int]:
    """Equal parts along one dimension."""
    shape = list(b.shape(x))
    axis %= len(shape)
    each = shape[axis] // parts
    return [sliced(b, x, axis, number * each, each) for number in range(parts)]


def sliced(b: GraphBuilder, x: int, axis: int, start: int, length: int) -> int:
    made = tuple(length if i == axis else size for i, size in enumerate(b.shape(x)))
    layer = b.layer("slice")
    begin = b.integers(f"{layer}/begin", [start if i == axis else 0 for i in range(len(made))])
    size = b.integers(f"{layer}/size", (-1, *made[1:]))
    return b.op("SLICE", (x, begin, size), made, layer=layer)


def doubled(b: GraphBuilder, x: int) -> int:
    _, height, width, _ = b.shape(x)
    return b.resize(x, (2 * height, 2 * width))


def bottleneck(
    b: GraphBuilder, x: int, channels: int, kernels: tuple[int, int], inner: float, *, around: bool
) -> int:
    y = silu(b, x, int(channels * inner), kernels[0])
    y = silu(b, y, channels, kernels[1])
    return b.add(x, y) if around and b.shape(x)[3] == channels else y


def c3(
    b: GraphBuilder,
    x: int,
    channels: int,
    repeats: int,
    *,
    around: bool = True,
    kernels: tuple[int, int] = (1, 3),
) -> int:
    """Two branches of half the width, one with bottlenecks."""
    half = channels // 2
    y = silu(b, x, half, 1)
    for _ in range(repeats):
        y = bottleneck(b, y, half, kernels, 1.0, around=around)
    return silu(b, b.concat([y, silu(b, x, half, 1)]), channels, 1)


def c2f(
    b: GraphBuilder,
    x: int,
    channels: int,
    repeats: int,
    *,
    around: bool = False,
    kind: str = "plain",
    share: float = 0.5,
) -> int:
    """All intermediate results side by side. kind: plain, half (C3k2), deep (of C3k), cib or cib_7x7."""
    inner = int(channels * share)
    parts = split(b, silu(b, x, 2 * inner, 1), 2)
    for _ in range(repeats):
        y = parts[-1]
        match kind:
            case "plain":
                y = bottleneck(b, y, inner, (3, 3), 1.0, around=around)
            case "half":
                y = bottleneck(b, y, inner, (3, 3), 0.5, around=True)
            case "deep":
                y = c3(b, y, inner, 2, kernels=(3, 3))
            case _:
                y = _compact(b, y, inner, 7 if kind == "cib_7x7" else 3, around=around)
        parts.append(y)
    return silu(b, b.concat(parts), channels, 1)


def _compact(b: GraphBuilder, x: int, channels: int, kernel: int, *, around: bool) -> int:
    """YOLOv10's compact inverted block."""
    y = silu(b, depthwise(b, x, 3, activation="SWISH"), 2 * channels, 1)
    y = silu(b, depthwise(b, y, kernel, activation="SWISH"), channels, 1)
    y = depthwise(b, y, 3, activation="SWISH")
    return b.add(x, y) if around else y


def sppf(b: GraphBuilder, x: int, channels: int, *, activation: str = "SWISH") -> int:
    """The image and what three 5×5 maximum pools in a row make of it."""
    parts = [conv(b, x, b.shape(x)[3] // 2, 1, activation=activation)]
    for _ in range(3):
        parts.append(b.max_pool2d(parts[-1], 5, stride=1, padding="SAME"))
    return conv(b, b.concat(parts), channels, 1, activation=activation)


def psa(b: GraphBuilder, x: int, repeats: int = 1) -> int:
    """Attention over the pixels in one half of the channels (PSA of YOLOv10, C2PSA of YOLO11)."""
    channels = b.shape(x)[3]
    left, y = split(b, silu(b, x, channels, 1), 2)
    for _ in range(repeats):
        y = b.add(y, _pixel_attention(b, y))
        y = b.add(y, b.conv2d(silu(b, y, channels, 1), channels // 2, 1))
    return silu(b, b.concat([left, y]), channels, 1)


def _pixel_attention(b: GraphBuilder, x: int) -> int:
    """Heads of 64 channels with keys of 32; the values also pass a depthwise convolution."""
    batch, height, width, channels = b.shape(x)
    heads, pixels = channels // 64, height * width
    image = b.conv2d(x, channels, 1)
    query, key = (b.reshape(b.conv2d(x, channels // 2, 1), (batch, pixels, heads, 32)) for _ in range(2))
    value = b.reshape(image, (batch, pixels, heads, 64))
    query, key, value = (b.transpose(t, (0, 2, 1, 3)) for t in (query, key, value))
    mixed = matmul(b, b.softmax(matmul(b, query, key, transposed=True)), value)
    mixed = b.reshape(b.transpose(mixed, (0, 2, 1, 3)), (batch, height, width, channels))
    return b.conv2d(b.add(mixed, b.depthwise_conv2d(image, 3)), channels, 1)


def shrunk(b: GraphBuilder, x: int, channels: int, kernel: Pair = 3) -> int:
    """YOLOv10's: first the channels, then a depthwise convolution of stride 2."""
    return b.depthwise_conv2d(silu(b, x, channels, 1), kernel, stride=2)


def rows(b: GraphBuilder, xs: Sequence[int]) -> int:
    """Images [batch, h, w, n] below each other: [batch, pixels of all, n]."""
    return b.concat([b.reshape(x, (b.shape(x)[0], -1, b.shape(x)[3])) for x in xs], 1)
