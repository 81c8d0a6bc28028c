"""Layers that hold much of the parameters or of the work, and what replacing them would come to."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from ..graph import ModelGraph, Op
from ..graph.costs.table import layer_table
from .optimization_report import LayerHint

SHARE = 0.09
"""A layer is heavy from this share of the whole on, unless another is asked for: the rows of ADI's sample
report are of 576.5 of 5787.48 KB."""
MOST = 5


def heavy_layers(graph: ModelGraph, least: float = SHARE) -> tuple[LayerHint, ...]:
    """The heaviest layers by parameters and by MACs, at most five of each, from the share `least` on."""
    table = layer_table(graph)
    return (
        *_over_share(graph, table.weight_bytes, "parameters", least),
        *_over_share(graph, np.where(table.counted, table.macs, 0), "macs", least),
    )


def _over_share(graph: ModelGraph, amounts: np.ndarray, of: str, least: float) -> Iterable[LayerHint]:
    total = int(amounts.sum())
    if total == 0:
        return
    table = layer_table(graph)
    for index in np.argsort(-amounts, kind="stable")[:MOST].tolist():
        share = float(amounts[index]) / total
        if share < least:
            return
        op = graph.ops[index]
        yield LayerHint(
            index=index,
            op=op.label,
            parameter_bytes=int(table.weight_bytes[index]),
            macs=int(table.macs[index]),
            kernel_shapes=_kernel_shapes(graph, op),
            share=share,
            of=of,
            suggestion=_suggestion(graph, op, int(table.macs[index])),
        )


def _kernel_shapes(graph: ModelGraph, op: Op) -> tuple[tuple[int, ...], ...]:
    constants = (graph.tensors[i] for i in op.inputs if i >= 0 and graph.tensors[i].is_constant)
    return tuple(tensor.shape for tensor in constants)


def _suggestion(graph: ModelGraph, op: Op, macs: int) -> str:
    """What the layer would cost in another form; the form changes its function and needs retraining."""
    shapes = _kernel_shapes(graph, op)
    if not shapes:
        return ""
    match op.kind:
        case "CONV_2D" if math.prod(shapes[0][1:3]) > 1:
            out, height, width, inner = shapes[0]
            pixels = macs // max(math.prod(shapes[0]), 1)
            separable = pixels * (height * width * inner + inner * out)
            return (
                f"as a depthwise separable pair it would take {separable:,} MACs instead of {macs:,}; "
                "another function, to be retrained"
            )
        case "FULLY_CONNECTED":
            out, inner = shapes[0]
            rank = max(1, min(out, inner) // 4)
            return (
                f"factorised at rank {rank} it would hold {rank * (out + inner):,} weights instead of "
                f"{out * inner:,}; another function, to be retrained"
            )
        case _:
            return "fewer channels here, then retrain"
