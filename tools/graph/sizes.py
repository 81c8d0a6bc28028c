"""The most that tensors may take: costs and plans are sums over shapes, bounded where graphs are made."""

from __future__ import annotations

from collections.abc import Iterable

from .tensor import Tensor

MOST_BYTES = 1 << 53
"""Of all tensors of a subgraph: more than any computer holds; sums over operators stay in 64 bits."""


def room(tensor: Tensor) -> int:
    """Bytes, or elements where they have no fixed size; 0 while a dimension is unknown."""
    return max(tensor.bytes or 0, tensor.elements or 0)


def are_believable(tensors: Iterable[Tensor]) -> bool:
    return sum(room(tensor) for tensor in tensors) <= MOST_BYTES
