"""How large a kernel lets an operator be. A rule's docstring is the sentence that the user reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...hardware_db.schema import Limit, Pair
from . import measures
from .op_context import Finding, KernelContext, KernelRule, Outcome

Measure = Callable[[KernelContext], list[int]]


def batch_in_limits(context: KernelContext) -> Finding | None:
    """The batch is not one that the kernel takes."""
    return _judged(context, Limit.BATCH, measures.batch)


def dimensions_in_limits(context: KernelContext) -> Finding | None:
    """A dimension is larger than the kernel takes."""
    return _judged(context, Limit.DIMENSION, measures.dimensions)


def channels_in_in_limits(context: KernelContext) -> Finding | None:
    """The kernel does not read this number of channels."""
    return _judged(context, Limit.CHANNELS_IN, measures.channels_in)


def channels_out_in_limits(context: KernelContext) -> Finding | None:
    """The kernel does not make this number of channels."""
    return _judged(context, Limit.CHANNELS_OUT, measures.channels_out)


def kernel_in_limits(context: KernelContext) -> Finding | None:
    """The window is not of a size that the kernel takes."""
    return _judged(context, Limit.KERNEL, measures.kernel)


def kernel_area_in_limits(context: KernelContext) -> Finding | None:
    """The window covers more than the kernel takes."""
    return _judged(context, Limit.KERNEL_AREA, measures.kernel_area)


def dilated_height_in_limits(context: KernelContext) -> Finding | None:
    """The window with its dilation is higher than the kernel takes."""
    return _judged(context, Limit.DILATED_HEIGHT, measures.dilated_height)


def dilated_area_in_limits(context: KernelContext) -> Finding | None:
    """The window with its dilation covers more than the kernel takes."""
    return _judged(context, Limit.DILATED_AREA, measures.dilated_area)


def stride_in_limits(context: KernelContext) -> Finding | None:
    """The window moves on by a step that the kernel does not take."""
    return _judged(context, Limit.STRIDE, measures.stride)


def dilation_in_limits(context: KernelContext) -> Finding | None:
    """The window is dilated by more than the kernel takes."""
    return _judged(context, Limit.DILATION, measures.dilation)


def depth_multiplier_in_limits(context: KernelContext) -> Finding | None:
    """The kernel does not make this many channels out of each."""
    return _judged(context, Limit.DEPTH_MULTIPLIER, measures.depth_multiplier)


def dilation_square(context: KernelContext) -> Finding | None:
    """The kernel takes only a dilation that is the same in height and width."""
    return _square(context, Pair.DILATION, measures.dilation)


def kernel_square(context: KernelContext) -> Finding | None:
    """The kernel takes only windows that are as high as wide."""
    return _square(context, Pair.KERNEL, measures.kernel)


def stride_square(context: KernelContext) -> Finding | None:
    """The kernel takes only steps that are the same in height and width."""
    return _square(context, Pair.STRIDE, measures.stride)


LIMITS: Mapping[Limit, KernelRule] = {
    Limit.BATCH: batch_in_limits,
    Limit.DIMENSION: dimensions_in_limits,
    Limit.CHANNELS_IN: channels_in_in_limits,
    Limit.CHANNELS_OUT: channels_out_in_limits,
    Limit.KERNEL: kernel_in_limits,
    Limit.KERNEL_AREA: kernel_area_in_limits,
    Limit.DILATED_HEIGHT: dilated_height_in_limits,
    Limit.DILATED_AREA: dilated_area_in_limits,
    Limit.STRIDE: stride_in_limits,
    Limit.DILATION: dilation_in_limits,
    Limit.DEPTH_MULTIPLIER: depth_multiplier_in_limits,
}
RULES: tuple[KernelRule, ...] = (*LIMITS.values(), dilation_square, kernel_square, stride_square)


def _judged(context: KernelContext, limit: Limit, measure: Measure) -> Finding | None:
    """All that is measured has to lie within the limit, and to be a multiple of what divides it."""
    within = context.support.limits.get(limit) if context.support else None
    step = context.support.multiples.get(limit) if context.support else None
    if within is None and step is None:
        return None
    name = limit.value.replace("-", " ")
    for measured in measure(context):
        if within is not None and not within[0] <= measured <= within[1]:
            return Finding(Outcome.REFUSED, f"{name} is {measured}, it takes {within[0]} to {within[1]}")
        if step is not None and measured % step:
            return Finding(Outcome.REFUSED, f"{name} is {measured}, it takes multiples of {step}")
    return None


def _square(context: KernelContext, pair: Pair, measure: Measure) -> Finding | None:
    if context.support is None or pair not in context.support.square:
        return None
    found = measure(context)
    if len(set(found)) < 2:
        return None
    return Finding(Outcome.REFUSED, f"{pair.value} is {found[0]} in height and {found[1]} in width")
