"""Writes TFLite's operators for ONNX nodes: images channels last, weights as TFLite's kernels read them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from ...core.sanitize import clean_text
from ...graph import DType, Op, Subgraph, Tensor
from ...graph.model import OptionValue
from ...graph.shapes.agreement import Agreement
from .document import Constant, Document, Node, Shape
from .layout import Layout

ABSENT = -1
_MOST_INTEGER = 2**63 - 1


class Called:
    """What the graphs of one file share: the subgraphs that operators call, and constants by identity."""

    def __init__(self) -> None:
        self.lower: Callable[[Document], Subgraph] | None = None
        self.subgraphs: list[Subgraph] = []
        self._buffers: dict[int, tuple[int, Constant]] = {}

    def buffer(self, constant: Constant) -> int:
        return self._buffers.setdefault(id(constant), (len(self._buffers), constant))[0]

    def add(self, document: Document) -> int:
        """The number of a new subgraph; 0 is the main one."""
        if self.lower is None:
            raise ValueError("this format's operators hold no graphs")
        self.subgraphs.append(self.lower(document))
        return len(self.subgraphs)


class Emitter:
    """Tensors and operators so far. Names are ONNX's; indices are the graph's tensors."""

    def __init__(self, document: Document, called: Called | None = None) -> None:
        self.document = document
        self.called = called or Called()
        self.layout = Layout(document)
        self.tensors: list[Tensor] = []
        self.ops: list[Op] = []
        self._index: dict[tuple[str, Shape], int] = {}
        self._agreement = Agreement(self.tensors)
        self._origin = ""
        self._read = {"", *document.outputs}.union(*(node.inputs for node in document.nodes)) - {""}

    def shape(self, name: str) -> Shape:
        """As stored here; (-1,) where not even the rank is known."""
        shape = self.document.value(name).shape
        return (-1,) if shape is None else self._ordered(shape, self.layout.order(name))

    def tensor(self, name: str, *, broadcast_to: str | None = None) -> int:
        """The tensor of a name, made at first use.

        Args:
            name: an input, constant or output; empty for an optional input that is absent.
            broadcast_to: a name whose layout a constant of fewer dimensions follows.
        """
        if not name:
            return ABSENT
        shape = self.shape(name)
        if broadcast_to is not None and name in self.document.constants:
            shape = self._broadcast_shape(name, broadcast_to)
        if (name, shape) not in self._index:
            self._index[name, shape] = self._made(name, shape)
        return self._index[name, shape]

    def alias(self, name: str, same_as: str) -> None:
        """Let a name mean the tensor of another."""
        self._index[name, self.shape(name)] = self.tensor(same_as)

    def weights(self, name: str, order: Sequence[int], shape: Shape | None = None) -> int:
        """A constant with its axes in another order, or of another shape with as many elements."""
        value = self.document.value(name)
        held = value.shape or ()
        stored = self._ordered(held, tuple(order)) if shape is None else shape
        if (name, stored) not in self._index:
            computed = name not in self.document.constants
            made = self._rearranged(name, order, stored) if computed else self._made(name, stored)
            self._index[name, stored] = made
        return self._index[name, stored]

    def constant(self, label: str, shape: Shape, dtype: DType, values: Sequence[int] | None = None) -> int:
        """A constant that TFLite's operator has and ONNX's has not."""
        stored = dtype.storage_bytes(math.prod(shape)) or 0
        held = None if values is None else tuple(values)
        return self._add(
            Tensor(len(self.tensors), label, shape, dtype, stored, is_constant=True, values=held)
        )

    def integers(self, label: str, values: Sequence[int], shape: Shape | None = None) -> int:
        return self.constant(label, (len(values),) if shape is None else shape, DType.INT32, values)

    def between(self, label: str, shape: Shape, dtype: DType) -> int:
        """What one operator of several for a node hands to the next."""
        return self._add(Tensor(len(self.tensors), label, shape, dtype))

    def state(self, shape: Shape, dtype: DType) -> int:
        """What a recurrent operator keeps."""
        return self._add(Tensor(len(self.tensors), "state", shape, dtype, is_variable=True))

    def emit(
        self,
        kind: str,
        inputs: Sequence[int],
        outputs: Sequence[int],
        options: Mapping[str, OptionValue] | None = None,
        *,
        custom: str | None = None,
    ) -> None:
        self.ops.append(
            Op(
                len(self.ops), kind, tuple(inputs), tuple(outputs),
                options=dict(options or {}), custom_code_untrusted=custom, origin=self._origin,
            )
        )  # fmt: skip

    def emit_node(
        self, kind: str, node: Node, inputs: Sequence[int], options: Mapping[str, OptionValue] | None = None
    ) -> None:
        """An operator that writes what the node writes."""
        self.emit(kind, inputs, [self.tensor(name) for name in node.outputs if name], options)

    def write(self, node: Node, handler: Callable[[Emitter, Node], None] | None) -> None:
        """The operators of a node; where they would not do what it does, the node as it is."""
        inputs, outputs, tensors, ops = (
            list(node.inputs),
            list(node.outputs),
            len(self.tensors),
            len(self.ops),
        )
        self._origin = node.origin
        if handler is not None:
            handler(self, node)
            if self._holds(outputs, tensors, self.ops[ops:]):
                return
            self._undo(outputs, tensors, ops)
            node.inputs, node.outputs = inputs, outputs
        self.custom(node)

    def _undo(self, outputs: Sequence[str], tensors: int, ops: int) -> None:
        del self.tensors[tensors:], self.ops[ops:]
        self._agreement.forget(tensors)
        self._index = {
            (name, shape): at
            for (name, shape), at in self._index.items()
            if at < tensors and name not in outputs
        }

    def _holds(self, outputs: Sequence[str], tensors: int, made: Sequence[Op]) -> bool:
        """Whether the shapes of all operators agree, and every output that is read is there."""
        if any(self._agreement.contradiction(op) for op in made):
            return False
        there = {i for op in made for i in op.outputs}
        found = [self._index.get((name, self.shape(name))) for name in outputs if name in self._read]
        return all(
            i is not None and (i in there or i < tensors or self.tensors[i].is_constant) for i in found
        )

    def custom(self, node: Node) -> None:
        """A node that no TFLite operator does the same as."""
        inputs = [self.tensor(name) for name in node.inputs]
        outputs = [self.tensor(name) for name in node.outputs if name]
        options = {"layout": node.integer_of("layout", 0)} if "layout" in node.attributes else None
        self.emit("CUSTOM", inputs, outputs, options, custom=clean_text(node.kind))

    def _rearranged(self, name: str, order: Sequence[int], stored: Shape) -> int:
        """Weights that are computed are brought into place before they are used."""
        source = self.tensor(name)
        made = self.between("weights", stored, self.tensors[source].dtype)
        permuted = len(order) == len(self.tensors[source].shape) == len(stored)
        kind, how = ("TRANSPOSE", order) if permuted else ("RESHAPE", stored)
        self.emit(kind, (source, self.integers("order", tuple(how))), (made,))
        return made

    def _made(self, name: str, shape: Shape) -> int:
        constant = self.document.constants.get(name)
        if constant is None:
            dtype = self.document.value(name).dtype
            return self._add(Tensor(len(self.tensors), clean_text(name), shape, dtype))
        stored = constant.dtype.storage_bytes(constant.elements) or 0
        values = None
        if constant.content is not None and not constant.dtype.is_float:
            values = tuple(_in_64_bits(v) for v in constant.content)
        return self._add(
            Tensor(
                len(self.tensors), clean_text(name), shape, constant.dtype, stored,
                is_constant=True, values=values, buffer=self.called.buffer(constant),
            )
        )  # fmt: skip

    def _add(self, tensor: Tensor) -> int:
        self.tensors.append(tensor)
        return tensor.index

    def _broadcast_shape(self, name: str, other: str) -> Shape:
        held = self.document.value(name).shape or ()
        target = self.document.value(other).shape
        if target is None or len(held) > len(target) or (len(held) <= 1 and math.prod(held) == 1):
            return self.shape(name)
        padded = (1,) * (len(target) - len(held)) + held
        return self._ordered(padded, self.layout.order(other))

    @staticmethod
    def _ordered(shape: Shape, order: Shape) -> Shape:
        return tuple(1 if axis < 0 else shape[axis] for axis in order)


def _in_64_bits(number: float) -> int:
    """The largest integer, which a slice to the end names, is one less than what a float makes of it."""
    return max(-_MOST_INTEGER - 1, min(int(number), _MOST_INTEGER))
