"""Wav2letter (Collobert et al., 2016, arXiv 1609.03193) and its tiny version, as Arm's ML-Zoo trains them.

Layers are those of `wav2letter.py` and `tinywav2letter.py` of github.com/ARM-software/ML-zoo: 296 frames of
39 features in, the scores of 29 letters for every second frame out.
"""

from __future__ import annotations

from functools import partial

from ..graph import DType
from ..graph.builder import GraphBuilder
from .architecture import Architecture
from .shape import InputShape

_FRAMES, _FEATURES, _LETTERS = 296, 39, 29
_LEAK = 0.2


def wav2letter(middle: tuple[int, ...], wide: int, b: GraphBuilder, shape: InputShape) -> int:
    """Convolutions along time alone: one of stride 2, `middle` ones of 7 frames, a wide one of 32."""
    x = b.reshape(b.input((shape.batch, _FRAMES, _FEATURES)), (shape.batch, 1, _FRAMES, _FEATURES))
    x = _convolved(b, x, 250, 48, stride=2)
    for channels in middle:
        x = _convolved(b, x, channels, 7)
    x = _convolved(b, _convolved(b, x, wide, 32), wide, 1)
    return b.softmax(b.conv2d(x, _LETTERS, 1))


def _convolved(b: GraphBuilder, x: int, channels: int, frames: int, *, stride: int = 1) -> int:
    return b.unary("LEAKY_RELU", b.conv2d(x, channels, (1, frames), stride=(1, stride)), {"alpha": _LEAK})


MEMBERS = (
    Architecture("wav2letter", partial(wav2letter, (250,) * 7, 2000), DType.INT8, aliases=("wav 2 letter",)),
    Architecture(
        "tiny_wav2letter", partial(wav2letter, (100,) * 5, 750), DType.INT8, aliases=("tiny wav2letter",)
    ),
)
