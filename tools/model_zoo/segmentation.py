"""DeepLabV3 (Chen et al., 2017), LR-ASPP and FCN as torchvision and TensorFlow publish them: 21 classes."""

from __future__ import annotations

from functools import partial

from ..graph.builder import GraphBuilder
from .architecture import Build
from .blocks import conv
from .deeplab import CLASSES, WIDTH, block, resized
from .mobilenet_v2 import BLOCKS
from .mobilenet_v3 import LARGE, features
from .resnet50 import bottleneck
from .resnets import DEPTHS
from .shape import InputShape


def deeplab_v3_mobilenet_v2(b: GraphBuilder, shape: InputShape) -> int:
    """TensorFlow's for phones: of the pyramid only the 1 × 1 and the whole image, and no decoder."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, 32, 3, stride=2, activation="RELU6")
    for expansion, channels, repetitions, first_stride in BLOCKS:
        for repetition in range(repetitions):
            last = channels in (160, 320)
            x = block(b, x, expansion, channels, 1 if repetition or last else first_stride, 2 if last else 1)
    views = [conv(b, x, WIDTH, 1), _whole(b, x)]
    return resized(b, b.conv2d(conv(b, b.concat(views), WIDTH, 1), CLASSES, 1), shape.side)


def deeplab_v3_resnet(depth: int, b: GraphBuilder, shape: InputShape) -> int:
    return _classified(b, _pyramid(b, _dilated_resnet(b, shape, depth)), shape)


def fcn_resnet(depth: int, b: GraphBuilder, shape: InputShape) -> int:
    """Long et al., 2015, on the dilated ResNet."""
    return _classified(b, conv(b, _dilated_resnet(b, shape, depth), 512, 3), shape)


def deeplab_v3_mobilenet_v3(b: GraphBuilder, shape: InputShape) -> int:
    x = b.input((shape.batch, shape.side, shape.side, 3))
    return _classified(b, _pyramid(b, features(b, x, LARGE, dilated=True)[1]), shape)


def lraspp_mobilenet_v3(b: GraphBuilder, shape: InputShape) -> int:
    """Howard et al., 2019: the deep features weighed by the whole image, beside those at 1/8."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    early, deep = features(b, x, LARGE, dilated=True)
    gate = b.unary("LOGISTIC", b.conv2d(b.mean(deep, keep_dims=True), 128, 1))
    x = b.arithmetic("MUL", conv(b, deep, 128, 1), gate)
    x = b.conv2d(resized(b, x, b.shape(early)[1]), CLASSES, 1)
    return resized(b, b.add(x, b.conv2d(early, CLASSES, 1)), shape.side)


def _dilated_resnet(b: GraphBuilder, shape: InputShape, depth: int) -> int:
    """The last two stages keep 1/8 of the side."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = b.max_pool2d(b.conv2d(x, 64, 7, stride=2, activation="RELU"), 3, stride=2, padding="SAME")
    for stage, blocks in enumerate(DEPTHS[depth]):
        for at in range(blocks):
            stride, rate = (2 if stage == 1 and at == 0 else 1), max(1, 2 ** (stage - 1))
            x = bottleneck(
                b, x, 64 << stage, stride, project=at == 0, dilation=rate if at else max(1, rate // 2)
            )
    return x


def _pyramid(b: GraphBuilder, x: int) -> int:
    """Five views of the features side by side, as one."""
    views = [conv(b, x, WIDTH, 1)]
    views += [b.conv2d(x, WIDTH, 3, dilation=rate, activation="RELU") for rate in (12, 24, 36)]
    return conv(b, conv(b, b.concat([*views, _whole(b, x)]), WIDTH, 1), WIDTH, 3)


def _whole(b: GraphBuilder, x: int) -> int:
    return resized(b, conv(b, b.mean(x, keep_dims=True), WIDTH, 1), b.shape(x)[1])


def _classified(b: GraphBuilder, x: int, shape: InputShape) -> int:
    return resized(b, b.conv2d(x, CLASSES, 1), shape.side)


MEMBERS: dict[str, Build] = {
    "deeplab_v3_resnet50": partial(deeplab_v3_resnet, 50),
    "deeplab_v3_resnet101": partial(deeplab_v3_resnet, 101),
    "deeplab_v3_mobilenet_v3_large": deeplab_v3_mobilenet_v3,
    "lraspp_mobilenet_v3_large": lraspp_mobilenet_v3,
    "fcn_resnet50": partial(fcn_resnet, 50),
}
