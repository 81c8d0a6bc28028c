"""Which activations share a scale in an int8 graph, and what it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .dtypes import DType
from .int8_rules import FIXED_SCALES, SAME_SCALE, activation_scale
from .model import Op, Subgraph
from .tensor import Quantization, Tensor


def is_float_data(tensor: Tensor) -> bool:
    """A float32 tensor that is computed at run time and not kept from one inference to the next."""
    return tensor.dtype is DType.FLOAT32 and not tensor.is_constant and not tensor.is_variable


def activation_scales(main: Subgraph, int8_ops: Iterable[Op]) -> dict[int, Quantization]:
    """Scale of every float32 activation, as it would be once `int8_ops` run in int8.

    Operators that only move data tie their inputs and outputs together, backwards too: all inputs of a
    concatenation get one scale. Two ranges that are both fixed beforehand stay apart.
    """
    claims = {t.index: _Claim(2, t.index, activation_scale(None)) for t in main.tensors if is_float_data(t)}
    ops = tuple(int8_ops)
    for op in ops:
        if op.kind not in SAME_SCALE:
            claim = _Claim(0 if op.kind in FIXED_SCALES else 1, op.index, activation_scale(op))
            claims.update((i, claim) for i in op.outputs if i in claims)
    groups = _Groups(claims)
    for op in ops:
        if op.kind in SAME_SCALE:
            members = [i for i in (*op.outputs, *op.inputs) if i in claims]
            for member in members[1:]:
                groups.tie(members[0], member)
    return {i: groups.claims[groups.root(i)].scale for i in claims}


class _Claim(NamedTuple):
    """A wish for a scale: fixed ranges (0) go before computed ones (1) and inputs (2), then first come."""

    rank: int
    order: int
    scale: Quantization


class _Groups:
    """Tensors of one scale (union-find)."""

    def __init__(self, claims: dict[int, _Claim]) -> None:
        self.claims = dict(claims)
        self._parents = {i: i for i in claims}

    def root(self, tensor: int) -> int:
        while self._parents[tensor] != tensor:
            self._parents[tensor] = self._parents[self._parents[tensor]]
            tensor = self._parents[tensor]
        return tensor

    def tie(self, one: int, other: int) -> None:
        one, other = self.root(one), self.root(other)
        first, second = sorted((self.claims[one], self.claims[other]), key=lambda claim: claim[:2])
        if first.rank == second.rank == 0 and first.scale != second.scale:
            return
        self._parents[other] = one
        self.claims[one] = first
