"""The document that calls of ATen operators are written into: nodes of ONNX, shapes, constants."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...graph import DType
from ..onnx.document import Attribute, Constant, Document, Node, Shape, Value

_LONGEST = 4096
"""Of a list of numbers that is kept."""


class Program:
    """What is known of the tensors so far, and the nodes in execution order."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.values: dict[str, Value] = {}
        self.constants: dict[str, Constant] = {}
        self._made = 0

    def document(self, inputs: Sequence[str], outputs: Sequence[str]) -> Document:
        return Document(self.nodes, self.values, self.constants, list(inputs), list(outputs), 0, 0)

    def value(self, name: str) -> Value:
        if name in self.constants:
            return Value(self.constants[name].shape, self.constants[name].dtype)
        return self.values[name]

    def shape(self, name: str) -> Shape:
        """
        Raises:
            ValueError: not even its rank is known.
        """
        shape = self.value(name).shape
        if shape is None:
            raise ValueError(f"{name} has no shape")
        return shape

    def rank(self, name: str) -> int:
        return len(self.shape(name))

    def axis(self, name: str, axis: int) -> int:
        """Counted from the front."""
        rank = self.rank(name)
        if not -rank <= axis < max(rank, 1):
            raise ValueError(f"{name} has no dimension {axis}")
        return axis % rank if rank else 0

    def is_constant(self, name: str) -> bool:
        return name in self.constants

    def put(
        self, kind: str, inputs: Sequence[str], outputs: Sequence[str] | str, **attributes: Attribute
    ) -> None:
        made = [outputs] if isinstance(outputs, str) else list(outputs)
        self.nodes.append(Node(kind, list(inputs), made, attributes))

    def between(self, shape: Sequence[int], dtype: DType) -> str:
        """The name of what one node of several for a call hands to the next."""
        name = self._name()
        self.values[name] = Value(tuple(shape), dtype)
        return name

    def then(self, kind: str, inputs: Sequence[str], shape: Sequence[int], **attributes: Attribute) -> str:
        """A node whose output is of the type of its first input; the name of that output."""
        made = self.between(shape, self.value(inputs[0]).dtype)
        self.put(kind, inputs, made, **attributes)
        return made

    def constant(self, shape: Sequence[int], dtype: DType, content: Sequence[float] | None = None) -> str:
        name = self._name()
        kept = tuple(content) if content is not None and len(content) <= _LONGEST else None
        self.constants[name] = Constant(tuple(shape), dtype, kept)
        return name

    def number(self, value: float, dtype: DType) -> str:
        return self.constant((), dtype, (float(value),))

    def integers(self, values: Sequence[int]) -> str:
        return self.constant((len(values),), DType.INT64, [float(v) for v in values])

    def known(self, name: str, content: Sequence[float] | None = None) -> None:
        """An output is the same at every inference: its node is computed at load, by whatever runs it."""
        shape = self.shape(name)
        if -1 not in shape:
            kept = content if content is not None and len(content) == math.prod(shape) else None
            self.constants[name] = Constant(
                shape, self.values[name].dtype, None if kept is None else tuple(kept)
            )

    def _name(self) -> str:
        self._made += 1
        return f"edgewright/{self._made}"
