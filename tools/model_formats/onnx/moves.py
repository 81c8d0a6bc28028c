"""Operators that move data or only say how it is seen."""

from __future__ import annotations

from ...graph.model import OptionValue
from .document import Node
from .emitter import Emitter
from .handlers import Handlers

_PLAIN = {
    "GatherND": "GATHER_ND", "ScatterND": "SCATTER_ND", "OneHot": "ONE_HOT", "TopK": "TOPK_V2",
    "NonMaxSuppression": "NON_MAX_SUPPRESSION_V4", "NonZero": "WHERE", "Range": "RANGE", "Shape": "SHAPE",
    "Expand": "BROADCAST_TO", "Tile": "TILE", "ConstantOfShape": "FILL",
}  # fmt: skip
_RESIZES = {"nearest": "RESIZE_NEAREST_NEIGHBOR", "linear": "RESIZE_BILINEAR", "bilinear": "RESIZE_BILINEAR"}


def view(e: Emitter, n: Node) -> None:
    shape = e.integers("shape", e.shape(n.outputs[0]))
    e.emit_node("RESHAPE", n, (e.tensor(n.inputs[0]), shape))


def hand_on(e: Emitter, n: Node) -> None:
    """An output of the graph that is another tensor as it stands."""
    e.alias(n.outputs[0], n.inputs[0])


def transpose(e: Emitter, n: Node) -> None:
    """The order between what is stored: often none is left where images are stored channels last."""
    source, made = e.layout.order(n.inputs[0]), e.layout.order(n.outputs[0])
    order = n.integers("perm") or tuple(reversed(range(len(made))))
    if len(source) != len(made):
        view(e, n)
        return
    if len(order) != len(made) or sorted(order) != list(range(len(order))) or -1 in (*source, *made):
        e.custom(n)
        return
    stored = tuple(source.index(order[axis]) for axis in made)
    if stored == tuple(range(len(stored))):
        view(e, n)
        return
    e.emit_node("TRANSPOSE", n, (e.tensor(n.inputs[0]), e.integers("order", stored)))


def concat(e: Emitter, n: Node) -> None:
    axis = e.layout.axis(n.outputs[0], n.integer_of("axis", 0))
    inputs = [e.tensor(name, broadcast_to=n.outputs[0]) for name in n.inputs]
    e.emit_node("CONCATENATION", n, inputs, {"axis": axis, "fused_activation_function": "NONE"})


def split(e: Emitter, n: Node) -> None:
    place = e.layout.axis(n.inputs[0], n.integer_of("axis", 0))
    axis, x = e.integers("axis", (place,), ()), e.tensor(n.inputs[0])
    sizes = [e.shape(name)[place] if place < len(e.shape(name)) else -1 for name in n.outputs]
    options: dict[str, OptionValue] = {"num_splits": len(sizes)}
    if len(set(sizes)) == 1:
        e.emit_node("SPLIT", n, (axis, x), options)
        return
    e.emit_node("SPLIT_V", n, (x, e.integers("sizes", sizes), axis), options)


def slice_(e: Emitter, n: Node) -> None:
    """Begin, end and step of every stored dimension."""
    x, before, after = n.inputs[0], e.shape(n.inputs[0]), e.shape(n.outputs[0])
    starts, axes, steps = (
        _numbers(e, n, at, name) for at, name in ((1, "starts"), (3, "axes"), (4, "steps"))
    )
    begin, step = [0] * len(before), [1] * len(before)
    for at, start in enumerate(starts or ()):
        axis = axes[at] if axes and at < len(axes) else at
        place = e.layout.axis(x, axis)
        begin[place] = min(max(start if start >= 0 else before[place] + start, 0), max(before[place], 0))
        step[place] = steps[at] if steps and at < len(steps) else 1
    end = [b + s * size for b, s, size in zip(begin, step, after, strict=False)]
    if starts is None or len(before) != len(after) or any(s < 1 for s in step):
        if not n.has(2):
            e.custom(n)
            return
        by_one = e.tensor(n.inputs[4]) if n.has(4) else e.integers("strides", step)
        e.emit_node("STRIDED_SLICE", n, (*(e.tensor(name) for name in n.inputs[:3]), by_one))
        return
    lists = [
        e.integers(label, values) for label, values in (("begin", begin), ("end", end), ("strides", step))
    ]
    e.emit_node("STRIDED_SLICE", n, (e.tensor(x), *lists))


def pad(e: Emitter, n: Node) -> None:
    amounts = _numbers(e, n, 1, "pads")
    order = e.layout.order(n.inputs[0])
    if amounts is None or len(amounts) != 2 * len(order):
        e.emit_node("PAD", n, [e.tensor(name) for name in n.inputs[:2]])
        return
    half = len(order)
    flat = [0 if axis < 0 else amounts[axis + side * half] for axis in order for side in (0, 1)]
    kind = "PAD" if n.text("mode", "constant") == "constant" else "MIRROR_PAD"
    e.emit_node(kind, n, (e.tensor(n.inputs[0]), e.integers("paddings", flat, (half, 2))))


def gather(e: Emitter, n: Node) -> None:
    options: dict[str, OptionValue] = {
        "axis": e.layout.axis(n.inputs[0], n.integer_of("axis", 0)),
        "batch_dims": 0,
    }
    e.emit_node("GATHER", n, [e.tensor(name) for name in n.inputs[:2]], options)


def resize(e: Emitter, n: Node) -> None:
    kind, shape = _RESIZES.get(n.text("mode", "nearest")), e.shape(n.outputs[0])
    if kind is None or len(shape) != 4:
        n.inputs = n.inputs[:1]
        e.custom(n)
        return
    options: dict[str, OptionValue] = {"align_corners": False, "half_pixel_centers": False}
    e.emit_node(kind, n, (e.tensor(n.inputs[0]), e.integers("size", shape[1:3])), options)


def blocks(e: Emitter, n: Node) -> None:
    kind = "DEPTH_TO_SPACE" if n.kind == "DepthToSpace" else "SPACE_TO_DEPTH"
    e.emit_node(kind, n, (e.tensor(n.inputs[0]),), {"block_size": max(n.integer_of("blocksize", 1), 1)})


def plain(e: Emitter, n: Node) -> None:
    e.emit_node(_PLAIN[n.kind], n, [e.tensor(name) for name in n.inputs])


def _numbers(e: Emitter, n: Node, position: int, attribute: str) -> list[int] | None:
    """A list that is an attribute in old opsets and a constant input in new ones."""
    known = n.integers(attribute)
    if known is not None:
        return list(known)
    constant = e.document.constants.get(n.inputs[position]) if n.has(position) else None
    return None if constant is None or constant.content is None else [int(v) for v in constant.content]


HANDLERS: Handlers = {
    **dict.fromkeys(("Reshape", "Flatten", "Squeeze", "Unsqueeze"), view),
    **dict.fromkeys(_PLAIN, plain),
    "Identity": hand_on,
    "Dropout": hand_on,
    "Transpose": transpose,
    "Concat": concat,
    "Split": split,
    "Slice": slice_,
    "Pad": pad,
    "Gather": gather,
    "Resize": resize,
    "Upsample": resize,
    "DepthToSpace": blocks,
    "SpaceToDepth": blocks,
}
