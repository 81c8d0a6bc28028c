"""A written model on disk: whole or not at all."""

from __future__ import annotations

import os

from ...core.files import save_whole
from ...graph import ModelGraph
from ...model_zoo.named import build_architecture, names_dtype
from .tflite import write_tflite


def save_tflite(
    graph: ModelGraph, path: str | os.PathLike[str], *, seed: int = 0, force: bool = False
) -> int:
    """Write `graph` with random weights to `path`, and return the number of bytes.

    Raises:
        UsageError: the file exists and `force` is not set, its folder does not, or what cannot be written.
        EdgewrightError: the disk is full, or the folder may not be written to.
    """
    return save_whole(lambda: write_tflite(graph, seed=seed), path, force=force)


def save_architecture(name: str, path: str | os.PathLike[str], *, seed: int = 0, force: bool = False) -> int:
    """Write a named network, int8 unless its name says a type, and return the number of bytes.

    Raises:
        UsageError: no such network; else as `save_tflite`.
    """
    graph = build_architecture(name) if names_dtype(name) else build_architecture(name, dtype="int8")
    return save_tflite(graph, path, seed=seed, force=force)
