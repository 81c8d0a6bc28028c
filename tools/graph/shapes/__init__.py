"""Recomputes every shape of a graph from the shapes of its inputs."""

from .change import with_batch, with_input_shapes
from .operands import Shape
from .propagate import propagate_shapes

__all__ = ["Shape", "propagate_shapes", "with_batch", "with_input_shapes"]
