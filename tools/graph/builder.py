"""Writes a float32 graph operator by operator, in the order in which it will run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ...hardware_db.errors import UsageError
from ..core.records import replace
from .dtypes import DType
from .model import ModelGraph, Op, OptionValue, Subgraph
from .serialize import graph_sha256
from .tensor import Tensor
from .windows import Pair, convolution_options, pair, steps, stride_options

Shape = tuple[int, ...]


class GraphBuilder:
    """Methods take and return tensor indices.

    Images are [batch, height, width, channels]; padding is SAME or VALID; an activation is fused into its
    operator (NONE, RELU, RELU6, …). Batch normalisation is taken as folded: convolutions have a bias.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._tensors: list[Tensor] = []
        self._ops: list[Op] = []
        self._inputs: list[int] = []
        self._layers: Counter[str] = Counter()

    def build(self, outputs: Sequence[int]) -> ModelGraph:
        main = Subgraph("main", tuple(self._tensors), tuple(self._ops), tuple(self._inputs), tuple(outputs))
        graph = ModelGraph(self._name, "architecture", sha256="", file_bytes=None, subgraphs=(main,))
        return replace(graph, sha256=graph_sha256(graph))

    def shape(self, tensor: int) -> Shape:
        return self._tensors[tensor].shape

    def input(self, shape: Shape, dtype: DType = DType.FLOAT32, name: str = "input") -> int:
        self._inputs.append(self._add(Tensor(len(self._tensors), name, shape, dtype)))
        return self._inputs[-1]

    def constant(self, name: str, shape: Shape, dtype: DType = DType.FLOAT32) -> int:
        """Weights: shape and type alone."""
        stored = dtype.storage_bytes(math.prod(shape)) or 0
        return self._add(Tensor(len(self._tensors), name, shape, dtype, stored, is_constant=True))

    def integers(self, name: str, values: Sequence[int], shape: Shape | None = None) -> int:
        """An int32 constant of which the content matters: a shape, axes, paddings."""
        tensor = self.constant(name, (len(values),) if shape is None else shape, DType.INT32)
        self._tensors[tensor] = replace(self._tensors[tensor], values=tuple(values))
        return tensor

    def op(
        self,
        kind: str,
        inputs: Sequence[int],
        shape: Shape,
        options: Mapping[str, OptionValue] | None = None,
        *,
        layer: str | None = None,
        dtype: DType | None = None,
        custom_code: str | None = None,
    ) -> int:
        """Any operator with one output of `shape`; its type is that of the first input unless given."""
        made = self._tensors[inputs[0]].dtype if dtype is None else dtype
        output = self._add(Tensor(len(self._tensors), layer or self.layer(kind.lower()), shape, made))
        self._ops.append(
            Op(
                len(self._ops), kind, tuple(inputs), (output,),
                options=dict(options or {}), custom_code_untrusted=custom_code,
            )
        )  # fmt: skip
        return output

    def layer(self, name: str) -> str:
        """A name that no other layer has: conv2d, conv2d_1, conv2d_2."""
        number = self._layers[name]
        self._layers[name] += 1
        return f"{name}_{number}" if number else name

    def conv2d(
        self,
        x: int,
        channels: int,
        kernel: Pair,
        *,
        stride: Pair = 1,
        dilation: Pair = 1,
        padding: str = "SAME",
        activation: str = "NONE",
        groups: int = 1,
    ) -> int:
        """In a grouped convolution each filter sees the channels of its group alone."""
        layer = self.layer("conv2d")
        weights = self.constant(f"{layer}/kernel", (channels, *pair(kernel), self.shape(x)[3] // groups))
        bias = self.constant(f"{layer}/bias", (channels,))
        options = convolution_options(stride, dilation, padding, activation)
        shape = self._windowed(x, kernel, stride, padding, dilation, channels)
        return self.op("CONV_2D", (x, weights, bias), shape, options, layer=layer)

    def depthwise_conv2d(
        self,
        x: int,
        kernel: Pair,
        *,
        multiplier: int = 1,
        stride: Pair = 1,
        dilation: Pair = 1,
        padding: str = "SAME",
        activation: str = "NONE",
    ) -> int:
        layer = self.layer("depthwise_conv2d")
        channels = self.shape(x)[3] * multiplier
        weights = self.constant(f"{layer}/kernel", (1, *pair(kernel), channels))
        bias = self.constant(f"{layer}/bias", (channels,))
        options = {
            **convolution_options(stride, dilation, padding, activation),
            "depth_multiplier": multiplier,
        }
        shape = self._windowed(x, kernel, stride, padding, dilation, channels)
        return self.op("DEPTHWISE_CONV_2D", (x, weights, bias), shape, options, layer=layer)

    def transpose_conv2d(
        self, x: int, channels: int, kernel: Pair, *, stride: Pair = 1, padding: str = "SAME"
    ) -> int:
        layer = self.layer("transpose_conv2d")
        batch, *sides, depth = self.shape(x)
        grown = [s * step for s, step in zip(sides, pair(stride), strict=True)]
        if padding == "VALID":
            pairs = zip(grown, pair(kernel), pair(stride), strict=True)
            grown = [side + max(k - step, 0) for side, k, step in pairs]
        shape = (batch, *grown, channels)
        size = self.integers(f"{layer}/shape", shape)
        weights = self.constant(f"{layer}/kernel", (channels, *pair(kernel), depth))
        bias = self.constant(f"{layer}/bias", (channels,))
        options = {"padding": padding, **stride_options(stride), "fused_activation_function": "NONE"}
        return self.op(
            "TRANSPOSE_CONV", (size, weights, x, bias), shape, options, layer=layer, dtype=DType.FLOAT32
        )

    def fully_connected(self, x: int, units: int, *, activation: str = "NONE") -> int:
        """[…, depth] → [rows, units]: all leading dimensions become rows."""
        layer = self.layer("dense")
        *rows, depth = self.shape(x)
        weights = self.constant(f"{layer}/kernel", (units, depth))
        bias = self.constant(f"{layer}/bias", (units,))
        options: dict[str, OptionValue] = {
            "fused_activation_function": activation,
            "weights_format": "DEFAULT",
            "keep_num_dims": False,
            "asymmetric_quantize_inputs": False,
        }
        shape = (math.prod(rows), units)
        return self.op("FULLY_CONNECTED", (x, weights, bias), shape, options, layer=layer)

    def average_pool2d(
        self, x: int, window: Pair, *, stride: Pair | None = None, padding: str = "VALID"
    ) -> int:
        return self._pool("AVERAGE_POOL_2D", x, window, stride, padding)

    def max_pool2d(self, x: int, window: Pair, *, stride: Pair | None = None, padding: str = "VALID") -> int:
        return self._pool("MAX_POOL_2D", x, window, stride, padding)

    def add(self, x: int, y: int, *, activation: str = "NONE") -> int:
        return self.arithmetic("ADD", x, y, activation=activation)

    def arithmetic(self, kind: str, x: int, y: int, *, activation: str = "NONE") -> int:
        """ADD, SUB, MUL or DIV of two tensors that broadcast."""
        shape = np.broadcast_shapes(self.shape(x), self.shape(y))
        return self.op(kind, (x, y), shape, {"fused_activation_function": activation})

    def unary(self, kind: str, x: int, options: Mapping[str, OptionValue] | None = None) -> int:
        """RELU, RELU6, LOGISTIC, TANH, HARD_SWISH, … : element by element."""
        return self.op(kind, (x,), self.shape(x), options)

    def softmax(self, x: int) -> int:
        return self.unary("SOFTMAX", x, {"beta": 1.0})

    def concat(self, xs: Sequence[int], axis: int = -1) -> int:
        shape = list(self.shape(xs[0]))
        shape[axis] = sum(self.shape(x)[axis] for x in xs)
        options: dict[str, OptionValue] = {"axis": axis % len(shape), "fused_activation_function": "NONE"}
        return self.op("CONCATENATION", xs, tuple(shape), options)

    def split(self, x: int, sizes: Sequence[int]) -> list[int]:
        """Cuts the last axis into parts of these sizes."""
        layer, shape = self.layer("split"), self.shape(x)
        axis = self.integers(f"{layer}/axis", (len(shape) - 1,), ())
        if equal := len(set(sizes)) == 1:
            inputs: tuple[int, ...] = (axis, x)
        else:
            inputs = (x, self.integers(f"{layer}/sizes", sizes), axis)
        kind, dtype = "SPLIT" if equal else "SPLIT_V", self._tensors[x].dtype
        parts = [
            self._add(Tensor(len(self._tensors), f"{layer}/{at}", (*shape[:-1], size), dtype))
            for at, size in enumerate(sizes)
        ]
        options: dict[str, OptionValue] = {"num_splits": len(sizes)}
        self._ops.append(Op(len(self._ops), kind, inputs, tuple(parts), options=options))
        return parts

    def mean(self, x: int, axes: Sequence[int] = (1, 2), *, keep_dims: bool = False) -> int:
        shape = [1 if axis in axes else size for axis, size in enumerate(self.shape(x))]
        if not keep_dims:
            shape = [size for axis, size in enumerate(shape) if axis not in axes]
        layer = self.layer("mean")
        listed = self.integers(f"{layer}/axes", axes)
        return self.op("MEAN", (x, listed), tuple(shape), {"keep_dims": keep_dims}, layer=layer)

    def reshape(self, x: int, shape: Sequence[int]) -> int:
        """`shape` may hold one -1, which takes what is left."""
        layer = self.layer("reshape")
        listed = self.integers(f"{layer}/shape", shape)
        left = math.prod(self.shape(x)) // math.prod(size for size in shape if size != -1)
        made = tuple(left if size == -1 else size for size in shape)
        return self.op("RESHAPE", (x, listed), made, layer=layer)

    def flatten(self, x: int) -> int:
        return self.reshape(x, (-1, math.prod(self.shape(x)[1:])))

    def pad(self, x: int, paddings: Sequence[tuple[int, int]]) -> int:
        """`paddings`: (before, after) of each dimension."""
        layer = self.layer("pad")
        flat = [amount for both in paddings for amount in both]
        listed = self.integers(f"{layer}/paddings", flat, (len(paddings), 2))
        pairs = zip(self.shape(x), paddings, strict=True)
        shape = tuple(size + before + after for size, (before, after) in pairs)
        return self.op("PAD", (x, listed), shape, layer=layer)

    def transpose(self, x: int, order: Sequence[int]) -> int:
        layer = self.layer("transpose")
        listed = self.integers(f"{layer}/order", order)
        shape = tuple(self.shape(x)[axis] for axis in order)
        return self.op("TRANSPOSE", (x, listed), shape, layer=layer)

    def resize(self, x: int, size: tuple[int, int], *, kind: str = "RESIZE_NEAREST_NEIGHBOR") -> int:
        """RESIZE_NEAREST_NEIGHBOR or RESIZE_BILINEAR to (height, width)."""
        layer = self.layer("resize")
        listed = self.integers(f"{layer}/size", size)
        batch, _, _, channels = self.shape(x)
        options = {"align_corners": False, "half_pixel_centers": False}
        return self.op(kind, (x, listed), (batch, *size, channels), options, layer=layer)

    def _add(self, tensor: Tensor) -> int:
        self._tensors.append(tensor)
        return tensor.index

    def _pool(self, kind: str, x: int, window: Pair, stride: Pair | None, padding: str) -> int:
        step = window if stride is None else stride
        height, width = pair(window)
        options: dict[str, OptionValue] = {
            "padding": padding,
            **stride_options(step),
            "filter_height": height,
            "filter_width": width,
            "fused_activation_function": "NONE",
        }
        shape = self._windowed(x, window, step, padding, 1, self.shape(x)[3])
        return self.op(kind, (x,), shape, options)

    def _windowed(
        self, x: int, window: Pair, stride: Pair, padding: str, dilation: Pair, channels: int
    ) -> Shape:
        batch, *sides, _ = self.shape(x)
        pairs = zip(sides, pair(window), pair(stride), pair(dilation), strict=True)
        shape = (batch, *(steps(*each, padding) for each in pairs), channels)
        if min(shape[1:3]) < 1:
            raise UsageError(
                f"A window of {window} does not fit an image of {tuple(sides)}.",
                hint="Take a larger input.",
            )
        return shape
