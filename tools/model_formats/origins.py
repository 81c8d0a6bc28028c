"""Which file of this machine a graph was read from, for tools that need the weights, too.

Kept beside the graphs and not in them: a path belongs neither to a model's identity nor into its JSON.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..graph import ModelGraph

_MOST = 1024
_paths: dict[str, Path] = {}


def remember(graph: ModelGraph, path: Path) -> ModelGraph:
    """Note where `graph` was read from."""
    if len(_paths) >= _MOST:
        _paths.pop(next(iter(_paths)))
    _paths[graph.sha256] = path.absolute()
    return graph


def is_known(graph: ModelGraph) -> bool:
    return graph.sha256 in _paths


def file_of(graph: ModelGraph) -> bytes | None:
    """The bytes that the graph was read from; None where there was no file, or it has changed since."""
    path = _paths.get(graph.sha256)
    if path is None:
        return None
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == graph.sha256 else None
