"""Inception-v1 and v2 (Szegedy et al., 2014; Ioffe and Szegedy, 2015), 1000 classes."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import classified, conv
from .inception_blocks import averaged, joined
from .shape import InputShape

V1_STAGES = (
    ((64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64)),
    (
        (192, 96, 208, 16, 48, 64), (160, 112, 224, 24, 64, 64), (128, 128, 256, 24, 64, 64),
        (112, 144, 288, 32, 64, 64), (256, 160, 320, 32, 128, 128),
    ),
    ((256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128)),
)  # fmt: skip
"""Table 1 of the paper: 1 × 1; before 3 × 3, 3 × 3; before the second, the second; after the pooling."""
V2_STAGES = (
    ((64, 64, 64, 64, 96, 32), (64, 64, 96, 64, 96, 64)),
    (
        (224, 64, 96, 96, 128, 128), (192, 96, 128, 96, 128, 128), (160, 128, 160, 128, 160, 96),
        (96, 128, 192, 160, 192, 96),
    ),
    ((352, 192, 320, 160, 224, 128), (352, 192, 320, 192, 224, 128)),
)  # fmt: skip
V2_REDUCTIONS = ((128, 160, 64, 96), (128, 192, 192, 256))
"""Between the stages, at half the resolution."""


def googlenet(b: GraphBuilder, shape: InputShape) -> int:
    """As torchvision and TF-Slim publish it: normalised, 3 × 3 where the paper has 5 × 5, one classifier."""
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 64, 7, stride=2)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    x = conv(b, conv(b, x, 64, 1), 192, 3)
    for number, modules in enumerate(V1_STAGES):
        x = b.max_pool2d(x, 2 if number == 2 else 3, stride=2, padding="SAME")
        for one, before, three, ahead, second, pooled in modules:
            around = conv(b, b.max_pool2d(x, 3, stride=1, padding="SAME"), pooled, 1)
            x = joined(b, x, (((one, 1),), ((before, 1), (three, 3)), ((ahead, 1), (second, 3))), around)
    return classified(b, x)


def inception_v2(b: GraphBuilder, shape: InputShape) -> int:
    """With a full first convolution, not the separable one that TF-Slim also offers."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, 64, 7, stride=2)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    x = conv(b, conv(b, x, 64, 1), 192, 3)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    for number, modules in enumerate(V2_STAGES):
        if number:
            x = _halved(b, x, V2_REDUCTIONS[number - 1])
        for at, (one, before, three, ahead, second, pooled) in enumerate(modules):
            branches = (((one, 1),), ((before, 1), (three, 3)), ((ahead, 1), (second, 3), (second, 3)))
            last = (number, at) == (2, 1)
            around = _of_maxima(b, x, pooled) if last else averaged(b, x, pooled)
            x = joined(b, x, branches, around)
    return classified(b, x)


def _of_maxima(b: GraphBuilder, x: int, channels: int) -> int:
    return conv(b, b.max_pool2d(x, 3, stride=1, padding="SAME"), channels, 1)


def _halved(b: GraphBuilder, x: int, widths: tuple[int, int, int, int]) -> int:
    before, three, ahead, second = widths
    branches = (((before, 1), (three, 3, 2)), ((ahead, 1), (second, 3), (second, 3, 2)))
    return joined(b, x, branches, b.max_pool2d(x, 3, stride=2, padding="SAME"), strided="SAME")


MEMBERS = (
    image_network("inception_v1", googlenet, "googlenet"),
    image_network("inception_v2", inception_v2),
)
