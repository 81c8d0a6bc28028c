"""MediaPipe's hands (Zhang et al., 2020), first release, on 256 × 256 pixels: palm detector and landmarks."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv
from .shape import InputShape

SIDE = 256


def mediapipe_palm(b: GraphBuilder, shape: InputShape) -> tuple[int, int]:
    """[batch, 2944, 18] places of a box and seven points, and [batch, 2944, 1] scores."""
    x = conv(b, b.input((shape.batch, SIDE, SIDE, 3)), 32, 3, stride=2)
    seen = []
    for channels, repeats in ((32, 7), (64, 8), (128, 8), (256, 8), (256, 8)):
        for number in range(repeats):
            x = _block(b, x, channels, 3, 2 if channels > 32 and not number else 1)
        seen.append(x)
    fine, middle, coarse = seen[2:]
    middle = _block(b, b.add(middle, b.unary("RELU", b.transpose_conv2d(coarse, 256, 2, stride=2))), 256, 3)
    fine = _block(b, b.add(fine, b.unary("RELU", b.transpose_conv2d(middle, 128, 2, stride=2))), 128, 3)
    maps = ((fine, 2), (middle, 2), (coarse, 6))
    places, scores = (
        b.concat([b.reshape(b.conv2d(x, n * values, 1), (shape.batch, -1, values)) for x, n in maps], 1)
        for values in (18, 1)
    )
    return places, scores


def mediapipe_hand_landmark(b: GraphBuilder, shape: InputShape) -> tuple[int, int, int]:
    """Whether there is a hand, which one, and 21 points in space."""
    x = conv(b, b.input((shape.batch, SIDE, SIDE, 3)), 24, 3, stride=2)
    seen = []
    for channels in (48, 96, 96, 96):
        inner = b.shape(x)[3]
        x = _block(b, _block(b, _block(b, x, inner, 5), inner, 5), channels, 5, 2)
        seen.append(x)
    x = _block(b, b.add(seen[2], _doubled(b, seen[3])), 96, 5)
    x = b.conv2d(_block(b, b.add(seen[1], _doubled(b, x)), 96, 5), 48, 1)
    x = b.add(seen[0], _doubled(b, x))
    for channels in (48, 96, 288, 288, 288, 288):
        x = x if channels == 48 else _block(b, x, channels, 5, 2)
        for _ in range(4):
            x = _block(b, x, channels, 5)
    flag, handed, points = (b.conv2d(x, values, 2, padding="VALID") for values in (1, 1, 63))
    return b.unary("LOGISTIC", flag), b.unary("LOGISTIC", handed), b.reshape(points, (shape.batch, 21, 3))


def _block(b: GraphBuilder, x: int, channels: int, kernel: int, stride: int = 1) -> int:
    """BlazeFace's: a depthwise convolution, a pointwise one, and the way around, padded to the channels."""
    y = b.conv2d(b.depthwise_conv2d(x, kernel, stride=stride), channels, 1)
    around = b.max_pool2d(x, 2) if stride > 1 else x
    missing = channels - b.shape(around)[3]
    if missing:
        around = b.pad(around, ((0, 0), (0, 0), (0, 0), (0, missing)))
    return b.add(y, around, activation="RELU")


def _doubled(b: GraphBuilder, x: int) -> int:
    _, height, width, _ = b.shape(x)
    return b.resize(x, (2 * height, 2 * width), kind="RESIZE_BILINEAR")
