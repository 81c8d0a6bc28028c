"""Random graphs that are odd but legal, and what no result may hold."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

from edgewright.tools.core.quantity import Quantity, Result
from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.graph.serialize import graph_sha256
from edgewright.tools.model_formats.graphs import check_graph, check_shapes
from edgewright.tools.model_formats.tflite.reader import DamagedError

_SIZES = (0, 1, 1, 2, 3, 4, 7, 8, 16, 33)
_SAME_SHAPE = (
    "RELU",
    "RELU6",
    "LOGISTIC",
    "TANH",
    "SOFTMAX",
    "ABS",
    "CUSTOM",
    "NEG",
    "HARD_SWISH",
    "DEQUANTIZE",
)
_TYPES = (
    DType.FLOAT32,
    DType.INT8,
    DType.INT8,
    DType.FLOAT16,
    DType.INT16,
    DType.INT32,
    DType.BOOL,
    DType.STRING,
)
_CLAIMED = ("_bytes", "macs", "latency_ms", "energy_uj", "power_mw", "begins_ms", "live", "cycles")
"""How fields end that are sizes or times, which are nowhere negative."""


class _Writer:
    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.dtype = self.draw.choice(_TYPES)
        self.tensors: list[Tensor] = []
        self.ops: list[Op] = []
        self.alive: list[int] = []

    def tensor(self, shape: tuple[int, ...], *, constant: bool = False, dtype: DType | None = None) -> int:
        kind = dtype or self.dtype
        stored = kind.storage_bytes(math.prod(shape)) or 0 if constant else 0
        scheme = Quantization((0.5,), (0,)) if kind in (DType.INT8, DType.INT16) else None
        index = len(self.tensors)
        name = self.draw.choice(("", "x", "\u202eevil\x1b[2J", "=cmd()", "t" * 300)) + str(index)
        self.tensors.append(
            Tensor(index, name, shape, kind, stored, is_constant=constant, quantization=scheme)
        )
        return index

    def shape(self) -> tuple[int, ...]:
        return tuple(
            self.draw.choice(_SIZES) for _ in range(self.draw.choice((0, 1, 2, 2, 3, 4, 4, 4, 5, 8)))
        )

    def op(self, kind: str, inputs: tuple[int, ...], *shapes: tuple[int, ...], **options: int | str) -> None:
        outputs = tuple(self.tensor(shape) for shape in shapes)
        custom = "mystery" if kind == "CUSTOM" else None
        self.ops.append(
            Op(len(self.ops), kind, inputs, outputs, options=dict(options), custom_code_untrusted=custom)
        )
        self.alive += outputs

    def step(self) -> None:
        x = self.draw.choice(self.alive)
        shape = self.tensors[x].shape
        match self.draw.randrange(8):
            case 0 | 1:
                self.op(self.draw.choice(_SAME_SHAPE), (x,), shape)
            case 2:
                same = [t for t in self.alive if self.tensors[t].shape == shape]
                self.op(self.draw.choice(("ADD", "MUL", "SUB")), (x, self.draw.choice(same)), shape)
            case 3:
                self.op("RESHAPE", (x,), tuple(reversed(shape)))
            case 4 if shape:
                self.op("CONCATENATION", (x, x), (*shape[:-1], 2 * shape[-1]), axis=len(shape) - 1)
            case 5 if len(shape) == 4:
                self._convolution(x, shape)
            case 6 if shape:
                self._dense(x, shape)
            case 7 if shape and 0 < shape[0] <= 4096:
                self.op("UNPACK", (x,), *[shape[1:]] * shape[0], axis=0, num=shape[0])
            case _:
                self.op("SHAPE", (x,), (len(shape),))

    def _convolution(self, x: int, shape: tuple[int, ...]) -> None:
        size, out = self.draw.choice((1, 2, 3)), self.draw.choice((1, 4, 8))
        weights = self.tensor((out, size, size, shape[3]), constant=True)
        strides = {"stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1}
        self.op("CONV_2D", (x, weights, -1), (*shape[:3], out), padding="SAME", **strides)

    def _dense(self, x: int, shape: tuple[int, ...]) -> None:
        shared = [
            t.index for t in self.tensors if t.is_constant and len(t.shape) == 2 and t.shape[1] == shape[-1]
        ]
        fresh = (self.draw.choice((1, 3, 10)), shape[-1])
        weights = shared[0] if shared else self.tensor(fresh, constant=True)
        rows = math.prod(shape[:-1])
        self.op("FULLY_CONNECTED", (x, weights, -1), (rows, self.tensors[weights].shape[0]))

    def graph(self, name: str) -> ModelGraph:
        inputs = [self.tensor(self.shape()) for _ in range(self.draw.choice((1, 1, 1, 2, 3)))]
        self.alive += inputs
        for _ in range(self.draw.choice((0, 1, 2, 5, 12))):
            self.step()
        outputs = tuple(self.draw.sample(self.alive, k=self.draw.randint(1, min(3, len(self.alive)))))
        if self.draw.random() < 0.15:
            self._forget_a_dimension()
        main = Subgraph("main", tuple(self.tensors), tuple(self.ops), tuple(inputs), outputs)
        graph = ModelGraph(name, "tflite", sha256="", file_bytes=None, subgraphs=(main,))
        return replace(graph, sha256=graph_sha256(graph))

    def _forget_a_dimension(self) -> None:
        for index, each in enumerate(self.tensors):
            if each.shape and not each.is_constant:
                self.tensors[index] = replace(each, shape=(-1, *each.shape[1:]))


def odd_graph(seed: int) -> ModelGraph | None:
    """A graph that the parsers' door lets pass; None where what was drawn is refused there."""
    graph = _Writer(seed).graph(f"odd-{seed}")
    try:
        check_graph(graph.subgraphs)
        check_shapes(graph.main)
    except DamagedError:
        return None
    return graph


def nonsense(result: object, at: str = "") -> Iterator[str]:
    """Figures that cannot be: NaN, infinities, sizes and times below nothing, values outside their interval."""
    match result:
        case Quantity(value=value, low=low, high=high) if value is not None:
            if not all(map(math.isfinite, (value, low or 0.0, high or 0.0))) or (
                min(value, low or 0.0) < 0 and not at.endswith("added_ms")
            ):
                yield f"{at}: {result!r}"
        case Result():
            for name in type(result).model_fields:
                yield from nonsense(getattr(result, name), f"{at}.{name}")
        case dict():
            for key, each in result.items():
                yield from nonsense(each, f"{at}[{key}]")
        case list() | tuple():
            for number, each in enumerate(result):
                yield from nonsense(each, f"{at}[{number}]")
        case float() if not math.isfinite(result):
            yield f"{at}: {result}"
        case int() | float() if result < 0 and at.endswith(_CLAIMED):
            yield f"{at}: {result}"
