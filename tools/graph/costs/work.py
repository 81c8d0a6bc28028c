"""What an operator computes, and the operator with its tensors at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..model import Op, Subgraph
from ..tensor import Tensor


class Work(NamedTuple):
    """Multiply-accumulates, and arithmetic on elements beside them."""

    macs: int = 0
    element_ops: int = 0


NOTHING = Work()


class UncountableError(Exception):
    """Why the work of an operator cannot be known."""


class OpContext(NamedTuple):
    """An operator, and the tensors that its indices mean; None for an input that is absent."""

    op: Op
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[Tensor, ...]

    @classmethod
    def of(cls, op: Op, subgraph: Subgraph) -> OpContext:
        tensors = subgraph.tensors
        inputs = tuple([tensors[i] if i >= 0 else None for i in op.inputs])
        return cls(op, inputs, tuple([tensors[i] for i in op.outputs if i >= 0]))

    def has(self, position: int) -> bool:
        return position < len(self.inputs) and self.inputs[position] is not None

    def input(self, position: int) -> Tensor:
        tensor = self.inputs[position] if position < len(self.inputs) else None
        if tensor is None:
            raise UncountableError(f"input {position} is missing")
        return tensor

    def output(self) -> Tensor:
        if not self.outputs:
            raise UncountableError("it has no output")
        return self.outputs[0]

    def shape(self, position: int, rank: int) -> tuple[int, ...]:
        """Shape of an input, which has to have `rank` known dimensions."""
        shape = self.input(position).shape
        if len(shape) != rank:
            raise UncountableError(f"input {position} has {len(shape)} dimensions, not {rank}")
        if any(d < 0 for d in shape):
            raise UncountableError(f"input {position} is {extent(shape)}: not known before run time")
        return shape


def elements(tensor: Tensor) -> int:
    """Number of elements, where every dimension is known."""
    count = tensor.elements
    if count is None:
        raise UncountableError(f"a shape of {extent(tensor.shape)} is not known before run time")
    return count


def extent(shape: Sequence[int]) -> str:
    """A shape as people write it, with ? for a dimension that is not known."""
    return "x".join("?" if d < 0 else str(d) for d in shape) or "scalar"


Rule = Callable[[OpContext], Work]
Rules = Mapping[str, Rule]
