"""Which methods of MicroMutableOpResolver a model needs.

Names and specialisations: tflite-micro at 90b983c2, tensorflow/lite/micro/micro_mutable_op_resolver.h and the
headers in tensorflow/lite/micro/kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..core.records import dataclass
from ..graph import DType, ModelGraph, Op, Subgraph
from .cpp import is_identifier, string_literal

_BUILTINS = """
ABS ADD ADD_N ARG_MAX ARG_MIN ASSIGN_VARIABLE AVERAGE_POOL_2D BATCH_MATMUL BATCH_TO_SPACE_ND BROADCAST_ARGS
BROADCAST_TO CALL_ONCE CAST CEIL CONCATENATION CONV_2D COS CUMSUM DEPTH_TO_SPACE DEPTHWISE_CONV_2D DEQUANTIZE
DIV DYNAMIC_UPDATE_SLICE ELU EMBEDDING_LOOKUP EQUAL EXP EXPAND_DIMS FILL FLOOR FLOOR_DIV FLOOR_MOD
FULLY_CONNECTED GATHER GATHER_ND GREATER GREATER_EQUAL HARD_SWISH IF L2_NORMALIZATION L2_POOL_2D LEAKY_RELU
LESS LESS_EQUAL LOG LOG_SOFTMAX LOGICAL_AND LOGICAL_NOT LOGICAL_OR LOGISTIC MAX_POOL_2D MAXIMUM MEAN MINIMUM
MIRROR_PAD MUL NEG NOT_EQUAL PACK PAD PADV2 PRELU QUANTIZE READ_VARIABLE REDUCE_ALL REDUCE_MAX REDUCE_MIN RELU
RELU6 RESHAPE RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR REVERSE_V2 ROUND RSQRT SELECT_V2 SHAPE SIN SLICE SOFTMAX
SPACE_TO_BATCH_ND SPACE_TO_DEPTH SPLIT SPLIT_V SQRT SQUARE SQUARED_DIFFERENCE SQUEEZE STRIDED_SLICE SUB SUM
SVDF TANH TRANSPOSE TRANSPOSE_CONV UNIDIRECTIONAL_SEQUENCE_LSTM UNPACK VAR_HANDLE WHILE ZEROS_LIKE
"""
_IRREGULAR = {
    "BATCH_MATMUL": "BatchMatMul",
    "CUMSUM": "CumSum",
    "PADV2": "PadV2",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "UnidirectionalSequenceLSTM",
}
ADD_METHODS = {
    kind: "Add"
    + _IRREGULAR.get(kind, "".join(w if w[0].isdigit() else w.capitalize() for w in kind.split("_")))
    for kind in _BUILTINS.split()
}
ETHOS_U = "ethos-u"
"""Name of the operator that Vela makes (GetString_ETHOSU in kernels/ethos_u/ethosu.cc)."""
CUSTOM_METHODS = {
    "CIRCULAR_BUFFER": "AddCircularBuffer",
    "SignalDelay": "AddDelay",
    "SignalEnergy": "AddEnergy",
    "SignalFftAutoScale": "AddFftAutoScale",
    "SignalFilterBank": "AddFilterBank",
    "SignalFilterBankLog": "AddFilterBankLog",
    "SignalFilterBankSpectralSubtraction": "AddFilterBankSpectralSubtraction",
    "SignalFilterBankSquareRoot": "AddFilterBankSquareRoot",
    "SignalFramer": "AddFramer",
    "SignalIrfft": "AddIrfft",
    "SignalOverlapAdd": "AddOverlapAdd",
    "SignalPCAN": "AddPCAN",
    "SignalRfft": "AddRfft",
    "SignalStacker": "AddStacker",
    "SignalWindow": "AddWindow",
    "TFLM_DECODE": "AddDecode",
    "TFLite_Detection_PostProcess": "AddDetectionPostprocess",
    ETHOS_U: "AddEthosU",
}
"""Custom operators that the resolver has a method for, by their name in the model."""

_ONE_TYPE: dict[str, frozenset[DType]] = {
    "ADD": frozenset({DType.INT8, DType.INT16}),
    "AVERAGE_POOL_2D": frozenset({DType.INT8, DType.INT16}),
    "BATCH_MATMUL": frozenset({DType.INT8, DType.INT16}),
    "CONV_2D": frozenset({DType.INT8, DType.INT16, DType.INT4}),
    "DEPTHWISE_CONV_2D": frozenset({DType.INT8, DType.INT16, DType.INT4}),
    "FULLY_CONNECTED": frozenset({DType.INT8, DType.INT16, DType.INT4}),
    "MAX_POOL_2D": frozenset({DType.INT8, DType.INT16}),
    "MAXIMUM": frozenset({DType.INT8}),
    "MINIMUM": frozenset({DType.INT8}),
    "MUL": frozenset({DType.INT8}),
    "SOFTMAX": frozenset({DType.INT8, DType.INT16}),
    "SVDF": frozenset({DType.INT8}),
    "TRANSPOSE_CONV": frozenset({DType.INT8}),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": frozenset({DType.INT8, DType.INT16}),
}
"""Builtin → types that CMSIS-NN registers apart; other libraries take the name for the whole kernel."""
_BINARY = {"ADD", "BATCH_MATMUL", "MAXIMUM", "MINIMUM", "MUL"}
_WEIGHTED = {"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV"}


@dataclass(frozen=True)
class Registration:
    """One call of a resolver."""

    method: str
    argument: str = ""
    declaration: str = ""
    """What the program has to define before."""

    @property
    def call(self) -> str:
        return f"{self.method}({self.argument})"


@dataclass(frozen=True)
class Registrations:
    calls: tuple[Registration, ...]
    """Each once, in the order of the model."""
    missing: tuple[str, ...]
    """Builtins that no method registers."""


def registrations(graph: ModelGraph, *, one_type: bool, skipped: Iterable[int] = ()) -> Registrations:
    """Args:
    graph: operators of all its subgraphs are registered.
    one_type: register kernels of one type where all operators of a kind have it and the library offers it.
    skipped: operators of the main subgraph that something else runs.
    """
    gone = set(skipped)
    members: dict[tuple[str, str | None], list[tuple[Subgraph, Op]]] = {}
    for number, sub in enumerate(graph.subgraphs):
        for op in sub.ops:
            if number or op.index not in gone:
                members.setdefault((op.kind, op.custom_code_untrusted), []).append((sub, op))
    calls: list[Registration] = []
    missing: list[str] = []
    for (kind, custom), own in members.items():
        if custom is not None or kind == "CUSTOM":
            calls.append(_custom(custom or "", len(calls)))
        elif kind in ADD_METHODS:
            argument = _one_type(kind, own) if one_type else ""
            calls.append(Registration(ADD_METHODS[kind], argument))
        else:
            missing.append(kind)
    return Registrations(tuple(calls), tuple(missing))


def _custom(name: str, position: int) -> Registration:
    if name in CUSTOM_METHODS:
        return Registration(CUSTOM_METHODS[name])
    symbol = f"Register_{name}" if is_identifier(name) else f"RegisterOperator{position}"
    literal = string_literal(name)
    return Registration("AddCustom", f"{literal}, {symbol}()", f"TFLMRegistration* {symbol}();")


def _one_type(kind: str, own: Sequence[tuple[Subgraph, Op]]) -> str:
    """The registration of the type that all operators of the kind have; nothing where they differ."""
    found = {_type_of(kind, sub, op) for sub, op in own}
    dtype = found.pop() if len(found) == 1 else None
    if dtype is None or dtype not in _ONE_TYPE.get(kind, ()):
        return ""
    return f"tflite::Register_{kind}_{dtype.value.upper()}()"


def _type_of(kind: str, sub: Subgraph, op: Op) -> DType | None:
    """Type that input, weights and output agree on; for int4 weights that of the weights."""
    places = [i for i in (*op.inputs[: 2 if kind in _BINARY else 1], *op.outputs[:1]) if i >= 0]
    types = {sub.tensors[i].dtype for i in places}
    if len(types) != 1:
        return None
    of_data = types.pop()
    if kind not in _WEIGHTED:
        return of_data
    position = 1
    if len(op.inputs) <= position or op.inputs[position] < 0:
        return None
    weights = sub.tensors[op.inputs[position]].dtype
    if (of_data, weights) == (DType.INT8, DType.INT4):
        return DType.INT4
    return of_data if weights is DType.INT8 else None
