"""Factors and summands of each channel really taken into the weights before them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt

from ....hardware_db.errors import UsageError
from ...graph import ModelGraph, Op, Tensor
from ...model_formats.source import parse_model
from ...model_formats.tflite.stored import Stored, stored_in
from ...model_formats.writer.weights import Bytes
from ..techniques.structure.edit import GraphEdit
from ..techniques.structure.fusing import PARTS, affine_pairs, fold, fused
from .rewriting import rewritten

FOLDED = "bn"
Floats = npt.NDArray[np.float32]
_Affine = tuple[Floats, Floats]
"""What an output is multiplied by, and what is added to it then."""


def fused_file(graph: ModelGraph, content: bytes, name: str) -> bytes:
    """A .tflite file with what `name` fuses.

    Args:
        graph: of the file `content`.
        name: fuse, or fuse-PART.

    Raises:
        UsageError: weights that other layers share.
    """
    parts = [part for part in PARTS if name in ("fuse", f"fuse-{part}")]
    if FOLDED in parts:
        parts.remove(FOLDED)
        while (made := _folded_once(graph, content, name)) is not None:
            content = made
            graph = parse_model(content)
    if not parts:
        return content
    try:
        after = fused(graph, *parts)
    except UsageError:
        return content
    return rewritten(graph, content, after, name)


def _folded_once(graph: ModelGraph, content: bytes, name: str) -> bytes | None:
    """None where nothing is left to fold."""
    edit = GraphEdit(graph)
    pairs = affine_pairs(edit)
    if not pairs:
        return None
    stored = stored_in(content)
    owners = Counter(t.buffer for t in graph.tensors if t.is_constant)
    changes: dict[int | None, tuple[Op, _Affine]] = {}
    for layer, op in pairs:
        weights = graph.tensors[layer.inputs[1]]
        if weights.buffer is None or owners[weights.buffer] > 1:
            raise UsageError(f"{name}: the weights of layer {layer.index} are another layer's too.")
        changes[weights.buffer] = layer, _affine(graph, op, stored)
        fold(edit, layer, op)
    after = edit.done()
    new: dict[int, Bytes] = {}
    for made in after.ops:
        filters = after.tensors[made.inputs[1]] if len(made.inputs) > 2 else None
        if filters is not None and filters.buffer in changes:
            layer, (factor, summand) = changes[filters.buffer]
            new[filters.index] = _bytes(_scaled(_floats(filters, stored), factor, layer.kind))
            bias = layer.inputs[2] if len(layer.inputs) > 2 else -1
            before = _floats(graph.tensors[bias], stored) if bias >= 0 else np.float32(0)
            new[made.inputs[2]] = _bytes(before * factor + summand)
    return rewritten(graph, content, after, name, new)


def _affine(graph: ModelGraph, op: Op, stored: Stored) -> _Affine:
    first = graph.tensors[op.inputs[0]].is_constant
    data, held = (op.inputs[1], op.inputs[0]) if first else op.inputs
    channels = graph.tensors[data].shape[-1]
    value = np.broadcast_to(_floats(graph.tensors[held], stored).reshape(-1), (channels,))
    one, none = np.ones_like(value), np.zeros_like(value)
    match op.kind:
        case "MUL":
            return value, none
        case "DIV":
            return one / value, none
        case "SUB":
            return (-one, value) if first else (one, -value)
        case _:
            return one, value


def _scaled(weights: Floats, factor: Floats, kind: str) -> Floats:
    """Filters lie along the first axis, those of a depthwise convolution along the last."""
    along = factor if kind == "DEPTHWISE_CONV_2D" else factor.reshape(-1, *[1] * (weights.ndim - 1))
    return np.asarray(weights * along)


def _floats(tensor: Tensor, stored: Stored) -> Floats:
    if tensor.buffer is None:
        raise UsageError("A constant that is to be folded is not in the file.")
    return stored(tensor.buffer).view(np.float32).reshape(tensor.shape)


def _bytes(values: Floats) -> Bytes:
    return np.ascontiguousarray(values, np.float32).reshape(-1).view(np.uint8)
