"""Which operators the name in a trace may stand for: runtimes have their own words for TFLite's kinds."""

from __future__ import annotations

import re
from functools import lru_cache

_CONVOLUTIONS = ("CONV_2D", "DEPTHWISE_CONV_2D", "CONV_3D")
_DENSE = ("FULLY_CONNECTED", "BATCH_MATMUL")
_POOLS = ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D", "MEAN", "REDUCE_MAX", "SUM")
_ACTIVATIONS = ("RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "LEAKY_RELU", "PRELU", "ELU", "GELU",
                "HARD_SWISH", "LOGISTIC", "TANH")  # fmt: skip
_ELEMENTWISE = ("ADD", "SUB", "MUL", "DIV", "MINIMUM", "MAXIMUM", "SQUARED_DIFFERENCE", "POW")
_SHAPES = ("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
_ALIASES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("conv", "conv2d", "conv1d", "convolution", "convolution2d", "convinteger",
                     "mergedconv2dpool", "conv2dnlpool", "conv2dpool"), _CONVOLUTIONS),
    **dict.fromkeys(("depthwiseconvolution", "depthwiseconv", "dwconv", "conv2ddw", "depthwise", "dw"),
                    ("DEPTHWISE_CONV_2D",)),
    **dict.fromkeys(("fc", "gemm", "matmul", "dense", "densenl", "linear", "matmulinteger", "innerproduct",
                     "matmulnbits"), _DENSE),
    **dict.fromkeys(("batchmatrixmultiply", "batchmatmul"), ("BATCH_MATMUL", "FULLY_CONNECTED")),
    **dict.fromkeys(("pool", "pooling", "globalpool"), _POOLS),
    **dict.fromkeys(("averagepool", "averagepooling", "globalaveragepool", "globalaveragepooling",
                     "avgpool", "reducemean"), ("AVERAGE_POOL_2D", "MEAN")),
    **dict.fromkeys(("maxpool", "maxpooling", "globalmaxpool", "globalmaxpooling"),
                    ("MAX_POOL_2D", "REDUCE_MAX")),
    **dict.fromkeys(("nl", "nonlinearity", "activation"), (*_ACTIVATIONS, "SOFTMAX")),
    "clip": ("RELU6", "RELU_N1_TO_1", "RELU_0_TO_1", "RELU", "MINIMUM", "MAXIMUM"),
    "clamp": ("RELU6", "RELU", "RELU_N1_TO_1", "RELU_0_TO_1"),
    "sigmoid": ("LOGISTIC",),
    "hardsigmoid": ("LOGISTIC", "MUL", "ADD"),
    "sm": ("SOFTMAX",),
    **dict.fromkeys(("eltwise", "elementwise"), _ELEMENTWISE),
    "multiply": ("MUL",),
    "subtract": ("SUB",),
    "divide": ("DIV",),
    "concat": ("CONCATENATION",),
    "concatenate": ("CONCATENATION",),
    **dict.fromkeys(("flatten", "unsqueeze", "squeeze", "copy"), _SHAPES),
    **dict.fromkeys(("quantizelinear", "convert", "conversion"), ("QUANTIZE", "DEQUANTIZE", "CAST")),
    "dequantizelinear": ("DEQUANTIZE",),
    **dict.fromkeys(("resize", "upsample", "upsampling"), ("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")),
    **dict.fromkeys(("convtranspose", "deconvolution", "deconv", "conv2dtranspose", "deconvolution2d"),
                    ("TRANSPOSE_CONV",)),
    "constantpad": ("PAD", "PADV2"),
    "slice": ("SLICE", "STRIDED_SLICE"),
    "lrn": ("LOCAL_RESPONSE_NORMALIZATION",),
    "sum": ("ADD", "SUM"),
    "lstm": ("UNIDIRECTIONAL_SEQUENCE_LSTM", "LSTM"),
    **dict.fromkeys(("batchnormalization", "bn", "layernormalization"), ("MUL", "ADD")),
    "permute": ("TRANSPOSE",),
}  # fmt: skip
_PREFIXES = ("delegate/", "td-", "optimized_", "qlinear", "quantized", "nhwc", "nchw", "fused",
             "dynamicquantize")  # fmt: skip
_LAST = re.compile(r"[\W_]*\d+$")
_BRACKETED = re.compile(r"\([^)]*\)")
LIGHT = frozenset((*_SHAPES, *_ACTIVATIONS, "QUANTIZE", "DEQUANTIZE", "PAD", "PADV2", "CAST", "SHAPE",
                   "MUL", "ADD", "TRANSPOSE", "CONCATENATION", "SPLIT", "SPLIT_V", "SLICE",
                   "STRIDED_SLICE"))  # fmt: skip
"""Kinds that a runtime often leaves out of its log, moves no data for, or joins to a neighbour."""


def fit(tag: str, kind: str) -> float | None:
    """0 where `tag` is the name of `kind`, more where it may stand for it, None where it does not."""
    name = _plain(tag)
    if name == _plain(kind):
        return 0.0
    if tag.upper() in _CONVOLUTIONS:  # in TFLite's own spelling, which tells the kinds apart
        return None
    allowed = _meant(name, tag)
    return 0.1 + 0.02 * allowed.index(kind) if kind in allowed else None


def is_heavy(tag: str) -> bool:
    """Whether it names work that a runtime logs for itself, of whatever model."""
    return any(kind not in LIGHT for kind in _meant(_plain(tag), tag))


def kind_of(tag: str) -> str:
    """What it most likely stands for: `block1/conv2` is a CONV_2D; what names no operator, without digits."""
    stem = _LAST.sub("", re.split(r"[/:]", tag)[-1])
    for text in (tag, stem):
        if meant := _meant(_plain(text), text):
            return meant[0]
    return stem


def kinds_of(name: str) -> tuple[str, ...]:
    """What it may stand for, the likeliest first; nothing where it is no operator's name."""
    return _meant(_plain(name), name)


@lru_cache(maxsize=4096)
def _meant(name: str, tag: str) -> tuple[str, ...]:
    text = tag.casefold()
    if "dwconv" in text:
        return ("DEPTHWISE_CONV_2D",)
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    core = _plain(_BRACKETED.sub(" ", text))
    for spelling in (name, core, re.sub(r"(?:igemm|gemm|spmm|unipass|multipass|nc|nhwc)$", "", core)):
        if spelling in _ALIASES or spelling in _by_kind():
            return _ALIASES.get(spelling) or _by_kind()[spelling]
    return ()


@lru_cache(maxsize=1)
def _by_kind() -> dict[str, tuple[str, ...]]:
    kinds = {kind for kinds in _ALIASES.values() for kind in kinds} | {*LIGHT, "SOFTMAX"}
    return {_plain(kind): (kind,) for kind in kinds}


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
