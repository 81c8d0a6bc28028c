"""Convolutions, pools, resizing and padding."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..onnx.document import Attribute
from .calls import Call
from .program import Program

Rule = Callable[[Program, Call], None]
_PADS = {"reflection_pad": "reflect", "replication_pad": "edge"}
_RESIZES = {"nearest": "nearest", "bilinear": "linear", "linear": "linear", "bicubic": "cubic"}


def _convolution(p: Program, call: Call) -> None:
    """convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)."""
    _write_convolution(
        p, call, call.at(4), dilation=call.integers(5), groups=call.whole(8, "", 1),
        is_transposed=call.flag(6),
    )  # fmt: skip


def _conv_nd(p: Program, call: Call) -> None:
    """conv2d(input, weight, bias, stride, padding, dilation, groups)."""
    _write_convolution(p, call, call.at(4, "padding"), dilation=call.integers(5, "dilation"),
                       groups=call.whole(6, "groups", 1), is_transposed=False)  # fmt: skip


def _conv_transposed(p: Program, call: Call) -> None:
    """conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)."""
    _write_convolution(p, call, call.at(4, "padding"), dilation=call.integers(7, "dilation"),
                       groups=call.whole(6, "groups", 1), is_transposed=True)  # fmt: skip


def _write_convolution(
    p: Program, call: Call, padding: object, *, dilation: Sequence[int], groups: int, is_transposed: bool
) -> None:
    x, weights, bias = call.tensor(0), call.tensor(1), call.tensor(2, "bias")
    window = p.shape(weights)[2:]
    rank = len(window)
    stride, dilations = _each(call.integers(3, "stride"), rank), _each(dilation, rank)
    attributes: dict[str, Attribute] = {
        "strides": stride, "dilations": dilations, "group": groups, "kernel_shape": window,
        "pads": _convolution_pads(padding, window, dilations),
    }  # fmt: skip
    kind = "ConvTranspose" if is_transposed else "Conv"
    p.put(kind, [x, weights, bias] if bias else [x, weights], call.outputs[:1], **attributes)


def _convolution_pads(padding: object, window: Sequence[int], dilations: Sequence[int]) -> tuple[int, ...]:
    if padding == "same":
        spans = [d * (k - 1) for k, d in zip(window, dilations, strict=True)]
        return (*(span // 2 for span in spans), *(span - span // 2 for span in spans))
    if padding == "valid" or padding is None:
        return (0,) * (2 * len(window))
    given = padding if isinstance(padding, tuple) else (padding,)
    return _each([int(each) for each in given], len(window)) * 2


def _each(values: Sequence[int], rank: int) -> tuple[int, ...]:
    """One for each dimension; none given is 1."""
    if len(values) == rank:
        return tuple(values)
    if len(values) > 1:
        raise ValueError(f"{len(values)} steps for {rank} dimensions")
    return (values[0] if values else 1,) * rank


def _pool(kind: str, rank: int) -> Rule:
    """(input, kernel_size, stride, padding, dilation of a maximum, ceil_mode …)."""

    def rule(p: Program, call: Call) -> None:
        x, made, is_max = call.tensor(0), call.outputs[0], kind == "MaxPool"
        window = call.integers(1, rank=rank)
        stride = call.integers(2, "stride", rank=rank) or window
        pads = _each(call.integers(3, "padding") or (0,), rank)
        dilation = call.integers(4, "dilation", rank=rank) if is_max else ()
        _write_pool(p, kind, x, made, window, stride, pads, dilation or (1,) * rank)

    return rule


def _write_pool(
    p: Program, kind: str, x: str, made: str, window: Sequence[int], stride: Sequence[int],
    pads: Sequence[int], dilation: Sequence[int],
) -> None:  # fmt: skip
    """What rounding up adds is padding behind."""
    sides, steps = p.shape(x)[-len(window) :], p.shape(made)[-len(window) :]
    after = [
        max((out - 1) * s + d * (k - 1) + 1 - side - pad, pad) if out > 0 and side > 0 else pad
        for side, out, k, s, d, pad in zip(sides, steps, window, stride, dilation, pads, strict=True)
    ]
    p.put(kind, [x], made, kernel_shape=tuple(window), strides=tuple(stride), pads=(*pads, *after),
          dilations=tuple(dilation))  # fmt: skip


def _adaptive(kind: str) -> Rule:
    """A pool of so many pixels: the whole image, nothing at all, or windows that divide it."""

    def rule(p: Program, call: Call) -> None:
        x, made = call.tensor(0), call.outputs[0]
        rank = len(call.integers(1)) if isinstance(call.at(1), tuple) else p.rank(x) - 2
        sides, wanted = p.shape(x)[-rank:], p.shape(made)[-rank:]
        if all(size == 1 for size in wanted):
            p.put("GlobalMaxPool" if kind == "MaxPool" else "GlobalAveragePool", [x], made)
            return
        if sides == wanted:
            p.put("Identity", [x], made)
            return
        if any(size < 1 or side % size for side, size in zip(sides, wanted, strict=True)):
            raise ValueError("windows of unequal size")
        window = tuple(side // size for side, size in zip(sides, wanted, strict=True))
        p.put(kind, [x], made, kernel_shape=window, strides=window)

    return rule


def _pad(p: Program, call: Call) -> None:
    """Amounts from the last dimension to the first, (before, after) each."""
    x, amounts = call.tensor(0), call.integers(1)
    before, after = [0] * p.rank(x), [0] * p.rank(x)
    for at in range(len(amounts) // 2):
        before[-1 - at], after[-1 - at] = amounts[2 * at], amounts[2 * at + 1]
    if min(amounts, default=0) < 0:
        raise ValueError("padding that cuts")
    given = call.at(2) if call.target == "pad" else None
    mode = given if isinstance(given, str) and given != "constant" else "constant"
    mode = next((m for start, m in _PADS.items() if call.target.startswith(start)), mode)
    p.put("Pad", [x, p.integers([*before, *after])], call.outputs, mode=mode)


def _resize(p: Program, call: Call) -> None:
    kind = call.target.removeprefix("upsample_").rstrip("0123456789d")
    x, made = call.tensor(0), call.outputs[0]
    p.put("Resize", [x, "", "", p.integers(p.shape(made))], made, mode=_RESIZES.get(kind, kind))


def _shuffle(p: Program, call: Call) -> None:
    kind = "DepthToSpace" if call.target == "pixel_shuffle" else "SpaceToDepth"
    p.put(kind, [call.tensor(0)], call.outputs, blocksize=call.whole(1), mode="CRD")


def _batch_norm(p: Program, call: Call) -> None:
    """batch_norm(input, weight, bias, mean, variance, …): the statistics are those of training."""
    x = call.tensor(0)
    channels = p.shape(x)[1:2]
    factors = [call.tensor(at) or p.constant(channels, p.value(x).dtype) for at in (1, 2, 3, 4)]
    p.put("BatchNormalization", [x, *factors], call.outputs[:1])


def _group_norm(p: Program, call: Call) -> None:
    """group_norm(input, groups, weight, bias), native_group_norm(input, weight, bias, …)."""
    first = 2 if call.target == "group_norm" else 1
    _scaled(p, call, "GroupNormalization", first, p.shape(call.tensor(0))[1:2])


def _instance_norm(p: Program, call: Call) -> None:
    _scaled(p, call, "InstanceNormalization", 1, p.shape(call.tensor(0))[1:2])


def _layer_norm(p: Program, call: Call) -> None:
    """layer_norm(input, shape, weight, bias, …)."""
    shape = call.integers(1)
    _scaled(p, call, "LayerNormalization", 2, shape, axis=-max(len(shape), 1))


def _scaled(
    p: Program, call: Call, kind: str, first: int, shape: Sequence[int], **attributes: Attribute
) -> None:
    x = call.tensor(0)
    scale = call.tensor(first, "weight") or p.number(1.0, p.value(x).dtype)
    if p.is_constant(scale) and math.prod(p.shape(scale)) not in (1, math.prod(shape)):
        raise ValueError("a scale of another shape")
    shift = call.tensor(first + 1, "bias")
    p.put(kind, [x, scale, shift] if shift else [x, scale], call.outputs[:1], **attributes)


RULES: dict[str, Rule] = {
    "convolution": _convolution, "_convolution": _convolution,
    **dict.fromkeys(("conv1d", "conv2d", "conv3d"), _conv_nd),
    **dict.fromkeys(("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"), _conv_transposed),
    **{f"max_pool{n}d": _pool("MaxPool", n) for n in (1, 2, 3)},
    **{f"max_pool{n}d_with_indices": _pool("MaxPool", n) for n in (2, 3)},
    **{f"avg_pool{n}d": _pool("AveragePool", n) for n in (1, 2, 3)},
    **{f"{start}adaptive_avg_pool{n}d": _adaptive("AveragePool") for n in (1, 2, 3) for start in ("", "_")},
    **{f"adaptive_max_pool{n}d": _adaptive("MaxPool") for n in (1, 2, 3)},
    "constant_pad_nd": _pad, "pad": _pad,
    **{f"{start}{n}d": _pad for start in _PADS for n in (1, 2, 3)},
    **dict.fromkeys(
        ("upsample_nearest1d", "upsample_nearest2d", "upsample_bilinear2d", "upsample_bicubic2d",
         "upsample_linear1d"), _resize,
    ),
    "pixel_shuffle": _shuffle, "pixel_unshuffle": _shuffle,
    **dict.fromkeys(
        ("batch_norm", "_native_batch_norm_legit_no_training", "native_batch_norm", "_batch_norm_no_update",
         "cudnn_batch_norm"), _batch_norm,
    ),
    "group_norm": _group_norm, "native_group_norm": _group_norm, "instance_norm": _instance_norm,
    "layer_norm": _layer_norm, "native_layer_norm": _layer_norm,
}  # fmt: skip
