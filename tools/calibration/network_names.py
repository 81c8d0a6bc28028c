"""What published measurements call a network → the spec of an architecture that we can build."""

from __future__ import annotations

from .network_names_cnn import architecture_of_cnn
from .network_names_other import architecture_of_other


def architecture_of(name: str, input_shape: str) -> str:
    """The spec of the architecture that a published name means; empty where we cannot build it."""
    return architecture_of_cnn(name, input_shape) or architecture_of_other(name, input_shape)
