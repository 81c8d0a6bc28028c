"""ResNet v1 and v2, Wide ResNet and ResNeXt (He et al., 2015 and 2016; Xie et al., 2017); 1000 classes."""

from __future__ import annotations

from functools import partial

from ..core.records import dataclass
from ..graph.builder import GraphBuilder
from .architecture import Architecture, image_network
from .blocks import classified, conv, normalised
from .shape import InputShape

WIDTHS = (64, 128, 256, 512)
DEPTHS = {
    18: (2, 2, 2, 2),
    26: (2, 2, 2, 2),
    34: (3, 4, 6, 3),
    50: (3, 4, 6, 3),
    101: (3, 4, 23, 3),
    152: (3, 8, 36, 3),
}


@dataclass(frozen=True)
class Residual:
    depths: tuple[int, ...]
    basic: bool = False
    """Two 3 × 3 convolutions in the place of the bottleneck."""
    groups: int = 1
    group_width: int = 64
    """Channels of a group in the first stage's 3 × 3 convolution."""
    late: bool = False
    """Each stage strides in its last block, the fourth not at all, as TF-Slim has it."""

    def inner(self, width: int) -> int:
        return width * self.groups * self.group_width // 64

    def strides(self, stage: int) -> list[int]:
        strides = [1] * self.depths[stage]
        if self.late and stage < len(self.depths) - 1:
            strides[-1] = 2
        elif not self.late and stage:
            strides[0] = 2
        return strides


def resnet(b: GraphBuilder, shape: InputShape, network: Residual) -> int:
    """As torchvision has it: strides are in the 3 × 3 convolution."""
    x = conv(b, b.input((shape.batch, shape.side, shape.side, 3)), 64, 7, stride=2)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    block = _basic if network.basic else _bottleneck
    for stage, width in enumerate(WIDTHS):
        for stride in network.strides(stage):
            x = block(b, x, width, stride, network)
    return classified(b, x)


def _basic(b: GraphBuilder, x: int, width: int, stride: int, _: Residual) -> int:
    around = _around(b, x, x, width, stride)
    y = b.conv2d(conv(b, x, width, 3, stride=stride), width, 3)
    return b.add(around, y, activation="RELU")


def _bottleneck(b: GraphBuilder, x: int, width: int, stride: int, network: Residual) -> int:
    around = _around(b, x, x, 4 * width, stride)
    y = conv(b, x, network.inner(width), 1)
    y = conv(b, y, network.inner(width), 3, stride=stride, groups=network.groups)
    return b.add(around, b.conv2d(y, 4 * width, 1), activation="RELU")


def resnet_v2(b: GraphBuilder, shape: InputShape, network: Residual) -> int:
    """Normalisation and activation stand before the convolutions."""
    x = b.conv2d(b.input((shape.batch, shape.side, shape.side, 3)), 64, 7, stride=2)
    x = b.max_pool2d(x, 3, stride=2, padding="SAME")
    for stage, width in enumerate(WIDTHS):
        for stride in network.strides(stage):
            x = _preactivated(b, x, width, stride)
    return classified(b, normalised(b, x))


def _preactivated(b: GraphBuilder, x: int, width: int, stride: int) -> int:
    before = normalised(b, x)
    around = _around(b, x, before, 4 * width, stride)
    y = conv(b, conv(b, before, width, 1), width, 3, stride=stride)
    return b.add(around, b.conv2d(y, 4 * width, 1))


def _around(b: GraphBuilder, x: int, before: int, channels: int, stride: int) -> int:
    """The way around a block: as it is, thinned out, or projected where the channels differ."""
    if b.shape(x)[3] != channels:
        return b.conv2d(before, channels, 1, stride=stride)
    return x if stride == 1 else b.max_pool2d(x, 1, stride=stride)


def _v1(name: str, network: Residual, *aliases: str) -> Architecture:
    return image_network(name, partial(resnet, network=network), *aliases)


def _v2(name: str, network: Residual, *aliases: str, side: int = 224) -> Architecture:
    return image_network(name, partial(resnet_v2, network=network), *aliases, side=side)


MEMBERS = (
    *(_v1(f"resnet{n}", Residual(DEPTHS[n], basic=True), f"resnet v1 {n}") for n in (18, 34)),
    *(_v1(f"resnet{n}", Residual(DEPTHS[n])) for n in (101, 152)),
    _v1("wide_resnet50_2", Residual(DEPTHS[50], group_width=128), "wide resnet50"),
    _v1("resnext26_32x4d", Residual(DEPTHS[26], groups=32, group_width=4)),
    _v1("resnext50_32x4d", Residual(DEPTHS[50], groups=32, group_width=4), "resnext50"),
    _v1("resnext101_32x4d", Residual(DEPTHS[101], groups=32, group_width=4)),
    _v1("slim_resnet_v1_50", Residual(DEPTHS[50], late=True)),
    *(_v2(f"resnet_v2_{n}", Residual(DEPTHS[n]), f"resnet{n} v2") for n in (50, 101, 152)),
    *(_v2(f"slim_resnet_v2_{n}", Residual(DEPTHS[n], late=True), side=299) for n in (50, 101, 152)),
)
