"""Scratch buffers of X-CUBE-AI's kernels.

Read off the C code that X-CUBE-AI generated for published projects, where every scratch buffer is declared
with its size beside the layer's shapes (X-CUBE-AI/App/network.c): Flora233333/STM32-Infer-MobileNetV2 at
8d17cc77 (8.1.0), borealis-zhe/STM32H7_EMNIST_with_touchscreen at 70ec3071 (9.0.0), clarobit/fingercount_ai
at 895aafc7 (10.2.0), Sudharsshan/IR-CAM-and-STM32-based-helmet-detection-for-rider-safety-on-2-wheeler at
cf36928a and youheng7185/traffic_sign at 306a7971 (10.1.0), hajimi-yzy/YOLO-Human-Detection-Project-Based-on-
STM32H750 at 7b6db1ef (10.2.0). In floating point: mayssajr/STM32_digit_recognition at ef350bf8 and
MichelePoli/stm32-ai-workflow at 4070b407 (10.2.0), kiki442002/STM32_embeded_audio_classifier at f0254c3c
(9.1.0). The formulas give every one of them.
"""

from __future__ import annotations

import math

from ...graph import DType, Tensor
from ..compiled_steps import Step, window_of

_FLOAT = 4
_WIDENED_AT_MOST = 5120
"""Bytes of weights that a convolution keeps widened to 16 bits."""


def scratch_bytes(step: Step, tensors: tuple[Tensor, ...]) -> int:
    """Of int8 kernels, and of convolutions in floating point."""
    op, window = step.op, window_of(step, tensors)
    if not op.inputs:
        return 0
    data = tensors[op.inputs[0]].dtype
    if window is not None and data is DType.FLOAT32:
        own = 0 if op.kind == "DEPTHWISE_CONV_2D" else _FLOAT * math.prod(window[1:])
        return own + _FLOAT * _pool_rows(step, tensors)
    if data.bits != 8:
        return 0
    if window is not None:
        own = 37 * window[-1] + 1 if op.kind == "DEPTHWISE_CONV_2D" else _convolution(window)
        return own + _pool_rows(step, tensors)
    if op.kind == "FULLY_CONNECTED" and len(op.inputs) > 1 and tensors[op.inputs[1]].shape:
        weights = tensors[op.inputs[1]]
        return 2 * (weights.shape[-1] + _per_channel(weights))
    return 0


def _convolution(weights: tuple[int, ...]) -> int:
    filters, taps = weights[0], math.prod(weights[1:])
    if weights[1] == weights[2] == 1:
        return 4 * taps + 10 * filters
    return 4 * taps + 14 * filters + min(2 * taps * filters, _WIDENED_AT_MOST)


def _per_channel(weights: Tensor) -> int:
    """A dense layer with a scale per output holds five more words of 16 bits for each."""
    scales = 0 if weights.quantization is None else len(weights.quantization.scales)
    return 5 * weights.shape[0] if scales > 1 else 0


def _pool_rows(step: Step, tensors: tuple[Tensor, ...]) -> int:
    """The rows of the convolution that one row of its pooling reads."""
    if step.pool is None:
        return 0
    made = tensors[step.op.outputs[0]].shape
    return math.prod(made[2:]) * step.pool.option_int("filter_height", made[1])
