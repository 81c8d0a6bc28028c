"""A convolution's sizes, as the functions that tell the size of its buffers take them."""

from __future__ import annotations

from ...core.records import dataclass
from ...graph import Tensor
from .kernel_call import Call


@dataclass(frozen=True)
class Window:
    """A convolution over NHWC tensors; pairs are (height, width)."""

    batch: int
    input: tuple[int, int]
    input_channels: int
    kernel: tuple[int, int]
    kernel_channels: int
    output: tuple[int, int]
    output_channels: int
    stride: tuple[int, int]
    dilation: tuple[int, int]
    same_padding: bool

    @property
    def padding(self) -> tuple[int, int]:
        """Before the first row and column, as TensorFlow's SAME padding places it."""
        return self._padding(0), self._padding(1)

    def _padding(self, axis: int) -> int:
        reach = (self.kernel[axis] - 1) * self.dilation[axis] + 1
        missing = (self.output[axis] - 1) * self.stride[axis] + reach - self.input[axis]
        return max(0, missing) // 2 if self.same_padding else 0


def window_of(call: Call, data: Tensor, weights: Tensor) -> Window:
    op, output = call.op, call.output
    return Window(
        batch=call.dim(data, 0),
        input=(call.dim(data, 1), call.dim(data, 2)),
        input_channels=call.dim(data, 3),
        kernel=(call.dim(weights, 1), call.dim(weights, 2)),
        kernel_channels=call.dim(weights, 3),
        output=(call.dim(output, 1), call.dim(output, 2)),
        output_channels=call.dim(output, 3),
        stride=(op.option_int("stride_h", 1), op.option_int("stride_w", 1)),
        dilation=(op.option_int("dilation_h_factor", 1), op.option_int("dilation_w_factor", 1)),
        same_padding=op.option_str("padding", "SAME") == "SAME",
    )
