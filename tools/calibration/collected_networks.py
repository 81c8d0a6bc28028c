"""Networks of collected sources that the model zoo lacks: layers of published files, and what is described.

`python -m edgewright.tools.calibration.collected_networks [KEY=FILE …]` adds them to `networks.tsv.xz` under
`collected/`, where `specs/` names them and the importer keeps them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ...hardware_db import measurements
from ..graph import ModelGraph
from ..graph.builder import GraphBuilder
from ..graph.requantize import to_int8
from ..model_zoo.blocks import divisible
from ..model_zoo.mobilenet_v2 import BLOCKS
from .importer import COLLECTED, layers_of, read_network, write_networks

EDGE_IMPULSE_UNITS, EDGE_IMPULSE_CLASSES = 16, 3
"""Of the head in the labs: a layer of 16, three classes."""
FOMO_HEAD, FOMO_CUT = 32, 8
"""Width of the head, and where it sits: on the expansion of the block that would leave this resolution."""


def main(files: Sequence[str]) -> None:
    graphs = dict(described())
    for given in files:
        key, _, path = given.partition("=")
        graphs[key] = read_network(Path(path))
    added = {COLLECTED + key: layers_of(graph) for key, graph in graphs.items()}
    networks = {**measurements.networks(), **added}
    file = Path(measurements.__file__).parent / "networks.tsv.xz"
    write_networks(file, networks)
    print(f"{len(graphs)} of {len(networks)} networks written")


def described() -> Mapping[str, ModelGraph]:
    return {
        "edge_impulse_mobilenet_v2_0.35_96": _built(lambda b: transfer_learned(b, 0.35, 96)),
        "edge_impulse_mobilenet_v2_0.05_96": _built(lambda b: transfer_learned(b, 0.05, 96)),
        "edge_impulse_fomo_0.35_96_grey": _built(lambda b: fomo(b, 0.35, 96)),
    }


def _built(write: Callable[[GraphBuilder], int]) -> ModelGraph:
    builder = GraphBuilder("network")
    return to_int8(builder.build((write(builder),)))


def transfer_learned(b: GraphBuilder, width: float, side: int) -> int:
    """Edge Impulse's image classifier: Keras' MobileNetV2 up to `out_relu`, dense layers on each position."""
    x = _backbone(b, b.input((1, side, side, 3)), width)
    x = b.conv2d(x, 1280, 1, activation="RELU6")
    positions = b.reshape(x, (-1, b.shape(x)[3]))
    x = b.fully_connected(positions, EDGE_IMPULSE_UNITS, activation="RELU")
    return b.softmax(b.fully_connected(b.reshape(x, (1, -1)), EDGE_IMPULSE_CLASSES))


def fomo(b: GraphBuilder, width: float, side: int) -> int:
    """Edge Impulse's FOMO: MobileNetV2 up to `block_6_expand_relu`, then two convolutions."""
    x = _backbone(b, b.input((1, side, side, 1)), width, until=FOMO_CUT)
    x = b.conv2d(x, FOMO_HEAD, 1, activation="RELU")
    return b.softmax(b.conv2d(x, EDGE_IMPULSE_CLASSES, 1))


def _backbone(b: GraphBuilder, x: int, width: float, until: int | None = None) -> int:
    """Padded as Keras does: a PAD before each convolution of stride 2."""
    side = b.shape(x)[1]
    x = b.conv2d(_padded(b, x), divisible(32 * width), 3, stride=2, padding="VALID", activation="RELU6")
    for expansion, channels, repetitions, first_stride in BLOCKS:
        for repetition in range(repetitions):
            stride = 1 if repetition else first_stride
            inner, y = b.shape(x)[3], x
            if expansion != 1:
                y = b.conv2d(y, inner * expansion, 1, activation="RELU6")
            if stride == 2 and b.shape(y)[1] * (until or 0) == side:
                return y
            padding = "VALID" if stride == 2 else "SAME"
            y = _padded(b, y) if stride == 2 else y
            y = b.depthwise_conv2d(y, 3, stride=stride, padding=padding, activation="RELU6")
            y = b.conv2d(y, divisible(channels * width), 1)
            x = b.add(x, y) if stride == 1 and b.shape(y)[3] == inner else y
    return x


def _padded(b: GraphBuilder, x: int) -> int:
    return b.pad(x, ((0, 0), (0, 1), (0, 1), (0, 0)))


if __name__ == "__main__":
    main(sys.argv[1:])
