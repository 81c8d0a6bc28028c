"""Every network with what writes it, and the list of them that is read without: `architectures.json`.

`python -m edgewright.tools.model_zoo.builders` writes that list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..graph import DType
from .architecture import LIST, Architecture
from .catalogue_other import OTHERS
from .convolutional import CONVOLUTIONAL
from .mlperf_tiny import ad, ic, kws, vww
from .mobilenet_v2 import mobilenet_v2
from .resnet50 import resnet50

BUILT = {
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


_FIELDS = ("name", "dtype", "side", "width", "any_side", "any_width", "aliases")


def text_of(architectures: Iterable[Architecture]) -> str:
    """The list of these networks."""
    rows = (json.dumps([getattr(one, field) for field in _FIELDS]) for one in architectures)
    return "[\n" + ",\n".join(rows) + "\n]\n"


if __name__ == "__main__":
    LIST.write_text(text_of(BUILT.values()), encoding="utf-8")
