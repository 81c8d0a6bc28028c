"""Other types for weights and activations: what post-training quantisation offers, by name.

Published accuracies: LiteRT tflite/g3doc/performance/model_optimization.md, tables 1 and 2, at commit
f67457790c9c2ab67347d6fe53270e8d3df20868. Where no figure was published, none is given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment
from ...graph import DType, ModelGraph
from ...graph.integer_schemes import QUANTIZER_INT8, QUANTIZER_INT16X8, IntegerScheme
from ...graph.requantize import to_float16 as halve
from ...graph.requantize import to_float32 as unquantised
from ...graph.requantize import to_int8 as quantised
from ...graph.stored_weights import (
    DYNAMIC_RANGE,
    WEIGHTS_FLOAT16,
    WEIGHTS_INT4,
    WEIGHTS_INT8,
    WeightScheme,
    with_stored_weights,
)
from .casts import without
from .technique import Change, Technique

_TABLES = "LiteRT model_optimization.md"
INT8_RISK = (
    "small for most CNNs, ruinous for some transformers: 0.5 to 1.4 points less on MobileNetV1, MobileNetV2 "
    f"and YOLOv3, F1 from 88.8 to 2.1 on MobileBERT ({_TABLES}, table 2): measure it on yours after "
    "quantisation with sample data"
)
INT16_RISK = (
    "small: 0.3 to 1.3 points less on MobileNetV1, MobileNetV2 and YOLOv3, F1 0.1 less on MobileBERT "
    f"({_TABLES}, table 2): measure it on yours after quantisation with sample data"
)
FLOAT16_RISK = f"usually none: 'insignificant', without figures ({_TABLES})"
DYNAMIC_RISK = (
    f"small: 'smallest accuracy loss' of the integer kinds, without figures ({_TABLES}): measure it"
)
UNKNOWN_RISK = "no published figure was read: measure it on yours"

Transform = Callable[[ModelGraph], ModelGraph]


def precision_techniques() -> Iterator[Technique]:
    """One of them at a time: a graph has one precision."""
    rows: tuple[tuple[str, str, str, Transform], ...] = (
        (
            "int8", "8-bit weights and activations by post-training quantisation with sample data",
            INT8_RISK, to_int8,
        ),
        (
            "int8-float-io", "the same with float32 inputs and outputs, converted at both ends",
            INT8_RISK, to_int8_with_float_io,
        ),
        (
            "int16x8", "16-bit activations, 8-bit weights, quantised after training with sample data",
            INT16_RISK, to_int16x8,
        ),
        ("float16", "weights and activations in half precision", FLOAT16_RISK, to_float16),
        (
            "float16-weights", "weights stored in half precision, computed in float32",
            FLOAT16_RISK, storing(WEIGHTS_FLOAT16),
        ),
        (
            "dynamic-range", "8-bit weights; kernels quantise each input as it comes, without sample data",
            DYNAMIC_RISK, storing(DYNAMIC_RANGE),
        ),
        (
            "weights-int8", "weights stored in 8 bits, computed in float32",
            UNKNOWN_RISK, storing(WEIGHTS_INT8),
        ),
        (
            "weights-int4", "weights of CONV_2D and FULLY_CONNECTED stored in 4 bits, computed in float32",
            UNKNOWN_RISK, storing(WEIGHTS_INT4),
        ),
    )  # fmt: skip
    for name, about, risk, transform in rows:
        yield Technique(name, about, "minutes", risk, "precision", _of_graphs(transform))


def float32() -> Technique:
    """What a quantised model would take in float32, as a question of how much its integers bring."""
    return Technique(
        "float32", "the model as it was before quantisation: weights and activations in float32",
        "minutes", "none: it is what was quantised", "precision", _of_graphs(_to_float32),
    )  # fmt: skip


def _to_float32(graph: ModelGraph) -> ModelGraph:
    made = unquantised(graph)
    casts = [op for op in made.main.ops if op.kind in ("QUANTIZE", "DEQUANTIZE")]
    return without(made, {op.index for op in casts}, {op.outputs[0]: op.inputs[0] for op in casts})


def int16() -> Technique:
    """What a model would take with 16-bit activations, one in int8 quantised anew from what it was before."""
    return Technique(
        "int16", "16-bit activations, 8-bit weights, quantised from the float model with sample data",
        "minutes", INT16_RISK, "precision",
        _of_graphs(lambda graph: to_int16x8(_to_float32(graph) if graph.dtype is DType.INT8 else graph)),
    )  # fmt: skip


def int8_except(layers: Sequence[int]) -> Technique:
    """
    Raises:
        UsageError: no layer is named.
    """
    if not layers:
        raise UsageError("int8-except names the layers that stay in float32.", hint="int8-except@0,9.")
    listed = ",".join(map(str, layers))
    return Technique(
        f"int8-except@{listed}", f"8-bit weights and activations, but for layer {listed} in float32",
        "minutes", INT8_RISK, "precision", _of_graphs(lambda graph: quantised_except(graph, layers)),
    )  # fmt: skip


def quantised_except(graph: ModelGraph, layers: Collection[int], **how: Any) -> ModelGraph:
    """
    Args:
        graph: a float model.
        layers: indices of operators that stay as they are.
        how: as `to_int8` takes it.

    Raises:
        UsageError: a layer that is not there, or as for `to_int8`.
    """
    _check_not_integer(graph)
    for layer in layers:
        if not 0 <= layer < len(graph.ops):
            raise UsageError(f"There is no layer {layer}: they are 0 to {len(graph.ops) - 1}.")
    others = {op.index for op in graph.ops}.difference(layers)
    return quantised(graph, layers=others, **how)


def _of_graphs(transform: Transform) -> Change:
    def change(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        return transform(graph), deployment

    return change


def to_int8(graph: ModelGraph) -> ModelGraph:
    _check_not_integer(graph)
    return quantised(graph)


def to_int8_with_float_io(graph: ModelGraph) -> ModelGraph:
    _check_not_integer(graph)
    return quantised(graph, float_io=True)


def to_int16x8(graph: ModelGraph) -> ModelGraph:
    return quantised_by_quantizer(graph, QUANTIZER_INT16X8)


def quantised_by_quantizer(
    graph: ModelGraph, scheme: IntegerScheme = QUANTIZER_INT8, *, float_io: bool = False
) -> ModelGraph:
    """As ai-edge-quantizer does it, which is what is applied.

    Raises:
        UsageError: the model computes in integers already, or has nothing to quantise.
    """
    _check_not_integer(graph)
    return quantised(graph, float_io=float_io, scheme=scheme)


def to_float16(graph: ModelGraph) -> ModelGraph:
    _check_float(graph)
    return halve(graph)


def storing(scheme: WeightScheme) -> Transform:
    def transform(graph: ModelGraph) -> ModelGraph:
        _check_float(graph)
        return with_stored_weights(graph, scheme)

    return transform


def _check_not_integer(graph: ModelGraph) -> None:
    if graph.dtype in (DType.INT8, DType.UINT8, DType.INT16):
        raise UsageError(f"the model computes in {graph.dtype} already")


def _check_float(graph: ModelGraph) -> None:
    if graph.dtype is not DType.FLOAT32:
        raise UsageError(f"the model computes in {graph.dtype}, not in float32")
