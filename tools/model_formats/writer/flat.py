"""What FlatBuffers' builder lacks: vectors of offsets, and data at an alignment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import flatbuffers
import numpy as np

from .weights import Bytes


def offsets(
    b: flatbuffers.Builder, start: Callable[[flatbuffers.Builder, int], Any], items: Sequence[int]
) -> int:
    """A vector of tables; `start` is the schema's function that begins it."""
    start(b, len(items))
    for item in reversed(items):
        b.PrependUOffsetTRelative(item)
    return int(b.EndVector())


def numbers(b: flatbuffers.Builder, values: Sequence[int] | Sequence[float], dtype: str) -> int:
    return int(b.CreateNumpyVector(np.array(values, dtype=dtype)))


def data(b: flatbuffers.Builder, content: Bytes, alignment: int) -> int:
    size = content.size
    b.StartVector(1, size, alignment)
    b.head -= size
    b.Bytes[b.head : b.head + size] = content.data
    return int(b.EndVector())
