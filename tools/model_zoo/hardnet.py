"""HarDNet-68 (Chao et al., 2019), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, conv
from .shape import InputShape

BLOCKS = (
    (14, 8, 128, True),
    (16, 16, 256, False),
    (20, 16, 320, True),
    (40, 16, 640, True),
    (160, 4, 1024, False),
)
"""(growth, layers, channels after it, whether the resolution halves)."""
MULTIPLIER = 1.7


def hardnet68(b: GraphBuilder, shape: InputShape) -> int:
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 32, 3, stride=2, activation="RELU6")
    x = conv(b, x, 64, 3, activation="RELU6")
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    for growth, layers, channels, halves in BLOCKS:
        x = conv(b, _harmonic(b, x, growth, layers), channels, 1, activation="RELU6")
        x = b.max_pool2d(x, 2) if halves else x
    return classified(b, x)


def _harmonic(b: GraphBuilder, x: int, growth: int, layers: int) -> int:
    """Layer k sees the layers k − 2ⁿ where 2ⁿ divides k, and is the wider the more they are."""
    made = [x]
    for layer in range(1, layers + 1):
        steps = [1 << n for n in range(layer.bit_length()) if layer % (1 << n) == 0]
        seen = [made[layer - step] for step in steps]
        channels = int(growth * MULTIPLIER ** (len(steps) - 1) + 1) // 2 * 2
        joined = b.concat(seen) if len(seen) > 1 else seen[0]
        made.append(conv(b, joined, channels, 3, activation="RELU6"))
    return b.concat([y for layer, y in enumerate(made) if layer % 2 or layer == layers])


MEMBERS = (image_network("hardnet68", hardnet68),)
