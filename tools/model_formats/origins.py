"""Which file of this machine a graph was read from, for tools that need the weights, too.

Kept with the graph, as what follows from it is, and not among its fields: a path belongs neither to a model's
identity nor into its JSON, and a graph that is made from another one was read from no file.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..graph import ModelGraph

_ORIGIN = "_origin"


def read_from(graph: ModelGraph, path: Path) -> ModelGraph:
    """Note where `graph` was read from."""
    graph.__dict__[_ORIGIN] = path.absolute()
    return graph


def origin_of(graph: ModelGraph) -> Path | None:
    """None where it was built, changed, or given as bytes."""
    found: Path | None = graph.__dict__.get(_ORIGIN)
    return found


def file_of(graph: ModelGraph) -> bytes | None:
    """The bytes that the graph was read from; None where there was no file, or it has changed since."""
    path = origin_of(graph)
    if path is None:
        return None
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == graph.sha256 else None
