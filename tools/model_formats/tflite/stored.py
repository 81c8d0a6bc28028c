"""The bytes of a .tflite file's constants: what a graph leaves where it lies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .buffers import Buffers
from .reader import Readable, Reader
from .schema import MODEL

Stored = Callable[[int], npt.NDArray[np.uint8]]
"""From the number of a buffer (`Tensor.buffer`)."""


def stored_in(data: Readable) -> Stored:
    """Views into `data`, which was read as a model before."""
    reader = Reader(data)
    fields = reader.read(MODEL, reader.root())
    buffers = Buffers(reader, fields[4], fields[7])

    def stored(buffer: int) -> npt.NDArray[np.uint8]:
        extent = buffers.extent(buffer)
        return np.frombuffer(data, np.uint8, extent.length, extent.start)

    return stored
