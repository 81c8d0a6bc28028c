"""What a kernel may ask of the scales of an integer operator.

A rule's docstring is the sentence that the user reads. Asked only of .tflite files, which state the scales
that a kernel is given; those of other files change on the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence

from ...hardware_db.schema import Scales
from ..graph import DType, Quantization, Tensor
from .op_context import Finding, KernelContext, KernelRule, Outcome

_INTEGERS = frozenset({DType.INT4, DType.INT8, DType.UINT8, DType.INT16})
_NOTHING = Scales()
_FIXED_WITHIN = 1e-3
"""Of a scale that has to be a certain one (LiteRT's softmax)."""
_EXACT_FROM = 128.0
"""Kernels draw their lines at powers of two, and at 255."""


def product_taken(context: KernelContext) -> Finding | None:
    """The kernel's sums are too coarse for the scale of its output."""
    below = _asked(context).product_below.get(context.dtype)
    found = product(context.at.inputs, context.at.outputs) if below is not None else None
    return _beyond(found, below, "scales of input and weights are {} times that of the output")


def largest_taken(context: KernelContext) -> Finding | None:
    """An input's scale is too coarse for the scale of the kernel's output."""
    below = _asked(context).largest_below.get(context.dtype)
    found = largest(context.at.inputs, context.at.outputs) if below is not None else None
    return _beyond(found, below, "an input's scale is {} times that of the output")


def square_taken(context: KernelContext) -> Finding | None:
    """An input's scale is too coarse for the scale of the squares that the kernel makes."""
    below = _asked(context).square_below.get(context.dtype)
    found = largest(context.at.inputs, context.at.outputs, power=2) if below is not None else None
    return _beyond(found, below, "the square of an input's scale is {} times the output's scale")


def one_scale(context: KernelContext) -> Finding | None:
    """The kernel moves numbers as they are, and the output has another scale or zero point than an input."""
    within = _asked(context).one.get(context.dtype)
    if within is None or not apart(context.at.inputs, context.at.outputs, within):
        return None
    return Finding(Outcome.REFUSED, "scales or zero points of its inputs and outputs differ")


def output_scale(context: KernelContext) -> Finding | None:
    """The kernel's output has the same scale in every model, and the file states another."""
    fixed = _asked(context).output.get(context.dtype)
    outputs = context.at.outputs
    made = _single(outputs[0]) if outputs else None
    if fixed is None or made is None or outputs[0].dtype.value != context.dtype:
        return None
    scale, zero = fixed
    if scale is not None and not math.isclose(made[0], scale, rel_tol=_FIXED_WITHIN):
        return Finding(Outcome.REFUSED, f"its output's scale is {made[0]:.4g}, the kernel makes {scale:.4g}")
    if zero is not None and made[1] != zero:
        return Finding(Outcome.REFUSED, f"its output's zero point is {made[1]}, the kernel makes {zero:g}")
    return None


RULES: tuple[KernelRule, ...] = (product_taken, largest_taken, square_taken, one_scale, output_scale)


def seen(inputs: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> Hashable:
    """All that the rules above can tell two operators apart by; None where no scales are stated."""
    if not outputs or outputs[0].quantization is None:
        return None
    ratios = [_coarse(find(inputs, outputs)) for find in _RATIOS]
    kept = [apart(inputs, outputs, within) for within in (0.0, 1e-6)]
    fixed = outputs[0].quantization if len(inputs) == 1 else None
    return (*ratios, *kept, fixed)


def product(inputs: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> float | None:
    """By what the sums of products with constant weights are scaled up; None where that is not stated."""
    made = _single(outputs[0]) if outputs else None
    data = [t for t in inputs if t is not None and t.dtype in _INTEGERS and t.quantization is not None]
    if made is None or len(data) != 2 or data[0].dtype is not data[1].dtype:
        return None
    if not any(tensor.is_constant for tensor in data):
        return None
    scales = [max(tensor.quantization.scales, default=0.0) for tensor in data if tensor.quantization]
    return scales[0] * scales[1] / made[0]


def largest(inputs: Sequence[Tensor | None], outputs: Sequence[Tensor], power: int = 1) -> float | None:
    made = _single(outputs[0]) if outputs else None
    scales = [found[0] for t in inputs if t is not None and (found := _single(t)) is not None]
    return max(scales) ** power / made[0] if made is not None and scales else None


def apart(inputs: Sequence[Tensor | None], outputs: Sequence[Tensor], within: float) -> bool:
    """Whether tensors of the output's type differ in zero point, or in scale by more than that."""
    if not outputs:
        return False
    all_of_type = [t for t in (*inputs, *outputs) if t is not None and t.dtype is outputs[0].dtype]
    found = [pair for t in all_of_type if (pair := _single(t)) is not None]
    scales = [scale for scale, _ in found]
    return len({zero for _, zero in found}) > 1 or (bool(scales) and max(scales) - min(scales) > within)


_Ratio = Callable[[Sequence[Tensor | None], Sequence[Tensor]], float | None]
_RATIOS: tuple[_Ratio, ...] = (product, largest, lambda inputs, outputs: largest(inputs, outputs, power=2))


def _asked(context: KernelContext) -> Scales:
    asked = context.support.scales if context.support else None
    return asked if asked is not None and context.graph.format == "tflite" else _NOTHING


def _single(tensor: Tensor) -> tuple[float, int] | None:
    found: Quantization | None = tensor.quantization
    if tensor.dtype not in _INTEGERS or found is None or len(found.scales) != 1 or found.scales[0] <= 0:
        return None
    return found.scales[0], found.zero_points[0]


def _beyond(found: float | None, below: float | None, sentence: str) -> Finding | None:
    if found is None or below is None or found < below:
        return None
    return Finding(
        Outcome.REFUSED, f"{sentence.format(f'{found:.4g}')}, the kernel takes less than {below:.6g}"
    )


def _coarse(ratio: float | None) -> float | None:
    return ratio if ratio is None or ratio >= _EXACT_FROM else 0.0
