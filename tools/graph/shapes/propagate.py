"""Follows new shapes through the operators of a subgraph."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ....hardware_db.errors import UsageError
from ...core.records import replace
from ..model import ModelGraph, Op, Subgraph
from . import elementwise, matrix, rearrange, sized, slicing, windowed
from .adapt import adapt, applied
from .contents import content_of, fold
from .operands import Content, Operands, Rules, Shape, ShapeError

RULES: Rules = {
    **elementwise.RULES,
    **matrix.RULES,
    **rearrange.RULES,
    **sized.RULES,
    **slicing.RULES,
    **windowed.RULES,
}
SHAPED_KINDS = frozenset(RULES)
_LARGEST = 2**31 - 1
_INPUT_HINT = "Take an input shape that suits the model, or export the model for it."


def propagate_shapes(graph: ModelGraph) -> tuple[Shape, ...]:
    """Shapes of the main subgraph's tensors, all recomputed from those of its inputs and constants.

    Raises:
        UsageError: an operator's output shape does not follow from its inputs and options.
    """
    walk = Walk(graph.main, {}, everything=True)
    walk.run()
    return tuple(walk.shapes)


class Walk:
    """One pass over the operators, in execution order.

    An operator that no change reaches keeps what is recorded; `everything` recomputes it all the same,
    with every size as it stands in the file.
    """

    def __init__(self, subgraph: Subgraph, inputs: Mapping[int, Shape], *, everything: bool = False) -> None:
        self._subgraph = subgraph
        self._everything = everything
        self.shapes: list[Shape] = [t.shape for t in subgraph.tensors]
        self.ops: list[Op] = list(subgraph.ops)
        self.constants: dict[int, tuple[int, ...]] = {}
        """New contents of constants, by tensor."""
        self._contents = _constant_contents(subgraph)
        self._reached: set[int] = set()
        self._plain: dict[Hashable, Sequence[Shape]] = {}
        """Outputs of operators whose like were seen: a network repeats its blocks."""
        for tensor, shape in inputs.items():
            self._set(tensor, shape)

    def run(self) -> None:
        for position, op in enumerate(self._subgraph.ops):
            try:
                self._visit(position, op)
            except ShapeError as reason:
                raise UsageError(
                    f"The output shape of operator {op.index} ({op.kind}) cannot be recomputed: {reason}.",
                    hint=_INPUT_HINT,
                ) from reason
        self._check_shared_constants()

    def _visit(self, position: int, op: Op) -> None:
        at = self._operands(op)
        key = self._plain_key(at)
        if key in self._plain:
            for tensor, shape in zip(op.outputs, self._plain[key], strict=True):
                self._set(tensor, shape)
                self._contents.pop(tensor, None)
            return
        if self._everything or any(i in self._reached for i in op.inputs):
            if not self._everything:
                at = self._adapted(position, at)
            made = self._made(at)
            for tensor, shape in zip(op.outputs, made, strict=True):
                self._set(tensor, shape)
            for place, shape in matrix.states(at).items():
                if self._subgraph.tensors[op.inputs[place]].is_variable:
                    self._set(op.inputs[place], shape)
            if key is not None and at.op is op and not matrix.states(at):
                self._plain[key] = made
        self._fold(at)
        if key in self._plain and any(i in self._contents for i in op.outputs):
            del self._plain[key]

    def _plain_key(self, at: Operands) -> Hashable:
        """Of an operator that a change reaches and that reads no contents: what its output follows from."""
        op = at.op
        if any(each is not None for each in at.contents) or not any(i in self._reached for i in op.inputs):
            return None
        settings = (op.kind, op.version, op.custom_code_untrusted, tuple(op.options.items()))
        return settings, at.inputs, at.recorded_inputs, at.recorded_outputs, at.constant

    def _made(self, at: Operands) -> Sequence[Shape]:
        rule = RULES.get(at.op.kind)
        if rule is None:
            raise ShapeError("no rule tells the shape of its output")
        made = rule(at)
        if len(made) != len(at.op.outputs):
            raise ShapeError(f"it has {len(at.op.outputs)} outputs, not {len(made)}")
        if any(d > _LARGEST for shape in made for d in shape):
            raise ShapeError("a dimension would not fit 32 bits")
        return made

    def _adapted(self, position: int, at: Operands) -> Operands:
        change = adapt(at)
        for place, values in change.contents.items():
            tensor = at.op.inputs[place]
            if self.constants.setdefault(tensor, tuple(values)) != tuple(values):
                raise ShapeError("it shares a constant with an operator that needs another")
        adapted = applied(at, change)
        self.ops[position] = adapted.op
        return adapted

    def _fold(self, at: Operands) -> None:
        outputs = [self.shapes[i] for i in at.op.outputs]
        for tensor, content in zip(at.op.outputs, fold(at, outputs), strict=True):
            if content is None:
                self._contents.pop(tensor, None)
                continue
            self._contents[tensor] = content
            if any(i in self._reached for i in at.op.inputs):
                self._reached.add(tensor)

    def _set(self, tensor: int, shape: Shape) -> None:
        if shape != self._subgraph.tensors[tensor].shape:
            self._reached.add(tensor)
        self.shapes[tensor] = shape

    def _operands(self, op: Op) -> Operands:
        tensors = self._subgraph.tensors
        return Operands(
            op=op,
            inputs=tuple([self.shapes[i] if i >= 0 else None for i in op.inputs]),
            contents=tuple([self._contents.get(i) for i in op.inputs]),
            recorded_inputs=tuple([tensors[i].shape if i >= 0 else None for i in op.inputs]),
            recorded_outputs=tuple([tensors[i].shape for i in op.outputs]),
            constant=tuple([i >= 0 and tensors[i].is_constant for i in op.inputs]),
        )

    def _check_shared_constants(self) -> None:
        """A constant with new content must mean the same to all who read it."""
        changed = {t for t, values in self.constants.items() if values != self._subgraph.tensors[t].values}
        for op in self.ops:
            if changed & set(op.inputs) and not any(i in self._reached for i in op.inputs):
                raise UsageError(
                    f"Operator {op.index} ({op.kind}) shares a constant with one that needs another.",
                    hint=_INPUT_HINT,
                )


def _constant_contents(subgraph: Subgraph) -> dict[int, Content]:
    held = ((tensor.index, content_of(tensor)) for tensor in subgraph.tensors)
    return {tensor: content for tensor, content in held if content is not None}


def rewritten(subgraph: Subgraph, walk: Walk) -> Subgraph:
    """The subgraph with the shapes, options and constants that a walk found."""
    tensors = list(subgraph.tensors)
    for tensor in subgraph.tensors:
        if walk.shapes[tensor.index] != tensor.shape:
            tensors[tensor.index] = replace(tensor, shape=walk.shapes[tensor.index])
        values = walk.constants.get(tensor.index)
        if values is not None and values != tensor.values:
            tensors[tensor.index] = replace(tensor, values=values, buffer=None)
    return replace(subgraph, tensors=tuple(tensors), ops=tuple(walk.ops))
