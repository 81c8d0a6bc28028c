"""Windows that slide over an image: how often they fit, and TFLite's options for them."""

from __future__ import annotations

from .model import OptionValue

Pair = int | tuple[int, int]
"""Height and width, or one number for both."""


def pair(value: Pair) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else value


def steps(size: int, window: int, stride: int, dilation: int, padding: str) -> int:
    """How often a window fits: TFLite's rule for SAME and VALID."""
    if padding == "SAME":
        return -(-size // stride)
    return (size - (window - 1) * dilation - 1) // stride + 1


def stride_options(stride: Pair) -> dict[str, OptionValue]:
    height, width = pair(stride)
    return {"stride_h": height, "stride_w": width}


def convolution_options(
    stride: Pair, dilation: Pair, padding: str, activation: str
) -> dict[str, OptionValue]:
    height, width = pair(dilation)
    return {
        "padding": padding,
        **stride_options(stride),
        "fused_activation_function": activation,
        "dilation_h_factor": height,
        "dilation_w_factor": width,
    }
