"""The FlatBuffer of a .tflite file, from the parts up."""

from __future__ import annotations

from collections.abc import Container, Mapping

import flatbuffers
import numpy as np
import tflite

from ....hardware_db.errors import UsageError
from ...graph import DType, ModelGraph, Op, Quantization, Tensor
from ..tflite.schema import FILE_IDENTIFIER, OFFLINE_PLAN, SCHEMA_VERSION, dtypes, enumeration
from .flat import data, numbers, offsets
from .options import nearest_hint, write_options
from .weights import Bytes, content, spreads

DATA_ALIGNMENT = 16
"""Of constants in the file: the schema's force_align, which kernels rely on."""
LARGEST_FILE = (1 << 31) - 1
_BEYOND_A_BYTE = 127
"""Stands for greater operator codes where readers know one byte only."""


Contents = Mapping[tuple[int, int], Bytes]
"""Data of constants by (subgraph, tensor)."""


def write_tflite(graph: ModelGraph, *, seed: int = 0, contents: Contents | None = None) -> bytes:
    """A .tflite file that LiteRT and TensorFlow Lite Micro load.

    Constants are stored densely with random weights, except where the graph knows their content or it is
    given. Metadata are left out, but for the memory plan of a graph that was not changed since it was read;
    signatures stand where contents are given.

    Args:
        graph: dimensions of -1 are written as 1 with a signature that leaves them open.
        seed: the same graph and seed give the same bytes.
        contents: what constants hold; of those with the same buffer, the first stands for all.

    Raises:
        UsageError: an operator or option that the schema does not have, a custom operator (a graph does not
            hold its options), or weights beyond 2 GiB.
    """
    size = sum(tensor.bytes or tensor.stored_bytes for tensor in graph.parameters)
    if size > LARGEST_FILE:
        raise UsageError(f"{graph.name} has {size:,} bytes of weights; a .tflite file ends at 2 GiB.")
    return Writer(graph, seed, size, contents).written()


class Writer:
    def __init__(self, graph: ModelGraph, seed: int, size: int, contents: Contents | None = None) -> None:
        self._graph = graph
        self._seed = seed
        self._contents: Contents = contents or {}
        self._builder = flatbuffers.Builder(size + (1 << 16))
        self._types = {dtype: number for number, dtype in dtypes().items()}
        self._codes: dict[tuple[str, int], int] = {}
        self._buffers: dict[tuple[object, ...], int] = {}
        self._constants: list[tuple[int, Tensor]] = []
        """Subgraph and tensor of every content, in the order of the buffers."""
        self._ranked: Container[int] = ()
        """Tensors that say that their rank is known, as converters write it."""

    def written(self) -> bytes:
        b, graph = self._builder, self._graph
        subgraphs = [self._subgraph(number) for number in range(len(graph.subgraphs))]
        codes = [self._code(*key) for key in self._codes]
        spread = [spreads(subgraph) for subgraph in graph.subgraphs]
        buffers = [self._empty_buffer()]
        for number, tensor in self._constants:
            seed = (self._seed, number, tensor.index)
            given = self._contents.get((number, tensor.index))
            if given is None:
                given = content(tensor, spread[number].get(tensor.index), seed)
            buffers.append(self._buffer(given))
        metadata = self._metadata(buffers)
        signatures = range(len(graph.signatures)) if self._contents else ()
        signed = [self._signature(number) for number in signatures]
        signatures_at = offsets(b, tflite.ModelStartSignatureDefsVector, signed) if signed else 0
        about = graph.description_untrusted if self._contents else "edgewright: random weights"
        description = b.CreateString(about)
        codes_at = offsets(b, tflite.ModelStartOperatorCodesVector, codes)
        subgraphs_at = offsets(b, tflite.ModelStartSubgraphsVector, subgraphs)
        buffers_at = offsets(b, tflite.ModelStartBuffersVector, buffers)
        tflite.ModelStart(b)
        tflite.ModelAddVersion(b, SCHEMA_VERSION)
        tflite.ModelAddOperatorCodes(b, codes_at)
        tflite.ModelAddSubgraphs(b, subgraphs_at)
        tflite.ModelAddDescription(b, description)
        tflite.ModelAddBuffers(b, buffers_at)
        tflite.ModelAddMetadata(b, metadata)
        tflite.ModelAddSignatureDefs(b, signatures_at)
        b.Finish(tflite.ModelEnd(b), file_identifier=FILE_IDENTIFIER)
        return bytes(b.Output())

    def _metadata(self, buffers: list[int]) -> int:
        """The list of metadata, 0 for none; what they hold joins `buffers`."""
        b = self._builder
        entries = []
        for plan in () if self._graph.history else self._graph.offline_plans:
            buffers.append(self._buffer(np.array(plan, dtype="<i4").view(np.uint8)))
            name = b.CreateString(OFFLINE_PLAN)
            tflite.MetadataStart(b)
            tflite.MetadataAddName(b, name)
            tflite.MetadataAddBuffer(b, len(buffers) - 1)
            entries.append(int(tflite.MetadataEnd(b)))
        return offsets(b, tflite.ModelStartMetadataVector, entries) if entries else 0

    def _subgraph(self, number: int) -> int:
        b, subgraph = self._builder, self._graph.subgraphs[number]
        tensors_at = offsets(
            b, tflite.SubGraphStartTensorsVector, [self._tensor(t, number) for t in subgraph.tensors]
        )
        ops_at = offsets(b, tflite.SubGraphStartOperatorsVector, [self._operator(op) for op in subgraph.ops])
        name = b.CreateString(subgraph.name_untrusted)
        inputs, outputs = numbers(b, subgraph.inputs, "<i4"), numbers(b, subgraph.outputs, "<i4")
        tflite.SubGraphStart(b)
        tflite.SubGraphAddTensors(b, tensors_at)
        tflite.SubGraphAddInputs(b, inputs)
        tflite.SubGraphAddOutputs(b, outputs)
        tflite.SubGraphAddOperators(b, ops_at)
        tflite.SubGraphAddName(b, name)
        return int(tflite.SubGraphEnd(b))

    def _tensor(self, tensor: Tensor, subgraph: int) -> int:
        b = self._builder
        name = b.CreateString(tensor.name_untrusted)
        shape = numbers(b, [1 if size < 0 else size for size in tensor.shape], "<i4")
        signature = numbers(b, tensor.shape, "<i4") if -1 in tensor.shape else 0
        quantization = self._tensor_quantization(tensor)
        tflite.TensorStart(b)
        tflite.TensorAddShape(b, shape)
        tflite.TensorAddType(b, self._types[tensor.dtype])
        tflite.TensorAddBuffer(b, self._buffer_number(tensor, subgraph))
        tflite.TensorAddName(b, name)
        tflite.TensorAddQuantization(b, quantization)
        tflite.TensorAddIsVariable(b, tensor.is_variable)
        tflite.TensorAddShapeSignature(b, signature)
        tflite.TensorAddHasRank(b, tensor.index in self._ranked)
        return int(tflite.TensorEnd(b))

    def _tensor_quantization(self, tensor: Tensor) -> int:
        return self._quantization(tensor.quantization, tensor.dtype) if tensor.quantization else 0

    def _quantization(self, quantization: Quantization, dtype: DType) -> int:
        b = self._builder
        scales = numbers(b, quantization.scales, "<f4")
        zero_points = numbers(b, quantization.zero_points, "<i8")
        ranges = ([], []) if self._contents else _range(quantization, dtype)
        lowest, highest = (numbers(b, ends, "<f4") if ends else 0 for ends in ranges)
        tflite.QuantizationParametersStart(b)
        tflite.QuantizationParametersAddMin(b, lowest)
        tflite.QuantizationParametersAddMax(b, highest)
        tflite.QuantizationParametersAddScale(b, scales)
        tflite.QuantizationParametersAddZeroPoint(b, zero_points)
        tflite.QuantizationParametersAddQuantizedDimension(b, quantization.axis)
        return int(tflite.QuantizationParametersEnd(b))

    def _operator(self, op: Op) -> int:
        b = self._builder
        options = self._options(op)
        inputs, outputs = numbers(b, op.inputs, "<i4"), numbers(b, op.outputs, "<i4")
        intermediates = numbers(b, op.intermediates, "<i4") if op.intermediates else 0
        key = (op.kind, op.version)
        tflite.OperatorStart(b)
        tflite.OperatorAddOpcodeIndex(b, self._codes.setdefault(key, len(self._codes)))
        tflite.OperatorAddInputs(b, inputs)
        tflite.OperatorAddOutputs(b, outputs)
        tflite.OperatorAddIntermediates(b, intermediates)
        match options:
            case ("BuiltinOptions", member, offset):
                tflite.OperatorAddBuiltinOptionsType(b, member)
                tflite.OperatorAddBuiltinOptions(b, offset)
            case ("BuiltinOptions2", member, offset):
                tflite.OperatorAddBuiltinOptions2Type(b, member)
                tflite.OperatorAddBuiltinOptions2(b, offset)
        return int(tflite.OperatorEnd(b))

    def _code(self, kind: str, version: int) -> int:
        b = self._builder
        code = self._number(kind)
        tflite.OperatorCodeStart(b)
        tflite.OperatorCodeAddDeprecatedBuiltinCode(b, min(code, _BEYOND_A_BYTE))
        tflite.OperatorCodeAddVersion(b, version)
        tflite.OperatorCodeAddBuiltinCode(b, code)
        return int(tflite.OperatorCodeEnd(b))

    def _options(self, op: Op) -> tuple[str, int, int] | None:
        return write_options(self._builder, op)

    def _number(self, kind: str) -> int:
        return _operator_code(kind)

    def _buffer_number(self, tensor: Tensor, subgraph: int) -> int:
        """Number of the buffer with a constant's data; 0, which is empty, for everything else."""
        if not tensor.is_constant:
            return 0
        shared = (tensor.buffer, tensor.dtype, tensor.elements)
        key = (subgraph, tensor.index) if tensor.buffer is None else shared
        if key not in self._buffers:
            self._constants.append((subgraph, tensor))
            self._buffers[key] = len(self._constants)
        return self._buffers[key]

    def _signature(self, number: int) -> int:
        b, signature = self._builder, self._graph.signatures[number]
        inputs = [self._named(*each) for each in signature.inputs_untrusted]
        outputs = [self._named(*each) for each in signature.outputs_untrusted]
        key = b.CreateString(signature.key_untrusted)
        inputs_at = offsets(b, tflite.SignatureDefStartInputsVector, inputs)
        outputs_at = offsets(b, tflite.SignatureDefStartOutputsVector, outputs)
        tflite.SignatureDefStart(b)
        tflite.SignatureDefAddInputs(b, inputs_at)
        tflite.SignatureDefAddOutputs(b, outputs_at)
        tflite.SignatureDefAddSignatureKey(b, key)
        tflite.SignatureDefAddSubgraphIndex(b, signature.subgraph)
        return int(tflite.SignatureDefEnd(b))

    def _named(self, name: str, tensor: int) -> int:
        b = self._builder
        name_at = b.CreateString(name)
        tflite.TensorMapStart(b)
        tflite.TensorMapAddName(b, name_at)
        tflite.TensorMapAddTensorIndex(b, tensor)
        return int(tflite.TensorMapEnd(b))

    def _empty_buffer(self) -> int:
        tflite.BufferStart(self._builder)
        return int(tflite.BufferEnd(self._builder))

    def _buffer(self, held: Bytes) -> int:
        data_at = data(self._builder, held, DATA_ALIGNMENT)
        tflite.BufferStart(self._builder)
        tflite.BufferAddData(self._builder, data_at)
        return int(tflite.BufferEnd(self._builder))


def _range(quantization: Quantization, dtype: DType) -> tuple[list[float], list[float]]:
    """Smallest and largest real value of each channel, as converters note them for 8-bit tensors."""
    if dtype is not DType.INT8:
        return [], []
    pairs = list(zip(quantization.scales, quantization.zero_points, strict=True))
    return [(-128 - zero) * scale for scale, zero in pairs], [(127 - zero) * scale for scale, zero in pairs]


def _operator_code(kind: str) -> int:
    numbered = {name: number for number, name in enumeration("BuiltinOperator").items()}
    if kind not in numbered:
        raise UsageError(f"A .tflite file has no operator {kind!r}.", hint=nearest_hint(kind, numbered))
    if kind in {"CUSTOM", "DELEGATE"}:
        raise UsageError(f"A {kind} operator cannot be written: its options are not part of the graph.")
    return numbered[kind]
