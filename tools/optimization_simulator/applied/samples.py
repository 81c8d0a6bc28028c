"""Samples for a model's inputs: the user's, or random ones."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....hardware_db.errors import UsageError
from ...core.files import regular_file
from ...core.sanitize import clean_text
from ...graph import DType, ModelGraph
from ...model_formats.onnx.document import read_document

SYNTHETIC = 16
MOST = 512
LARGEST_BYTES = 2 << 30
LABELS = ("labels", "label", "y", "y_test", "targets")
"""What the classes of samples are called in a .npz."""
Array = npt.NDArray[Any]
_Read = tuple[list[Array], Array | None]
"""Samples of each input, and their labels where there are any."""
_NUMPY = {
    DType.FLOAT32: np.float32, DType.FLOAT64: np.float64, DType.FLOAT16: np.float16,
    DType.INT64: np.int64, DType.INT32: np.int32, DType.INT16: np.int16, DType.INT8: np.int8,
    DType.UINT64: np.uint64, DType.UINT32: np.uint32, DType.UINT16: np.uint16, DType.UINT8: np.uint8,
    DType.BOOL: np.bool_,
}  # fmt: skip


class Samples(NamedTuple):
    arrays: tuple[Array, ...]
    """One an input, in the model's order, of shape [samples, *shape of the input]."""
    description: str
    """Where they are from, as the user reads it."""
    labels: Array | None = None
    """Class of each sample, where the data say it."""

    @property
    def size(self) -> int:
        return len(self.arrays[0])


class Input(NamedTuple):
    """As the file has it, whatever a graph makes of its layout."""

    name_untrusted: str
    shape: tuple[int, ...]
    dtype: DType


def samples_for(inputs: Sequence[Input], data: str | os.PathLike[str] | None) -> Samples:
    """
    Raises:
        UsageError: a file that cannot be read as samples, or that does not fit the inputs.
    """
    for tensor in inputs:
        if tensor.dtype not in _NUMPY:
            raise UsageError(f"No samples can be made for an input of type {tensor.dtype}.")
    if not inputs:
        raise UsageError("The model has no inputs: there is nothing to calibrate or compare with.")
    if data is None:
        return _synthetic(inputs)
    path = Path(data)
    found, labels = _folder(path, inputs) if path.is_dir() else _file(path, inputs)
    counts = {len(array) for array in (*found, *(() if labels is None else (labels,)))}
    if len(counts) != 1 or not min(counts):
        raise UsageError(f"{str(path)!r} holds {sorted(counts)} samples for the model's inputs and labels.")
    chosen = _spread(counts.pop())
    kept = tuple(array[chosen] for array in found)
    return Samples(kept, f"{len(kept[0])} samples of {path.name}", None if labels is None else labels[chosen])


def fitted(samples: Samples, inputs: Sequence[Input]) -> Samples:
    """Samples for inputs of other sizes: resampled along each axis that differs (triangle filter).

    Raises:
        UsageError: inputs that are others, not the same at another size.
    """
    shapes = [tensor.shape for tensor in inputs]
    if shapes == [array.shape[1:] for array in samples.arrays]:
        return samples
    if [len(shape) for shape in shapes] != [array.ndim - 1 for array in samples.arrays]:
        raise UsageError("The changed model has other inputs: samples do not fit both.")
    arrays = tuple(_resampled(array, shape) for array, shape in zip(samples.arrays, shapes, strict=True))
    return samples._replace(arrays=arrays)


def _resampled(array: Array, shape: Sequence[int]) -> Array:
    made = array
    for axis, (old, new) in enumerate(zip(array.shape[1:], shape, strict=True), 1):
        if old != new:
            made = np.moveaxis(np.tensordot(made, _weights(old, new), (axis, 1)), -1, axis)
    if array.dtype.kind in "iu" and made is not array:
        limits = np.iinfo(array.dtype)
        made = np.clip(np.rint(made), limits.min, limits.max)
    return made.astype(array.dtype)


def _weights(old: int, new: int) -> npt.NDArray[np.float64]:
    """[new, old]: what each old position gives to a new one."""
    scale = old / new
    centres = (np.arange(new)[:, None] + 0.5) * scale - 0.5
    shares = np.maximum(0.0, 1 - np.abs(np.arange(old) - centres) / max(scale, 1.0))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _spread(count: int) -> npt.NDArray[np.int64]:
    """At most `MOST` of them, evenly, as data are often sorted by class."""
    return np.arange(count) if count <= MOST else np.linspace(0, count - 1, MOST).astype(np.int64)


def inputs_of(graph: ModelGraph, content: bytes) -> tuple[Input, ...]:
    """Open dimensions are 1. An .onnx file's are as it orders them.

    Raises:
        ModelFileError: an .onnx file that cannot be read.
    """
    if graph.format != "onnx":
        return tuple(Input(t.name_untrusted, _closed(t.shape), t.dtype) for t in graph.inputs)
    document = read_document(content, graph.name, {})
    values = ((name, document.values[name]) for name in document.inputs)
    return tuple(Input(clean_text(name), _closed(value.shape or ()), value.dtype) for name, value in values)


def _closed(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(max(size, 1) for size in shape)


def _synthetic(inputs: Sequence[Input]) -> Samples:
    rng = np.random.default_rng(0)
    arrays = tuple(_drawn(tensor, rng) for tensor in inputs)
    return Samples(
        arrays,
        f"{SYNTHETIC} synthetic samples (standard normal): ranges and drift of real data will differ",
    )


def _drawn(tensor: Input, rng: np.random.Generator) -> Array:
    shape = (SYNTHETIC, *tensor.shape)
    if tensor.dtype.is_float:
        return rng.standard_normal(shape).astype(_NUMPY[tensor.dtype])
    if tensor.dtype in (DType.INT8, DType.UINT8):
        limits = np.iinfo(_NUMPY[tensor.dtype])
        return rng.integers(limits.min, limits.max, shape, _NUMPY[tensor.dtype], endpoint=True)
    return rng.integers(0, 2, shape).astype(_NUMPY[tensor.dtype])


def _folder(path: Path, inputs: Sequence[Input]) -> _Read:
    """Files of samples; or a folder for each class, in the order of their names, or by their numbers."""
    files = _sample_files(path)
    if files:
        parts = [_file(file, inputs) for file in files[:MOST]]
        known = [labels for _, labels in parts if labels is not None]
        return _joined(parts, inputs), np.concatenate(known) if len(known) == len(parts) else None
    classes = sorted(entry for entry in path.iterdir() if entry.is_dir() and _sample_files(entry))
    if not classes:
        raise UsageError(f"There is no .npy or .npz file in {str(path)!r}.")
    numbered = all(entry.name.isdecimal() for entry in classes)
    parts, labels = [], []
    most = max(1, MOST // len(classes))
    for number, entry in enumerate(classes):
        for file in _sample_files(entry)[:most]:
            parts.append(_file(file, inputs))
            labels.append(np.full(len(parts[-1][0][0]), int(entry.name) if numbered else number))
    return _joined(parts, inputs), np.concatenate(labels)


def _sample_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in {".npy", ".npz"})


def _joined(parts: Sequence[_Read], inputs: Sequence[Input]) -> list[Array]:
    return [np.concatenate([arrays[at] for arrays, _ in parts]) for at in range(len(inputs))]


def _file(path: Path, inputs: Sequence[Input]) -> _Read:
    if path.suffix not in {".npy", ".npz"}:
        raise UsageError(
            f"{str(path)!r} holds no samples.",
            hint="Give a .npz file with an array for each input, a .npy file, or a folder of them.",
        )
    try:
        _check_size(regular_file(path))
        with open(path, "rb") as opened:
            loaded = np.load(opened, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                alone = [_fitting(loaded, inputs[0], path)] if len(inputs) == 1 else _too_few(path, inputs)
                return alone, None
            arrays = {name: loaded[name] for name in loaded.files}
            labels = _labels(arrays, inputs, path)
            return _named(arrays, inputs, path), labels
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, MemoryError) as error:
        raise UsageError(f"{str(path)!r} cannot be read as samples.", hint=_first_line(error)) from error


def _labels(arrays: dict[str, Array], inputs: Sequence[Input], path: Path) -> Array | None:
    """Taken out of the arrays; one-hot rows count by their largest."""
    inside = {tensor.name_untrusted for tensor in inputs}
    name = next((name for name in LABELS if name in arrays and name not in inside), None)
    if name is None:
        return None
    labels = arrays.pop(name)
    if labels.ndim == 2 and labels.shape[1] > 1:
        labels = labels.argmax(axis=1)
    labels = labels.reshape(-1)
    if labels.dtype.kind not in "iu" and not (labels.dtype.kind == "f" and (labels == labels.round()).all()):
        raise UsageError(f"{str(path)!r}: {name} are no whole numbers.", hint="A class counts from 0.")
    return labels.astype(np.int64)


def _check_size(path: Path) -> None:
    size = path.stat().st_size
    if path.suffix == ".npz":
        with zipfile.ZipFile(path) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
    if size > LARGEST_BYTES:
        raise UsageError(f"{str(path)!r} holds {size:,} bytes; at most {LARGEST_BYTES:,} are read.")


def _named(arrays: Mapping[str, Array], inputs: Sequence[Input], path: Path) -> list[Array]:
    """By the inputs' names; by order where the names are others but as many."""
    names = [tensor.name_untrusted for tensor in inputs]
    if set(names) <= set(arrays):
        chosen = [arrays[name] for name in names]
    elif len(arrays) == len(inputs):
        chosen = list(arrays.values())
    else:
        return _too_few(path, inputs)
    return [_fitting(array, tensor, path) for array, tensor in zip(chosen, inputs, strict=True)]


def _too_few(path: Path, inputs: Sequence[Input]) -> list[Array]:
    names = ", ".join(repr(tensor.name_untrusted) for tensor in inputs)
    raise UsageError(
        f"{str(path)!r} does not have one array for each of the {len(inputs)} inputs.",
        hint=f"Save them with numpy.savez under the names {names}.",
    )


def _fitting(array: Array, tensor: Input, path: Path) -> Array:
    """As [samples, *shape of the input]."""
    shape = tensor.shape
    rests = (shape, shape[1:] if shape[:1] == (1,) else shape)
    numeric = array.dtype.kind in "fiub"
    if not numeric or not array.ndim or array.shape[1:] not in rests:
        raise UsageError(
            f"{str(path)!r} holds an array of shape {array.shape} and type {array.dtype}: no list of samples "
            f"of shape {rests[-1]}."
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise UsageError(f"{str(path)!r} holds numbers that are not finite.")
    return array.reshape(len(array), *shape).astype(_NUMPY[tensor.dtype])


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
