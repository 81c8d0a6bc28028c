"""What stands between DequantizeLinear and QuantizeLinear computes in integers."""

from __future__ import annotations

from ...core.records import replace
from ...graph import DType
from .document import Document, Value
from .simplify import drop_unread


def quantized_values(document: Document) -> None:
    """Operators between DequantizeLinear and QuantizeLinear compute in integers: the pair disappears.

    A pair stays where the graph's own input or output is float, or where an operator on one side is not
    quantised on the other.
    """
    producers, readers = document.producers(), document.readers()
    written = {
        q.inputs[0]: q
        for q in document.nodes
        if q.kind == "QuantizeLinear"
        and q.inputs[0] in producers
        and producers[q.inputs[0]].kind != "DequantizeLinear"
        and len(readers[q.inputs[0]]) == 1
        and q.inputs[0] not in document.outputs
    }
    read = {d.outputs[0]: d for d in document.nodes if d.kind == "DequantizeLinear"}
    gone: set[int] = set()
    for node in document.nodes:
        if node.kind in {"QuantizeLinear", "DequantizeLinear"}:
            continue
        floats = [
            i for i in node.inputs if i and document.value(i).dtype.is_float and i not in document.constants
        ]
        data_in = [i for i in floats if i in read]
        if not data_in or len(data_in) < len(floats) or not all(o in written for o in node.outputs):
            continue
        node.inputs = [read[i].inputs[0] if i in read else i for i in node.inputs]
        gone.update(id(written[o]) for o in node.outputs)
        node.outputs = [written[o].outputs[0] for o in node.outputs]
    document.nodes[:] = [node for node in document.nodes if id(node) not in gone]
    _fold_dequantized_weights(document)
    drop_unread(document)


def _fold_dequantized_weights(document: Document) -> None:
    """Weights that an operator reads in float are expanded once, at load."""
    kept = []
    for node in document.nodes:
        if node.kind == "DequantizeLinear" and node.inputs[0] in document.constants:
            stored = document.constants[node.inputs[0]]
            document.constants[node.outputs[0]] = replace(stored, dtype=DType.FLOAT32, content=None)
            document.values[node.outputs[0]] = Value(stored.shape, DType.FLOAT32)
        else:
            kept.append(node)
    document.nodes[:] = kept
