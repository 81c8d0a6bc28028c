"""Multiply-accumulates of matrix products."""

from __future__ import annotations

from .work import OpContext, Rules, UncountableError, Work, elements


def fully_connected(at: OpContext) -> Work:
    """Weights [units, in]; what else the input holds is a batch, kept apart by keep_num_dims or not."""
    units, depth = at.shape(1, 2)
    data = elements(at.input(0))
    if depth == 0 or data % depth:
        raise UncountableError(f"{data} input elements do not divide into rows of {depth}")
    return Work(macs=data * units)


def batch_matmul(at: OpContext) -> Work:
    """[..., rows, depth] by [..., depth, columns]; leading dimensions broadcast.

    adj_x and adj_y say that an operand comes transposed.
    """
    left = at.input(0).shape
    if len(left) < 2:
        raise UncountableError(f"input 0 has {len(left)} dimensions, not 2 or more")
    depth = left[-2] if at.op.options.get("adj_x") else left[-1]
    if depth < 0:
        raise UncountableError("the contracted dimension is not known before run time")
    return Work(macs=elements(at.output()) * depth)


RULES: Rules = {"FULLY_CONNECTED": fully_connected, "BATCH_MATMUL": batch_matmul}
