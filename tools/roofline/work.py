"""The work of each layer in the columns that kernels are priced by."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..graph.dtypes import DType
from ..graph.layer_table import LayerTable, OpClass

CONV_LIKE = frozenset({OpClass.CONV, OpClass.POINTWISE, OpClass.TRANSPOSE_CONV})
TRANSCENDENTAL = frozenset({OpClass.ACTIVATION, OpClass.SOFTMAX})


def work_columns(table: LayerTable) -> npt.NDArray[np.float64]:
    """(layers, 6): MACs of convolutions, of depthwise and of dense layers; elements computed or moved;
    elements of transcendental functions; output elements of the layers with MACs."""
    conv = np.array([c in CONV_LIKE for c in table.classes])
    depthwise = np.array([c is OpClass.DEPTHWISE for c in table.classes])
    moved = np.array([c is OpClass.MOVE for c in table.classes])
    curved = np.array([c in TRANSCENDENTAL for c in table.classes])
    has_macs = table.macs > 0
    outputs = table.output_bytes // np.array([_bytes_of(dtype) for dtype in table.dtypes])
    elements = np.where(moved, outputs, np.where(curved | has_macs, 0, table.element_ops))
    columns = (
        np.where(conv, table.macs, 0),
        np.where(depthwise, table.macs, 0),
        np.where(conv | depthwise, 0, table.macs),
        elements,
        np.where(curved, table.element_ops, 0),
        np.where(has_macs, outputs, 0),
    )
    return np.stack(columns, axis=1).astype(np.float64)


def _bytes_of(dtype: str) -> int:
    return max((DType(dtype).bits or 8) // 8, 1)
