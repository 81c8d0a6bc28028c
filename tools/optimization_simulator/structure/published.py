"""What others lost in accuracy by the same kind of change, where that was read. A range, no forecast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model_parser.architectures.spec import read_spec

UNREAD = "no published range is at hand: train it and measure it on your data"
EXACT = "none: the same function, up to rounding"
_MEASURE = "yours may differ: measure it on your data"

_SLIM = "github.com/tensorflow/models, research/slim/nets/mobilenet_v1.md and nets/mobilenet/README.md"
_PRUNING = "github.com/VainF/Torch-Pruning, README.md, Benchmarks"
_TUCKER = "github.com/ruihangdu/Decompose-CNN, README.md, Results"
_TORCHVISION = "docs.pytorch.org/docs/0.1.12/torchvision/models.html"


@dataclass(frozen=True)
class Lost:
    """Points of accuracy lost, from the least to the most of several networks; below 0 they gained."""

    least: float
    most: float
    how: str
    source: str

    def __str__(self) -> str:
        span = f"{self.least:.3g} to {self.most:.3g}" if self.least != self.most else f"{self.most:.3g}"
        return f"published: {span} points of top-1 lost {self.how} ({self.source}); {_MEASURE}"


_WIDTH = {
    0.75: Lost(1.9, 2.5, "at width 0.75, trained anew: MobileNet v1, v2, v3, ImageNet", _SLIM),
    0.5: Lost(6.4, 7.6, "at width 0.5, trained anew: MobileNet v1, v2, ImageNet", _SLIM),
    0.35: Lost(11.5, 11.5, "at width 0.35, trained anew: MobileNet v2, ImageNet", _SLIM),
    0.25: Lost(21.1, 21.1, "at width 0.25, trained anew: MobileNet v1, ImageNet", _SLIM),
}
_RESOLUTION = {
    0.857: Lost(0.9, 1.1, "at 192 pixels instead of 224: MobileNet v1, v2, ImageNet", _SLIM),
    0.714: Lost(2.9, 3.0, "at 160 pixels instead of 224: MobileNet v1, v2, ImageNet", _SLIM),
    0.571: Lost(5.7, 6.5, "at 128 pixels instead of 224: MobileNet v1, v2, ImageNet", _SLIM),
    0.429: Lost(11.5, 11.5, "at 96 pixels instead of 224: MobileNet v2, ImageNet", _SLIM),
}
_PRUNED = {
    0.3: Lost(
        -0.24, 1.09, "at about half of the MACs, ten methods with fine-tuning: ResNet-56, CIFAR-10", _PRUNING
    )
}
_FACTORISED = {
    0.5: Lost(
        1.27, 1.65, "at 1.5 to 2.9 times fewer operations in convolutions, by Tucker decomposition with "
        "fine-tuning: ResNet-50, AlexNet, ImageNet", _TUCKER,
    )
}  # fmt: skip
_RECTIFIED = Lost(
    2.9, 5.6, "with squeeze-and-excitation and 5x5 windows taken out as well, trained anew: "
    "MobileNet v3 minimalistic, ImageNet", _SLIM,
)  # fmt: skip

TOP1: Mapping[str, float] = {
    "mobilenet_v1": 70.9, "mobilenet_v1:0.75": 68.4, "mobilenet_v1:0.5": 63.3, "mobilenet_v1:0.25": 49.8,
    "mobilenet_v2:1.4": 75.0, "mobilenet_v2:1.3": 74.4, "mobilenet_v2": 71.8, "mobilenet_v2:0.75": 69.8,
    "mobilenet_v2:0.5": 65.4, "mobilenet_v2:0.35": 60.3,
    "mobilenet_v3_large": 75.2, "mobilenet_v3_small": 67.5,
    "mobilenet_v3_large_minimalistic": 72.3, "mobilenet_v3_small_minimalistic": 61.9,
    "resnet18": 69.76, "resnet34": 73.30, "resnet50": 76.15, "resnet101": 77.37, "resnet152": 78.31,
    "vgg11": 69.02, "vgg13": 69.93, "vgg16": 71.59, "vgg19": 72.38,
}  # fmt: skip
"""ImageNet, one crop of 224 pixels, float, each trained without a teacher."""


def lost_by_width(factor: float) -> str:
    return str(_nearest(_WIDTH, factor)) if factor < 1 else "more channels: trained anew; measure it"


def lost_by_resolution(scale: float) -> str:
    return str(_nearest(_RESOLUTION, scale)) if scale < 1 else "larger images: trained anew; measure it"


def lost_by_pruning(ratio: float) -> str:
    return str(_nearest(_PRUNED, ratio))


def lost_by_factors(ratio: float) -> str:
    return str(_nearest(_FACTORISED, ratio))


def lost_by_rectifier() -> str:
    return str(_RECTIFIED)


def reached_by(student: str) -> str:
    """What a named network reaches when it is trained alone."""
    architecture, told = read_spec(student)
    name = architecture.name if told.width is None else f"{architecture.name}:{told.width:g}"
    if name not in TOP1:
        return UNREAD
    source = _SLIM if name.startswith("mobilenet") else _TORCHVISION
    reached = f"{TOP1[name]:.4g} % top-1 on ImageNet at 224 pixels without a teacher"
    return f"published: {reached} ({source}); {_MEASURE}"


def _nearest(table: Mapping[float, Lost], value: float) -> Lost:
    return table[min(table, key=lambda known: abs(known - value))]
