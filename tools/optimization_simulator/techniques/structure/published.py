"""What others lost in accuracy by the same kind of change, where that was read. A range, no forecast."""

from __future__ import annotations

from collections.abc import Mapping

from ....core.records import dataclass
from ....graph import DType
from ....model_zoo.published import published_models, sources
from ....model_zoo.spec import read_spec

UNREAD = "no published range was read: train it and measure it"
EXACT = "none: the same function, up to rounding"

_SLIM = "ImageNet: github.com/tensorflow/models, research/slim/nets"
"""mobilenet_v1.md at 02c04f49a188ba9a515100a3375a6359f3fffef1, mobilenet/README.md at
0ba83cf0211401a8505505276c59418f15338d31: tables of checkpoints, each trained anew."""
_PRUNING = "github.com/VainF/Torch-Pruning, README"
"""Benchmarks, at 000d36a7c5d396f18c22931e07e91a3c789bde12; differences of its columns Base and Pruned."""
_TUCKER = "ImageNet: github.com/ruihangdu/Decompose-CNN, README"
"""Results."""
_TORCHVISION = "ImageNet: docs.pytorch.org/docs/0.1.12/torchvision/models.html"


@dataclass(frozen=True)
class Lost:
    """Points of accuracy lost, from the least to the most of several networks; below 0 they gained."""

    least: float
    most: float
    how: str
    source: str

    def __str__(self) -> str:
        span = f"{self.least:.3g} to {self.most:.3g}" if self.least != self.most else f"{self.most:.3g}"
        return f"{span} points of top-1 lost {self.how} ({self.source}): measure yours"


_WIDTH = {
    0.75: (1.9, 2.5, "MobileNet v1 to v3"),
    0.5: (6.4, 7.6, "MobileNet v1, v2"),
    0.35: (11.5, 11.5, "MobileNet v2"),
    0.25: (21.1, 21.1, "MobileNet v1"),
}
"""Share of the channels → points lost against all of them."""
_RESOLUTION = {
    192 / 224: (0.9, 1.1, "MobileNet v1, v2"),
    160 / 224: (2.9, 3.0, "MobileNet v1, v2"),
    128 / 224: (5.7, 6.5, "MobileNet v1, v2"),
    96 / 224: (11.5, 11.5, "MobileNet v2"),
}
"""Share of the side → points lost against 224 pixels."""
_PRUNED = Lost(-0.24, 1.09, "at half of the MACs by ten methods on ResNet-56, CIFAR-10", _PRUNING)
_ABOUT_HALF_OF_THE_MACS = 0.35
_FACTORISED = Lost(1.27, 1.65, "by Tucker decomposition 1.5- to 2.9-fold on ResNet-50, AlexNet", _TUCKER)
_RECTIFIED = Lost(2.9, 5.6, "on MobileNet v3, without its 5x5 windows and gates too", _SLIM)

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
    return _between(_WIDTH, factor, "width") if factor < 1 else "more channels: train it and measure it"


def lost_by_resolution(scale: float) -> str:
    return _between(_RESOLUTION, scale, "side") if scale < 1 else "larger images: train it and measure it"


def lost_by_pruning(ratio: float) -> str:
    """A third of the channels is about half of the MACs; of more, what networks as narrow lost."""
    return str(_PRUNED) if ratio <= _ABOUT_HALF_OF_THE_MACS else lost_by_width(1 - ratio)


def lost_in_int8(network: str) -> str:
    """What this very network lost, where one source gives its accuracy in both types; empty where none does.

    `network` is named as the zoo names it; a type at its end does not count.
    """
    bare, _, last = network.rpartition(":")
    name = bare if last in set(DType) else network
    rows = [row for row in published_models() if row.architecture == name]
    for narrow in (row for row in rows if row.precision == DType.INT8):
        alike = (narrow.source, narrow.dataset, narrow.metric)
        for wide in (row for row in rows if row.precision == DType.FLOAT32):
            if (wide.source, wide.dataset, wide.metric) == alike:
                reached = f"{narrow.metric} {narrow.accuracy:g} % instead of {wide.accuracy:g} %"
                source = f"{narrow.dataset}: {sources()[narrow.source].title}"
                return f"published for it: {reached} ({source}): measure yours"
    return ""


def lost_by_factors() -> str:
    return str(_FACTORISED)


def lost_by_rectifier() -> str:
    return str(_RECTIFIED)


def reached_by(student: str) -> str:
    """What a named network reaches when it is trained alone."""
    architecture, found = read_spec(student)
    name = architecture.name if found.width is None else f"{architecture.name}:{found.width:g}"
    if name not in TOP1:
        return UNREAD
    source = _SLIM if name.startswith("mobilenet") else _TORCHVISION
    reached = f"{TOP1[name]:.4g} % top-1 at 224 pixels, trained without a teacher"
    return f"{reached} ({source}): measure yours"


def _between(table: Mapping[float, tuple[float, float, str]], value: float, of: str) -> str:
    """From the least lost at the next larger share to the most at the next smaller one."""
    known = sorted(table)
    below = max((share for share in known if share <= value + _ALIKE), default=known[0])
    above = below if abs(below - value) <= _ALIKE else min((s for s in known if s >= value), default=below)
    least, most = table[above][0], table[below][1]
    shares = " and ".join(f"{100 * share:.0f} %" for share in dict.fromkeys((above, below)))
    end = ", the least that was tried" if value < known[0] - _ALIKE else ""
    return str(Lost(least, most, f"at {shares} of the {of}{end}, on {table[below][2]}", _SLIM))


_ALIKE = 0.02
