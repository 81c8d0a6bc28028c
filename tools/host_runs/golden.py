"""Golden vectors: inputs, and what a model's reference kernels make of them, for a board to compare with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..codegen.instrumented import GoldenVector, Instrument, comparable
from ..core.isolated import FailedError, run_isolated, worker_folder
from ..graph import DType, ModelGraph, Tensor

VECTORS = 3
MOST_BYTES = 64 << 10
"""Of flash that all vectors may take; one is made whatever it takes, up to four times that."""
SECONDS, MEMORY_BYTES = 120, 8 << 30
_WORKER = f"{__package__}.worker"
_SEED = 1
_NUMPY: dict[DType, npt.DTypeLike] = {
    DType.INT8: np.int8, DType.INT16: np.int16, DType.INT32: np.int32, DType.INT64: np.int64,
    DType.UINT8: np.uint8, DType.UINT32: np.uint32, DType.BOOL: np.bool_, DType.FLOAT32: np.float32,
}  # fmt: skip


def instrument_for(graph: ModelGraph, model: bytes) -> Instrument:
    """The model's file with golden vectors, or with the reason why there are none."""
    if not graph.inputs or not comparable((*graph.inputs, *graph.outputs)):
        return _without(model, "an input or output has an open size or a type that is not compared")
    size = sum(_size(tensor) for tensor in (*graph.inputs, *graph.outputs))
    if size > 4 * MOST_BYTES:
        return _without(model, f"one takes {size:,} bytes of flash")
    count = max(1, min(VECTORS, MOST_BYTES // size))
    inputs = [_drawn(tensor, count) for tensor in graph.inputs]
    try:
        made_by, outputs = _computed(model, inputs)
    except FailedError as error:
        return _without(model, f"neither tflite-micro nor LiteRT runs the model here ({error})")
    if [each[0].nbytes for each in outputs] != [_size(tensor) for tensor in graph.outputs]:
        return _without(model, "the outputs here have other sizes than the graph")
    vectors = tuple(GoldenVector(_at(inputs, at), _at(outputs, at)) for at in range(count))
    many = f"{count} golden vectors were" if count > 1 else "One golden vector was"
    return Instrument(model, vectors, (f"{many} computed here with {made_by}: {count * size:,} bytes.",))


def _without(model: bytes, why: str) -> Instrument:
    return Instrument(model, (), (f"No golden vectors: {why}.",))


def _size(tensor: Tensor) -> int:
    return (tensor.elements or 0) * np.dtype(_NUMPY[tensor.dtype]).itemsize


def _at(arrays: Sequence[npt.NDArray[Any]], at: int) -> tuple[bytes, ...]:
    return tuple(np.ascontiguousarray(array[at]).tobytes() for array in arrays)


def _drawn(tensor: Tensor, count: int) -> npt.NDArray[Any]:
    """Noise, each vector at half the amplitude of the one before; whole numbers around their zero point.

    Whole numbers of 32 bits and more are often positions in something: they are 0 and 1.
    """
    generator = np.random.default_rng(_SEED)
    shape = (count, *(max(1, side) for side in tensor.shape))
    kind = np.dtype(_NUMPY[tensor.dtype])
    if kind.kind == "b" or (kind.kind in "iu" and kind.itemsize > 2):
        return generator.integers(0, 2, shape).astype(kind)
    halved = 0.5 ** np.arange(count).reshape(count, *(1,) * len(tensor.shape))
    noise = generator.uniform(-1, 1, shape) * halved
    if kind.kind == "f":
        return noise.astype(kind)
    limits = np.iinfo(kind)
    known = tensor.quantization
    zero = int(known.zero_points[0]) if known is not None and len(known.zero_points) else 0
    values = np.rint(zero + noise * (limits.max - limits.min) / 2)
    return np.clip(values, limits.min, limits.max).astype(kind)


def _computed(model: bytes, inputs: Sequence[npt.NDArray[Any]]) -> tuple[str, list[npt.NDArray[Any]]]:
    """
    Raises:
        FailedError: neither library runs it.
    """
    with worker_folder("golden") as made:
        folder = Path(made)
        folder.joinpath("model.tflite").write_bytes(model)
        np.savez(folder / "inputs.npz", *inputs)
        request = {"step": "golden", "model": "model.tflite"}
        folder.joinpath("request.json").write_text(json.dumps(request), encoding="utf-8")
        run_isolated(_WORKER, folder, seconds=SECONDS, memory_bytes=MEMORY_BYTES)
        try:
            answer = json.loads(folder.joinpath("answer.json").read_text(encoding="utf-8"))
            with np.load(folder / "outputs.npz", allow_pickle=False) as loaded:
                return str(answer["made_by"]), [loaded[f"arr_{at}"] for at in range(len(loaded.files))]
        except (OSError, ValueError, KeyError) as error:
            raise FailedError("no outputs came back") from error
