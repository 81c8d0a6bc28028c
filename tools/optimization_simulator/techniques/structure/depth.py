"""Fewer layers: a block or layer left out, or an earlier end."""

from __future__ import annotations

import math

from .....hardware_db.errors import UsageError
from ....core.records import replace
from ....graph import DType, ModelGraph, Op, OptionValue, Quantization, Tensor
from ....graph.costs.table import layer_table
from .edit import GraphEdit
from .layers import Layers, chosen

_SOURCES = frozenset({"QUANTIZE", "DEQUANTIZE", "CAST"})


def without_blocks(graph: ModelGraph, layers: Layers = ()) -> ModelGraph:
    """Leave out residual blocks whose input and output are alike, named by the ADD that ends them.

    Args:
        graph: any model.
        layers: the ADDs; none takes the block with the most MACs.

    Raises:
        UsageError: no block ends in an addition of its own input, or a layer named ends none.
    """
    edit = GraphEdit(graph)
    blocks = {op.index: found for op in graph.main.ops if (found := _block(edit, op)) is not None}

    def why_not(op: Op) -> str | None:
        return None if op.index in blocks else f"is a {op.label}: no ADD of a block's input and what it made"

    ends = chosen(graph, layers, why_not, "no residual block has an output like its input")
    if not layers:
        table = layer_table(graph)
        ends = [max(ends, key=lambda op: sum(int(table.macs[i]) for i in blocks[op.index][1]))]
    for op in ends:
        edit.redirect(op.outputs[0], blocks[op.index][0])
        edit.put(op)
    return edit.done()


def _block(edit: GraphEdit, op: Op) -> tuple[int, frozenset[int]] | None:
    """The tensor that a block begins with and the operators in it."""
    if op.kind != "ADD" or len(op.inputs) != 2 or op.outputs[0] in edit.main.outputs:
        return None
    for skip, branch in (op.inputs, op.inputs[::-1]):
        if not _alike(edit.tensors[skip], edit.tensors[op.outputs[0]]):
            continue
        inside = _between(edit, skip, branch)
        if inside:
            return skip, inside
    return None


def _between(edit: GraphEdit, begin: int, end: int) -> frozenset[int]:
    """Operators that lead from one tensor to another; empty where the end does not come from it alone."""
    inside: set[int] = set()
    waiting = [end]
    while waiting:
        tensor = waiting.pop()
        if tensor == begin or tensor < 0 or edit.tensors[tensor].is_constant:
            continue
        source = edit.producers.get(tensor)
        first = edit.producers.get(begin)
        if source is None or (first is not None and source.index <= first.index):
            return frozenset()
        if source.index not in inside:
            inside.add(source.index)
            waiting += source.inputs
    return frozenset(inside)


def without_layers(graph: ModelGraph, layers: Layers = ()) -> ModelGraph:
    """Leave out layers with weights whose output is shaped like their input; none takes the heaviest.

    Raises:
        UsageError: no such layer, or a layer named is none.
    """
    edit = GraphEdit(graph)

    def why_not(op: Op) -> str | None:
        if op.kind not in {"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"}:
            return f"is a {op.label}: only layers with weights are left out"
        data, made = edit.tensors[op.inputs[0]], edit.tensors[op.outputs[0]]
        if not _alike(data, made):
            shapes = "x".join(map(str, data.shape)), "x".join(map(str, made.shape))
            return f"makes {shapes[1]} of {shapes[0]}: what follows needs it"
        return "makes the model's output" if op.outputs[0] in edit.main.outputs else None

    found = chosen(graph, layers, why_not, "no layer's output is shaped like its input")
    if not layers:
        macs = layer_table(graph).macs
        found = [max(found, key=lambda op: int(macs[op.index]))]
    for op in found:
        edit.redirect(op.outputs[0], op.inputs[0])
        edit.put(op)
    return edit.done()


def ended_early(graph: ModelGraph, layer: int) -> ModelGraph:
    """End after a layer, with a new head: global average, dense layer, and SOFTMAX where there was one.

    Raises:
        UsageError: no such layer, more than one output, an output that is no row of numbers, or a layer
            that the head cannot be put on.
    """
    if len(graph.main.outputs) != 1 or len(graph.outputs[0].shape) != 2:
        raise UsageError("the model does not end in one row of numbers: no new head would make the same.")
    edit = GraphEdit(graph)
    if graph.main.outputs[0] not in edit.producers:
        raise UsageError("no operator computes the model's output: there is nothing to end earlier.")

    def why_not(op: Op) -> str | None:
        return _why_no_head(edit, op)

    (op,) = chosen(graph, (layer,), why_not, "no layer makes features that a new head could read")
    made, final = op.outputs[0], graph.main.outputs[0]
    data = _pooled(edit, op, made) if len(edit.tensors[made].shape) == 4 else ()
    last = edit.producers[final]
    ending = [last] if last.kind == "SOFTMAX" else []
    features = data[-1].outputs[0] if data else made
    scores = last.inputs[0] if ending else final
    edit.put(op, op, *data, _dense(edit, features, scores), *ending)
    for later in graph.main.ops:
        if later.index != op.index and (later.index > op.index):
            edit.put(later)
    return edit.done()


def exits(graph: ModelGraph) -> list[Op]:
    """Ends of residual blocks, else layers with weights, that a new head could be put on."""
    edit = GraphEdit(graph)
    ends = [op for op in graph.main.ops if _block(edit, op) is not None and _why_no_head(edit, op) is None]
    if ends:
        return ends
    layers = [op for op in graph.main.ops if op.kind in {"CONV_2D", "FULLY_CONNECTED"}]
    return [op for op in layers if _why_no_head(edit, op) is None]


def _why_no_head(edit: GraphEdit, op: Op) -> str | None:
    if len(op.outputs) != 1 or op.outputs[0] in edit.main.outputs:
        return "makes the model's output already"
    made, final = edit.tensors[op.outputs[0]], edit.tensors[edit.main.outputs[0]]
    if made.index == _scores(edit).index:
        return "makes the scores of the model's own head"
    if len(made.shape) not in (2, 4) or min(made.shape) < 1 or made.shape[:1] != final.shape[:1]:
        return "makes no image and no row of features"
    if op.kind in _SOURCES or made.dtype is not _scores(edit).dtype:
        return f"computes in {made.dtype}, the scores in {_scores(edit).dtype}"
    return None


def _scores(edit: GraphEdit) -> Tensor:
    last = edit.producers.get(edit.main.outputs[0])
    softmax = last is not None and last.kind == "SOFTMAX"
    return edit.tensors[last.inputs[0] if last is not None and softmax else edit.main.outputs[0]]


def _pooled(edit: GraphEdit, op: Op, made: int) -> tuple[Op, Op]:
    batch, height, width, channels = edit.tensors[made].shape
    pooled = edit.activation(made, (batch, 1, 1, channels), "pooled")
    row = edit.activation(made, (batch, channels), "features")
    options: dict[str, OptionValue] = {
        "padding": "VALID", "stride_h": height, "stride_w": width, "filter_height": height,
        "filter_width": width, "fused_activation_function": "NONE",
    }  # fmt: skip
    shape = edit.constant(f"{op.kind.lower()}/shape", (2,), DType.INT32, values=(batch, channels))
    pool = edit.op("AVERAGE_POOL_2D", (made,), pooled, options)
    return pool, replace(edit.op("RESHAPE", (pooled, shape), row, {}), version=1)


def _dense(edit: GraphEdit, features: int, scores: int) -> Op:
    """The dense layer from features to what the model's own last layer made."""
    source, final = edit.tensors[features], edit.tensors[scores]
    units, inner = final.shape[-1], source.shape[-1]
    kind = {DType.INT16: DType.INT8}.get(source.dtype, source.dtype)
    scale = Quantization((1 / math.sqrt(max(inner, 1)) / 127,), (128 if kind is DType.UINT8 else 0,))
    weights = edit.constant(
        "exit/kernel", (units, inner), kind, quantization=None if kind.is_float else scale
    )
    options: dict[str, OptionValue] = {
        "fused_activation_function": "NONE", "weights_format": "DEFAULT", "keep_num_dims": False,
        "asymmetric_quantize_inputs": False,
    }  # fmt: skip
    return edit.op(
        "FULLY_CONNECTED", (features, weights, edit.bias(features, weights, units)), scores, options
    )


def _alike(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and one.dtype is other.dtype
