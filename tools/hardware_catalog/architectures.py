"""Architectures that are known by name."""

from __future__ import annotations

from ..model_zoo.named import architecture_names
from .pages import ArchitectureList


def list_architectures() -> ArchitectureList:
    """Every architecture that needs no file.

    Example:
        >>> list_architectures().architectures[:4]
        ('resnet50', 'mobilenet_v2', 'kws', 'vww')
    """
    return ArchitectureList(architectures=tuple(architecture_names()))
