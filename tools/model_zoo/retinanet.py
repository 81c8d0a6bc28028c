"""RetinaNet (Lin et al., 2017) on ResNeXt-50 (32 × 4d), 264 classes of OpenImages: MLPerf's detector."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.builder import GraphBuilder
from ..graph.windows import convolution_options
from .blocks import conv
from .shape import InputShape
from .yolo_blocks import image

WIDTH, ANCHORS, CLASSES = 256, 9, 264


def retinanet_resnext50(b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    """Places and classes of the anchors on five maps, from 1/8 to 1/128 of the side; not decoded."""
    x = b.max_pool2d(conv(b, image(b, shape), 64, 7, stride=2), 3, stride=2, padding="SAME")
    seen = []
    for inner, repetitions in ((128, 3), (256, 4), (512, 6), (1024, 3)):
        for repetition in range(repetitions):
            x = _grouped(b, x, inner, 2 if inner > 128 and not repetition else 1)
        seen.append(x)
    top = b.conv2d(seen[3], WIDTH, 1)
    maps = [top]
    for level in (seen[2], seen[1]):
        _, height, width, _ = b.shape(level)
        top = b.add(b.resize(top, (height, width)), b.conv2d(level, WIDTH, 1))
        maps.insert(0, top)
    maps = [b.conv2d(each, WIDTH, 3) for each in maps]
    maps.append(b.conv2d(maps[-1], WIDTH, 3, stride=2))
    maps.append(b.conv2d(b.unary("RELU", maps[-1]), WIDTH, 3, stride=2))
    classes = _predicted(b, maps, CLASSES)
    places = _predicted(b, maps, 4)
    return places, b.unary("LOGISTIC", classes)


def _grouped(b: GraphBuilder, x: int, inner: int, stride: int) -> int:
    made = 2 * inner
    around = x if b.shape(x)[3] == made else b.conv2d(x, made, 1, stride=stride)
    y = conv(b, conv(b, x, inner, 1), inner, 3, stride=stride, groups=32)
    return b.add(around, b.conv2d(y, made, 1), activation="RELU")


def _predicted(b: GraphBuilder, maps: Sequence[int], values: int) -> int:
    """The same weights for every map."""
    layers = [_weights(b, WIDTH) for _ in range(4)] + [_weights(b, ANCHORS * values)]
    found = []
    for each in maps:
        x = each
        for number, (kernel, bias) in enumerate(layers):
            options = convolution_options(1, 1, "SAME", "RELU" if number < 4 else "NONE")
            made = (*b.shape(x)[:3], b.shape(bias)[0])
            x = b.op("CONV_2D", (x, kernel, bias), made, options, layer=b.layer("conv2d"))
        found.append(b.reshape(x, (b.shape(x)[0], -1, values)))
    return b.concat(found, 1)


def _weights(b: GraphBuilder, channels: int) -> tuple[int, int]:
    layer = b.layer("shared")
    return b.constant(f"{layer}/kernel", (channels, 3, 3, WIDTH)), b.constant(f"{layer}/bias", (channels,))
