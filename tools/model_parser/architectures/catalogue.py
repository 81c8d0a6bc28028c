"""Which networks there are, by which names people call them, and what of them can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...graph import DType
from ...graph.builder import GraphBuilder
from .mlperf_tiny import ad, ic, kws, vww
from .mobilenet_v2 import mobilenet_v2
from .resnet50 import resnet50
from .shape import InputShape


@dataclass(frozen=True)
class Architecture:
    name: str
    build: Callable[[GraphBuilder, InputShape], int]
    dtype: DType
    """Type where none is asked for: int8 for the Tiny networks, as in their reference files."""
    side: int | None = None
    """Usual height and width of the input image; None for an input that is no square image."""
    width: float | None = None
    """Usual width multiplier; None for a network without one."""
    any_side: bool = False
    any_width: bool = False
    aliases: tuple[str, ...] = ()


ARCHITECTURES = {
    a.name: a
    for a in (
        Architecture(
            "resnet50", resnet50, DType.FLOAT32, side=224, any_side=True,
            aliases=("resnet 50 v1.5",),
        ),
        Architecture(
            "mobilenet_v2", mobilenet_v2, DType.FLOAT32,
            side=224, width=1.0, any_side=True, any_width=True, aliases=("mobilenet v2",),
        ),
        Architecture("kws", kws, DType.INT8, aliases=("ds_cnn", "keyword spotting", "kws_ref_model")),
        Architecture(
            "vww", vww, DType.INT8, side=96, width=0.25,
            aliases=("visual wake words", "visual wake word", "person detection", "vww_96"),
        ),
        Architecture(
            "ic", ic, DType.INT8, side=32,
            aliases=("resnet8", "image classification", "pretrainedResnet"),
        ),
        Architecture(
            "ad", ad, DType.INT8,
            aliases=("anomaly detection", "toycar", "toyadmos", "autoencoder", "deep autoencoder", "ad01"),
        ),
    )
}  # fmt: skip

SAID_IN_FULL = {"mobilenetv1": "vww"}
"""Families of which one member is here: the name stands for it only with that member's width and side."""


def squeezed(name: str) -> str:
    """A name as it is compared: without case, blanks and signs."""
    return "".join(c for c in name.casefold() if c.isalnum())


NAMES = {
    squeezed(alias): architecture for architecture in ARCHITECTURES.values()
    for alias in (architecture.name, *architecture.aliases)
}  # fmt: skip
