"""OpenVINO's operations by ONNX's: element by element, reductions, and what only moves data."""

from __future__ import annotations

from collections.abc import Callable

from ...core.records import replace
from .network import Layer
from .proto import PRECISIONS, Model

Rule = Callable[[Model, Layer], None]
PLAIN = {
    "Add": "Add", "Subtract": "Sub", "Multiply": "Mul", "Divide": "Div", "Power": "Pow", "Maximum": "Max",
    "Minimum": "Min", "Mod": "Mod", "FloorMod": "Mod", "Equal": "Equal", "Less": "Less", "Greater": "Greater",
    "LessEqual": "LessOrEqual", "GreaterEqual": "GreaterOrEqual", "LogicalAnd": "And", "LogicalOr": "Or",
    "BitwiseAnd": "And", "BitwiseOr": "Or", "LogicalNot": "Not", "BitwiseNot": "Not", "PRelu": "PRelu",
    "ReLU": "Relu", "Sigmoid": "Sigmoid", "Tanh": "Tanh", "Elu": "Elu", "Selu": "Selu", "Exp": "Exp",
    "Log": "Log", "Sqrt": "Sqrt", "Abs": "Abs", "Negative": "Neg", "Floor": "Floor", "Ceiling": "Ceil",
    "Round": "Round", "Sign": "Sign", "Sin": "Sin", "Cos": "Cos", "Erf": "Erf", "Gelu": "Gelu",
    "HSwish": "HardSwish", "Mish": "Mish", "SoftPlus": "Softplus", "SoftSign": "Softsign", "Select": "Where",
    "ShapeOf": "Shape", "Range": "Range", "Tile": "Tile", "Reshape": "Reshape", "Squeeze": "Squeeze",
    "Unsqueeze": "Unsqueeze", "GatherND": "GatherND", "ScatterNDUpdate": "ScatterND", "NonZero": "NonZero",
    "Broadcast": "Expand",
}  # fmt: skip
"""The same inputs in the same order, and no attribute that matters here."""
_REDUCED = ("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd")
_NARROW = frozenset({"i8", "u8", "i4", "u4"})


def plain(m: Model, layer: Layer) -> None:
    """Of weights and their scale, a product is those weights as numbers."""
    if layer.kind in {"Multiply", "Subtract"} and _is_scale(m, layer):
        return
    reads = m.reads(layer)[:2] if layer.kind == "Broadcast" else m.reads(layer)
    m.put(PLAIN[layer.kind], reads, m.made(layer))


def _is_scale(m: Model, layer: Layer) -> bool:
    names = [m.source(layer, at) for at in (0, 1)]
    held = [m.weights.get(name) for name in names]
    if held[0] is None or held[1] is None or not held[0].is_scaled:
        return False
    m.weights[m.made(layer)] = held[0]
    return True


def converted(m: Model, layer: Layer) -> None:
    """Weights stored in fewer bits are expanded when they are loaded, or computed with as they are."""
    held = m.weights.get(m.source(layer, 0))
    if held is not None and held.element in _NARROW:
        m.weights[m.made(layer)] = replace(held, is_scaled=True)
    elif held is not None and held.element in {"f16", "bf16"}:
        m.weights[m.made(layer)] = replace(held, is_widened=True)
    else:
        m.put("Cast", [m.read(layer, 0)], m.made(layer), to=PRECISIONS[layer.outputs[0].precision])


def not_equal(m: Model, layer: Layer) -> None:
    m.put("Not", [m.then("Equal", m.reads(layer)[:2])], m.made(layer))


def squared_difference(m: Model, layer: Layer) -> None:
    difference = m.then("Sub", m.reads(layer)[:2])
    m.put("Mul", [difference, difference], m.made(layer))


def swish(m: Model, layer: Layer) -> None:
    x = m.read(layer, 0)
    m.put("Mul", [x, m.then("Sigmoid", [x])], m.made(layer))


def hard_sigmoid(m: Model, layer: Layer) -> None:
    m.put("HardSigmoid", [m.read(layer, 0)], m.made(layer), alpha=1 / 6, beta=0.5)


def clamp(m: Model, layer: Layer) -> None:
    bounds = [m.number(layer.number_of(name)) for name in ("min", "max")]
    m.put("Clip", [m.read(layer, 0), *bounds], m.made(layer))


def softmax(m: Model, layer: Layer) -> None:
    kind = "LogSoftmax" if layer.kind == "LogSoftmax" else "Softmax"
    m.put(kind, [m.read(layer, 0)], m.made(layer), axis=layer.whole("axis", 1))


def reduced(m: Model, layer: Layer) -> None:
    m.put(layer.kind, m.reads(layer)[:2], m.made(layer), keepdims=int(layer.flag("keep_dims")))


def transpose(m: Model, layer: Layer) -> None:
    order = m.content(m.source(layer, 1))
    attributes = {} if not order else {"perm": order}
    m.put("Transpose", [m.read(layer, 0)], m.made(layer), **attributes)


def concat(m: Model, layer: Layer) -> None:
    m.put("Concat", m.reads(layer), m.made(layer), axis=layer.whole("axis"))


def split(m: Model, layer: Layer) -> None:
    """Split(x, axis) in equal parts, VariadicSplit(x, axis, sizes), of which one may be what is left."""
    axis = _one(m, layer, 1)
    sizes = m.content(m.source(layer, 2)) if layer.kind == "VariadicSplit" else None
    if sizes is None:
        m.put("Split", [m.read(layer, 0)], m.all_made(layer), axis=axis, num_outputs=len(layer.outputs))
        return
    if -1 in sizes:
        whole = layer.inputs[0].dimensions[axis]
        if whole < 0:
            raise ValueError("a part of a dimension that is not known")
        sizes[sizes.index(-1)] = whole - sum(size for size in sizes if size >= 0)
    m.put("Split", [m.read(layer, 0), m.integers(sizes)], m.all_made(layer), axis=axis)


def slice_(m: Model, layer: Layer) -> None:
    """Slice(x, start, stop, step, axes)."""
    x, start, stop, step, *axes = m.reads(layer)
    axes = axes or [m.integers(range(len(layer.inputs[0].dimensions)))]
    m.put("Slice", [x, start, stop, axes[0], step], m.made(layer))


def strided_slice(m: Model, layer: Layer) -> None:
    """A mask of 1 leaves out the bound; one of shrink_axis drops the dimension."""
    if any(layer.integers("new_axis_mask")) or any(layer.integers("ellipsis_mask")):
        raise ValueError("dimensions that are put in")
    begin, end = (m.content(m.source(layer, at)) for at in (1, 2))
    if begin is None or end is None:
        raise ValueError("bounds that are computed")
    steps = m.content(m.source(layer, 3)) or [1] * len(begin)
    at_first, at_last, dropped = (
        [*layer.integers(f"{name}_mask"), *[0] * len(begin)] for name in ("begin", "end", "shrink_axis")
    )
    starts = [0 if at_first[i] and not dropped[i] else v for i, v in enumerate(begin)]
    far = 2**62
    ends = [starts[i] + 1 or far if dropped[i] else far if at_last[i] else v for i, v in enumerate(end)]
    axes = list(range(len(begin)))
    inputs = [m.read(layer, 0), *map(m.integers, (starts, ends, axes, steps))]
    gone = [axis for axis in axes if dropped[axis]]
    if not gone:
        m.put("Slice", inputs, m.made(layer))
        return
    m.put("Squeeze", [m.then("Slice", inputs), m.integers(gone)], m.made(layer))


def gather(m: Model, layer: Layer) -> None:
    """Gather(x, indices, axis), and GatherElements with its axis as an attribute."""
    if layer.whole("batch_dims"):
        raise ValueError("indices for each of a batch")
    axis = layer.whole("axis") if layer.kind == "GatherElements" else _one(m, layer, 2)
    m.put(layer.kind, m.reads(layer)[:2], m.made(layer), axis=axis)


def pad(m: Model, layer: Layer) -> None:
    begin, end = (m.content(m.source(layer, at)) for at in (1, 2))
    if begin is None or end is None:
        raise ValueError("amounts that are computed")
    given = layer.data.get("pad_mode", "constant")
    mode = "reflect" if given == "symmetric" else given
    m.put("Pad", [m.read(layer, 0), m.integers([*begin, *end])], m.made(layer), mode=mode)


def roll(m: Model, layer: Layer) -> None:
    """Along each dimension the end comes before the beginning."""
    x, shifts, axes = m.read(layer, 0), m.content(m.source(layer, 1)), m.content(m.source(layer, 2))
    if shifts is None or axes is None or len(shifts) != len(axes) or 0 in shifts:
        raise ValueError("shifts that are computed")
    for at, (shift, axis) in enumerate(zip(shifts, axes, strict=True)):
        cut = m.integers([-shift])
        along, far, first = m.integers([axis]), m.integers([2**62]), m.integers([0])
        parts = [m.then("Slice", [x, cut, far, along]), m.then("Slice", [x, first, cut, along])]
        made = m.made(layer) if at == len(shifts) - 1 else f"{m.made(layer)}/{at}"
        m.put("Concat", parts, made, axis=axis)
        x = made


def cumulated(m: Model, layer: Layer) -> None:
    m.put("CumSum", m.reads(layer)[:2], m.made(layer))


def largest(m: Model, layer: Layer) -> None:
    k = m.content(m.source(layer, 1))
    if k is None:
        raise ValueError("a count that is computed")
    made = [*m.all_made(layer), "", ""][:2]
    m.put("TopK", [m.read(layer, 0), m.integers(k)], made, axis=layer.whole("axis", -1))


def _one(m: Model, layer: Layer, at: int) -> int:
    held = m.content(m.source(layer, at))
    if held is None or len(held) != 1:
        raise ValueError("an axis that is computed")
    return held[0]


RULES: dict[str, Rule] = {
    **dict.fromkeys(PLAIN, plain), **dict.fromkeys(_REDUCED, reduced), "Convert": converted,
    "ConvertLike": converted,
    "NotEqual": not_equal, "SquaredDifference": squared_difference, "Swish": swish,
    "HSigmoid": hard_sigmoid, "HardSigmoid": hard_sigmoid, "Clamp": clamp, "SoftMax": softmax,
    "LogSoftmax": softmax, "Transpose": transpose, "Concat": concat, "Split": split, "VariadicSplit": split,
    "Slice": slice_, "StridedSlice": strided_slice, "Gather": gather, "GatherElements": gather, "Pad": pad,
    "Roll": roll, "CumSum": cumulated, "TopK": largest,
}  # fmt: skip
