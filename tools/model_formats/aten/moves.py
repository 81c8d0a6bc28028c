"""Operators that move data or only say how it is seen."""

from __future__ import annotations

import math
from collections.abc import Callable

from .calls import Call
from .program import Program

Rule = Callable[[Program, Call], None]
_SAME = (
    "clone", "contiguous", "detach", "alias", "dropout", "feature_dropout", "lift_fresh", "lift",
    "alpha_dropout", "dim_order_ops._clone_dim_order",
)  # fmt: skip
_VIEWS = (
    "view", "reshape", "_unsafe_view", "flatten", "unflatten", "squeeze", "unsqueeze",
    "view_as", "_reshape_alias", "executorch_prim.et_view", "et_view",
)  # fmt: skip


def _same(p: Program, call: Call) -> None:
    p.put("Identity", [call.tensor(0)], call.outputs[:1])


def _view(p: Program, call: Call) -> None:
    """Of weights, none is left when they are loaded."""
    x, made = call.tensor(0), call.outputs[0]
    if p.is_constant(x):
        p.known(made)
        return
    p.put("Identity" if p.shape(x) == p.shape(made) else "Reshape", [x], made)


def _strided(p: Program, call: Call) -> None:
    """Seen with other steps: of all elements in their order a view, and nothing else is known."""
    if math.prod(p.shape(call.tensor(0))) != math.prod(p.shape(call.outputs[0])):
        raise ValueError("not all of it")
    _view(p, call)


def _expand(p: Program, call: Call) -> None:
    x, made = call.tensor(0), call.outputs[0]
    if p.shape(x) == p.shape(made):
        p.put("Identity", [x], made)
        return
    p.put("Expand", [x, p.integers(p.shape(made))], made)


def _permute(p: Program, call: Call) -> None:
    """permute(x, order), transpose(x, one, other), t(x)."""
    x, made, rank = call.tensor(0), call.outputs[0], p.rank(call.tensor(0))
    order = list(range(rank))
    if call.target.startswith("permute"):
        order = [p.axis(x, axis) for axis in call.integers(1)]
    elif rank > 1:
        one, other = (
            (0, 1) if call.target.startswith("t_") or call.target == "t" else (call.whole(1), call.whole(2))
        )
        a, b = p.axis(x, one), p.axis(x, other)
        order[a], order[b] = order[b], order[a]
    p.put("Transpose", [x], made, perm=tuple(order))


def _concat(p: Program, call: Call) -> None:
    parts = [name for name in call.tensors(0) if p.shape(name) != (0,)]
    axis = p.axis(call.outputs[0], call.whole(1, "dim"))
    p.put("Concat", parts, call.outputs, axis=axis)


def _stack(p: Program, call: Call) -> None:
    axis = p.axis(call.outputs[0], call.whole(1, "dim"))
    parts = []
    for name in call.tensors(0):
        shape = list(p.shape(name))
        parts.append(p.then("Reshape", [name], (*shape[:axis], 1, *shape[axis:])))
    p.put("Concat", parts, call.outputs, axis=axis)


def _split(p: Program, call: Call) -> None:
    """split, chunk and split_with_sizes: the sizes are those of what is made."""
    x = call.tensor(0)
    p.put("Split", [x], call.outputs, axis=p.axis(x, call.whole(2, "dim")))


def _unbind(p: Program, call: Call) -> None:
    x = call.tensor(0)
    axis = p.axis(x, call.whole(1, "dim"))
    shape, dtype = p.shape(x), p.value(x).dtype
    slices = [p.between((*shape[:axis], 1, *shape[axis + 1 :]), dtype) for _ in call.outputs]
    p.put("Split", [x], slices, axis=axis)
    for each, made in zip(slices, call.outputs, strict=True):
        p.put("Reshape", [each], made)


def _slice(p: Program, call: Call) -> None:
    """slice(x, dimension, start, end, step), narrow(x, dimension, start, length)."""
    x, made = call.tensor(0), call.outputs[0]
    if p.shape(x) == p.shape(made):
        p.put("Identity", [x], made)
        return
    axis, start = p.axis(x, call.whole(1, "dim")), call.whole(2, "start")
    is_narrow = call.target.startswith("narrow")
    end = start + call.whole(3) if is_narrow else call.end(3, "end")
    _cut(p, x, made, axis, start, end, 1 if is_narrow else call.whole(4, "step", 1))


def _cut(p: Program, x: str, made: str, axis: int, start: int, end: int, step: int = 1) -> None:
    p.put("Slice", [x, *(p.integers([number]) for number in (start, end, axis, step))], made)


def _select(p: Program, call: Call) -> None:
    """select(x, dimension, at): one slice, without that dimension."""
    x, at = call.tensor(0), call.whole(2)
    axis = p.axis(x, call.whole(1))
    shape = p.shape(x)
    first = at + shape[axis] if at < 0 <= shape[axis] else at
    held = p.between((*shape[:axis], 1, *shape[axis + 1 :]), p.value(x).dtype)
    _cut(p, x, held, axis, first, first + 1)
    p.put("Reshape", [held], call.outputs)


def _gather(p: Program, call: Call) -> None:
    """embedding(weights, indices), index_select(x, dimension, indices), index(x, [indices])."""
    x = call.tensor(0)
    if call.target == "embedding":
        p.put("Gather", [x, call.tensor(1)], call.outputs, axis=0)
        return
    if call.target.startswith("index_select"):
        p.put("Gather", [x, call.tensor(2)], call.outputs, axis=p.axis(x, call.whole(1)))
        return
    given = call.at(1)
    places = [at for at, each in enumerate(given if isinstance(given, tuple) else ()) if each is not None]
    if len(places) != 1:
        raise ValueError("indices of several dimensions")
    p.put("Gather", [x, call.tensors(1)[0]], call.outputs, axis=places[0])


def _gather_elements(p: Program, call: Call) -> None:
    x = call.tensor(0)
    p.put("GatherElements", [x, call.tensor(2)], call.outputs, axis=p.axis(x, call.whole(1)))


def _roll(p: Program, call: Call) -> None:
    """Along each dimension the end comes before the beginning."""
    x, shifts, axes = call.tensor(0), call.integers(1), call.integers(2, "dims")
    if len(shifts) != len(axes):
        raise ValueError("rolled over all dimensions at once")
    shape = p.shape(x)
    for at, (shift, given) in enumerate(zip(shifts, axes, strict=True)):
        axis = p.axis(x, given)
        size = shape[axis]
        cut = (size - shift) % size
        made = call.outputs[0] if at == len(shifts) - 1 else p.between(shape, p.value(x).dtype)
        if cut == 0:
            p.put("Identity", [x], made)
        else:
            dtype = p.value(x).dtype
            parts = [p.between((*shape[:axis], n, *shape[axis + 1 :]), dtype) for n in (size - cut, cut)]
            _cut(p, x, parts[0], axis, cut, size)
            _cut(p, x, parts[1], axis, 0, cut)
            p.put("Concat", parts, made, axis=axis)
        x = made


def _repeat(p: Program, call: Call) -> None:
    x, times = call.tensor(0), call.integers(1)
    shape = p.shape(x)
    if len(times) > len(shape):
        x = p.then("Reshape", [x], (*(1,) * (len(times) - len(shape)), *shape))
    p.put("Tile", [x, p.integers(times)], call.outputs)


def _flip(p: Program, call: Call) -> None:
    x = call.tensor(0)
    p.put("Flip", [x], call.outputs, axes=tuple(p.axis(x, axis) for axis in call.integers(1)))


def _cumulated(p: Program, call: Call) -> None:
    x = call.tensor(0)
    p.put("CumSum", [x], call.outputs, axis=p.axis(x, call.whole(1)))


def _largest(p: Program, call: Call) -> None:
    p.put("TopK", [call.tensor(0), p.integers([call.whole(1)])], call.outputs)


RULES: dict[str, Rule] = {
    **dict.fromkeys(_SAME, _same), **dict.fromkeys(_VIEWS, _view), "expand": _expand,
    "expand_as": _expand, "as_strided": _strided,
    "permute": _permute, "transpose": _permute, "t": _permute, "swapaxes": _permute,
    "cat": _concat, "stack": _stack, "split": _split, "split_with_sizes": _split, "chunk": _split,
    "unbind": _unbind, "slice": _slice, "narrow": _slice, "select": _select,
    "embedding": _gather, "index_select": _gather, "index": _gather, "gather": _gather_elements,
    "roll": _roll, "repeat": _repeat, "flip": _flip, "cumsum": _cumulated, "topk": _largest,
}  # fmt: skip
