"""Operations of ML programs (MIL) as calls of PyTorch's operators, which they were made of for the most part.

Names and arguments are those of coremltools/converters/mil/mil/ops/defs in apple/coremltools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...graph import DType
from ..aten import Argument, Call, Name, Program
from ..onnx.document import Constant
from .program import Operation

Rule = Callable[[Program, Operation], None]
_UNARY = (
    "relu", "relu6", "sigmoid", "tanh", "silu", "gelu", "softplus", "softsign", "exp", "log", "sqrt", "abs",
    "floor", "ceil", "round", "sign", "sin", "cos", "erf", "logical_not", "elu",
)  # fmt: skip
_REDUCED = "x axes keep_dims"
_ATEN = {
    **{name: (name, "x") for name in _UNARY},
    **{
        name: (name, "x y")
        for name in ("add", "sub", "mul", "pow", "maximum", "minimum", "logical_and", "logical_or", "matmul")
    },
    "inverse": ("reciprocal", "x"), "rsqrt": ("rsqrt", "x"), "identity": ("alias", "x"), "cast": ("to", "x"),
    "leaky_relu": ("leaky_relu", "x alpha"), "prelu": ("prelu", "x alpha"), "square": ("mul", "x x"),
    "thresholded_relu": ("clamp", "x alpha"),
    "sigmoid_hard": ("hardsigmoid", "x"), "clip": ("clamp", "x alpha beta"), "real_div": ("div", "x y"),
    "floor_div": ("floor_divide", "x y"), "mod": ("remainder", "x y"), "equal": ("eq", "x y"),
    "not_equal": ("ne", "x y"), "less": ("lt", "x y"), "less_equal": ("le", "x y"), "greater": ("gt", "x y"),
    "greater_equal": ("ge", "x y"), "logical_xor": ("bitwise_xor", "x y"),
    "linear": ("linear", "x weight bias"),
    "softmax": ("softmax", "x axis"), "batch_norm": ("batch_norm", "x gamma beta mean variance"),
    "scaled_dot_product_attention": ("scaled_dot_product_attention", "query key value attn_mask"),
    "instance_norm": ("instance_norm", "x gamma beta"), "layer_norm": ("layer_norm", "x axes gamma beta"),
    "reduce_mean": ("mean", _REDUCED), "reduce_sum": ("sum", _REDUCED), "reduce_max": ("amax", _REDUCED),
    "reduce_min": ("amin", _REDUCED), "reduce_prod": ("prod", _REDUCED),
    "reduce_argmax": ("argmax", "x axis keep_dims"), "reduce_argmin": ("argmin", "x axis keep_dims"),
    "reshape": ("view", "x"), "flatten2d": ("view", "x"), "expand_dims": ("view", "x"),
    "squeeze": ("view", "x"),
    "transpose": ("permute", "x perm"), "concat": ("cat", "values axis"), "stack": ("stack", "values axis"),
    "split": ("split", "x split_sizes axis"), "gather_along_axis": ("gather", "x axis indices"),
    "gather": ("index_select", "x axis indices"), "reverse": ("flip", "x axes"),
    "cumsum": ("cumsum", "x axis"),
    "tile": ("repeat", "x reps"), "topk": ("topk", "x k axis"), "select": ("where", "cond a b"),
    "pixel_shuffle": ("pixel_shuffle", "x upscale_factor"), "fill": ("full", "shape value"),
    "pixel_unshuffle": ("pixel_unshuffle", "x downscale_factor"), "ones_like": ("ones_like", "x"),
    "upsample_bilinear": ("upsample_bilinear2d", "x"), "resize_bilinear": ("upsample_bilinear2d", "x"),
    "upsample_nearest_neighbor": ("upsample_nearest2d", "x"), "range_1d": ("arange", ""),
    "shape": ("empty", ""),
    "resize_nearest_neighbor": ("upsample_nearest2d", "x"),
}  # fmt: skip
"""The operator that computes the same, and its arguments in the order in which it takes them."""
_LISTED = frozenset({"axes", "perm", "split_sizes", "reps", "shape"})
"""Arguments that are lists of integers, a single one among them."""
_STORED = {1: DType.UINT2, 2: DType.UINT2, 3: DType.UINT4, 4: DType.UINT4}
"""Type that indices of so many bits are taken to be stored in."""


def calls(operations: Iterator[Operation] | list[Operation], program: Program) -> Iterator[Call]:
    """What has no operator of that kind is called under its own name, and keeps its shape."""
    for operation in operations:
        made = _SPECIAL.get(operation.kind, _plain)(program, operation)
        yield made or Call(
            f"mil.{operation.kind}", "", tuple(n for a in operation.arguments for n in operation.tensors(a)),
            operation.outputs,
        )  # fmt: skip


def _plain(_: Program, op: Operation) -> Call | None:
    target, names = _ATEN.get(op.kind, ("", ""))
    return (
        Call(target, "", tuple(_argument(op, name) for name in names.split()), op.outputs) if target else None
    )


def _argument(op: Operation, name: str) -> Argument:
    if name == "values":
        return op.tensors(name)
    if name in _LISTED:
        return op.integers(name)
    return op.given(name)


def _window(op: Operation, rank: int) -> tuple[Argument, ...]:
    """Strides and paddings: those of the first side, as PyTorch has one for both."""
    strides = op.integers("strides") or (1,) * rank
    pads = op.integers("pad")
    sides = tuple(pads[2 * i] for i in range(len(pads) // 2)) or (0,) * rank
    kind = op.text("pad_type")
    return strides, "same" if kind.startswith("same") else (0,) * rank if kind == "valid" else sides


def _convolution(program: Program, op: Operation) -> Call:
    weight = op.tensor("weight")
    rank = program.rank(weight) - 2
    strides, pads = _window(op, rank)
    dilations, groups = op.integers("dilations") or (1,) * rank, (op.integers("groups") or (1,))[0]
    is_transposed = op.kind == "conv_transpose"
    bias = Name(op.tensor("bias")) if op.tensor("bias") else None
    given = (
        Name(op.tensor("x")),
        Name(weight),
        bias,
        strides,
        pads,
        dilations,
        is_transposed,
        (0,) * rank,
        groups,
    )
    return Call("convolution", "", given, op.outputs)


def _pool(_: Program, op: Operation) -> Call | None:
    window = op.integers("kernel_sizes")
    if not 1 <= len(window) <= 3:
        return None
    strides, pads = _window(op, len(window))
    kind = "max" if op.kind == "max_pool" else "avg"
    pads = (0,) * len(window) if pads == "same" else pads
    return Call(f"{kind}_pool{len(window)}d", "", (Name(op.tensor("x")), window, strides, pads), op.outputs)


def _pad(_: Program, op: Operation) -> Call:
    """MIL's amounts go from the first dimension that is padded to the last, PyTorch's the other way."""
    pads = op.integers("pad")
    turned = tuple(v for i in range(len(pads) - 2, -2, -2) for v in pads[i : i + 2])
    mode = {"reflect": "reflect", "replicate": "edge"}.get(op.text("mode"), "constant")
    return Call("pad", "", (Name(op.tensor("x")), turned, mode), op.outputs)


def _slice(program: Program, op: Operation) -> Call | None:
    """Cut along every dimension at once: one slice of all, then what is squeezed goes."""
    x, made = op.tensor("x"), op.outputs[0]
    begin, rank = op.integers("begin"), program.rank(x)
    if len(begin) != rank:
        return None
    steps = op.integers("stride") or (1,) * rank
    squeezed = [bool(v) for v in op.integers("squeeze_mask")] or [False] * rank
    kept = iter(program.shape(made))
    sizes = tuple(1 if gone else next(kept) for gone in squeezed)
    masked = [bool(v) for v in op.integers("begin_mask")] or [False] * rank
    starts = [0 if skip else start for start, skip in zip(begin, masked, strict=True)]
    shape = program.shape(x)
    starts = [s + shape[i] if s < 0 <= shape[i] else s for i, s in enumerate(starts)]
    ends = [
        s + size * step if size >= 0 else 2**31 - 1
        for s, size, step in zip(starts, sizes, steps, strict=True)
    ]
    axes = list(range(rank))
    return Call(
        "mil.slice", "", (Name(x), tuple(starts), tuple(ends), tuple(axes), tuple(steps), sizes), op.outputs
    )


def cut(program: Program, call: Call) -> None:
    """The rule of `mil.slice`."""
    x, made, sizes = call.tensor(0), call.outputs[0], call.integers(5)
    bounds = [program.integers(call.integers(at)) for at in (1, 2, 3, 4)]
    if program.shape(made) == sizes:
        program.put("Slice", [x, *bounds], made)
        return
    program.put("Reshape", [program.then("Slice", [x, *bounds], sizes)], made)


def _sequence(_: Program, op: Operation) -> Call | None:
    """lstm(x, initial_h, initial_c, weight_ih, weight_hh …) over steps first; gru and rnn alike."""
    given = (Name(op.tensor("x")), Name(op.tensor("weight_hh")), op.text("direction"))
    return Call("mil.recurrent", op.kind, given, op.outputs)


def recurrent(program: Program, call: Call) -> None:
    """The rule of `mil.recurrent`: weights are [gates × cells, depth]."""
    kind = call.overload.upper()
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
    x, made = call.tensor(0), call.outputs[0]
    steps, batch, depth = program.shape(x)
    directions = 2 if call.at(2) == "bidirectional" else 1
    cells = program.shape(made)[-1] // directions
    dtype = program.value(x).dtype
    w, r = (program.constant((directions, gates * cells, n), dtype) for n in (depth, cells))
    b = program.constant((directions, 2 * gates * cells), dtype)
    held = program.between((steps, directions, batch, cells), dtype)
    direction = "bidirectional" if directions == 2 else "forward"
    program.put(kind, [x, w, r, b], [held], hidden_size=cells, direction=direction)
    if directions == 2:
        held = program.then("Transpose", [held], (steps, batch, directions, cells), perm=(0, 2, 1, 3))
    every = program.then("Reshape", [held], (steps, batch, directions * cells))
    for name in call.outputs:
        if program.shape(name) == (steps, batch, directions * cells):
            program.put("Identity", [every], name)
            continue
        ends = [program.integers([n]) for n in (-1, 2**31 - 1, 0, 1)]
        last = program.then("Slice", [every, *ends], (1, batch, directions * cells))
        program.put("Reshape", [last], name)


def _expanded(program: Program, op: Operation) -> Call | None:
    """Weights that are stored in fewer bits: integers and their scale, or places in a table."""
    made = op.outputs[0]
    shape = program.shape(made)
    held = op.tensor("quantized_data") or op.tensor("data")
    dtype = program.value(held).dtype if held else DType.INT8
    if op.kind == "constexpr_lut_to_dense":
        count = len(op.integers("lut")) or 256
        dtype = _STORED.get((count - 1).bit_length(), DType.UINT8)
        if (table := op.tensor("lut")) and program.rank(table) > 1:
            dtype = program.value(op.tensor("indices")).dtype
    name = f"{made}/stored"
    program.constants[name] = Constant(shape, dtype)
    return Call("quantized_decomposed.dequantize_per_tensor", "", (Name(name), 1.0, 0), op.outputs)


_SPECIAL: dict[str, Callable[[Program, Operation], Call | None]] = {
    "conv": _convolution, "conv_transpose": _convolution, "max_pool": _pool, "avg_pool": _pool, "pad": _pad,
    "slice_by_index": _slice, "lstm": _sequence, "gru": _sequence, "rnn": _sequence,
    "constexpr_affine_dequantize": _expanded, "constexpr_lut_to_dense": _expanded,
    "constexpr_blockwise_shift_scale": _expanded,
}  # fmt: skip
RULES = {"mil.slice": cut, "mil.recurrent": recurrent}
