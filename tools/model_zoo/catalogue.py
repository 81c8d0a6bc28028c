"""Which networks there are, by which names people call them, and what of them can be chosen."""

from __future__ import annotations

from ..graph import DType
from .architecture import Architecture
from .catalogue_other import OTHERS
from .convolutional import CONVOLUTIONAL
from .mlperf_tiny import ad, ic, kws, vww
from .mobilenet_v2 import mobilenet_v2
from .resnet50 import resnet50

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
        *CONVOLUTIONAL,
        *OTHERS,
    )
}  # fmt: skip

SAID_IN_FULL: dict[tuple[str, float | None, int | None], str] = {("mobilenetv1", 0.25, 96): "vww"}
"""A family's name, width and side, by which a network of another name is known better."""


def squeezed(name: str) -> str:
    """A name as it is compared: without case, blanks and signs."""
    return "".join(c for c in name.casefold() if c.isalnum())


NAMES = {
    squeezed(alias): architecture for architecture in ARCHITECTURES.values()
    for alias in (architecture.name, *architecture.aliases)
}  # fmt: skip
