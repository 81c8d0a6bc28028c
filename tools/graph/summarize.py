"""What a model is and what each of its operators costs, as a result that can be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from .costs.parameters import parameter_count
from .costs.table import layer_table
from .layer_table import LayerTable
from .model import ModelGraph, Op, Signature
from .summary import (
    LayerSummary,
    MetadataSummary,
    ModelSummary,
    OperatorCount,
    SignatureSummary,
    TensorSummary,
    Uncounted,
)
from .tensor import Tensor

_ENDINGS = {
    "tflite": ".tflite", "onnx": ".onnx", "ncnn": ".param", "pt2": ".pt2", "pte": ".pte", "openvino": ".xml",
    "coreml": ".mlpackage", "mnn": ".mnn",
}  # fmt: skip
"""How names of files of a format end."""


def summarize_model(graph: ModelGraph) -> ModelSummary:
    """The result of `inspect`: size, work and layers at the graph's own batch.

    MACs and element operations are of the main subgraph, which one inference runs; parameters are of all
    subgraphs, data that several tensors share counted once.

    Example:
        >>> summary = summarize_model(parse_model("kws"))
        >>> summary
        <ModelSummary kws: 13 operators, 2,656,768 MACs, int8>
        >>> summary.layers[0].op, summary.layers[0].macs
        ('CONV_2D', 320000)
    """
    table = layer_table(graph)
    return ModelSummary(
        name=graph.name,
        format=graph.format,
        sha256=graph.sha256,
        file_bytes=graph.file_bytes,
        parameter_count=parameter_count(graph),
        parameter_bytes=graph.parameter_bytes,
        macs=table.total_macs,
        element_ops=int(table.element_ops[table.counted].sum()),
        op_count=len(graph.ops),
        operators=tuple(
            OperatorCount(op=kind, op_count=count)
            for kind, count in Counter(op.kind for op in graph.ops).most_common()
        ),
        subgraph_count=len(graph.subgraphs),
        dtype=graph.dtype.value,
        dtypes=tuple(dict.fromkeys(t.dtype.value for s in graph.subgraphs for t in s.tensors)),
        inputs=tuple(_tensor(t) for t in graph.inputs),
        outputs=tuple(_tensor(t) for t in graph.outputs),
        layers=tuple(_layer(graph, table, row) for row in range(len(table))),
        signatures=tuple(_signature(graph, signature) for signature in graph.signatures),
        metadata=tuple(_metadata(graph)),
        not_counted=_not_counted(graph, table),
        history=graph.history,
        assumptions=_assumptions(graph, table),
    )


def _signature(graph: ModelGraph, signature: Signature) -> SignatureSummary:
    sub = graph.subgraphs[signature.subgraph]
    ends = [
        tuple(_tensor(sub.tensors[i]).model_copy(update={"name_untrusted": name}) for name, i in side)
        for side in (signature.inputs_untrusted, signature.outputs_untrusted)
    ]
    return SignatureSummary(
        name_untrusted=signature.key_untrusted,
        subgraph=signature.subgraph,
        op_count=len(sub.ops),
        inputs=ends[0],
        outputs=ends[1],
    )


def _metadata(graph: ModelGraph) -> Iterator[MetadataSummary]:
    said = dict(graph.notes_untrusted)
    if graph.description_untrusted:
        said = {"made by": graph.description_untrusted} | said
    for name, text in said.items():
        yield MetadataSummary(name_untrusted=name, bytes=None, text_untrusted=text)
    for name, size in graph.metadata_untrusted:
        yield MetadataSummary(name_untrusted=name, bytes=size)


def _tensor(tensor: Tensor) -> TensorSummary:
    return TensorSummary(
        name_untrusted=tensor.name_untrusted,
        shape=tensor.shape,
        dtype=tensor.dtype.value,
        bytes=tensor.bytes,
    )


def _layer(graph: ModelGraph, table: LayerTable, row: int) -> LayerSummary:
    op = graph.ops[row]
    counted = bool(table.counted[row])
    inputs = [graph.tensors[i] for i in op.inputs if i >= 0]
    outputs = [graph.tensors[i] for i in op.outputs if i >= 0]
    return LayerSummary(
        index=op.index,
        op=op.kind,
        name_untrusted=op.custom_code_untrusted,
        version=op.version,
        dtype=table.dtypes[row],
        output_shape=outputs[0].shape if outputs else (),
        macs=int(table.macs[row]) if counted else None,
        element_ops=int(table.element_ops[row]) if counted else None,
        parameter_bytes=sum(t.stored_bytes for t in inputs if t.is_constant),
        input_bytes=_bytes(t for t in inputs if not t.is_constant),
        output_bytes=_bytes(outputs),
    )


def _bytes(tensors: Iterable[Tensor]) -> int | None:
    """Of the tensors as they lie in memory; None where one has no known size."""
    sizes = [t.bytes for t in tensors]
    return None if None in sizes else sum(s for s in sizes if s is not None)


def _not_counted(graph: ModelGraph, table: LayerTable) -> tuple[Uncounted, ...]:
    ops: dict[int, Op] = {op.index: op for op in graph.ops}
    return tuple(
        Uncounted(index=i, op=ops[i].kind, name_untrusted=ops[i].custom_code_untrusted, reason=reason)
        for i, reason in table.uncounted
    )


def _assumptions(graph: ModelGraph, table: LayerTable) -> tuple[str, ...]:
    said = []
    if not bool(np.all(table.counted)):
        said.append(f"macs leave out {len(table.uncounted)} of {len(table)} operators: see not_counted")
    said += [f"operator {index} ({graph.ops[index].label}) is {note}" for index, note in table.notes]
    if len(graph.subgraphs) > 1:
        said.append("macs are of the main subgraph and of what it calls")
    ending = f".{graph.name.rpartition('.')[2].casefold()}"
    of_file = graph.file_bytes is not None and graph.format in _ENDINGS
    if of_file and ending in _ENDINGS.values() and ending != _ENDINGS[graph.format]:
        said.append(f"the content is {graph.format}, although the name ends in {ending}")
    return tuple(said)
