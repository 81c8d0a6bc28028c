"""VGG (Simonyan and Zisserman, 2014) and AlexNet (Krizhevsky, 2014), 1000 classes."""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .architecture import image_network
from .blocks import conv
from .shape import InputShape

WIDTHS = (64, 128, 256, 512, 512)
DEPTHS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}


def vgg(b: GraphBuilder, shape: InputShape, depths: tuple[int, ...]) -> int:
    x = b.input((shape.batch, shape.side, shape.side, 3))
    for channels, depth in zip(WIDTHS, depths, strict=True):
        for _ in range(depth):
            x = conv(b, x, channels, 3)
        x = b.max_pool2d(x, 2)
    return _dense(b, x)


def alexnet(b: GraphBuilder, shape: InputShape) -> int:
    """As torchvision has it, on one device."""
    x = b.pad(b.input((shape.batch, shape.side, shape.side, 3)), ((0, 0), (2, 2), (2, 2), (0, 0)))
    x = b.max_pool2d(conv(b, x, 64, 11, stride=4, padding="VALID"), 3, stride=2)
    x = b.max_pool2d(conv(b, x, 192, 5), 3, stride=2)
    for channels in (384, 256, 256):
        x = conv(b, x, channels, 3)
    return _dense(b, b.max_pool2d(x, 3, stride=2))


def _dense(b: GraphBuilder, x: int) -> int:
    x = b.flatten(x)
    for _ in range(2):
        x = b.fully_connected(x, 4096, activation="RELU")
    return b.softmax(b.fully_connected(x, 1000))


MEMBERS = (
    *(
        image_network(f"vgg{n}", partial(vgg, depths=depths), f"vgg{n} bn", any_side=False)
        for n, depths in DEPTHS.items()
    ),
    image_network("alexnet", alexnet, any_side=False),
)
