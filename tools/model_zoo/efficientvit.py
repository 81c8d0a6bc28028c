"""EfficientViT-B2 (Cai et al., 2022), 1000 classes: attention that grows with the pixels."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv, depthwise
from .shape import InputShape
from .transformer import layer_norm
from .yolo_blocks import image, sliced

HS = "HARD_SWISH"
DEPTH_OF_HEAD = 32


def efficientvit_b2(b: GraphBuilder, shape: InputShape) -> int:
    x = conv(b, image(b, shape), 24, 3, stride=2, activation=HS)
    x = b.add(x, b.conv2d(depthwise(b, x, 3, activation=HS), 24, 1))
    for channels, depth in ((48, 3), (96, 4)):
        for number in range(depth):
            x = _inverted(b, x, channels, 1 if number else 2)
    for channels, depth in ((192, 4), (384, 6)):
        x = _inverted(b, x, channels, 2)
        for _ in range(depth):
            x = _inverted(b, b.add(x, _linear_attention(b, x)), channels, 1)
    x = b.fully_connected(b.mean(conv(b, x, 2304, 1, activation=HS)), 2560)
    return b.fully_connected(b.unary(HS, layer_norm(b, x)), 1000)


def _inverted(b: GraphBuilder, x: int, channels: int, stride: int) -> int:
    y = depthwise(b, conv(b, x, 4 * b.shape(x)[3], 1, activation=HS), 3, stride=stride, activation=HS)
    y = b.conv2d(y, channels, 1)
    return y if stride > 1 else b.add(x, y)


def _linear_attention(b: GraphBuilder, x: int) -> int:
    """ReLU(query) · (ReLU(key)ᵀ · value), over the sum of weights: a column of ones in the value."""
    batch, height, width, channels = b.shape(x)
    heads, pixels = channels // DEPTH_OF_HEAD, height * width
    near = b.conv2d(x, 3 * channels, 1)
    far = b.conv2d(b.depthwise_conv2d(near, 5), 3 * channels, 1, groups=3 * heads)
    all_heads = b.reshape(b.concat([near, far]), (batch, pixels, 2 * heads, 3 * DEPTH_OF_HEAD))
    all_heads = b.transpose(all_heads, (0, 2, 1, 3))
    query, key, value = (sliced(b, all_heads, 3, at * DEPTH_OF_HEAD, DEPTH_OF_HEAD) for at in range(3))
    value = b.op("PADV2", (value, *_one_more(b)), (batch, 2 * heads, pixels, DEPTH_OF_HEAD + 1))
    wide = DEPTH_OF_HEAD + 1
    shape = (batch, 2 * heads, DEPTH_OF_HEAD, wide)
    summed = b.op("BATCH_MATMUL", (b.unary("RELU", key), value), shape, {"adj_x": True, "adj_y": False})
    shape = (batch, 2 * heads, pixels, wide)
    mixed = b.op("BATCH_MATMUL", (b.unary("RELU", query), summed), shape, {"adj_x": False, "adj_y": False})
    weight = sliced(b, mixed, 3, DEPTH_OF_HEAD, 1)
    mixed = b.arithmetic("DIV", sliced(b, mixed, 3, 0, DEPTH_OF_HEAD), weight)
    mixed = b.reshape(b.transpose(mixed, (0, 2, 1, 3)), (batch, height, width, 2 * channels))
    return b.conv2d(mixed, channels, 1)


def _one_more(b: GraphBuilder) -> tuple[int, int]:
    """A column at the end, and what fills it."""
    layer = b.layer("pad")
    paddings = b.integers(f"{layer}/paddings", (0, 0, 0, 0, 0, 0, 0, 1), (4, 2))
    return paddings, b.constant(f"{layer}/one", (1,))
