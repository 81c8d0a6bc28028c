"""Which tensors are images, stored here as [batch, height, width, channels] where ONNX has channels first."""

from __future__ import annotations

from .document import Document, Node

_IMAGE_OPERATORS = frozenset({
    "Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool",
    "BatchNormalization", "InstanceNormalization", "GroupNormalization", "LRN", "Resize", "Upsample",
    "DepthToSpace", "SpaceToDepth",
})  # fmt: skip
_OTHER_SHAPE = frozenset({
    "Reshape", "Flatten", "Transpose", "MatMul", "Gemm", "Squeeze", "Unsqueeze", "Gather", "GatherND",
    "GatherElements", "Shape", "Einsum", "LSTM", "GRU", "RNN", "ScatterND", "LayerNormalization",
    "NonMaxSuppression", "TopK", "OneHot", "Attention",
})  # fmt: skip
"""Operators whose input and output need not be laid out alike."""

_ONE_DATA_INPUT = frozenset({
    "Pad", "Slice", "Split", "QuantizeLinear", "DequantizeLinear", "Clip", "Expand", "Tile",
})  # fmt: skip


class Layout:
    """Orders of dimensions. `order(name)`: the ONNX axis at each stored position, -1 for one put in."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._parent: dict[str, str] = {}
        images: list[str] = []
        for node in document.nodes:
            names = [n for n in (*_data_inputs(node), *node.outputs) if n and self._rank(n) in {3, 4, 5}]
            if node.kind in _IMAGE_OPERATORS:
                images.extend(names)
            if node.kind not in _OTHER_SHAPE:
                alike = [n for n in names if self._rank(n) == self._rank(node.outputs[0])]
                for name in alike[1:]:
                    self._join(alike[0], name)
        self._images = {self._root(name) for name in images}

    def order(self, name: str) -> tuple[int, ...]:
        rank = self._rank(name) or 0
        if rank in _CHANNELS_LAST and self._root(name) in self._images:
            return _CHANNELS_LAST[rank]
        return tuple(range(rank))

    def axis(self, name: str, axis: int) -> int:
        """Where an ONNX axis, perhaps counted from the end, is stored."""
        order = self.order(name)
        rank = self._rank(name) or 0
        wanted = axis % rank if rank else 0
        return order.index(wanted) if wanted in order else 0

    def _rank(self, name: str) -> int | None:
        shape = self._document.value(name).shape
        return None if shape is None else len(shape)

    def _root(self, name: str) -> str:
        while (parent := self._parent.get(name, name)) != name:
            self._parent[name] = self._parent.get(parent, parent)
            name = parent
        return name

    def _join(self, one: str, other: str) -> None:
        a, b = self._root(one), self._root(other)
        self._parent.setdefault(a, a)
        self._parent[b] = a


def _data_inputs(node: Node) -> list[str]:
    """Inputs that are data, not weights, sizes or scales."""
    if node.kind in _IMAGE_OPERATORS or node.kind in _ONE_DATA_INPUT:
        return node.inputs[:1]
    if node.kind == "Where":
        return node.inputs[:3]
    if node.kind.startswith(("Reduce", "Arg")):
        return node.inputs[:1] if node.integer_of("keepdims", 1) else []
    return list(node.inputs)


_CHANNELS_LAST = {3: (0, -1, 2, 1), 4: (0, 2, 3, 1), 5: (0, 2, 3, 4, 1)}
"""Of images by their ONNX rank; a signal becomes an image one pixel high."""
