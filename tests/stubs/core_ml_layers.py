"""Core ML networks of the older kind, field by field as NeuralNetwork.proto has them, without coremltools.

`network()` is the network of `pytorch_files`, its norm folded: 221,264 MACs.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from .core_ml_files import held, varint, whole

FLOAT32, SINGLE = 65568, "floats"
NETWORK, CLASSIFIER, REGRESSOR = 500, 403, 303


def numbers(field: int, *values: int) -> bytes:
    """A packed list."""
    return held(field, b"".join(map(varint, values)))


def decimal(field: int, value: float) -> bytes:
    return varint(field << 3 | 5) + struct.pack("<f", value)


def weights(field: int, *shape: int, stored: str = SINGLE, bits: int = 8) -> bytes:
    """As floats, as halves, or as integers of so many bits with a scale."""
    count = math.prod(shape)
    match stored:
        case "halves":
            content = held(2, bytes(2 * count))
        case "integers":
            scale = held(101, held(1, struct.pack("<f", 0.1)))
            content = held(30, bytes(-(-count * bits // 8))) + held(40, whole(1, bits) + scale)
        case _:
            content = held(1, bytes(4 * count))
    return held(field, content)


def edges(*amounts: tuple[int, int]) -> bytes:
    """BorderAmounts: (start, end) of height, then of width."""
    return b"".join(held(10, whole(1, start) + whole(2, end)) for start, end in amounts)


def layer(kind: int, inputs: str, outputs: str, given: bytes = b"", name: str = "layer") -> bytes:
    """`kind` is the field of its parameters."""
    ends = b"".join(held(2, each) for each in inputs.split())
    ends += b"".join(held(3, each) for each in outputs.split())
    return held(1, name) + ends + held(kind, given)


def convolution(
    inputs: str, outputs: str, out: int, depth: int, window: tuple[int, int] = (3, 3), *, groups: int = 1,
    stride: int = 1, dilation: int = 1, padding: bytes = b"", transposed: bool = False, stored: str = SINGLE,
    bits: int = 8, missing: int = 0,
) -> bytes:  # fmt: skip
    """`depth`: channels that a filter reads, of a transposed one all of the input's; `missing`: weights."""
    shape = (depth, out // groups) if transposed else (out, depth)
    given = whole(1, out) + whole(2, depth) + whole(10, groups) + numbers(20, *window)
    given += numbers(30, stride, stride) + numbers(40, dilation, dilation) + (padding or held(51, b""))
    given += whole(60, int(transposed)) + whole(70, 1)
    held_here = math.prod((*shape, *window)) - missing
    given += weights(90, held_here, stored=stored, bits=bits) + weights(91, out)
    return layer(100, inputs, outputs, given)


def dense(inputs: str, outputs: str, depth: int, out: int) -> bytes:
    given = whole(1, depth) + whole(2, out) + whole(10, 1) + weights(20, out, depth) + weights(21, out)
    return layer(140, inputs, outputs, given)


def activation(inputs: str, outputs: str, kind: int = 10, given: bytes = b"") -> bytes:
    return layer(130, inputs, outputs, held(kind, given))


def lstm(
    inputs: str, outputs: str, depth: int, cells: int, *, both: bool = False, peepholes: bool = False
) -> bytes:
    each = b"".join(weights(n, cells, depth) for n in (1, 2, 3, 4))
    each += b"".join(weights(n, cells, cells) for n in (20, 21, 22, 23))
    each += b"".join(weights(n, cells) for n in (40, 41, 42, 43))
    each += b"".join(weights(n, cells) for n in (60, 61, 62)) if peepholes else b""
    given = whole(1, depth) + whole(2, cells)
    given += held(15, whole(10, 1) + whole(20, 1) + whole(40, int(peepholes)))
    given += held(20, each) * (2 if both else 1)
    return layer(430 if both else 420, inputs, outputs, given)


def gru(inputs: str, outputs: str, depth: int, cells: int, *, every: bool = True) -> bytes:
    given = whole(1, depth) + whole(2, cells) + whole(15, int(every)) + whole(20, 1)
    given += b"".join(weights(n, cells, depth) for n in (30, 31, 32))
    given += b"".join(weights(n, cells, cells) for n in (50, 51, 52))
    given += b"".join(weights(n, cells) for n in (70, 71, 72))
    return layer(410, inputs, outputs, given)


def rnn(inputs: str, outputs: str, depth: int, cells: int) -> bytes:
    given = whole(1, depth) + whole(2, cells) + whole(15, 1) + weights(30, cells, depth)
    return layer(400, inputs, outputs, given + weights(31, cells, cells))


def array(name: str, *shape: int) -> bytes:
    return held(1, name) + held(3, held(5, numbers(1, *shape) + whole(2, FLOAT32)))


def image(name: str, width: int, height: int, colours: int = 20) -> bytes:
    return held(1, name) + held(3, held(4, whole(1, width) + whole(2, height) + whole(3, colours)))


def model(
    inputs: Sequence[bytes], layers: Sequence[bytes], *, exact: bool = False, kind: int = NETWORK
) -> bytes:
    """`exact`: tensors have the dimensions that inputs state, else five."""
    described = b"".join(held(1, each) for each in inputs) + held(10, array("y", 1))
    network = b"".join(held(1, each) for each in layers) + whole(5, int(exact)) + whole(6, int(exact))
    return whole(1, 4) + held(2, described) + held(kind, network)


def network(kind: int = CLASSIFIER) -> bytes:
    layers = [
        convolution("x", "conv", 8, 3, stored="halves"),
        activation("conv", "relu"),
        layer(120, "relu", "pooled", whole(1, 1) + whole(60, 1)),
        dense("pooled", "y", 8, 10),
    ]
    return model([image("x", 32, 32)], layers, kind=kind)


def several_layers() -> bytes:
    """Images, then a sequence."""
    layers = [
        convolution("x", "a", 4, 1, stride=2),
        activation("a", "b", 25, weights(1, 4)),
        layer(320, "a b", "c"),
        layer(120, "c", "d", numbers(10, 2, 2) + numbers(20, 2, 2) + held(30, b"")),
        layer(300, "d", "e", numbers(1, 4, 32, 1, 1)),
        lstm("e", "f", 32, 6),
        gru("f", "g", 6, 4),
        dense("g", "y", 4, 3),
    ]
    return model([image("x", 8, 8, 10)], layers)
