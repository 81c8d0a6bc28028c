"""Networks out of ncnn's .param text: shapes, operators and options, no weights.

The layout is ncnn's `param.txt`: a magic number, counts, then one layer a line as
`type name inputs outputs input… output… key=value…`, with the meaning of keys by layer as in ncnn's
"operation param weight table". Images are taken as 1×height×width×channels.
"""

from __future__ import annotations

from ...hardware_db.errors import ModelFileError
from ..graph import ModelGraph
from .ncnn_layers import RULES
from .ncnn_net import Layer, Net

MAGIC = "7767517"


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
        _add(net, _layer(words, name))
    return net.build()


def _add(net: Net, layer: Layer) -> None:
    rule = RULES.get(layer.kind)
    if rule is None:
        raise ModelFileError(f"ncnn layers of kind {layer.kind!r} are not known.")
    net.read.update(layer.inputs)
    rule(net, layer)


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
