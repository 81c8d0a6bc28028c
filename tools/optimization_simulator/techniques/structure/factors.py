"""One layer as two cheaper ones, or as several beside each other."""

from __future__ import annotations

import math

from .....hardware_db.errors import UsageError
from ....core.records import replace
from ....graph import ModelGraph, Op, OptionValue
from ....graph.windows import convolution_options
from .edit import GraphEdit
from .layers import Layers, chosen

_POINTWISE: dict[str, OptionValue] = convolution_options(1, 1, "VALID", "NONE")


def separated(graph: ModelGraph, layers: Layers = ()) -> ModelGraph:
    """Convolutions as a depthwise one, which has the window, and a pointwise one, which mixes channels.

    Raises:
        UsageError: no convolution has a window, or a layer named is no such convolution.
    """
    edit = GraphEdit(graph)

    def why_not(op: Op) -> str | None:
        reason = _not_a_convolution(edit, op)
        if reason is not None:
            return reason
        out, height, width, inner = _filter(edit, op)
        if height * width == 1:
            return "is pointwise: it has no window to separate"
        if height * width * inner + inner * out >= out * height * width * inner:
            return f"would not get cheaper: {inner} channels in, {out} out"
        return None

    for op in chosen(graph, layers, why_not, "there is no convolution with a window to separate"):
        out, height, width, inner = _filter(edit, op)
        data, made = op.inputs[0], op.outputs[0]
        shape = (*edit.tensors[made].shape[:3], inner)
        window = edit.weights(op.inputs[1], (1, height, width, inner), "depthwise", axis=3)
        middle = edit.activation(made, shape, "depthwise")
        options = {name: value for name, value in op.options.items() if name in _POINTWISE}
        options |= {"fused_activation_function": "NONE", "depth_multiplier": 1}
        first = edit.op("DEPTHWISE_CONV_2D", (data, window, edit.bias(data, window, inner)), middle, options)
        mixing = edit.weights(op.inputs[1], (out, 1, 1, inner), "pointwise")
        edit.put(op, first, _pointwise(edit, op, middle, mixing))
    return edit.done()


def factorised(graph: ModelGraph, ratio: float, layers: Layers = ()) -> ModelGraph:
    """Dense and pointwise layers as two of a lower rank: `ratio` of the smaller of their channel counts.

    Raises:
        UsageError: a ratio outside 0 to 1, no layer that gets smaller so, or a layer named that does not.
    """
    if not 0 < ratio < 1:
        raise UsageError(f"A rank ratio of {ratio:g} is outside 0 to 1.", hint="Try 0.5 (low-rank-50).")
    edit = GraphEdit(graph)

    def why_not(op: Op) -> str | None:
        if op.kind == "FULLY_CONNECTED":
            if len(op.inputs) < 2 or not edit.tensors[op.inputs[1]].is_constant:
                return "multiplies two activations: it has no weights to factorise"
            out, inner = edit.tensors[op.inputs[1]].shape
        else:
            reason = _not_a_convolution(edit, op, "factorised")
            if reason is not None:
                return reason
            out, height, width, inner = _filter(edit, op)
            if height * width > 1:
                return f"has a window of {height}x{width}: only dense and pointwise layers are factorised"
        if not out * inner:
            return "has no weights"
        rank = _rank(ratio, out, inner)
        if rank * (out + inner) >= out * inner:
            most = math.floor(100 * (out * inner - 1) / (out + inner) / min(out, inner))
            return f"gets no smaller at rank {rank} ({out}x{inner}): it does up to {max(most, 0)} %"
        return None

    for op in chosen(graph, layers, why_not, "no dense or pointwise layer gets smaller so"):
        _factorise(edit, op, ratio)
    return edit.done()


def _factorise(edit: GraphEdit, op: Op, ratio: float) -> None:
    held, data, made = edit.tensors[op.inputs[1]], op.inputs[0], op.outputs[0]
    out, inner = held.shape[0], held.shape[-1]
    rank = _rank(ratio, out, inner)
    window = (1, 1) if op.kind == "CONV_2D" else ()
    first = edit.weights(op.inputs[1], (rank, *window, inner), "first")
    second = edit.weights(op.inputs[1], (out, *window, rank), "second")
    middle = edit.activation(made, (*edit.tensors[made].shape[:-1], rank), "factor")
    plain = {**op.options, "fused_activation_function": "NONE"}
    reading = edit.op(op.kind, (data, first, edit.bias(data, first, rank)), middle, plain)
    reading = replace(reading, version=op.version)
    if op.kind == "CONV_2D":
        edit.put(op, reading, _pointwise(edit, op, middle, second))
        return
    inputs = (middle, second, *_own_bias(edit, op, middle, second))
    edit.put(op, reading, replace(op, inputs=inputs))


def grouped(graph: ModelGraph, groups: int, layers: Layers = ()) -> ModelGraph:
    """Convolutions of which each filter sees the channels of its group alone.

    Raises:
        UsageError: fewer than 2 groups, or channels that do not divide among them.
    """
    if groups < 2:
        raise UsageError(f"{groups} groups are no groups.", hint="Give 2 or more, such as groups-4.")
    edit = GraphEdit(graph)

    def why_not(op: Op) -> str | None:
        reason = _not_a_convolution(edit, op, "grouped")
        if reason is not None:
            return reason
        out, _, _, inner = _filter(edit, op)
        if inner % groups or out % groups:
            return (
                f"has {inner} channels in and {out} out, which {groups} groups do not divide"
                f"{_divides(math.gcd(inner, out))}"
            )
        return None

    none = f"no convolution has channels that {groups} groups divide"
    for op in chosen(graph, layers, why_not, none):
        out, height, width, inner = _filter(edit, op)
        filters = edit.weights(op.inputs[1], (out, height, width, inner // groups), "grouped")
        edit.put(op, replace(op, inputs=(op.inputs[0], filters, *op.inputs[2:])))
    return edit.done()


def _divides(common: int) -> str:
    found = [n for n in (2, 4, 8, 16, 32) if common % n == 0]
    return f" (groups of {', '.join(map(str, found))} do)" if found else ""


def _pointwise(edit: GraphEdit, op: Op, data: int, weights: int) -> Op:
    """1×1 convolution that makes what `op` made."""
    activation = op.option_str("fused_activation_function", "NONE")
    options: dict[str, OptionValue] = {**_POINTWISE, "fused_activation_function": activation}
    inputs = (data, weights, *_own_bias(edit, op, data, weights))
    return replace(edit.op("CONV_2D", inputs, op.outputs[0], options), version=op.version)


def _own_bias(edit: GraphEdit, op: Op, data: int, weights: int) -> tuple[int, ...]:
    """A bias for the new weights, where the layer had one."""
    if len(op.inputs) < 3 or op.inputs[2] < 0:
        return op.inputs[2:]
    return (edit.bias(data, weights, edit.tensors[weights].shape[0]),)


def _not_a_convolution(edit: GraphEdit, op: Op, done: str = "separated") -> str | None:
    if op.kind == "DEPTHWISE_CONV_2D":
        return f"is depthwise: it cannot be {done}"
    if op.kind != "CONV_2D":
        return f"is a {op.label}: it cannot be {done}"
    if not edit.tensors[op.inputs[1]].is_constant:
        return "has filters that are computed: they have no weights to change"
    if _filter(edit, op)[3] != edit.tensors[op.inputs[0]].shape[-1]:
        return f"is grouped already: it cannot be {done}"
    return None


def _filter(edit: GraphEdit, op: Op) -> tuple[int, int, int, int]:
    out, height, width, inner = edit.tensors[op.inputs[1]].shape
    return out, height, width, inner


def _rank(ratio: float, out: int, inner: int) -> int:
    return max(1, round(min(out, inner) * ratio))


__all__ = ["factorised", "grouped", "separated"]
