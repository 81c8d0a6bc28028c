"""A network in ONNX's operators, written in TFLite's: the way of every format that is put into them."""

from __future__ import annotations

from ....hardware_db.errors import ModelFileError
from ...core.records import replace
from ...graph import Subgraph
from ..graphs import check_graph
from . import arithmetic, control, matrices, moves, windows
from .document import Document
from .emitter import Called, Emitter
from .handlers import Handlers
from .integers import quantized_values
from .simplify import simplify

_HANDLERS = {
    **arithmetic.HANDLERS,
    **control.HANDLERS,
    **matrices.HANDLERS,
    **moves.HANDLERS,
    **windows.HANDLERS,
}
_NONE: Handlers = {}

SENSELESS = (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
"""What reading an operator ends in that has no sense, such as a convolution without weights."""


def lowered(document: Document, name: str, more: Handlers = _NONE) -> tuple[Subgraph, ...]:
    """The network of `document`, simplified as runtimes simplify it: the main graph, and those that it calls.

    Args:
        name: of the model, cleaned, for people.
        more: what writes kinds of nodes that ONNX has not.

    Raises:
        ModelFileError: it computes nothing.
        DamagedError: what no runtime can run.
    """
    called = Called()
    called.lower = lambda inner: _written(inner, more, called)
    main = _written(document, more, called)
    if not main.ops:
        raise ModelFileError(f"{name!r} computes nothing.", hint="Export the model again.")
    subgraphs = (replace(main, name_untrusted="main"), *called.subgraphs)
    check_graph(subgraphs)
    return subgraphs


def _written(document: Document, more: Handlers, called: Called) -> Subgraph:
    simplify(document)
    quantized_values(document)
    emitter = Emitter(document, called)
    inputs = tuple(emitter.tensor(i) for i in document.inputs)
    for node in document.nodes:
        emitter.write(node, _HANDLERS.get(node.kind) or more.get(node.kind))
    outputs = tuple(emitter.tensor(o) for o in document.outputs)
    return Subgraph("", tuple(emitter.tensors), tuple(emitter.ops), inputs, outputs)
