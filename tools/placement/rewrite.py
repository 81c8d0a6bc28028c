"""A graph with some operators replaced by others that do the same, or nearly."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ..core.records import dataclass, replace
from ..graph import DType, ModelGraph, Op, OptionValue, Subgraph, Tensor
from ..graph.serialize import graph_sha256

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Rewritten:
    graph: ModelGraph
    origin: tuple[int, ...]
    """Of each operator of the main subgraph, the index of the one that it was or stands for."""


class Edit:
    """Writes the operators that stand for one. Tensors go by their index in the subgraph."""

    def __init__(self, main: Subgraph) -> None:
        self._main = main
        self.tensors = list(main.tensors)
        self.ops: list[Op] = []
        self.origin: list[int] = []
        self.replaced = 0

    def like(self, tensor: int, shape: Shape | None = None) -> int:
        """A tensor computed at run time, of the type and scale of another."""
        old = self.tensors[tensor]
        return self._add(
            replace(
                old, shape=old.shape if shape is None else shape, stored_bytes=0, is_constant=False,
                is_variable=False, buffer=None, values=None, sparsity=None,
            )
        )  # fmt: skip

    def part(self, tensor: int, shape: Shape) -> int:
        """A constant with a share of another's data."""
        old = self.tensors[tensor]
        elements = old.elements or 1
        share = 1.0
        for extent in shape:
            share *= extent
        stored = round(old.stored_bytes * share / elements)
        return self._add(replace(old, shape=shape, stored_bytes=stored, buffer=None, values=None))

    def scalar(self, like: int) -> int:
        """A constant of one element, of the type of another tensor."""
        old = self.tensors[like]
        stored = old.dtype.storage_bytes(1) or 0
        return self._add(
            Tensor(0, "constant", (), old.dtype, stored, is_constant=True, quantization=old.quantization)
        )

    def integers(self, values: tuple[int, ...], shape: Shape | None = None) -> int:
        notes = (len(values),) if shape is None else shape
        stored = 4 * len(values)
        return self._add(Tensor(0, "constant", notes, DType.INT32, stored, is_constant=True, values=values))

    def op(
        self,
        kind: str,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        self.ops.append(Op(len(self.ops), kind, inputs, outputs, options=dict(options or {})))
        self.origin.append(self.replaced)

    def keep(self, op: Op) -> None:
        self.ops.append(replace(op, index=len(self.ops)))
        self.origin.append(self.replaced)

    def _add(self, tensor: Tensor) -> int:
        self.tensors.append(replace(tensor, index=len(self.tensors)))
        return len(self.tensors) - 1


Rewrite = Callable[[Edit, Op], bool]
"""Writes what stands for an operator; False, and nothing written, where that cannot be said."""


def rewritten(graph: ModelGraph, chosen: Collection[int], rewrite: Rewrite, step: str) -> Rewritten | None:
    """`graph` with those operators of the main subgraph rewritten; None where none of them can be."""
    edit = Edit(graph.main)
    changed = False
    for op in graph.main.ops:
        edit.replaced = op.index
        if op.index in chosen and _written(edit, op, rewrite):
            changed = True
        else:
            edit.keep(op)
    if not changed:
        return None
    main = replace(graph.main, tensors=_emptied(edit, graph.main), ops=tuple(edit.ops))
    made = replace(graph, subgraphs=(main, *graph.subgraphs[1:]), history=(*graph.history, step), sha256="")
    return Rewritten(replace(made, sha256=graph_sha256(made)), tuple(edit.origin))


def cut_out(graph: ModelGraph, kept: Sequence[int]) -> ModelGraph:
    """The graph of some operators: its inputs are what the others make, its outputs what they read."""
    main = graph.main
    inside = [main.ops[i] for i in kept]
    outside = [op for op in main.ops if op.index not in set(kept)]
    made = {tensor for op in inside for tensor in op.outputs}
    read = dict.fromkeys(tensor for op in inside for tensor in op.inputs if tensor >= 0)
    wanted = {tensor for op in outside for tensor in op.inputs} | set(main.outputs)
    cut = replace(
        main,
        ops=tuple(replace(op, index=index) for index, op in enumerate(inside)),
        inputs=tuple(t for t in read if t not in made and not main.tensors[t].is_constant),
        outputs=tuple(tensor for op in inside for tensor in op.outputs if tensor in wanted),
    )
    step = f"operators {kept[0]} to {kept[-1]}"
    subgraphs = (cut, *graph.subgraphs[1:])
    smaller = replace(graph, subgraphs=subgraphs, signatures=(), history=(*graph.history, step), sha256="")
    return replace(smaller, sha256=graph_sha256(smaller))


def _emptied(edit: Edit, before: Subgraph) -> tuple[Tensor, ...]:
    """The tensors, where constants that no operator reads any more hold nothing."""
    was = {tensor for op in before.ops for tensor in op.inputs}
    orphans = was - {tensor for op in edit.ops for tensor in op.inputs}
    return tuple(
        replace(t, shape=(0,), stored_bytes=0, buffer=None, values=None, quantization=None, sparsity=None)
        if t.is_constant and t.index in orphans
        else t
        for t in edit.tensors
    )


def _written(edit: Edit, op: Op, rewrite: Rewrite) -> bool:
    """Whether it could be: an operator may lack inputs, or have them in another shape than it should."""
    before = len(edit.ops)
    try:
        done = rewrite(edit, op)
    except (IndexError, ValueError):
        done = False
    if not done:
        del edit.ops[before:], edit.origin[before:]
    return done
