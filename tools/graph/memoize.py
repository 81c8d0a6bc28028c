"""What was worked out of a graph, kept with it: a graph never changes, nor does what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from .model import ModelGraph

T = TypeVar("T")


def memoized(graph: ModelGraph, name: str, key: Hashable, make: Callable[[], T]) -> T:
    """What `make` gave on the first call for this graph, name and key.

    The key has to hold all that `make` reads beside the graph: hand `make` the key, and nothing else.
    """
    results: dict[Hashable, T] = graph.__dict__.setdefault("_kept", {}).setdefault(name, {})
    try:
        return results[key]
    except KeyError:
        return results.setdefault(key, make())
