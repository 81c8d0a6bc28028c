"""A TFLite FlatBuffer as a ModelGraph."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import replace

from ....hardware_db.errors import ModelFileError
from ...core.sanitize import clean_bytes
from ...graph import ModelGraph, Signature, Subgraph
from ..graphs import check_graph, check_shapes
from .buffers import Buffers, Extent
from .operators import OpCode, read_op_codes, read_ops
from .reader import DamagedError, Readable, Reader
from .schema import (
    DESCRIPTION,
    DESCRIPTION_IDENTIFIER,
    FILE_IDENTIFIER,
    LEAST_RUNTIME,
    METADATA,
    MODEL,
    MODEL_METADATA,
    OFFLINE_PLAN,
    SCHEMA_VERSION,
    SIGNATURE,
    SUBGRAPH,
    TENSOR,
    TENSOR_MAP,
)
from .tensors import bias_tensors, read_tensor
from .zero_filters import zero_filters

_PLAN_HEADER = 3
_HASHED_AT_ONCE = 1 << 24
_NOTHING = Extent(0, 0)
_LONGEST, _VERSION_BYTES = 1 << 20, 64
_SAID = ("name", "description", "version", "author", "licence")
_MOST_KEPT = 8
_read: dict[tuple[str, str], ModelGraph] = {}
"""By name and digest, the latest last: of a question's tools, the first reads the file."""


def is_tflite(data: Readable) -> bool:
    return len(data) >= 8 and bytes(data[4:8]) == FILE_IDENTIFIER


def parse_tflite(data: Readable, name: str) -> ModelGraph:
    """The model in `data`, whose weights are looked at for filters of zeros and not copied.

    Time and memory are bounded by a small multiple of the data's size, whatever it holds.

    Raises:
        ModelFileError: the bytes are no TFLite model, or a damaged one.
    """
    key = name, _sha256(data)
    try:
        graph = _read.pop(key, None) or _parse(data, *key)
    except DamagedError as damage:
        raise ModelFileError(
            f"{name!r} is a damaged or truncated TFLite model: {damage}.",
            hint="Export or download it again.",
        ) from damage
    for oldest in tuple(_read)[: 1 - _MOST_KEPT]:
        _read.pop(oldest, None)
    _read[key] = graph
    return replace(graph)


def forget() -> None:
    """Read every file anew from here on."""
    _read.clear()


def _parse(data: Readable, name: str, sha256: str) -> ModelGraph:
    reader = Reader(data)
    (
        version, codes_at, subgraphs_at, description_at, buffers_at, metadata_at, signatures_at, external_at,
    ) = reader.read(MODEL, reader.root())  # fmt: skip
    if version != SCHEMA_VERSION:
        raise DamagedError(f"it follows schema version {version}, not {SCHEMA_VERSION}")
    buffers = Buffers(reader, buffers_at, external_at)
    codes = read_op_codes(reader, codes_at)
    subgraphs = tuple(_subgraph(reader, at, codes, buffers) for at in reader.tables(SUBGRAPH, subgraphs_at))
    if not subgraphs or not subgraphs[0].ops:
        raise ModelFileError(
            f"{name!r} holds no operators: there is nothing to run.", hint="Export the model again."
        )
    check_graph(subgraphs)
    for subgraph in subgraphs:
        check_shapes(subgraph)
    metadata = [reader.read(METADATA, at) for at in reader.tables(METADATA, metadata_at)]
    buffers.check_disjoint()
    labels = [reader.text(label) for label, _ in metadata]
    extents = [buffers.extent(i) for _, i in metadata]
    return ModelGraph(
        name=name,
        format="tflite",
        sha256=sha256,
        file_bytes=len(data),
        subgraphs=subgraphs,
        signatures=tuple(_signature(reader, at, subgraphs) for at in reader.tables(SIGNATURE, signatures_at)),
        metadata_untrusted=tuple((name, extent.length) for name, extent in zip(labels, extents, strict=True)),
        notes_untrusted=_notes(reader, dict(zip(labels, extents, strict=True))),
        offline_plans=tuple(
            _words(reader, extent, _PLAN_HEADER + sum(len(s.tensors) for s in subgraphs))
            for name, extent in zip(labels, extents, strict=True)
            if name == OFFLINE_PLAN
        ),
        description_untrusted=reader.text(description_at),
        zero_filters=zero_filters(subgraphs[0], buffers, data),
    )


def _subgraph(reader: Reader, at: int, codes: list[OpCode], buffers: Buffers) -> Subgraph:
    tensors_at, inputs_at, outputs_at, ops_at, name_at = reader.read(SUBGRAPH, at)
    tables = reader.tables(TENSOR, tensors_at)
    ops = read_ops(reader, ops_at, codes, len(tables))
    biases = bias_tensors(ops)
    inputs, outputs = reader.numbers(inputs_at, "i"), reader.numbers(outputs_at, "i")
    for i in (*inputs, *outputs):
        if not 0 <= i < len(tables):
            raise DamagedError(f"tensor {i} is an input or output, of {len(tables)} tensors")
    return Subgraph(
        name_untrusted=reader.text(name_at),
        tensors=tuple(read_tensor(reader, table, i, buffers, biases) for i, table in enumerate(tables)),
        ops=ops,
        inputs=inputs,
        outputs=outputs,
    )


def _signature(reader: Reader, at: int, subgraphs: tuple[Subgraph, ...]) -> Signature:
    inputs_at, outputs_at, key_at, subgraph = reader.read(SIGNATURE, at)
    if subgraph >= len(subgraphs):
        raise DamagedError(f"a signature names subgraph {subgraph}, of {len(subgraphs)}")
    count = len(subgraphs[subgraph].tensors)
    return Signature(
        key_untrusted=reader.text(key_at),
        subgraph=subgraph,
        inputs_untrusted=_signature_tensors(reader, inputs_at, count),
        outputs_untrusted=_signature_tensors(reader, outputs_at, count),
    )


def _signature_tensors(reader: Reader, at: int, count: int) -> tuple[tuple[str, int], ...]:
    named = [reader.read(TENSOR_MAP, table) for table in reader.tables(TENSOR_MAP, at)]
    for _, index in named:
        if index >= count:
            raise DamagedError(f"a signature names tensor {index}, of {count}")
    return tuple((reader.text(label), index) for label, index in named)


def _notes(reader: Reader, extents: Mapping[str, Extent]) -> tuple[tuple[str, str], ...]:
    """What its maker says of it, and the runtime that it asks for."""
    asked = extents.get(LEAST_RUNTIME, _NOTHING)
    version = clean_bytes(_start(reader, asked, _VERSION_BYTES).partition(b"\0")[0])
    said = {**_said(_start(reader, extents.get(DESCRIPTION, _NOTHING), _LONGEST)), "oldest runtime": version}
    return tuple((what, text) for what, text in said.items() if text)


def _start(reader: Reader, extent: Extent, most: int) -> bytes:
    size = min(extent.length, most)
    reader.spend(size)
    return bytes(reader.data[extent.start : extent.start + size])


def _said(content: bytes) -> dict[str, str]:
    """Of a FlatBuffer within this one; a damaged one says nothing, and no runtime opens it."""
    if content[4:8] != DESCRIPTION_IDENTIFIER:
        return {}
    within = Reader(content)
    try:
        return dict(zip(_SAID, map(within.text, within.read(MODEL_METADATA, within.root())), strict=True))
    except DamagedError:
        return {}


def _words(reader: Reader, extent: Extent, at_most: int) -> tuple[int, ...]:
    """The first 32-bit words of a buffer."""
    count = min(extent.length // 4, at_most)
    reader.spend(4 * count)
    return struct.unpack_from(f"<{count}i", reader.data, extent.start)


def _sha256(data: Readable) -> str:
    digest = hashlib.sha256()
    with memoryview(data) as view:
        for start in range(0, len(view), _HASHED_AT_ONCE):
            digest.update(view[start : start + _HASHED_AT_ONCE])
    return digest.hexdigest()
