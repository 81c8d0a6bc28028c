"""Tensors: shape, type, quantisation, sparsity. Never the weights themselves."""

from __future__ import annotations

import math
from functools import cached_property

from ..core.records import dataclass
from .dtypes import DType


@dataclass(frozen=True)
class Quantization:
    """Affine quantisation, real = scale × (stored − zero point); one entry, or one per channel."""

    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int = 0

    @property
    def per_channel(self) -> bool:
        return len(self.scales) > 1


@dataclass(frozen=True)
class Sparsity:
    """How a constant tensor is stored sparsely (TFLite's traversal order and per-dimension format)."""

    traversal_order: tuple[int, ...]
    block_map: tuple[int, ...]
    dense_dimensions: tuple[bool, ...]
    """Per traversed dimension: stored dense (True) or as compressed indices (False)."""


@dataclass(frozen=True)
class Tensor:
    """One tensor of a subgraph. A dimension of -1 is not known until run time."""

    index: int
    name_untrusted: str
    shape: tuple[int, ...]
    dtype: DType
    stored_bytes: int = 0
    """Bytes of constant data in the model file; 0 for what is computed at run time."""
    is_constant: bool = False
    is_variable: bool = False
    """Keeps its content from one inference to the next (state of a recurrent layer)."""
    quantization: Quantization | None = None
    sparsity: Sparsity | None = None
    buffer: int | None = None
    """Constants with the same buffer share one copy of their data."""
    values: tuple[int, ...] | None = None
    """Content of small integer constants (shapes, axes, paddings); None for weights."""

    @cached_property
    def elements(self) -> int | None:
        """Number of elements; None while a dimension is unknown."""
        return None if any(d < 0 for d in self.shape) else math.prod(self.shape)

    @cached_property
    def bytes(self) -> int | None:
        """Bytes of the tensor laid out densely; None where that cannot be known."""
        return None if self.elements is None else self.dtype.storage_bytes(self.elements)
