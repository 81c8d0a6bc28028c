"""Branches that see the same image and are joined."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.builder import GraphBuilder
from ..graph.windows import Pair
from .blocks import conv

Step = tuple[int, Pair] | tuple[int, Pair, int]
"""(channels, kernel), and a stride where it is not 1: then without padding, unless the network pads."""


def chain(b: GraphBuilder, x: int, steps: Sequence[Step], *, strided: str = "VALID") -> int:
    for channels, kernel, *rest in steps:
        stride = rest[0] if rest else 1
        x = conv(b, x, channels, kernel, stride=stride, padding="SAME" if stride == 1 else strided)
    return x


def averaged(b: GraphBuilder, x: int, channels: int) -> int:
    return conv(b, b.average_pool2d(x, 3, stride=1, padding="SAME"), channels, 1)


def joined(
    b: GraphBuilder, x: int, branches: Sequence[Sequence[Step]], *beside: int, strided: str = "VALID"
) -> int:
    """The branches of convolutions, then what was computed beside them."""
    return b.concat([*(chain(b, x, branch, strided=strided) for branch in branches), *beside])


def forked(b: GraphBuilder, x: int, channels: int) -> list[int]:
    """1 × 3 and 3 × 1, side by side."""
    return [conv(b, x, channels, (1, 3)), conv(b, x, channels, (3, 1))]
