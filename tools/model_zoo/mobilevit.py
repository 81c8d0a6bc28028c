"""MobileViT (Mehta and Rastegari, 2021) and EfficientFormer-L1 (Li et al., 2022), 1000 classes."""

from __future__ import annotations

from functools import partial

from ..core.records import dataclass
from ..graph.builder import GraphBuilder
from .architecture import Build
from .blocks import conv, depthwise
from .shape import InputShape
from .transformer import attended, gelu, heads_first, norm, rows_again, self_attention
from .vit import mlp
from .yolo_blocks import image, silu

HEADS, PATCH = 4, 2


@dataclass(frozen=True)
class Sizes:
    """Channels of the stem and the five stages, widths of the transformers, and what follows."""

    channels: tuple[int, int, int, int, int, int]
    widths: tuple[int, int, int]
    last: int
    expansion: int = 4


def mobilevit(sizes: Sizes, b: GraphBuilder, shape: InputShape) -> int:
    stem, first, second, *rest = sizes.channels
    x = silu(b, image(b, shape, 64), stem, 3, stride=2)
    x = _inverted(b, x, first, 1, sizes.expansion)
    for number in range(3):
        x = _inverted(b, x, second, 1 if number else 2, sizes.expansion)
    for channels, width, depth in zip(rest, sizes.widths, (2, 4, 3), strict=True):
        x = _transformed(b, _inverted(b, x, channels, 2, sizes.expansion), width, depth)
    return b.fully_connected(b.mean(silu(b, x, sizes.last, 1)), 1000)


MOBILEVITS: dict[str, Build] = {
    "mobilevit_xxs": partial(mobilevit, Sizes((16, 16, 24, 48, 64, 80), (64, 80, 96), 320, 2)),
    "mobilevit_xs": partial(mobilevit, Sizes((16, 32, 48, 64, 80, 96), (96, 120, 144), 384)),
    "mobilevit_s": partial(mobilevit, Sizes((16, 32, 64, 96, 128, 160), (144, 192, 240), 640)),
}


def _inverted(b: GraphBuilder, x: int, channels: int, stride: int, expansion: int) -> int:
    inner = b.shape(x)[3]
    y = depthwise(b, silu(b, x, expansion * inner, 1), 3, stride=stride, activation="SWISH")
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
