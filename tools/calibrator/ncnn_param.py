"""Networks out of ncnn's .param text: shapes, operators and options, no weights.

The layout is ncnn's `param.txt`: a magic number, counts, then one layer a line as
`type name inputs outputs input… output… key=value…`, with the meaning of keys by layer as in ncnn's
"operation param weight table". Images are taken as 1×height×width×channels.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db.errors import ModelFileError
from ..graph import ModelGraph
from ..graph.builder import GraphBuilder

MAGIC = "7767517"


@dataclass(frozen=True)
class Layer:
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    keys: dict[int, str]

    def number(self, key: int, default: int = 0) -> int:
        return int(float(self.keys.get(key, default)))

    def pair(self, across: int, down: int, default: int = 1) -> tuple[int, int]:
        """(down, across), the second of which falls back on the first."""
        first = self.number(across, default)
        return self.number(down, first), first


def parse_ncnn_param(text: str, name: str) -> ModelGraph:
    """The graph of an ncnn network.

    Raises:
        ModelFileError: not ncnn's text form, or a layer of a kind that is not known.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if not lines or lines[0] != [MAGIC]:
        raise ModelFileError(f"{name} is no ncnn parameter file.", hint="Its first line is 7767517.")
    net = Net(name)
    for words in lines[2:]:
        net.add(_layer(words, name))
    return net.build()


def _layer(words: list[str], name: str) -> Layer:
    try:
        reads, writes = int(words[2]), int(words[3])
        blobs = words[4 : 4 + reads + writes]
        keys = (word.partition("=") for word in words[4 + reads + writes :])
        return Layer(
            words[0], tuple(blobs[:reads]), tuple(blobs[reads:]), {int(key): value for key, _, value in keys}
        )
    except (ValueError, IndexError):
        raise ModelFileError(f"{name}: {' '.join(words[:2])!r} is no layer.") from None


class Net:
    def __init__(self, name: str) -> None:
        self.builder = GraphBuilder(name)
        self.blobs: dict[str, int] = {}
        self.read: set[str] = set()

    def build(self) -> ModelGraph:
        unread = [tensor for blob, tensor in self.blobs.items() if blob not in self.read]
        return self.builder.build(outputs=unread)

    def add(self, layer: Layer) -> None:
        from .ncnn_layers import RULES

        rule = RULES.get(layer.kind)
        if rule is None:
            raise ModelFileError(f"ncnn layers of kind {layer.kind!r} are not known.")
        self.read.update(layer.inputs)
        rule(self, layer)

    def shape(self, layer: Layer, at: int = 0) -> tuple[int, ...]:
        return self.builder.shape(self.blobs[layer.inputs[at]])

    def put(self, layer: Layer, kind: str, shape: tuple[int, ...], *weights: tuple[int, ...]) -> None:
        """One operator over the layer's inputs and new constants of these shapes."""
        constants = [self.builder.constant(f"w{len(self.blobs)}_{i}", s) for i, s in enumerate(weights)]
        inputs = [self.blobs[blob] for blob in layer.inputs]
        self.blobs[layer.outputs[0]] = self.builder.op(kind, [*inputs, *constants], shape)

    def same(self, layer: Layer) -> None:
        """No operator: every output is the input."""
        for blob in layer.outputs:
            self.blobs[blob] = self.blobs[layer.inputs[0]]
