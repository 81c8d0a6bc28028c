"""Architectures that are known by name."""

from __future__ import annotations

from ..model_zoo.named import architecture_names
from .pages import ArchitectureList


def list_architectures() -> ArchitectureList:
    """Every architecture that needs no file."""
    return ArchitectureList(architectures=tuple(architecture_names()))
