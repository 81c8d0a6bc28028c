"""One of the entry points of a file that has several, chosen by its name: `model.tflite#encode`."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...hardware_db.errors import UsageError, nearest
from ..core.records import replace
from ..graph import ModelGraph, Op
from ..graph.serialize import graph_sha256

_MARK = "#"
_CALLS = "_subgraph_index"
"""How options end that name a subgraph."""


def named_signature(source: str) -> tuple[str, str | None]:
    """A file and the signature that is named behind it; None where none is, or a file has that name."""
    file, mark, name = source.rpartition(_MARK)
    if not (mark and file and name) or os.path.exists(os.path.expanduser(source)):
        return source, None
    return file, name


def with_signature(graph: ModelGraph, name: str) -> ModelGraph:
    """What one inference of a signature runs: its subgraph, and those that it calls.

    Raises:
        UsageError: no such signature.
    """
    found = next((s for s in graph.signatures if s.key_untrusted == name), None)
    if found is None:
        raise _no_such(graph, name)
    place = {old: new for new, old in enumerate(dict.fromkeys(_reached(graph, found.subgraph)))}
    subgraphs = tuple(
        replace(graph.subgraphs[old], ops=tuple(_moved(op, place) for op in graph.subgraphs[old].ops))
        for old in place
    )
    made = replace(
        graph,
        name=f"{graph.name}{_MARK}{name}",
        subgraphs=subgraphs,
        signatures=(replace(found, subgraph=0),),
        zero_filters=graph.zero_filters if found.subgraph == 0 else (),
        offline_plans=(),
    )
    return replace(made, sha256=graph_sha256(made))


def _reached(graph: ModelGraph, first: int) -> Iterator[int]:
    """The subgraph itself, and what is called from there, each once."""
    waiting, seen = [first], set[int]()
    while waiting:
        index = waiting.pop(0)
        if index in seen:
            continue
        seen.add(index)
        yield index
        waiting += (called for op in graph.subgraphs[index].ops for called in _called(op, graph))


def _called(op: Op, graph: ModelGraph) -> Iterator[int]:
    for option in op.options:
        called = op.option_int(option, -1) if option.endswith(_CALLS) else -1
        if 0 <= called < len(graph.subgraphs):
            yield called


def _moved(op: Op, place: dict[int, int]) -> Op:
    calls = {
        option: place.get(op.option_int(option, -1), op.option_int(option, -1))
        for option in op.options
        if option.endswith(_CALLS)
    }
    return replace(op, options={**op.options, **calls}) if calls else op


def _no_such(graph: ModelGraph, name: str) -> UsageError:
    known = [signature.key_untrusted for signature in graph.signatures]
    if not known:
        return UsageError(f"{graph.name} names no signatures.", hint="Leave the signature out.")
    close = nearest(name, known) or known[:12]
    return UsageError(f"{graph.name} has no signature {name[:60]!r}.", hint=f"It has {', '.join(close)}.")
