"""Branches and loops: operators that hold graphs, which become subgraphs that they call."""

from __future__ import annotations

from ...graph.model import OptionValue
from .carried import turns_of
from .document import Document, Node
from .emitter import Emitter
from .handlers import Handlers

_AS_IT_IS = frozenset({"Identity", "Cast"})


def branch(e: Emitter, n: Node) -> None:
    bodies = [n.bodies[name] for name in ("then_branch", "else_branch")]
    captured, _ = (_captured(e, n, body) for body in bodies)
    then_graph, else_graph = (e.called.add(body) for body in bodies)
    options: dict[str, OptionValue] = {
        "then_subgraph_index": then_graph, "else_subgraph_index": else_graph,
    }  # fmt: skip
    e.emit_node("IF", n, [e.tensor(n.inputs[0]), *captured], options)


def loop(e: Emitter, n: Node) -> None:
    """Inputs: how often at most, whether at all, what is carried; the body tells whether to go on."""
    options: dict[str, OptionValue] = {}
    most = e.document.constants.get(n.inputs[0])
    turns = turns_of(most.content[0]) if most is not None and most.content else None
    if turns is not None:
        options = {"trip_count": turns, "may_stop": _may_stop(n.bodies["body"])}
    _calling(e, n, options)


def scan(e: Emitter, n: Node) -> None:
    """Once for each element of what is scanned, the last of its inputs."""
    own = n.inputs[: len(n.inputs) - len(n.captured)]
    with_batch = e.document.opset < _WITHOUT_BATCH
    axes = n.integers("scan_input_axes") or (int(with_batch),)
    shape = e.document.value(own[len(own) - n.integer_of("num_scan_inputs", 1)]).shape
    steps = shape[axes[0]] if shape is not None and -len(shape) <= axes[0] < len(shape) else -1
    turns = steps * (shape[0] if with_batch and shape is not None else 1)
    _calling(e, n, {"trip_count": turns, "may_stop": False} if steps >= 0 and turns >= 0 else {})


def each_element(e: Emitter, n: Node) -> None:
    _calling(e, n, {})


def _calling(e: Emitter, n: Node, options: dict[str, OptionValue]) -> None:
    own = [e.tensor(name) for name in n.inputs[: len(n.inputs) - len(n.captured)]]
    captured = _captured(e, n, n.bodies["body"])
    options["body_subgraph_index"] = e.called.add(n.bodies["body"])
    outputs = [e.tensor(name) for name in n.outputs if name]
    e.emit("CUSTOM", [*own, *captured], outputs, options, custom=n.kind)


def _captured(e: Emitter, n: Node, body: Document) -> list[int]:
    """Hand a body what it reads of the graph around: constants as such, the rest as inputs."""
    computed = []
    for name, outer in zip(n.captured, n.inputs[len(n.inputs) - len(n.captured) :], strict=True):
        constant = e.document.constants.get(outer)
        if constant is not None:
            body.constants[name] = constant
            continue
        body.values[name] = e.document.value(outer)
        body.inputs.append(name)
        computed.append(e.tensor(outer))
    return computed


def _may_stop(body: Document) -> bool:
    """Whether the body may end the loop: not where it hands on that it goes on, or says so for good."""
    name, makers = body.outputs[0], body.producers()
    while name in makers and makers[name].kind in _AS_IT_IS:
        name = makers[name].inputs[0]
    held = body.constants.get(name)
    return name != body.inputs[1] and not (held is not None and held.content == (1.0,))


_WITHOUT_BATCH = 9
"""Opset from which on what is scanned has no batch ahead."""

HANDLERS: Handlers = {"If": branch, "Loop": loop, "Scan": scan, "SequenceMap": each_element}
