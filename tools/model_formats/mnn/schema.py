"""The parts of MNN's schema that are read: fields by number, of schema/default/*.fbs in alibaba/MNN."""

from __future__ import annotations

from ..tflite.reader import OFFSET, Field, TableKind


def _table(name: str, *fields: tuple[int, str] | tuple[int, str, int], cost: int = 8) -> TableKind:
    return TableKind(name, tuple(Field(*each) for each in fields), cost=cost)


NET = _table("the network", (3, OFFSET), (4, OFFSET), (7, OFFSET))
"""oplists, outputName, tensorName"""
OP = _table("an operator", (0, OFFSET), (2, OFFSET), (3, OFFSET), (4, OFFSET), (5, "i"))
"""inputIndexes, main, name, outputIndexes, type"""
INPUT = _table("an input", (0, OFFSET), (1, "i", 1))
"""dims, dtype"""
BLOB = _table(
    "a constant", (0, OFFSET), (2, "i", 1), (3, OFFSET), (4, OFFSET), (5, OFFSET), (6, OFFSET),
    (7, OFFSET), (9, OFFSET),
)  # fmt: skip
"""dims, dataType, uint8s, int8s, int32s, int64s, float32s, external"""
CONVOLUTION = _table("a convolution", (0, OFFSET), (1, OFFSET), (2, OFFSET), (3, OFFSET), (4, OFFSET))
"""common, weight, bias, quanParameter, symmetricQuan"""
COMMON = _table(
    "a window", (0, "i"), (1, "i"), (2, "i", 1), (3, "i", 1), (4, "i", 1), (5, "i", 1), (6, "i", 1),
    (7, "i", 1), (8, "b"), (9, "i", 1), (10, "i"), (11, "i"), (12, "?"), (13, "?"), (14, OFFSET),
    (15, OFFSET),
)  # fmt: skip
"""padX, padY, kernelX, kernelY, strideX, strideY, dilateX, dilateY, padMode, group, outputCount, inputCount,
relu, relu6, pads, outPads"""
POOL = _table(
    "a pool", (0, "i"), (1, "i"), (2, "?"), (3, "i"), (4, "i"), (5, "i"), (6, "i"), (7, "b"), (8, "b"),
    (10, "?", 1), (11, OFFSET), (12, "b"),
)  # fmt: skip
"""padX, padY, isGlobal, kernelX, kernelY, strideX, strideY, type, padType, ceilModel, pads, countType"""
WHOLE = _table("a number", (0, "i"))
"""Of Axis, BinaryOp, UnaryOp, PackParam's dataType and whatever begins with a whole number."""
LIST = _table("a list", (0, OFFSET))
"""Of Permute, Reshape, SqueezeParam, LayerNorm."""
SLOPE = _table("a slope", (0, "f"))
BOUNDS = _table("bounds", (0, "f"), (1, "f", 6))
REDUCTION = _table("a reduction", (0, "b"), (1, OFFSET), (3, "?"))
"""operation, dim, keepDims"""
PRODUCT = _table("a product", (1, "?"), (2, "?"))
"""transposeA, transposeB"""
BATCHED = _table("a product", (0, "?"), (1, "?"))
DENSE = _table("a dense layer", (0, "i"), (1, "i"), (2, "i"), (5, "i"), (6, "?"))
"""outputCount, biasTerm, weightSize, axis, transpose"""
FLATTEN = _table("a flattening", (0, "i"), (1, "i"))
SLICE = _table("a slice", (0, "i"), (1, OFFSET))
"""axis, slicePoints"""
STRIDED = _table("a slice", (2, "i"), (3, "i"), (4, "i"), (5, "i"), (6, "i"), (7, "i"))
"""beginMask, endMask, ellipsisMask, newAxisMask, shrinkAxisMask, fromType: as ONNX has it 1"""
RESIZE = _table("a resizing", (0, "f"), (1, "f"), (2, "i"), (3, "i"), (4, "i"))
"""widthScale, heightScale, outputWidth, outputHeight, resizeType"""
CONVERTED = _table("a layout", (0, "b"), (1, "b"))
"""source, dest: NCHW 0, NHWC 1, NC4HW4 2"""
NORM = _table("a norm", (0, OFFSET), (2, OFFSET), (4, "i", 1))
"""axis, gamma, group"""
BLOCK = _table("blocks", (0, "i"), (1, "b"))
"""blockSize, mode"""
SCALE = _table("a scale", (0, "i"))
"""channels"""
