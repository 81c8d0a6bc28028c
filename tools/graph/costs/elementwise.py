"""Work of operators that have no MACs, in element operations.

One element operation is one output element (or one tap of a window) of the operator's own function: an
addition, a comparison, a rescaling, one evaluation of a sigmoid. It says how much of the same work there
is, not how many instructions: a tanh costs a processor more than an addition does.
"""

from __future__ import annotations

from .families import (
    ACTIVATIONS,
    ARITHMETIC,
    CONVERSIONS,
    HANDLES,
    MOVES,
    POOLS,
    REDUCTIONS,
    SOFTMAXES,
    VIEWS,
)
from .work import NOTHING, OpContext, Rules, Work, elements

RESIZE_BILINEAR_TAPS = 4
"""Input pixels that are blended into one output pixel."""


def per_output(at: OpContext) -> Work:
    """One operation an output element; operands that broadcast are read again, not computed again."""
    return Work(element_ops=elements(at.output()))


def per_input(at: OpContext) -> Work:
    """One operation an input element: every element is folded into a reduction once."""
    return Work(element_ops=elements(at.input(0)))


def per_added_input(at: OpContext) -> Work:
    """ADD_N: each input after the first is added once."""
    return Work(element_ops=elements(at.output()) * max(len(at.inputs) - 1, 0))


def pool_2d(at: OpContext) -> Work:
    """Output elements × window; taps on the padding are counted, as in convolutions."""
    window = at.op.option_int("filter_height", 1) * at.op.option_int("filter_width", 1)
    return Work(element_ops=elements(at.output()) * window)


def resize_bilinear(at: OpContext) -> Work:
    return Work(element_ops=elements(at.output()) * RESIZE_BILINEAR_TAPS)


def local_response_normalization(at: OpContext) -> Work:
    """A window of 2 × radius + 1 channels for each element."""
    return Work(element_ops=elements(at.output()) * (2 * at.op.option_int("radius", 5) + 1))


def moves(_: OpContext) -> Work:
    """No arithmetic, only bytes."""
    return NOTHING


RULES: Rules = {
    **dict.fromkeys(ARITHMETIC | ACTIVATIONS | SOFTMAXES | CONVERSIONS, per_output),
    **dict.fromkeys(REDUCTIONS, per_input),
    **dict.fromkeys(POOLS, pool_2d),
    **dict.fromkeys(MOVES | VIEWS | HANDLES | {"RESIZE_NEAREST_NEIGHBOR"}, moves),
    "ADD_N": per_added_input,
    "RESIZE_BILINEAR": resize_bilinear,
    "LOCAL_RESPONSE_NORMALIZATION": local_response_normalization,
}
