"""How large a converter's .tflite file is: tables, names, scales and padding, without writing a weight."""

from __future__ import annotations

import tflite

from ....hardware_db.errors import UsageError
from ...graph import ModelGraph, Op, Tensor
from ...graph.memoize import memoized
from ..tflite.schema import FILE_IDENTIFIER, SCHEMA_VERSION, enumeration
from .flat import numbers, offsets
from .tflite import Writer

_SPARE_BUFFER = 12
"""TensorFlow's converter writes an empty buffer for each tensor that is computed: its table, its place in the
list and its number in the tensor. ai-edge-litert drops them (flatbuffer_utils.py, _compact_buffers_array)."""
_CASTS = frozenset({"QUANTIZE", "DEQUANTIZE"})
"""What ai-edge-quantizer adds, with no table that could be left out (transformations/quant_insert.py)."""
_DESCRIPTION = "MLIR Converted."
_VECTOR_ALIGNMENT = 4


def converted_bytes(graph: ModelGraph, original: ModelGraph) -> int:
    """Bytes of `graph` as a converter writes it that made it of `original`.

    What the graph does not hold, such as the end of long names, is taken from the size of the original's
    file, where there is one.

    Raises:
        UsageError: an operator that no .tflite file has.
    """
    if original.format != "tflite" or original.file_bytes is None:
        return tflite_bytes(graph)
    left = original.file_bytes - tflite_bytes(original)
    spare = _SPARE_BUFFER * sum(not t.is_constant for sub in original.subgraphs for t in sub.tensors)
    return tflite_bytes(graph) + left - (spare if left >= spare / 2 else 0)


def tflite_bytes(graph: ModelGraph) -> int:
    """Bytes of `graph` as a .tflite file.

    Packed as the Python object API of the schema does, which TensorFlow's converter (flatbuffer_utils.py,
    when it adds its metadata) and ai-edge-quantizer write with: data aligned to 4 bytes, equal vtables once.

    Raises:
        UsageError: an operator that no .tflite file has.
    """
    return memoized(graph, "tflite bytes", None, lambda: _Sizes(graph).total())


class _Sizes(Writer):
    """Builds all of the file but the constants, and counts these."""

    def __init__(self, graph: ModelGraph) -> None:
        super().__init__(graph, seed=0, size=0)
        self._counted = 0
        casts = {i for op in graph.ops if op.kind in _CASTS for i in op.outputs}
        self._ranked = frozenset(t.index for s in graph.subgraphs for t in s.tensors) - casts

    def total(self) -> int:
        b, graph = self._builder, self._graph
        held = []
        subgraphs = [self._subgraph(number) for number in range(len(graph.subgraphs))]
        codes = [self._code(*key) for key in self._codes]
        buffers = [
            self._empty_buffer(),
            *(self._hollow(tensor.stored_bytes) for _, tensor in self._constants),
        ]
        for name, size in graph.metadata_untrusted:
            buffers.append(self._hollow(size))
            held.append(self._metadata_entry(name, len(buffers) - 1))
        signatures = [self._signature(number) for number in range(len(graph.signatures))]
        description = b.CreateString(graph.description_untrusted or _DESCRIPTION)
        codes_at = offsets(b, tflite.ModelStartOperatorCodesVector, codes)
        subgraphs_at = offsets(b, tflite.ModelStartSubgraphsVector, subgraphs)
        buffers_at = offsets(b, tflite.ModelStartBuffersVector, buffers)
        metadata_at = offsets(b, tflite.ModelStartMetadataVector, held) if held else 0
        signatures_at = offsets(b, tflite.ModelStartSignatureDefsVector, signatures) if signatures else 0
        tflite.ModelStart(b)
        tflite.ModelAddVersion(b, SCHEMA_VERSION)
        tflite.ModelAddOperatorCodes(b, codes_at)
        tflite.ModelAddSubgraphs(b, subgraphs_at)
        tflite.ModelAddDescription(b, description)
        tflite.ModelAddBuffers(b, buffers_at)
        tflite.ModelAddMetadata(b, metadata_at)
        tflite.ModelAddSignatureDefs(b, signatures_at)
        b.Finish(tflite.ModelEnd(b), file_identifier=FILE_IDENTIFIER)
        return len(b.Output()) + self._counted

    def _options(self, op: Op) -> tuple[str, int, int] | None:
        return None if op.kind in _CASTS else super()._options(op)

    def _number(self, kind: str) -> int:
        numbered = {name: number for number, name in enumeration("BuiltinOperator").items()}
        if kind not in numbered:
            raise UsageError(f"A .tflite file has no operator {kind!r}.")
        return numbered[kind]

    def _hollow(self, size: int) -> int:
        """A buffer whose data are counted alone; its vector's length is in the file."""
        b = self._builder
        self._counted += -(-size // _VECTOR_ALIGNMENT) * _VECTOR_ALIGNMENT
        b.StartVector(1, 0, 1)
        data_at = b.EndVector()
        tflite.BufferStart(b)
        tflite.BufferAddData(b, data_at)
        return int(tflite.BufferEnd(b))

    def _metadata_entry(self, name: str, buffer: int) -> int:
        b = self._builder
        name_at = b.CreateString(name)
        tflite.MetadataStart(b)
        tflite.MetadataAddName(b, name_at)
        tflite.MetadataAddBuffer(b, buffer)
        return int(tflite.MetadataEnd(b))

    def _tensor_quantization(self, tensor: Tensor) -> int:
        """Converters give each tensor a table, an empty one where there is nothing to tell."""
        b = self._builder
        quantization = tensor.quantization
        if quantization is None:
            if tensor.index not in self._ranked:
                return 0
            tflite.QuantizationParametersStart(b)
            return int(tflite.QuantizationParametersEnd(b))
        scales = numbers(b, quantization.scales, "<f4")
        zero_points = numbers(b, quantization.zero_points, "<i8")
        tflite.QuantizationParametersStart(b)
        tflite.QuantizationParametersAddScale(b, scales)
        tflite.QuantizationParametersAddZeroPoint(b, zero_points)
        tflite.QuantizationParametersAddQuantizedDimension(b, quantization.axis)
        return int(tflite.QuantizationParametersEnd(b))
