"""EfficientDet-Lite (Tan et al., 2020; github.com/google/automl, efficientdet): COCO, boxes not decoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ..core.records import dataclass, replace
from ..graph.builder import GraphBuilder
from .architecture import Build
from .blocks import conv
from .efficientnet import LITE, Scaling
from .inverted_residual import stage
from .shape import InputShape

CLASSES, ANCHORS, LEVELS = 90, 9, 5
SEEN = (40, 112, 320)
"""Channels of the stages of the unscaled backbone whose last map is read, at 1/8, 1/16 and 1/32."""


@dataclass(frozen=True)
class Detector:
    backbone: Scaling
    width: int
    """Channels of the pyramid and the heads."""
    cells: int
    repeats: int
    """Convolutions of each head before the last."""


def efficientdet_lite(detector: Detector, b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    """Places and classes of the anchors on five maps, from 1/8 to 1/128 of the side."""
    maps = _seen(b, shape, detector.backbone)
    top = b.conv2d(maps[-1], detector.width, 1)
    for _ in range(LEVELS - len(maps)):
        top = b.max_pool2d(top, 3, stride=2, padding="SAME")
        maps.append(top)
    for _ in range(detector.cells):
        maps = _fused(b, maps, detector.width)
    places = b.concat([_predicted(b, x, detector, 4) for x in maps], 1)
    return places, b.unary("LOGISTIC", b.concat([_predicted(b, x, detector, CLASSES) for x in maps], 1))


def _seen(b: GraphBuilder, shape: InputShape, scaling: Scaling) -> list[int]:
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, scaling.ends()[0], 3, stride=2, activation=scaling.activation)
    maps = []
    for plain, row in zip(scaling.rows, scaling.scaled(), strict=True):
        x = stage(b, x, (row,))
        if plain.channels in SEEN:
            maps.append(x)
    return maps


def _fused(b: GraphBuilder, maps: Sequence[int], width: int) -> list[int]:
    """Down the pyramid and up again; each map is read anew where its channels differ."""
    down = [maps[-1]]
    for x in reversed(maps[:-1]):
        _, side, across, _ = b.shape(x)
        down.append(_separable(b, b.add(_as_wide(b, x, width), b.resize(down[-1], (side, across))), width))
    made = [down[-1]]
    for level in range(1, LEVELS):
        below = b.max_pool2d(made[-1], 3, stride=2, padding="SAME")
        last = level == LEVELS - 1
        x = below if last else b.add(below, down[LEVELS - 1 - level])
        made.append(_separable(b, b.add(x, _as_wide(b, maps[level], width)), width))
    return made


def _as_wide(b: GraphBuilder, x: int, width: int) -> int:
    return x if b.shape(x)[3] == width else b.conv2d(x, width, 1)


def _separable(b: GraphBuilder, x: int, width: int, *, activation: str = "RELU6") -> int:
    y = x if activation == "NONE" else b.unary(activation, x)
    return b.conv2d(b.depthwise_conv2d(y, 3), width, 1)


def _predicted(b: GraphBuilder, x: int, detector: Detector, values: int) -> int:
    for _ in range(detector.repeats):
        x = b.conv2d(b.depthwise_conv2d(x, 3), detector.width, 1, activation="RELU6")
    x = _separable(b, x, ANCHORS * values, activation="NONE")
    return b.reshape(x, (b.shape(x)[0], -1, values))


SIZES = (
    (1.0, 1.0, 64, 3, 3, 320), (1.0, 1.1, 88, 4, 3, 384), (1.1, 1.2, 112, 5, 3, 448),
    (1.2, 1.4, 160, 6, 4, 512), (1.4, 1.8, 224, 7, 4, 640),
)  # fmt: skip
"""(width and depth of the backbone, channels, cells, repeats, side of the image) of Lite0 to Lite4."""


def _lite(
    width: float, depth: float, channels: int, cells: int, repeats: int, side: int
) -> tuple[Build, int]:
    detector = Detector(replace(LITE, width=width, depth=depth), channels, cells, repeats)
    return partial(efficientdet_lite, detector), side


LITES = {f"efficientdet_lite{at}": _lite(*sizes) for at, sizes in enumerate(SIZES)}
NETWORKS: tuple[tuple[Mapping[str, Build], int, bool], ...] = tuple(
    ({name: build}, side, True) for name, (build, side) in LITES.items()
)
