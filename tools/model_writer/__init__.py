"""A graph with random weights as a .tflite file."""

from __future__ import annotations

from .save import save_reordered, save_tflite
from .tflite import write_tflite

__all__ = ["save_reordered", "save_tflite", "write_tflite"]
