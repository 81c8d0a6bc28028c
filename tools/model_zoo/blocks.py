"""Building blocks that several families of convolutional networks share."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from ..graph.windows import Pair

FUSED = frozenset({"NONE", "RELU", "RELU6"})


def divisible(channels: float, by: int = 8, *, keep: float = 0.9) -> int:
    """The nearest multiple of 8 that keeps at least nine tenths of the channels."""
    rounded = max(by, int(channels + by / 2) // by * by)
    return rounded + by if rounded < keep * channels else rounded


def activated(b: GraphBuilder, x: int, kind: str) -> int:
    """An operator of its own, or two: SWISH is x · LOGISTIC(x), HARD_SIGMOID is RELU6(x + 3) / 6."""
    match kind:
        case "NONE":
            return x
        case "SWISH":
            return b.arithmetic("MUL", x, b.unary("LOGISTIC", x))
        case "HARD_SIGMOID":
            layer = b.layer("hard_sigmoid")
            shifted = b.add(x, b.constant(f"{layer}/three", (1,)), activation="RELU6")
            return b.arithmetic("MUL", shifted, b.constant(f"{layer}/sixth", (1,)))
    return b.unary(kind, x)


def conv(
    b: GraphBuilder,
    x: int,
    channels: int,
    kernel: Pair,
    *,
    stride: Pair = 1,
    padding: str = "SAME",
    activation: str = "RELU",
    groups: int = 1,
) -> int:
    fused = activation if activation in FUSED else "NONE"
    y = b.conv2d(x, channels, kernel, stride=stride, padding=padding, activation=fused, groups=groups)
    return y if fused == activation else activated(b, y, activation)


def depthwise(
    b: GraphBuilder,
    x: int,
    kernel: Pair,
    *,
    stride: Pair = 1,
    padding: str = "SAME",
    activation: str = "RELU",
    dilation: Pair = 1,
) -> int:
    fused = activation if activation in FUSED else "NONE"
    y = b.depthwise_conv2d(x, kernel, stride=stride, padding=padding, activation=fused, dilation=dilation)
    return y if fused == activation else activated(b, y, activation)


def squeeze_excite(
    b: GraphBuilder, x: int, inner: int, *, activation: str = "RELU", gate: str = "LOGISTIC"
) -> int:
    """Weighs the channels by what the whole image says (Hu et al., 2018)."""
    channels = b.shape(x)[3]
    y = conv(b, b.mean(x, keep_dims=True), inner, 1, activation=activation)
    y = conv(b, y, channels, 1, activation=gate)
    return b.arithmetic("MUL", x, y)


def classified(b: GraphBuilder, x: int, classes: int = 1000) -> int:
    """Averaged over the image, one dense layer, softmax."""
    return b.softmax(b.fully_connected(b.mean(x), classes))


def normalised(b: GraphBuilder, x: int, *, activation: str = "RELU") -> int:
    """Batch normalisation that stands before the convolution and so cannot be folded: a scale and a shift."""
    layer, channels = b.layer("batch_norm"), b.shape(x)[3]
    scaled = b.arithmetic("MUL", x, b.constant(f"{layer}/scale", (channels,)))
    return b.add(scaled, b.constant(f"{layer}/shift", (channels,)), activation=activation)
