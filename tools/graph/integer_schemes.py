"""Whose integer quantisation: which operators it takes, and into which types."""

from __future__ import annotations

import numpy as np

from ..core.records import dataclass
from .dtypes import DType
from .int8_rules import INT8_KERNELS, int8_version
from .model import Op
from .tensor import Quantization

_QUANTIZER_BOTH = frozenset({
    "ADD", "AVERAGE_POOL_2D", "BATCH_MATMUL", "BROADCAST_TO", "CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D",
    "DIV", "DYNAMIC_UPDATE_SLICE", "EQUAL", "FULLY_CONNECTED", "GATHER", "GATHER_ND", "GELU", "LOGISTIC",
    "MAXIMUM", "MAX_POOL_2D", "MEAN", "MIRROR_PAD", "MUL", "NOT_EQUAL", "PACK", "PAD", "PADV2", "REDUCE_MIN",
    "RELU", "RESHAPE", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "RSQRT", "SELECT", "SELECT_V2", "SLICE",
    "SOFTMAX", "SPLIT", "SQRT", "STRIDED_SLICE", "SUB", "SUM", "TANH", "TRANSPOSE", "TRANSPOSE_CONV",
    "UNPACK",
})  # fmt: skip
_QUANTIZER_INT8 = _QUANTIZER_BOTH | {"HARD_SWISH", "SPACE_TO_DEPTH", "SQUARED_DIFFERENCE"}

_QUANTIZER_RESCALES = frozenset({
    "CONCATENATION", "DYNAMIC_UPDATE_SLICE", "MAXIMUM", "PACK", "PADV2", "SELECT", "SELECT_V2",
})  # fmt: skip


@dataclass(frozen=True)
class IntegerScheme:
    name: str
    """As it enters a graph's history."""
    kernels: frozenset[str]
    """Operators that it quantises; others stay in float32."""
    activations: DType
    dense_per_channel: bool
    """One scale for each output of a FULLY_CONNECTED, or one for all of its weights."""
    renews_versions: bool
    """Whether operators get the version that their integer kernel has."""
    rescales_inputs_of: frozenset[str] = frozenset()
    """Operators with one scale before which an input is requantised, unless its scale is theirs to decide."""
    all_interfaces: bool = False
    """Whether inputs and outputs are integers beside operators that stay in float32 too."""

    @property
    def biases(self) -> DType:
        """What products of activations and 8-bit weights are added up in."""
        return DType.INT64 if self.activations is DType.INT16 else DType.INT32

    def version(self, op: Op) -> int:
        return int8_version(op) if self.renews_versions else op.version

    def activation_scale(self, scale: Quantization) -> Quantization:
        """An 8-bit scale as the scheme's: 16-bit ones are symmetric (LiteRT quantization specification).

        The range ends where the next step would be, so that a softmax, 0 to 1 in 256 steps, has 1/32768.
        """
        if self.activations is DType.INT8:
            return scale
        reach = max(abs(-128 - scale.zero_points[0]), abs(128 - scale.zero_points[0])) * scale.scales[0]
        return Quantization((float(np.float32(reach / 32768)),), (0,))


CONVERTER_INT8 = IntegerScheme(
    "int8", INT8_KERNELS, DType.INT8, dense_per_channel=False, renews_versions=True
)
"""TensorFlow's converter."""
QUANTIZER_INT8 = IntegerScheme(
    "int8", _QUANTIZER_INT8, DType.INT8, dense_per_channel=True, renews_versions=False,
    rescales_inputs_of=_QUANTIZER_RESCALES, all_interfaces=True,
)  # fmt: skip
QUANTIZER_INT16X8 = IntegerScheme(
    "int16x8", _QUANTIZER_BOTH, DType.INT16, dense_per_channel=True, renews_versions=False,
    rescales_inputs_of=_QUANTIZER_RESCALES, all_interfaces=True,
)  # fmt: skip
"""ai-edge-quantizer 0.10.0, default_policy.py: static_wi8_ai8 and static_wi8_ai16 of DEFAULT_JSON_POLICY.

The operators it requantises for are those with SAME_AS_OUTPUT_SCALE in algorithms/uniform_quantize/
common_quantize.py.
"""
