"""MobileViT-S (Mehta and Rastegari, 2021) and EfficientFormer-L1 (Li et al., 2022), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv, depthwise
from .shape import InputShape
from .transformer import attended, gelu, heads_first, norm, rows_again, self_attention
from .vit import mlp
from .yolo_blocks import image, silu

HEADS, PATCH = 4, 2


def mobilevit_s(b: GraphBuilder, shape: InputShape) -> int:
    x = silu(b, image(b, shape, 64), 16, 3, stride=2)
    x = _inverted(b, x, 32, 1)
    for number in range(3):
        x = _inverted(b, x, 64, 1 if number else 2)
    for channels, width, depth in ((96, 144, 2), (128, 192, 4), (160, 240, 3)):
        x = _transformed(b, _inverted(b, x, channels, 2), width, depth)
    return b.fully_connected(b.mean(silu(b, x, 640, 1)), 1000)


def _inverted(b: GraphBuilder, x: int, channels: int, stride: int) -> int:
    inner = b.shape(x)[3]
    y = depthwise(b, silu(b, x, 4 * inner, 1), 3, stride=stride, activation="SWISH")
    y = b.conv2d(y, channels, 1)
    return b.add(x, y) if stride == 1 and inner == channels else y


def _transformed(b: GraphBuilder, x: int, width: int, depth: int) -> int:
    """Each pixel attends to those at the same place of all patches of 2 × 2."""
    batch, side, _, channels = b.shape(x)
    y = b.conv2d(silu(b, x, channels, 3), width, 1)
    half, groups = side // PATCH, batch * PATCH * PATCH
    y = b.reshape(y, (batch, half, PATCH, half, PATCH * width))
    y = b.reshape(b.transpose(y, (0, 2, 1, 3, 4)), (batch, PATCH, half * half, PATCH, width))
    y = b.reshape(b.transpose(y, (0, 1, 3, 2, 4)), (-1, width))
    for _ in range(depth):
        y = b.add(y, self_attention(b, norm(b, y), groups, HEADS))
        y = b.add(y, mlp(b, norm(b, y), _silu, 2))
    y = b.reshape(norm(b, y), (batch, PATCH, PATCH, half * half, width))
    y = b.reshape(b.transpose(y, (0, 1, 3, 2, 4)), (batch, PATCH, half, half, PATCH * width))
    y = b.reshape(b.transpose(y, (0, 2, 1, 3, 4)), (batch, side, side, width))
    return silu(b, b.concat([x, silu(b, y, channels, 1)]), channels, 3)


def _silu(b: GraphBuilder, x: int) -> int:
    return b.arithmetic("MUL", x, b.unary("LOGISTIC", x))


def efficientformer_l1(b: GraphBuilder, shape: InputShape) -> int:
    """Pooling for attention, but in the last block; the two heads are one."""
    x = conv(b, conv(b, image(b, shape), 24, 3, stride=2), 48, 3, stride=2)
    for channels, depth in ((48, 3), (96, 2), (224, 6), (448, 3)):
        x = x if channels == 48 else b.conv2d(x, channels, 3, stride=2)
        for _ in range(depth):
            pooled = b.average_pool2d(x, 3, stride=1, padding="SAME")
            x = b.add(x, b.arithmetic("SUB", pooled, x))
            x = b.add(x, b.conv2d(gelu(b, b.conv2d(x, 4 * channels, 1)), channels, 1))
    x = b.reshape(x, (-1, 448))
    x = b.add(x, _wide_attention(b, norm(b, x), shape.batch))
    x = b.add(x, mlp(b, norm(b, x), gelu))
    return b.fully_connected(b.mean(b.reshape(norm(b, x), (shape.batch, -1, 448)), (1,)), 1000)


def _wide_attention(b: GraphBuilder, x: int, batch: int) -> int:
    """Eight heads with keys of 32 and values of 128."""
    query, key, value = (heads_first(b, b.fully_connected(x, 8 * each), batch, 8) for each in (32, 32, 128))
    tokens = b.shape(query)[2]
    place = b.constant(b.layer("relative_position"), (1, 8, tokens, tokens))
    return b.fully_connected(rows_again(b, attended(b, query, key, value, bias=place)), 448)
