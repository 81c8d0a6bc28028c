"""What changes make of a graph on the deployment that was asked about last, for the next question on it."""

from __future__ import annotations

from dataclasses import field

from ..core.deployment import Deployment
from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.memoize import memoized
from .optimization_report import Option


@dataclass(frozen=True)
class Built:
    graph: ModelGraph
    deployment: Deployment


@dataclass(eq=False)
class Kept:
    deployment: Deployment
    built: dict[tuple[str, ...], Built | str] = field(default_factory=dict)
    """Names of changes in order → what they make, or why they do not apply."""
    graphs: dict[str, ModelGraph] = field(default_factory=dict)
    """By SHA-256."""
    memory: tuple[Option, ...] | None = None
    """Other plans of the memory; None where nobody asked."""


def kept(graph: ModelGraph, deployment: Deployment) -> Kept:
    """That of this deployment alone, as changed graphs take room."""
    last: list[Kept] = memoized(graph, "changes", None, list)
    for found in last:
        if found.deployment == deployment:
            return found
    last[:] = [Kept(deployment)]
    return last[0]
