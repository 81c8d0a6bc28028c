"""The cost of every operator as numpy columns, so that a sweep is array arithmetic."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ..core.records import dataclass

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class OpClass(StrEnum):
    """Operators that the same kind of kernel computes."""

    CONV = "conv"
    POINTWISE = "pointwise"
    """A 1×1 convolution with stride 1: a matrix product."""
    DEPTHWISE = "depthwise"
    DENSE = "dense"
    TRANSPOSE_CONV = "transpose_conv"
    MATMUL = "matmul"
    RECURRENT = "recurrent"
    ELEMENTWISE = "elementwise"
    ACTIVATION = "activation"
    SOFTMAX = "softmax"
    POOL = "pool"
    REDUCE = "reduce"
    RESIZE = "resize"
    QUANTIZE = "quantize"
    MOVE = "move"
    """Copies or rearranges: concatenation, padding, transposition, slicing."""
    VIEW = "view"
    """Changes the shape alone: no element moves in a runtime that shares the buffer."""
    CONTROL = "control"
    OTHER = "other"


@dataclass(frozen=True, eq=False)
class LayerTable:
    """One row an operator of the main subgraph, at the batch that the graph has."""

    kinds: tuple[str, ...]
    classes: tuple[OpClass, ...]
    dtypes: tuple[str, ...]
    """Type of the first data input of each operator: the arithmetic's type."""
    macs: Ints
    """Multiply-accumulates; meaningful where `counted`."""
    element_ops: Ints
    """Arithmetic on elements beside MACs (additions, comparisons, look-ups); meaningful where `counted`."""
    weight_bytes: Ints
    """Constant bytes that the operator reads."""
    input_bytes: Ints
    output_bytes: Ints
    counted: Bools
    """False where the work cannot be known; `uncounted` says why."""
    uncounted: tuple[tuple[int, str], ...]
    """(operator index, reason) of what is not in `macs` and `element_ops`."""
    notes: tuple[tuple[int, str], ...] = ()
    """(operator index, what was taken) where the run decides how much is computed."""

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def total_macs(self) -> int:
        return int(self.macs[self.counted].sum())

    @property
    def traffic_bytes(self) -> Ints:
        return self.weight_bytes + self.input_bytes + self.output_bytes
