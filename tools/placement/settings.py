"""What a kernel may ask of an operator's settings. A rule's docstring is the sentence that the user reads."""

from __future__ import annotations

from . import measures
from .op_context import Finding, KernelContext, KernelRule, Outcome, listed

_FUSED = "fused_activation_function"


def activation_fused(context: KernelContext) -> Finding | None:
    """The kernel does not compute the activation that is fused into the operator."""
    taken = context.support.options.get(_FUSED) if context.support else None
    asked = context.op.option_str(_FUSED, "NONE")
    if taken is None or asked in taken:
        return None
    return Finding(Outcome.REFUSED, f"{asked} is fused into it, the kernel takes {listed(map(str, taken))}")


def options_taken(context: KernelContext) -> Finding | None:
    """The kernel does not compute the operator with this setting."""
    for name, taken in context.support.options.items() if context.support else ():
        asked = context.op.options.get(name)
        if name != _FUSED and asked is not None and asked not in taken:
            values = listed(map(str, taken))
            return Finding(Outcome.REFUSED, f"{name} is {asked}, the kernel takes {values}")
    return None


def options_exclusive(context: KernelContext) -> Finding | None:
    """The kernel computes the operator with either setting, and not with both."""
    names = context.support.exclusive.get(context.dtype, ()) if context.support else ()
    asked = [name for name in names if context.op.options.get(name)]
    if len(asked) < 2:
        return None
    return Finding(Outcome.REFUSED, f"{' and '.join(asked)} are both set, the kernel takes one of them")


def input_values_taken(context: KernelContext) -> Finding | None:
    """The kernel takes an input of the operator only with certain values."""
    for position, taken in context.support.input_values.items() if context.support else ():
        tensor = context.at.inputs[position] if position < len(context.at.inputs) else None
        values = (tensor.values or ()) if tensor is not None else ()
        other = next((value for value in values if value not in taken), None)
        if other is not None:
            return Finding(Outcome.REFUSED, f"input {position} holds {other}, not {listed(map(str, taken))}")
    return None


def batch_kept(context: KernelContext) -> Finding | None:
    """The kernel leaves the first dimension, the batch, as it is, and the operator works along it."""
    if context.support is None or not context.support.keeps_batch or 0 not in measures.axes(context):
        return None
    return Finding(Outcome.REFUSED, "it works along dimension 0")


def inner_dimensions(context: KernelContext) -> Finding | None:
    """Only the innermost dimensions of a tensor may be larger than 1."""
    inner = context.runtime.inner_dimensions
    if inner is None:
        return None
    for tensor in context.tensors:
        outer = tensor.shape[:-inner]
        if not tensor.is_constant and any(extent > 1 for extent in outer):
            shape = "x".join(map(str, tensor.shape))
            return Finding(Outcome.REFUSED, f"a tensor is {shape}, of which the last {inner} may be larger")
    return None


RULES: tuple[KernelRule, ...] = (
    activation_fused,
    options_taken,
    options_exclusive,
    input_values_taken,
    batch_kept,
    inner_dimensions,
)
