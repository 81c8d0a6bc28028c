"""What single operators are limited to, beside windows: axes, parameters, matching tensors."""

from __future__ import annotations

import math

from ...graph import DType
from .npu_operator import NpuOperator, Rule, extent

_CONSTANT_AT = {
    "MEAN": (1,), "MIRROR_PAD": (1,), "PAD": (1,), "PADV2": (1, 2), "SLICE": (1, 2),
    "STRIDED_SLICE": (1, 2, 3), "TRANSPOSE": (1,),
}  # fmt: skip
_PADDING = frozenset({"MIRROR_PAD", "PAD", "PADV2"})
_PER_ELEMENT = {
    "ELU": (DType.INT8,),
    "GELU": (DType.INT8, DType.UINT8),
    "LOG": (DType.INT8, DType.INT16),
}
_AXIS = 1 << 16
_MEAN_AXIS = 4096
_MEAN_ELEMENTS = {DType.INT8: 1 << 24, DType.UINT8: 1 << 23, DType.INT16: 1 << 16}
_ARG_MAX_DEPTH = 127
_GATES = range(1, 9)
_PEEPHOLES, _PROJECTION, _NORMALIZATION = range(9, 12), (16, 17), range(20, 24)


def parameters_constant(case: NpuOperator) -> str | None:
    """The parameters (axes, paddings, positions) are constant."""
    computed = [i for i in _CONSTANT_AT.get(case.kind, ()) if (t := case.input(i)) and not t.is_constant]
    return f"input {computed[0]} is computed" if computed else None


def padding_type(case: NpuOperator) -> str | None:
    """Paddings are given as integers of 32 or 64 bits."""
    paddings = case.input(1) if case.kind in _PADDING else None
    fits = paddings is None or paddings.dtype in {DType.INT32, DType.INT64}
    return None if fits or paddings is None else f"they are {paddings.dtype.value}"


def one_mean_a_time(case: NpuOperator) -> str | None:
    """A mean is taken of a batch of 1."""
    return f"it is of {case.image[0]}" if case.kind == "MEAN" and case.image[0] > 1 else None


def mean_over_depth(case: NpuOperator) -> str | None:
    """A mean over the channels is taken only where height, width or channels are 1."""
    reduced = _reduced(case)
    if reduced is None or not reduced[3] or 1 in case.image[1:4]:
        return None
    return f"it is taken of {extent(case.image)}"


def mean_axis(case: NpuOperator) -> str | None:
    """A mean is taken over at most 4096 along an axis."""
    reduced = _reduced(case) or ()
    long = [size for size, taken in zip(case.image, reduced, strict=False) if taken and size > _MEAN_AXIS]
    return f"an axis has {long[0]}" if long else None


def mean_type(case: NpuOperator) -> str | None:
    """A mean is taken of int8, uint8 or int16."""
    if case.kind != "MEAN" or case.feature_maps_in[0].dtype in _MEAN_ELEMENTS:
        return None
    return f"the input is {case.feature_maps_in[0].dtype.value}"


def mean_elements(case: NpuOperator) -> str | None:
    """A mean is taken over at most 2^24 elements of int8, 2^23 of uint8, 2^16 of int16."""
    reduced = _reduced(case)
    if reduced is None:
        return None
    count = math.prod(size for size, taken in zip(case.image, reduced, strict=False) if taken)
    most = _MEAN_ELEMENTS.get(case.feature_maps_in[0].dtype, count)
    return f"it is taken over {count}" if count > most else None


def softmax_size(case: NpuOperator) -> str | None:
    """Softmax takes at most 65536 positions at once."""
    positions = case.image[1] * case.image[2] if case.kind == "SOFTMAX" else 0
    return f"the input has {positions}" if positions > _AXIS else None


def dense_weights(case: NpuOperator) -> str | None:
    """The weights of a dense layer are a matrix: outputs by inputs."""
    weights = case.weights if case.kind == "FULLY_CONNECTED" else None
    if weights is None:
        return None
    is_matrix = len(weights.shape) >= 2 and weights.elements == weights.shape[0] * weights.shape[-1]
    return None if is_matrix else f"they are {extent(weights.shape)}"


def matrix_product(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 multiply computed matrices only as int8, with up to 65536 columns."""
    if case.is_u85 or not _multiplies_computed(case):
        return None
    left = case.feature_maps_in[0]
    if left.dtype is not DType.INT8:
        return f"the input is {left.dtype.value}"
    summed = left.shape[-2:-1] if case.at.op.options.get("adj_x") else left.shape[-1:]
    wide = [size for size in (*summed, *case.at.outputs[0].shape[-1:]) if size > _AXIS]
    return f"one has {wide[0]}" if wide else None


def largest_of_few(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 look for the largest of at most 127 channels."""
    if case.is_u85 or case.kind != "ARG_MAX" or case.image[-1] <= _ARG_MAX_DEPTH:
        return None
    return f"the input has {case.image[-1]}"


def largest_channel(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 look for the largest channel, along no other axis."""
    axis = case.values(1) if case.kind == "ARG_MAX" and not case.is_u85 else None
    rank = len(case.feature_maps_in[0].shape)
    return f"the axis is {axis[0]} of {rank}" if axis and axis[0] not in (-1, rank - 1) else None


def same_quantization(case: NpuOperator) -> str | None:
    """Minimum and maximum need inputs and output of one scale and zero point."""
    if case.kind not in {"MINIMUM", "MAXIMUM"}:
        return None
    found = {(t.quantization.scales, t.quantization.zero_points) for t in case.feature_maps if t.quantization}
    return f"there are {len(found)}" if len(found) > 1 else None


def same_shape(case: NpuOperator) -> str | None:
    """Input and output have the same shape and a type that the NPU tabulates."""
    if case.kind not in _PER_ELEMENT:
        return None
    given, made = case.feature_maps_in[0], case.at.outputs[0]
    if given.shape != made.shape:
        return f"{extent(given.shape)} becomes {extent(made.shape)}"
    fits = given.dtype in _PER_ELEMENT[case.kind] and given.dtype is made.dtype
    return None if fits else f"{given.dtype.value} becomes {made.dtype.value}"


def reciprocal_root_type(case: NpuOperator) -> str | None:
    """A reciprocal square root is taken of int8 or int16."""
    given = case.feature_maps_in[0].dtype if case.kind == "RSQRT" else DType.INT8
    return None if given in {DType.INT8, DType.INT16} else f"the input is {given.value}"


def steps_of_a_slice(case: NpuOperator) -> str | None:
    """A slice steps forward, and over more than one element only along height and width."""
    steps = case.values(3) if case.kind == "STRIDED_SLICE" else None
    if steps is None:
        return None
    rank = max(len(case.feature_maps_in[0].shape), len(steps))
    along = steps + (1,) * (rank - len(steps))
    outside = [step for axis, step in enumerate(along) if axis - rank not in (-3, -2) and step != 1]
    return f"the steps are {extent(steps)}" if outside or min(steps) < 0 else None


def parts_of_a_split(case: NpuOperator) -> str | None:
    """A split names as many parts as it has outputs."""
    if case.kind not in {"SPLIT", "SPLIT_V"}:
        return None
    parts = case.at.op.option_int("num_splits", len(case.at.outputs))
    return None if parts == len(case.at.outputs) else f"it names {parts} of {len(case.at.outputs)}"


def reversed_axis(case: NpuOperator) -> str | None:
    """Ethos-U55 and Ethos-U65 reverse no axis."""
    if case.is_u85 or case.kind != "REVERSE_V2":
        return None
    axes = case.values(1)
    return f"axis {axes[0]} is asked for" if axes else None


def plain_lstm(case: NpuOperator) -> str | None:
    """An LSTM has all four gates, and neither peepholes nor projection nor normalisation."""
    if case.kind != "UNIDIRECTIONAL_SEQUENCE_LSTM":
        return None
    if any(case.input(i) is None for i in _GATES):
        return "the input gate follows from the forget gate"
    for what, positions in (
        ("peepholes", _PEEPHOLES),
        ("a projection", _PROJECTION),
        ("normalisation", _NORMALIZATION),
    ):
        if any(case.input(i) is not None for i in positions):
            return f"it has {what}"
    return None


def gathered_axis(case: NpuOperator) -> str | None:
    """Gathering is along the first axis behind the batch."""
    if case.kind != "GATHER" or not case.is_u85:
        return None
    axis = case.at.op.option_int("axis", 0)
    axis += len(case.feature_maps_in[0].shape) if axis < 0 else 0
    batch = case.at.op.option_int("batch_dims", 0)
    return None if axis == batch else f"the axis is {axis} behind {batch}"


def scattered_where(case: NpuOperator) -> str | None:
    """Values are scattered to constant positions along one axis, each written once, into a constant shape."""
    if case.kind != "SCATTER_ND":
        return None
    where, shape = case.input(0), case.input(2)
    if where is None or shape is None or not (where.is_constant and shape.is_constant):
        return "positions or shape are computed"
    if where.shape[-1:] != (1,):
        return f"positions are {extent(where.shape)}"
    written = where.values
    return "a position is written twice" if written and len(set(written)) < len(written) else None


def _reduced(case: NpuOperator) -> tuple[bool, ...] | None:
    """Which of at least four axes a mean is taken over."""
    axes = case.values(1) if case.kind == "MEAN" else None
    if axes is None:
        return None
    rank = len(case.feature_maps_in[0].shape)
    taken = [False] * rank
    for axis in axes:
        if -rank <= axis < rank:
            taken[axis] = True
    return (False,) * (4 - rank) + tuple(taken)


def _multiplies_computed(case: NpuOperator) -> bool:
    if case.kind == "BATCH_MATMUL":
        return True
    return case.kind == "FULLY_CONNECTED" and case.weights is not None and not case.weights.is_constant


RULES: tuple[Rule, ...] = (
    parameters_constant, padding_type, one_mean_a_time, mean_over_depth, mean_axis, mean_type, mean_elements,
    softmax_size, dense_weights, matrix_product, largest_of_few, largest_channel, same_quantization,
    same_shape, reciprocal_root_type, steps_of_a_slice, parts_of_a_split, reversed_axis, plain_lstm,
    gathered_axis, scattered_where,
)  # fmt: skip
