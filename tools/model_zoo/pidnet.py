"""PIDNet-S (Xu et al., 2022): segmentation of street scenes in three branches, 19 classes at 1/8."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv, normalised
from .shape import InputShape
from .yolo_blocks import image

PLANES, POOLED, HEAD, CLASSES = 32, 96, 128, 19


def pidnet_s(b: GraphBuilder, shape: InputShape) -> int:
    x = conv(b, conv(b, image(b, shape, 64), PLANES, 3, stride=2), PLANES, 3, stride=2)
    x = b.unary("RELU", _layer(b, x, PLANES, 2))
    x = b.unary("RELU", _layer(b, x, 2 * PLANES, 2, stride=2))
    detail, edge = _layer(b, x, 2 * PLANES, 2), _basic(b, x, PLANES)
    side = b.shape(detail)[1]
    x = b.unary("RELU", _layer(b, x, 4 * PLANES, 3, stride=2))
    detail = _attended(b, detail, b.conv2d(x, 2 * PLANES, 1))
    edge = b.add(edge, _enlarged(b, b.conv2d(x, PLANES, 3), side))
    x = b.unary("RELU", _layer(b, x, 8 * PLANES, 3, stride=2))
    detail = _layer(b, b.unary("RELU", detail), 2 * PLANES, 2)
    edge = _bottleneck(b, b.unary("RELU", edge), PLANES)
    detail = _attended(b, detail, b.conv2d(x, 2 * PLANES, 1))
    edge = b.add(edge, _enlarged(b, b.conv2d(x, 2 * PLANES, 3), side))
    detail = _bottleneck(b, b.unary("RELU", detail), 2 * PLANES)
    edge = _bottleneck(b, b.unary("RELU", edge), 2 * PLANES)
    x = b.unary("RELU", _bottleneck(b, x, 8 * PLANES, stride=2))
    x = _enlarged(b, _pooled(b, _bottleneck(b, x, 8 * PLANES)), side)
    x = conv(b, normalised(b, _bag(b, detail, x, edge)), HEAD, 3)
    return b.conv2d(x, CLASSES, 1)


def _layer(b: GraphBuilder, x: int, channels: int, repeats: int, *, stride: int = 1) -> int:
    """The last block's sum is not activated."""
    for number in range(repeats):
        last = number == repeats - 1
        x = _basic(b, x, channels, stride=1 if number else stride, activation="NONE" if last else "RELU")
    return x


def _basic(b: GraphBuilder, x: int, channels: int, *, stride: int = 1, activation: str = "NONE") -> int:
    same = stride == 1 and b.shape(x)[3] == channels
    around = x if same else b.conv2d(x, channels, 1, stride=stride)
    return b.add(around, b.conv2d(conv(b, x, channels, 3, stride=stride), channels, 3), activation=activation)


def _bottleneck(b: GraphBuilder, x: int, channels: int, *, stride: int = 1) -> int:
    same = stride == 1 and b.shape(x)[3] == 2 * channels
    around = x if same else b.conv2d(x, 2 * channels, 1, stride=stride)
    y = conv(b, conv(b, x, channels, 1), channels, 3, stride=stride)
    return b.add(around, b.conv2d(y, 2 * channels, 1))


def _attended(b: GraphBuilder, x: int, y: int) -> int:
    """Pixel by pixel between the two, by how alike they are."""
    side, inner = b.shape(x)[1], b.shape(x)[3] // 2
    alike = b.arithmetic("MUL", b.conv2d(x, inner, 1), _enlarged(b, b.conv2d(y, inner, 1), side))
    layer = b.layer("sum")
    axes = b.integers(f"{layer}/axes", (3,))
    summed = b.op("SUM", (alike, axes), (*b.shape(x)[:3], 1), {"keep_dims": True}, layer=layer)
    return _between(b, x, _enlarged(b, y, side), b.unary("LOGISTIC", summed))


def _between(b: GraphBuilder, x: int, y: int, share: int) -> int:
    one = b.constant(b.layer("one"), (1,))
    kept = b.arithmetic("MUL", b.arithmetic("SUB", one, share), x)
    return b.add(kept, b.arithmetic("MUL", share, y))


def _pooled(b: GraphBuilder, x: int) -> int:
    """Averages over windows of four sizes beside the image, each added to it."""
    side = b.shape(x)[1]
    itself = b.conv2d(normalised(b, x), POOLED, 1)
    parts = []
    for window, stride in ((5, 2), (9, 4), (17, 8), (0, 0)):
        y = (
            b.average_pool2d(x, window, stride=stride, padding="SAME")
            if window
            else b.mean(x, keep_dims=True)
        )
        parts.append(b.add(_enlarged(b, b.conv2d(normalised(b, y), POOLED, 1), side), itself))
    y = b.conv2d(normalised(b, b.concat(parts)), 4 * POOLED, 3, groups=4)
    y = b.conv2d(normalised(b, b.concat([itself, y])), 4 * PLANES, 1)
    return b.add(y, b.conv2d(normalised(b, x), 4 * PLANES, 1))


def _bag(b: GraphBuilder, detail: int, context: int, edge: int) -> int:
    share = b.unary("LOGISTIC", edge)
    one = b.constant(b.layer("one"), (1,))
    inside = b.arithmetic("MUL", b.arithmetic("SUB", one, share), context)
    across = b.arithmetic("MUL", share, detail)
    width = 4 * PLANES
    return b.add(b.conv2d(b.add(inside, detail), width, 1), b.conv2d(b.add(context, across), width, 1))


def _enlarged(b: GraphBuilder, x: int, side: int) -> int:
    return b.resize(x, (side, side), kind="RESIZE_BILINEAR")
