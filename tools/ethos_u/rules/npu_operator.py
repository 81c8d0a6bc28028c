"""An operator as Vela's checks see it: feature maps apart from weights, biases and parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core.records import dataclass
from ...graph import Tensor
from ...graph.costs.work import OpContext

_ONE_FEATURE_MAP = frozenset({
    "ARG_MAX", "CONV_2D", "DEPTHWISE_CONV_2D", "EXPAND_DIMS", "FULLY_CONNECTED", "MEAN", "MIRROR_PAD", "PAD",
    "PADV2", "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "RESHAPE", "RESIZE_BILINEAR",
    "RESIZE_NEAREST_NEIGHBOR", "REVERSE_V2", "SLICE", "SPLIT_V", "SQUEEZE", "STRIDED_SLICE", "SUM", "TILE",
    "TRANSPOSE", "UNIDIRECTIONAL_SEQUENCE_LSTM",
})  # fmt: skip
"""Operators whose first input alone is a feature map."""
_FEATURE_MAP_AT = {"TRANSPOSE_CONV": (2,), "SPLIT": (1,), "SCATTER_ND": (0, 1)}
_WEIGHTS_AT = {"CONV_2D": 1, "DEPTHWISE_CONV_2D": 1, "FULLY_CONNECTED": 1, "TRANSPOSE_CONV": 1}
_BIAS_AT = {"CONV_2D": 2, "DEPTHWISE_CONV_2D": 2, "FULLY_CONNECTED": 2, "TRANSPOSE_CONV": 3}
WEIGHTED = frozenset(_WEIGHTS_AT)


@dataclass(frozen=True)
class NpuOperator:
    at: OpContext
    is_u85: bool
    """Ethos-U85; else Ethos-U55 or Ethos-U65, which have the same limits."""

    @property
    def kind(self) -> str:
        return self.at.op.kind

    @property
    def feature_maps_in(self) -> Sequence[Tensor]:
        inputs = self.at.inputs
        if self.kind in _ONE_FEATURE_MAP:
            inputs = inputs[:1]
        elif self.kind in _FEATURE_MAP_AT:
            inputs = tuple(inputs[i] for i in _FEATURE_MAP_AT[self.kind] if i < len(inputs))
        return [tensor for tensor in inputs if tensor is not None]

    @property
    def feature_maps(self) -> Sequence[Tensor]:
        return [*self.feature_maps_in, *self.at.outputs]

    @property
    def tensors(self) -> Sequence[Tensor]:
        return [*[t for t in self.at.inputs if t is not None], *self.at.outputs]

    @property
    def image(self) -> tuple[int, ...]:
        """Shape of the first feature map, as at least four dimensions."""
        return four(self.feature_maps_in[0].shape)

    @property
    def made(self) -> tuple[int, ...]:
        """Shape of the output, as at least four dimensions."""
        return four(self.at.outputs[0].shape)

    @property
    def weights(self) -> Tensor | None:
        return self.input(_WEIGHTS_AT.get(self.kind, -1))

    @property
    def bias(self) -> Tensor | None:
        return self.input(_BIAS_AT.get(self.kind, -1))

    def input(self, position: int) -> Tensor | None:
        return self.at.inputs[position] if 0 <= position < len(self.at.inputs) else None

    def values(self, position: int) -> tuple[int, ...] | None:
        """Content of a constant parameter, where the graph holds it."""
        tensor = self.input(position)
        return None if tensor is None else tensor.values

    @property
    def window(self) -> tuple[int, int]:
        """Height and width of what slides over the image."""
        if (weights := self.weights) is not None:
            shape = four(weights.shape)
            return shape[1], shape[2]
        option = self.at.op.option_int
        return option("filter_height", 1), option("filter_width", 1)

    @property
    def stride(self) -> tuple[int, int]:
        """Down and across."""
        option = self.at.op.option_int
        return option("stride_h", 1), option("stride_w", 1)

    @property
    def is_padded(self) -> bool:
        """Whether padding adds anything, as it need not even where it is called SAME."""
        if self.at.op.option_str("padding", "VALID") != "SAME":
            return False
        option = self.at.op.option_int
        dilations = option("dilation_h_factor", 1), option("dilation_w_factor", 1)
        axes = zip(self.image[1:3], self.window, self.stride, dilations, strict=True)
        return any(_padding(*axis) for axis in axes)


Rule = Callable[[NpuOperator], str | None]
"""What makes the rule apply to a case, or None; its docstring is the sentence that the user reads."""


def four(shape: Sequence[int]) -> tuple[int, ...]:
    return (*[1] * (4 - len(shape)), *shape)


def extent(shape: Sequence[int]) -> str:
    return "x".join("?" if d < 0 else str(d) for d in shape) or "scalar"


def _padding(size: int, window: int, stride: int, dilation: int) -> int:
    reached = (window - 1) * dilation + 1
    return max((-(-size // stride) - 1) * stride + reached - size, 0)
