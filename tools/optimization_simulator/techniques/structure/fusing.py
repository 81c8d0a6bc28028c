"""Operators that another one can do in passing: the function stays, what runs is less."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .....hardware_db.errors import UsageError
from ....core.records import replace
from ....graph import DType, ModelGraph, Op, Tensor
from ....graph.windows import steps
from .edit import GraphEdit

Fuse = Callable[[GraphEdit], int]
"""Fuses what it finds, and returns how many operators that saves."""

_LINEAR = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"})
_ACTIVATED = _LINEAR | {"ADD", "SUB", "MUL", "DIV", "MAX_POOL_2D", "AVERAGE_POOL_2D"}
"""Operators whose kernels clamp their result in passing (fused_activation_function)."""
CLAMPS = frozenset({"RELU", "RELU6", "RELU_N1_TO_1"})
_CONVOLUTIONS = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D"})


def fused(graph: ModelGraph, *parts: str) -> ModelGraph:
    """Fold and fuse until nothing is left to do.

    Args:
        graph: any model; weights change only in value, but for a bias that a folded addition needs.
        parts: of `PARTS`; none takes all.

    Raises:
        UsageError: there is nothing to fuse.
    """
    saved = 0
    while True:
        edit = GraphEdit(graph)
        now = 0
        for name in parts or PARTS:
            now = PARTS[name](edit)
            if now:
                break
        if not now:
            break
        graph, saved = edit.done(), saved + now
    if not saved:
        looked_for = "; ".join(_LOOKED_FOR[name] for name in parts or PARTS)
        raise UsageError(f"there is nothing to fuse: {looked_for}")
    return graph


def absorb(edit: GraphEdit, activation: Op, kind: str) -> bool:
    """Let the producer of an activation's input do it; False where it cannot."""
    producer = edit.producers.get(activation.inputs[0])
    if producer is None or not edit.is_there(producer) or not edit.is_read_once(activation.inputs[0]):
        return False
    now = edit.now(producer)
    if now.kind not in _ACTIVATED or now.option_str("fused_activation_function", "NONE") != "NONE":
        return False
    edit.put(
        producer,
        replace(now, outputs=activation.outputs, options={**now.options, "fused_activation_function": kind}),
    )
    edit.put(activation)
    return True


def _batch_norms(edit: GraphEdit) -> int:
    """MUL, ADD, SUB and DIV by a constant of each channel, after a layer whose weights can take them in."""
    pairs = affine_pairs(edit)
    for producer, op in pairs:
        fold(edit, producer, op)
    return len(pairs)


def affine_pairs(edit: GraphEdit) -> list[tuple[Op, Op]]:
    """Layers and what they can take in, no operator twice."""
    done: set[int] = set()
    pairs = []
    for op in edit.main.ops:
        producer = _affine_after(edit, op)
        if producer is not None and producer.index not in done:
            pairs.append((producer, op))
            done |= {producer.index, op.index}
    return pairs


def fold(edit: GraphEdit, producer: Op, op: Op) -> None:
    now = edit.now(producer)
    inputs = list(now.inputs)
    if len(inputs) < 3 or inputs[2] < 0:
        inputs = [*inputs[:2], edit.bias(inputs[0], inputs[1], _last(edit.tensors[now.outputs[0]]))]
    activation = op.option_str("fused_activation_function", "NONE")
    options = {**now.options, "fused_activation_function": activation}
    edit.put(producer, replace(now, inputs=tuple(inputs), outputs=op.outputs, options=options))
    edit.put(op)


def _affine_after(edit: GraphEdit, op: Op) -> Op | None:
    """The layer that can take the operator in."""
    if op.kind not in {"MUL", "ADD", "SUB", "DIV"} or len(op.inputs) != 2:
        return None
    constants = [edit.tensors[i].is_constant for i in op.inputs]
    if constants not in ([False, True], [True, False]) or (op.kind == "DIV" and constants[0]):
        return None
    data, factor = (op.inputs[1], op.inputs[0]) if constants[0] else op.inputs
    producer = edit.producers.get(data)
    if producer is None or producer.kind not in _LINEAR or not edit.is_read_once(data):
        return None
    channels, held = _last(edit.tensors[data]), edit.tensors[factor]
    per_channel = held.elements == 1 or (held.elements == channels == _last(held))
    plain = producer.option_str("fused_activation_function", "NONE") == "NONE"
    floating = all(edit.tensors[i].dtype is DType.FLOAT32 for i in (*producer.inputs, data) if i >= 0)
    own = all(len(edit.readers[i]) == 1 for i in producer.inputs[1:] if i >= 0)
    same = edit.tensors[data].shape == edit.tensors[op.outputs[0]].shape
    return producer if per_channel and plain and floating and own and same else None


def _activations(edit: GraphEdit) -> int:
    touched: set[int] = set()
    count = 0
    for op in edit.main.ops:
        producer = edit.producers.get(op.inputs[0]) if op.kind in CLAMPS and op.inputs else None
        if producer is not None and producer.index not in touched and absorb(edit, op, op.kind):
            touched |= {op.index, producer.index}
            count += 1
    return count


def _paddings(edit: GraphEdit) -> int:
    count = 0
    for op in edit.main.ops:
        if op.kind not in _CONVOLUTIONS or op.option_str("padding", "VALID") != "VALID":
            continue
        pad = edit.producers.get(op.inputs[0])
        if pad is None or pad.kind != "PAD" or not edit.is_read_once(op.inputs[0]):
            continue
        if _is_same_padding(edit, pad, op):
            options = {**op.options, "padding": "SAME"}
            edit.put(op, replace(op, inputs=(pad.inputs[0], *op.inputs[1:]), options=options))
            edit.put(pad)
            count += 1
    return count


def _is_same_padding(edit: GraphEdit, pad: Op, op: Op) -> bool:
    amounts, data = edit.tensors[pad.inputs[1]].values, edit.tensors[pad.inputs[0]]
    if amounts is None or len(amounts) != 8 or len(data.shape) != 4 or min(data.shape) < 1:
        return False
    window = edit.tensors[op.inputs[1]].shape[1:3]
    wanted = [0, 0]
    for name, side, size in zip("hw", data.shape[1:3], window, strict=True):
        stride, dilation = op.option_int(f"stride_{name}", 1), op.option_int(f"dilation_{name}_factor", 1)
        times = steps(side, size, stride, dilation, "SAME")
        total = max((times - 1) * stride + (size - 1) * dilation + 1 - side, 0)
        wanted += [total // 2, total - total // 2]
    return list(amounts) == [*wanted, 0, 0]


def _reshapes(edit: GraphEdit) -> int:
    count = 0
    touched: set[int] = set()
    for op in edit.main.ops:
        if op.kind != "RESHAPE" or op.index in touched:
            continue
        source, made = op.inputs[0], op.outputs[0]
        before = edit.producers.get(source)
        if edit.tensors[source].shape == edit.tensors[made].shape and _may_go(edit, made, source):
            edit.redirect(made, source)
            edit.put(op)
        elif before is not None and before.kind == "RESHAPE" and edit.is_read_once(source):
            edit.put(op, replace(op, inputs=(before.inputs[0], *op.inputs[1:])))
            edit.put(before)
        else:
            continue
        touched |= {op.index, *(r.index for r in edit.readers.get(made, []))}
        count += 1
    return count


def _transposes(edit: GraphEdit) -> int:
    for op in edit.main.ops:
        before = edit.producers.get(op.inputs[0]) if op.kind == "TRANSPOSE" else None
        if before is None or before.kind != "TRANSPOSE":
            continue
        first, second = (edit.tensors[each.inputs[1]].values for each in (before, op))
        if first is None or second is None or len(first) != len(second):
            continue
        order = tuple(first[axis] for axis in second)
        source, made, once = before.inputs[0], op.outputs[0], edit.is_read_once(op.inputs[0])
        if order == tuple(range(len(order))) and _may_go(edit, made, source):
            edit.redirect(made, source)
            edit.put(op)
            return 2 if once else 1
        if once:
            listed = edit.constant("order", (len(order),), DType.INT32, values=order)
            edit.put(op, replace(op, inputs=(source, listed)))
            edit.put(before)
            return 1
    return 0


def _may_go(edit: GraphEdit, made: int, source: int) -> bool:
    """Whether a tensor can be another one: the model's outputs are not its inputs or constants."""
    if made not in edit.main.outputs:
        return True
    return source in edit.producers and source not in edit.main.outputs


PARTS: dict[str, Fuse] = {
    "bn": _batch_norms,
    "activations": _activations,
    "pad": _paddings,
    "reshapes": _reshapes,
    "transposes": _transposes,
}
_LOOKED_FOR = {
    "bn": "no MUL or ADD by a constant of each channel follows a float layer that could take it in",
    "activations": "no RELU or RELU6 follows an operator that could clamp its result itself",
    "pad": "no PAD before a convolution equals SAME",
    "reshapes": "no RESHAPE follows another or changes nothing",
    "transposes": "no TRANSPOSE follows another",
}


def _last(tensor: Tensor) -> int:
    return tensor.shape[-1] if tensor.shape else 1


def saved_operators(before: ModelGraph, after: ModelGraph) -> Iterator[str]:
    """What is run less often."""
    kinds = {op.kind for op in before.main.ops}
    for kind in sorted(kinds):
        less = sum(o.kind == kind for o in before.main.ops) - sum(o.kind == kind for o in after.main.ops)
        if less > 0:
            yield f"{less} {kind}"


__all__ = ["CLAMPS", "PARTS", "absorb", "affine_pairs", "fold", "fused", "saved_operators"]
