"""Whether the shapes that a file records can be true: what contradicts itself no runtime can run."""

from __future__ import annotations

from collections.abc import Sequence

from ..costs.work import extent
from ..model import Op
from ..tensor import Tensor
from .contents import content_of, fold
from .operands import Content, Operands, Shape, ShapeError, UntoldError, known, product
from .propagate import RULES


class Agreement:
    """Looks at operators one by one, in execution order, with the shapes of the file.

    Ranks, depths, biases and broadcasts are held against each other by the rules that follow new input
    shapes through a graph, and the elements that an operator makes against those of its recorded output.
    """

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self._tensors = tensors
        self._contents: dict[int, Content] = {}
        self._open: set[int] = set()
        """Tensors whose recorded shape stands for one that is not known before the model runs."""

    def contradiction(self, op: Op) -> str | None:
        """Why no runtime can run the operator as it stands.

        None also where nobody can say: no rule covers it, it takes its sizes from what is computed at run
        time, or it reads what such an operator left without a shape.
        """
        rule = RULES.get(op.kind)
        if rule is None or not self._open.isdisjoint(op.inputs):
            self._leave_open(op)
            return None
        at = self._operands(op)
        try:
            reason = _difference(at, rule(at))
        except UntoldError:
            self._leave_open(op)
            return None
        except ShapeError as found:
            return str(found)
        except (ArithmeticError, LookupError, ValueError):
            return "its options and shapes mean nothing together"
        if reason is None:
            self._keep(at)
        return reason

    def forget(self, first: int) -> None:
        """What was found of tensor `first` and those behind it, which are replaced."""
        self._contents = {i: content for i, content in self._contents.items() if i < first}
        self._open = {i for i in self._open if i < first}

    def _keep(self, at: Operands) -> None:
        for tensor, content in zip(at.op.outputs, fold(at, at.recorded_outputs), strict=True):
            if content is not None:
                self._contents[tensor] = content

    def _leave_open(self, op: Op) -> None:
        self._open.update(i for i in op.outputs if not self._tensors[i].shape or op.kind in RULES)

    def _operands(self, op: Op) -> Operands:
        shapes = tuple([self._tensors[i].shape if i >= 0 else None for i in op.inputs])
        return Operands(
            op=op,
            inputs=shapes,
            contents=tuple([self._content(i) for i in op.inputs]),
            recorded_inputs=shapes,
            recorded_outputs=tuple([self._tensors[i].shape for i in op.outputs]),
            constant=tuple([i >= 0 and self._tensors[i].is_constant for i in op.inputs]),
        )

    def _content(self, index: int) -> Content | None:
        return None if index < 0 else self._contents.get(index, content_of(self._tensors[index]))


def _difference(at: Operands, made: Sequence[Shape]) -> str | None:
    if len(made) != len(at.op.outputs):
        return f"it makes {len(made)} outputs and has {len(at.op.outputs)}"
    for computed, recorded in zip(made, at.recorded_outputs, strict=True):
        if known(*computed, *recorded) and product(computed) != product(recorded):
            return f"its output of {extent(computed)} is recorded as {extent(recorded)}"
    return None
