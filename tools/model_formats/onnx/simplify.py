"""What every runtime does before it runs a graph: fold constants, drop the unread, fuse operators."""

from __future__ import annotations

from collections.abc import Callable

from ...graph import DType
from .document import Constant, Document, Node
from .fusion import fuse
from .shapes import FOLDED

_SAME_DATA = frozenset({"Identity", "Dropout"})
_SMALL = 1 << 16


def simplify(document: Document) -> None:
    """Rewrite `document` in place; every name that is still read keeps its meaning."""
    for step in (_plain_sums, drop_unread, _pass_through, _fold_constants, fuse, drop_unread):
        step(document)


def _plain_sums(document: Document) -> None:
    for node in document.nodes:
        if node.kind == "Sum" and len(node.inputs) == 2:
            node.kind = "Add"


def drop_unread(document: Document) -> None:
    needed = set(document.outputs)
    kept = []
    for node in reversed(document.nodes):
        if needed.intersection(node.outputs):
            kept.append(node)
            needed.update(node.inputs)
    document.nodes[:] = reversed(kept)


def _pass_through(document: Document) -> None:
    """Operators that hand on their input: inference has no dropout."""
    _rename(document, lambda node: (node.kind in _SAME_DATA and node.has(0)) or _cast_to_same(document, node))


def _cast_to_same(document: Document, node: Node) -> bool:
    if node.kind != "Cast":
        return False
    return document.value(node.inputs[0]).dtype is document.value(node.outputs[0]).dtype


def _rename(document: Document, hands_on: Callable[[Node], object]) -> None:
    known: dict[str, str] = {}
    kept = []
    for node in document.nodes:
        node.inputs = [known.get(name, name) for name in node.inputs]
        if hands_on(node) and node.outputs[0] not in document.outputs:
            known[node.outputs[0]] = node.inputs[0]
        else:
            kept.append(node)
    document.nodes[:] = kept


def _fold_constants(document: Document) -> None:
    """Arithmetic on shapes and small constants, all of which is known before the first inference."""
    kept = []
    for node in document.nodes:
        if not _is_static(document, node):
            kept.append(node)
            continue
        for name in node.outputs:
            value = document.values[name]
            document.constants[name] = Constant(value.shape or (), value.dtype)
    document.nodes[:] = kept


def _is_static(document: Document, node: Node) -> bool:
    if node.kind not in FOLDED or _is_output(document, node):
        return False
    made = [document.values.get(name) for name in node.outputs]
    if any(value is None or value.shape is None or -1 in value.shape for value in made):
        return False
    constants = [document.constants[name] for name in node.inputs if name in document.constants]
    if node.kind in {"Shape", "Size"}:
        return True
    if any(constant.elements > _SMALL and constant.dtype is not DType.INT64 for constant in constants):
        return False
    return len(constants) == sum(name != "" for name in node.inputs)


def _is_output(document: Document, node: Node) -> bool:
    return any(name in document.outputs for name in node.outputs)
