"""From ncnn's layers to operators; numbers of parameters are those of ncnn's page on operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ....hardware_db.errors import ModelFileError
from ...graph.builder import GraphBuilder, Shape
from ..tflite.reader import DamagedError
from . import tokens, windows
from .text import Layer, NotReadError

_ABSENT, _COPIED = -233, 0
_SHAPE_HINTS = 30
_LARGEST_SIDE, _MOST_ELEMENTS = 1 << 20, 1 << 40
ACTIVATIONS = {1: "RELU", 2: "LEAKY_RELU", 3: "RELU6", 4: "LOGISTIC", 6: "HARD_SWISH"}
_UNARY = {
    "ReLU": "RELU", "Clip": "RELU6", "Sigmoid": "LOGISTIC", "TanH": "TANH", "HardSwish": "HARD_SWISH",
    "GELU": "GELU", "ELU": "ELU", "Softmax": "SOFTMAX", "AbsVal": "ABS", "Exp": "EXP", "PReLU": "PRELU",
}  # fmt: skip
_BINARY = ("ADD", "SUB", "MUL", "DIV", "MAXIMUM", "MINIMUM", "POW", "SUB", "DIV")
_ELTWISE = ("MUL", "ADD", "MAXIMUM")
_SAME = frozenset(("Split", "Dropout", "Noop", "Cast", "Packing"))
_AXES = ("w", "h", "c")
_ORDERS = ("whc", "hwc", "wch", "cwh", "hcw", "chw")
_WHERE = {"h": 1, "w": 2, "c": 3}


class OpenInputError(ModelFileError):
    """The size of the input has to be given."""


class Reader:
    """Blobs by name, as tensors of a builder."""

    def __init__(self, builder: GraphBuilder, shape: Sequence[int] | None) -> None:
        self.b, self.is_int8, self.counted = builder, False, 0
        self._given = None if shape is None else tuple(shape)
        self._blobs: dict[str, int] = {}
        self._read: set[str] = set()

    def read(self, layer: Layer) -> None:
        inputs = [self._blob(name) for name in layer.inputs]
        if layer.kind == "Input":
            made = [self._input(layer) for _ in layer.outputs]
        elif layer.kind in _SAME:
            made = inputs[:1] * len(layer.outputs)
        else:
            self.counted += 1
            made = self._made(layer, inputs)
        for name, tensor in zip(layer.outputs, made, strict=True):
            if name in self._blobs:
                raise DamagedError(f"two layers make one blob, {len(self._blobs)} blobs in")
            self._blobs[name] = tensor

    def outputs(self) -> tuple[int, ...]:
        """What is made and nothing reads, once each."""
        given = {name for name in self._blobs if name not in self._read}
        return tuple(dict.fromkeys(self._blobs[name] for name in self._blobs if name in given))

    def shape(self, blob: str) -> Shape:
        return self.b.shape(self._blobs[blob])

    def _blob(self, name: str) -> int:
        self._read.add(name)
        if name not in self._blobs:
            raise DamagedError(f"layer {self.counted} reads what nothing makes")
        return self._blobs[name]

    def _input(self, layer: Layer) -> int:
        width, height, channels = (layer.whole(key) for key in range(3))
        shape: Shape = (
            (1, height, width, channels) if channels else (1, height, width) if height else (1, width)
        )
        if self._given is not None:
            shape, self._given = self._given, None
        if min(shape) < 1:
            raise OpenInputError(
                "It is an ncnn model that leaves the size of its input open.",
                hint="Give it, as in --shape 1,224,224,3: height, width, channels.",
            )
        if max(shape) > _LARGEST_SIDE or math.prod(shape) > _MOST_ELEMENTS:
            raise DamagedError("its input is larger than any memory")
        return self.b.input(tuple(shape))

    def _made(self, layer: Layer, inputs: list[int]) -> list[int]:
        self.is_int8 |= bool(layer.whole(8)) and layer.kind.startswith(("Convolution", "InnerProduct"))
        make = _LAYERS.get(layer.kind)
        if make is None or any(-1 in self.b.shape(x) for x in inputs):
            return self._custom(layer, inputs)
        try:
            made = make(self.b, layer, inputs)
        except NotReadError:
            return self._custom(layer, inputs)
        if any(math.prod(self.b.shape(x)) > _MOST_ELEMENTS for x in made):
            raise DamagedError(f"layer {self.counted} ({layer.kind}) makes more than any memory holds")
        return made

    def _custom(self, layer: Layer, inputs: list[int]) -> list[int]:
        """With the shape that the file states, or the one that such a layer keeps."""
        stated = layer.lists.get(_SHAPE_HINTS, ())
        keeps = layer.kind in _KEEP_SHAPE and inputs
        kept = self.b.shape(inputs[0]) if keeps else (-1,)
        shapes = [_stated(stated[4 * at : 4 * at + 4]) or kept for at in range(len(layer.outputs))]
        return [self.b.op("CUSTOM", inputs, shape, custom_code=layer.kind) for shape in shapes]


def _stated(hint: Sequence[float]) -> Shape:
    """[dimensions, w, h, c] as a shape; empty where none is stated, or one that no memory holds."""
    if len(hint) < 4 or not 1 <= hint[0] <= 3:
        return ()
    rank, w, h, c = (int(each) for each in hint)
    shape: Shape = {1: (1, w), 2: (1, h, w), 3: (1, h, w, c)}[rank]
    return shape if min(shape) > 0 and math.prod(shape) <= _MOST_ELEMENTS else ()


Make = Callable[[GraphBuilder, Layer, list[int]], list[int]]
_KEEP_SHAPE = frozenset(
    ("RMSNorm", "InstanceNorm", "GroupNorm", "LRN", "Normalize", "RotaryEmbed", "Mish", "SELU")
)


def activated(b: GraphBuilder, layer: Layer, x: int) -> int:
    kind = ACTIVATIONS.get(layer.whole(9))
    return x if kind is None else b.unary(kind, x)


def _unary(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    kind = "LEAKY_RELU" if layer.kind == "ReLU" and layer.numbers.get(0) else _UNARY[layer.kind]
    return [b.unary(kind, inputs[0])]


def _swish(b: GraphBuilder, _layer: Layer, inputs: list[int]) -> list[int]:
    return [b.arithmetic("MUL", inputs[0], b.unary("LOGISTIC", inputs[0]))]


def _hard_sigmoid(b: GraphBuilder, _layer: Layer, inputs: list[int]) -> list[int]:
    """A scale, a shift and a clip, as TFLite writes it."""
    scaled = b.arithmetic("MUL", inputs[0], b.constant("scale", (1,)))
    return [b.unary("RELU6", b.arithmetic("ADD", scaled, b.constant("shift", (1,))))]


def _binary(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    kind = _ELTWISE[layer.whole(0)] if layer.kind == "Eltwise" else _BINARY[layer.whole(0)]
    x = inputs[0]
    for y in inputs[1:] or [b.constant("scalar", (1,))]:
        x = b.arithmetic(kind, x, y)
    return [x]


def _concat(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    return [b.concat(inputs, _axis(b, inputs[0], layer.whole(0)))]


def _axis(b: GraphBuilder, x: int, axis: int) -> int:
    """ncnn counts c, h, w; here it is h, w, c, behind the batch."""
    rank = len(b.shape(x)) - 1
    axis = axis + rank if axis < 0 else axis
    return (3, 1, 2)[axis] if rank == 3 else 1 + axis


def _slice(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    """Parts along an axis; the rest goes to the last, or to all alike."""
    x, given = inputs[0], layer.lists.get(0, ())
    axis, shape = _axis(b, x, layer.whole(1)), b.shape(x)
    sizes, left = [], shape[axis]
    for at in range(len(layer.outputs)):
        given_size = int(given[at]) if at < len(given) else _ABSENT
        size = left // (len(layer.outputs) - at) if given_size == _ABSENT else given_size
        sizes.append(size)
        left -= size
    if left or min(sizes) < 1:
        raise DamagedError("the parts of a Slice are not what it cuts")
    if axis == len(shape) - 1:
        return b.split(x, sizes)
    cut = [(*shape[:axis], size, *shape[axis + 1 :]) for size in sizes]
    return [b.op("SLICE", (x, b.integers("begin", [0] * len(shape)), b.integers("size", s)), s) for s in cut]


def _dense(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    """InnerProduct of a whole image or of each row; Gemm with constant weights."""
    x, units = inputs[0], layer.whole(0 if layer.kind == "InnerProduct" else 8)
    if layer.kind == "Gemm" and (len(inputs) > 1 or units < 1 or layer.whole(9) != b.shape(x)[-1]):
        raise NotReadError
    shape = b.shape(x)
    depth = layer.whole(2) // max(units, 1) if layer.kind == "InnerProduct" else shape[-1]
    in_rows = len(shape) == 3 and shape[-1] == depth
    made = b.fully_connected(x if in_rows else b.flatten(x), units)
    if in_rows:
        made = b.reshape(made, (*shape[:-1], units))
    return [activated(b, layer, made) if layer.kind == "InnerProduct" else made]


def _reshape(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    shape = b.shape(inputs[0])
    sides = dict(
        zip(
            ("h", "w", "c") if len(shape) == 4 else ("h", "w") if len(shape) == 3 else ("w",),
            shape[1:],
            strict=True,
        )
    )
    wanted = {
        axis: sides.get(axis, 1) if layer.whole(key, _ABSENT) == _COPIED else layer.whole(key, _ABSENT)
        for key, axis in enumerate(_AXES)
    }
    kept = [axis for axis in ("h", "w", "c") if wanted[axis] != _ABSENT]
    return [b.reshape(inputs[0], (1, *(wanted[axis] for axis in kept)))]


def _flatten(b: GraphBuilder, _layer: Layer, inputs: list[int]) -> list[int]:
    return [b.flatten(inputs[0])]


def _permute(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    shape, order = b.shape(inputs[0]), layer.whole(0)
    if len(shape) == 4:
        w, h, c = (_WHERE[axis] for axis in _ORDERS[order])
        return [b.transpose(inputs[0], (0, h, w, c))]
    return [b.transpose(inputs[0], (0, 2, 1)) if len(shape) == 3 and order == 1 else inputs[0]]


def _shuffle(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    _, height, width, channels = b.shape(inputs[0])
    groups = layer.whole(0, 1)
    if groups < 1 or channels % groups:
        raise DamagedError("the groups of a ShuffleChannel do not divide its channels")
    x = b.reshape(inputs[0], (1, height, width, groups, channels // groups))
    return [b.reshape(b.transpose(x, (0, 1, 2, 4, 3)), (1, height, width, channels))]


def _batch_norm(b: GraphBuilder, _layer: Layer, inputs: list[int]) -> list[int]:
    """A scale and a shift of each channel."""
    channels = (b.shape(inputs[0])[-1],)
    scaled = b.arithmetic("MUL", inputs[0], b.constant("norm/scale", channels))
    return [b.arithmetic("ADD", scaled, b.constant("norm/shift", channels))]


def _crop(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    """From starts to ends along some axes, or from an offset as many as are given."""
    shape = list(b.shape(inputs[0]))
    begin = [0] * len(shape)
    for axis, first, last in _cuts(b, layer, inputs[0]):
        ends = [min(at + shape[axis] if at < 0 else at, shape[axis]) for at in (first, last)]
        begin[axis], shape[axis] = ends[0], ends[1] - ends[0]
    if min(shape) < 1 or min(begin) < 0:
        raise DamagedError("a Crop leaves nothing")
    listed = b.integers("crop/begin", begin), b.integers("crop/size", shape)
    return [b.op("SLICE", (inputs[0], *listed), tuple(shape))]


def _cuts(b: GraphBuilder, layer: Layer, x: int) -> Iterator[tuple[int, int, int]]:
    """(axis, first, behind the last)."""
    starts, ends, axes = (layer.lists.get(key, ()) for key in (9, 10, 11))
    if starts:
        for start, end, axis in zip(starts, ends, axes, strict=True):
            yield _axis(b, x, int(axis)), int(start), int(end)
        return
    rank = len(b.shape(x)) - 1
    for at in range(rank):
        axis = {0: 2 if rank > 1 else 1, 1: 1, 2: 3}[at]
        first, size = layer.whole(at), layer.whole(3 + at)
        yield axis, first, b.shape(x)[axis] if size in (0, _ABSENT) else first + size


def _reduced(b: GraphBuilder, layer: Layer, inputs: list[int]) -> list[int]:
    rank = len(b.shape(inputs[0])) - 1
    given = [int(axis) for axis in layer.lists.get(3, ())]
    axes = range(1, rank + 1) if layer.whole(1, 1) else [_axis(b, inputs[0], axis) for axis in given]
    return [b.mean(inputs[0], sorted(set(axes)), keep_dims=bool(layer.whole(4)))]


def _constant(b: GraphBuilder, layer: Layer, _inputs: list[int]) -> list[int]:
    shape = tuple(side for side in (layer.whole(1), layer.whole(0), layer.whole(2)) if side)
    return [b.constant("memory", (1, *shape))]


_LAYERS: dict[str, Make] = {
    **dict.fromkeys(_UNARY, _unary),
    "Swish": _swish, "HardSigmoid": _hard_sigmoid, "BinaryOp": _binary, "Eltwise": _binary,
    "Concat": _concat, "Slice": _slice, "InnerProduct": _dense, "Gemm": _dense, "Reshape": _reshape,
    "Flatten": _flatten, "Permute": _permute, "ShuffleChannel": _shuffle, "Reduction": _reduced,
    "MemoryData": _constant, "BatchNorm": _batch_norm, "Scale": _batch_norm, "Crop": _crop,
    **windows.LAYERS, **tokens.LAYERS,
}  # fmt: skip
