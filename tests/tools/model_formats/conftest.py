"""TFLite files written byte by byte, so that tests can make them hostile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stubs.flatbuffer_trees import Node
from stubs.flatbuffer_trees import encode as _encode


def _one_convolution() -> dict[int, Node]:
    """A 3×3 int8 CONV_2D from 8×8×1 to 8×8×2: tensors are input, weights, bias, output."""

    def tensor(shape: list[int], dtype: int, buffer: int, name: str, scales: list[float]) -> dict[int, Node]:
        quantization = {2: ("f", scales), 3: ("q", [0] * len(scales)), 6: ("i", 0)}
        return {0: ("i", shape), 1: ("b", dtype), 2: ("I", buffer), 3: name, 4: quantization}

    tensors = [
        tensor([1, 8, 8, 1], 9, 0, "image", [0.5]),
        tensor([2, 3, 3, 1], 9, 1, "weights", [0.25, 0.125]),
        tensor([2], 2, 2, "bias", [0.125, 0.0625]),
        tensor([1, 8, 8, 2], 9, 0, "features", [1.0]),
    ]
    options = {0: ("b", 0), 1: ("i", 1), 2: ("i", 1), 3: ("b", 1)}
    operator = {0: ("I", 0), 1: ("i", [0, 1, 2]), 2: ("i", [3]), 3: ("B", 1), 4: options}
    subgraph = {0: tensors, 1: ("i", [0]), 2: ("i", [3]), 3: [operator], 4: "main"}
    return {
        0: ("I", 3),
        1: [{0: ("b", 3), 2: ("i", 3), 3: ("i", 3)}],
        2: [subgraph],
        3: "a test model",
        4: [{}, {0: ("B", list(range(18)))}, {0: ("B", [0] * 8)}],
    }


@pytest.fixture(scope="session")
def encode() -> Callable[[Node], bytes]:
    """Writes a tree of plain values as a FlatBuffer with TFLite's identifier."""
    return _encode


@pytest.fixture
def tree() -> dict[int, Node]:
    """One small quantised convolution, as a tree that a test may change before it is encoded."""
    return _one_convolution()


@pytest.fixture(scope="session")
def small_model() -> bytes:
    return _encode(_one_convolution())
