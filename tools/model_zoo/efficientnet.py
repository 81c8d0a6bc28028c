"""MnasNet, EfficientNet and what was searched in the same space; 1000 classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from ..core.records import dataclass, replace
from ..graph.builder import GraphBuilder
from .architecture import Architecture, image_network
from .blocks import classified, conv, divisible
from .inverted_residual import Inverted, stage
from .shape import InputShape

EFFICIENTNET = (
    Inverted(1, 16, 3, 1, 1), Inverted(6, 24, 3, 2, 2), Inverted(6, 40, 5, 2, 2), Inverted(6, 80, 3, 2, 3),
    Inverted(6, 112, 5, 1, 3), Inverted(6, 192, 5, 2, 4), Inverted(6, 320, 3, 1, 1),
)  # fmt: skip
"""Table 1 of Tan and Le, 2019."""
MNASNET_B1 = (
    Inverted(1, 16, 3, 1, 1, skip=False), Inverted(3, 24, 3, 2, 3), Inverted(3, 40, 5, 2, 3),
    Inverted(6, 80, 5, 2, 3), Inverted(6, 96, 3, 1, 2), Inverted(6, 192, 5, 2, 4),
    Inverted(6, 320, 3, 1, 1, skip=False),
)  # fmt: skip
"""MnasNet-B1 of Tan et al., 2019: without squeeze-and-excite."""
V2_BASE = (
    Inverted(1, 16, 3, 1, 1, fused=True), Inverted(4, 32, 3, 2, 2, fused=True),
    Inverted(4, 48, 3, 2, 2, fused=True), Inverted(4, 96, 3, 2, 3, 0.25), Inverted(6, 112, 3, 1, 5, 0.25),
    Inverted(6, 192, 3, 2, 8, 0.25),
)  # fmt: skip
V2_S = (
    Inverted(1, 24, 3, 1, 2, fused=True), Inverted(4, 48, 3, 2, 4, fused=True),
    Inverted(4, 64, 3, 2, 4, fused=True), Inverted(4, 128, 3, 2, 6, 0.25), Inverted(6, 160, 3, 1, 9, 0.25),
    Inverted(6, 256, 3, 2, 15, 0.25),
)  # fmt: skip
"""Table 4 of Tan and Le, 2021."""
EDGETPU = (
    Inverted(4, 24, 3, 1, 1, fused=True, skip=False, widened=24),
    Inverted(8, 32, 3, 2, 2, fused=True, late=True), Inverted(8, 48, 3, 2, 4, fused=True, late=True),
    Inverted(8, 96, 5, 2, 5), Inverted(8, 144, 5, 1, 4), Inverted(8, 192, 5, 2, 2),
)  # fmt: skip
"""EfficientNet-EdgeTPU of github.com/tensorflow/tpu: fused blocks expand at full resolution."""


@dataclass(frozen=True)
class Scaling:
    """How a member grows out of its family's table."""

    rows: tuple[Inverted, ...]
    width: float = 1.0
    depth: float = 1.0
    stem: int = 32
    last: int = 1280
    activation: str = "SWISH"
    squeeze: float | None = None
    """In every block; None leaves what the table says."""
    fixed_stem: bool = False
    """The stem and the head keep their channels, whatever the width."""
    fixed_ends: bool = False
    """The first and the last stage keep their repeats."""
    keep: float = 0.9
    repeats: Callable[[float], int] = math.ceil

    def scaled(self) -> list[Inverted]:
        ends = (0, len(self.rows) - 1) if self.fixed_ends else ()
        return [
            replace(
                row,
                channels=self.channels(row.channels),
                widened=self.channels(row.widened) if row.widened else 0,
                repeats=row.repeats if at in ends else max(1, self.repeats(row.repeats * self.depth)),
                squeeze=row.squeeze if self.squeeze is None else self.squeeze,
                activation=self.activation,
            )
            for at, row in enumerate(self.rows)
        ]

    def channels(self, channels: int) -> int:
        return divisible(channels * self.width, keep=self.keep)

    def ends(self) -> tuple[int, int]:
        if self.fixed_stem:
            return self.stem, self.last
        return self.channels(self.stem), self.channels(self.last)


def efficientnet(b: GraphBuilder, shape: InputShape, scaling: Scaling) -> int:
    stem, last = scaling.ends()
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = conv(b, x, stem, 3, stride=2, activation=scaling.activation)
    x = stage(b, x, scaling.scaled())
    return classified(b, conv(b, x, last, 1, activation=scaling.activation))


def mnasnet(b: GraphBuilder, shape: InputShape) -> int:
    width = shape.width
    scaling = Scaling(MNASNET_B1, width, activation="RELU", fixed_stem=True, stem=divisible(32 * width))
    return efficientnet(b, shape, scaling)


def _member(name: str, side: int, scaling: Scaling, *aliases: str) -> Architecture:
    return image_network(name, partial(efficientnet, scaling=scaling), *aliases, side=side)


B = Scaling(EFFICIENTNET, squeeze=0.25)
EDGE = Scaling(EDGETPU, activation="RELU")
LITE = Scaling(EFFICIENTNET, activation="RELU6", fixed_stem=True, fixed_ends=True)
TINY = Scaling(EFFICIENTNET, squeeze=0.25, fixed_stem=True, repeats=round)

MEMBERS = (
    image_network("mnasnet", mnasnet, "mnasnet b1", any_width=True),
    *(
        _member(f"efficientnet_b{at}", side, replace(B, width=width, depth=depth))
        for at, (width, depth, side) in enumerate(
            ((1.0, 1.0, 224), (1.0, 1.1, 240), (1.1, 1.2, 260), (1.2, 1.4, 300),
             (1.4, 1.8, 380), (1.6, 2.2, 456), (1.8, 2.6, 528), (2.0, 3.1, 600))
        )
    ),
    *(
        _member(f"efficientnet_lite{at}", side, replace(LITE, width=width, depth=depth))
        for at, (width, depth, side) in enumerate(
            ((1.0, 1.0, 224), (1.0, 1.1, 240), (1.1, 1.2, 260), (1.2, 1.4, 280), (1.4, 1.8, 300))
        )
    ),
    _member("efficientnet_edgetpu_s", 224, EDGE),
    _member("efficientnet_edgetpu_m", 240, replace(EDGE, depth=1.1)),
    _member("efficientnet_edgetpu_l", 300, replace(EDGE, width=1.2, depth=1.4)),
    *(
        _member(f"efficientnet_v2_b{at}", side, Scaling(V2_BASE, width, depth, keep=0.0))
        for at, (width, depth, side) in enumerate(
            ((1.0, 1.0, 224), (1.0, 1.1, 240), (1.1, 1.2, 260), (1.2, 1.4, 300))
        )
    ),
    _member("efficientnet_v2_s", 384, Scaling(V2_S, stem=24)),
    _member("efficientnet_v2_rw_t", 288, Scaling(V2_S, 0.8, 0.9, stem=24)),
    _member("tinynet_e", 106, replace(TINY, width=0.51, depth=0.6)),
)  # fmt: skip
