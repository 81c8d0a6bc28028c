"""Keyword spotting of "Hello Edge" (Zhang et al., 2017, arXiv 1711.07128), as Arm's ML-Zoo trains it.

Numbers are those of `recreate_model.sh` beside each model of github.com/ARM-software/ML-zoo.
"""

from __future__ import annotations

from functools import partial

from ..graph import DType
from ..graph.builder import GraphBuilder
from .architecture import Architecture
from .shape import InputShape

_WORDS = 12
_FRAMES, _FEATURES = 49, 10
Filters = tuple[int, tuple[int, int], tuple[int, int]]
"""Channels, kernel and strides, in time and frequency."""


def dnn(units: int, b: GraphBuilder, shape: InputShape) -> int:
    """Three dense layers on 25 frames of 10 features."""
    x = b.input((shape.batch, 25 * _FEATURES))
    for _ in range(3):
        x = b.fully_connected(x, units, activation="RELU")
    return b.softmax(b.fully_connected(x, _WORDS))


def cnn(filters: tuple[Filters, ...], linear: int, units: int, b: GraphBuilder, shape: InputShape) -> int:
    """Two convolutions without padding, a linear layer of low rank and a dense one."""
    x = _spectrogram(b, shape)
    for channels, kernel, stride in filters:
        x = b.conv2d(x, channels, kernel, stride=stride, padding="VALID", activation="RELU")
    x = b.fully_connected(b.flatten(x), linear)
    x = b.fully_connected(x, units, activation="RELU")
    return b.softmax(b.fully_connected(x, _WORDS))


def ds_cnn(
    channels: int,
    first: tuple[int, int],
    strides: tuple[tuple[int, int], ...],
    b: GraphBuilder,
    shape: InputShape,
) -> int:
    """A convolution, then separable ones of 3 × 3 with a stride each."""
    x = b.conv2d(_spectrogram(b, shape), channels, (10, 4), stride=first, activation="RELU")
    for stride in strides:
        x = b.depthwise_conv2d(x, 3, stride=stride, activation="RELU")
        x = b.conv2d(x, channels, 1, activation="RELU")
    height, width = b.shape(x)[1:3]
    x = b.average_pool2d(x, (height, width))
    return b.softmax(b.fully_connected(b.flatten(x), _WORDS))


def _spectrogram(b: GraphBuilder, shape: InputShape) -> int:
    x = b.input((shape.batch, _FRAMES * _FEATURES))
    return b.reshape(x, (shape.batch, _FRAMES, _FEATURES, 1))


_ONE, _TWO = (1, 1), (2, 2)
_BUILDERS = {
    "kws_dnn_s": partial(dnn, 144),
    "kws_dnn_m": partial(dnn, 256),
    "kws_dnn_l": partial(dnn, 436),
    "kws_cnn_s": partial(cnn, ((28, (10, 4), _ONE), (30, (10, 4), (2, 1))), 16, 128),
    "kws_cnn_m": partial(cnn, ((64, (10, 4), _ONE), (48, (10, 4), (2, 1))), 16, 128),
    "kws_cnn_l": partial(cnn, ((60, (10, 4), _ONE), (76, (10, 4), (2, 1))), 58, 128),
    "ds_cnn_s": partial(ds_cnn, 64, _TWO, (_ONE, _ONE, _ONE, _ONE)),
    "ds_cnn_m": partial(ds_cnn, 172, (2, 1), (_TWO, _ONE, _ONE, _ONE)),
    "ds_cnn_l": partial(ds_cnn, 276, (2, 1), (_TWO, _ONE, _ONE, _ONE, _ONE)),
}
_IN_FULL = {"s": "small", "m": "medium", "l": "large"}

MEMBERS = tuple(
    Architecture(name, build, DType.INT8, aliases=(f"{name[:-1]}{_IN_FULL[name[-1]]}",))
    for name, build in _BUILDERS.items()
)
