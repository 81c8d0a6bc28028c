"""Convert a model in an environment of its own, step by step, each compared with the one before."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...hardware_db.errors import EdgewrightError, InputError, ModelFileError, UsageError
from ..core.files import save_whole
from ..core.isolated import FailedError, run_isolated, worker_folder
from ..core.sanitize import clean_text
from ..graph import DType, ModelGraph
from ..graph.costs.table import layer_table
from ..model_formats.source import parse_model
from ..optimization_simulator.applied.accuracy import scored
from ..optimization_simulator.applied.applied_optimization import AppliedOptimization
from ..optimization_simulator.applied.apply import applied
from ..optimization_simulator.applied.drift import drift_of
from ..optimization_simulator.applied.measured_accuracy import MeasuredAccuracy
from ..optimization_simulator.applied.process import run_both, workplace
from ..optimization_simulator.applied.samples import Array, Input, Samples, samples_for
from .converted_model import ConversionStage, ConvertedModel
from .converters import Converter, Source, converter_of, source_of
from .environment import python_of

_SECONDS = 1800
_RUN_SECONDS = 600
_MEMORY_BYTES = 64 << 30
"""Of addresses, of which the converters' libraries reserve far more than they use."""
_HERE = Path(__file__).parent
_CHANNELS_LAST = {3: (0, 2, 1), 4: (0, 2, 3, 1), 5: (0, 2, 3, 4, 1)}
_HDF5 = (".h5", ".hdf5")
_FILES = {Source.PT2: "model.pt2", Source.ONNX: "model.onnx", Source.KERAS: "model.keras"}


def convert_model(
    source: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    int8: bool = False,
    data: str | os.PathLike[str] | None = None,
    force: bool = False,
    progress: Callable[[str], None] | None = None,
) -> ConvertedModel:
    """Make a .tflite file of a model of PyTorch, ONNX, Keras or TensorFlow, and compare each step here.

    The converter runs in an environment of its own (`set_up_converter`), in a process with limits of time
    and memory. No pickle is opened, and Keras loads in safe mode.

    Args:
        source: a .pt2, .onnx, .keras or .h5 file, or the folder of a SavedModel; its content decides.
        output: where the .tflite file goes; it appears whole or not at all.
        int8: also quantise it to int8, which takes the extra `apply`.
        data: samples to compare on and to calibrate with, in the order of the source's dimensions: a .npz
            file with one array an input, a .npy file, or a folder of such files. None draws random ones.
            Where they have labels, the accuracy of each step is measured.
        force: overwrite a file.
        progress: called with a line of text before each step.

    Raises:
        ModelFileError: a format that no converter reads, such as a pickle, with what to give instead.
        UsageError: the converter is not set up, a Lambda layer, data that do not fit, a file that exists.
        InputError: the converter fails on the model.

    Example:
        >>> convert_model("model.pt", "model.tflite")
        Traceback (most recent call last):
        edgewright.hardware_db.errors.ModelFileError: There is no model file 'model.pt'.
    """
    path, target = Path(source), Path(output)
    if target.suffix.casefold() != ".tflite":
        raise UsageError(f"The result is a .tflite file, not {target.name!r}.", hint="Name it ….tflite.")
    job = _Job(path, source_of(path), data, int8, progress or (lambda _: None))
    save_whole(job.content, target, force=force)
    return job.report(target)


class _Job:
    def __init__(
        self,
        path: Path,
        source: Source,
        data: str | os.PathLike[str] | None,
        int8: bool,
        progress: Callable[[str], None],
    ) -> None:
        self._path, self._source, self._data, self._int8 = path, source, data, int8
        self._converter: Converter = converter_of(source)
        self._label = self._converter.label(source)
        self._python = python_of(self._converter)
        self._progress = progress
        self._stages: list[ConversionStage] = []
        self._warnings: list[str] = []
        self._described = ""

    def content(self) -> bytes:
        """The file of the last step."""
        with worker_folder("convert") as name:
            folder = Path(name)
            file = _copied(self._path, self._source, folder)
            self._progress(f"{self._label}: to float32")
            self._work(folder, "convert", file, _SECONDS)
            made, inputs = _made(folder, self._label)
            samples = samples_for(inputs, self._data)
            self._described = samples.description
            self._compare(folder, file, made, samples)
            if not self._int8:
                return (folder / "converted.tflite").read_bytes()
            return self._quantised(folder, made, samples)

    def report(self, output: Path) -> ConvertedModel:
        return ConvertedModel(
            model=clean_text(self._path.name),
            output=str(output),
            converter=self._label,
            data=self._described,
            stages=tuple(self._stages),
            warnings=tuple(self._warnings),
        )

    def _work(self, folder: Path, step: str, file: str, seconds: float) -> None:
        request = {"step": step, "file": file, "source": self._source.value}
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        worker = _HERE / f"worker_{self._converter.id}.py"
        try:
            run_isolated(worker, folder, seconds=seconds, memory_bytes=_MEMORY_BYTES, python=self._python)
        except FailedError as error:
            if step != "convert":
                raise
            raise InputError(
                f"{self._label} does not convert {clean_text(self._path.name)!r}: {error}.",
                hint="Nothing was written.",
            ) from error

    def _compare(self, folder: Path, file: str, made: ModelGraph, samples: Samples) -> None:
        """The source on the samples, and what was made of it on the same in its own layout."""
        size = _bytes_of(self._path)
        self._progress(f"running both, {samples.size} samples each")
        reference: list[Array] | None = None
        try:
            with (folder / "samples.npz").open("wb") as written:
                np.savez(written, *samples.arrays)
            self._work(folder, "run", file, _RUN_SECONDS)
            reference = _arrays(folder / "outputs.npz")
            changed = _run(folder, made, samples)
        except (FailedError, OSError, ValueError, EdgewrightError) as error:
            self._warnings.append(f"the two were not compared: {clean_text(str(error), 200)}")
            changed = None
        accuracies = [None if each is None else _accuracy(each, samples) for each in (reference, changed)]
        drift = (
            None if reference is None or changed is None else drift_of(reference, _alike(changed, reference))
        )
        if drift is None and changed is not None:
            self._warnings.append(
                "no drift: outputs are of other shapes, or hold numbers that are not finite"
            )
        self._stages += [
            ConversionStage(
                stage="source", made_by=self._source.value, file_bytes=size, macs=self._macs_of_source(),
                accuracy=accuracies[0],
            ),
            ConversionStage(
                stage="float32", made_by=self._label, file_bytes=made.file_bytes or 0,
                macs=layer_table(made).total_macs, drift=drift, accuracy=accuracies[1],
            ),
        ]  # fmt: skip

    def _macs_of_source(self) -> int | None:
        try:
            return layer_table(parse_model(self._path)).total_macs
        except EdgewrightError:
            return None

    def _quantised(self, folder: Path, made: ModelGraph, samples: Samples) -> bytes:
        arrays = {t.name_untrusted: a for t, a in zip(made.inputs, _in_layout(made, samples), strict=True)}
        labels = {} if samples.labels is None else {"labels": samples.labels}
        np.savez(folder / "given.npz", allow_pickle=False, **arrays, **labels)
        found: AppliedOptimization = applied(
            folder / "converted.tflite", "int8", folder / "int8.tflite", deployment=None,
            data=folder / "given.npz", force=True, progress=self._progress,
        )  # fmt: skip
        self._stages.append(
            ConversionStage(
                stage="int8", made_by=found.quantizer, file_bytes=found.obtained.file_bytes,
                macs=found.obtained.macs, drift=found.drift, accuracy=found.accuracy_after,
            )
        )  # fmt: skip
        self._warnings += found.warnings
        return (folder / "int8.tflite").read_bytes()


def _copied(path: Path, source: Source, folder: Path) -> str:
    """The model where the converter works: of a .pt2, all but what may be a pickle."""
    match source:
        case Source.SAVED_MODEL:
            shutil.copytree(path, folder / "model", symlinks=True)
            return "model"
        case Source.PT2:
            with zipfile.ZipFile(path) as old, zipfile.ZipFile(folder / _FILES[source], "w") as new:
                for member in old.infolist():
                    is_example = "/data/sample_inputs/" in member.filename
                    with old.open(member) as read, new.open(member.filename, "w", force_zip64=True) as write:
                        shutil.copyfileobj(read if not is_example else _Nothing(), write)
            return _FILES[source]
    name = _FILES[source] if path.suffix.casefold() not in _HDF5 else "model.h5"
    shutil.copyfile(path, folder / name)
    return name


class _Nothing:
    """A file without content: PyTorch then takes the program to have no example."""

    def read(self, _: int = -1) -> bytes:
        return b""


def _made(folder: Path, label: str) -> tuple[ModelGraph, list[Input]]:
    """What the converter wrote, read as any other file is."""
    try:
        graph = parse_model(folder / "converted.tflite")
        listed: list[dict[str, Any]] = json.loads((folder / "inputs.json").read_text(encoding="utf-8"))
        inputs = [
            Input(clean_text(each["name"]), tuple(map(int, each["shape"])), DType(each["dtype"]))
            for each in listed
        ]
    except (ModelFileError, OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{label} wrote no model that can be read.", hint="Nothing was written.") from error
    return graph, inputs


def _run(folder: Path, made: ModelGraph, samples: Samples) -> list[Array]:
    given = Samples(tuple(_in_layout(made, samples)), "")
    content = (folder / "converted.tflite").read_bytes()
    with workplace(content, given, content) as place:
        return run_both(place, ".tflite").changed


def _in_layout(made: ModelGraph, samples: Samples) -> Iterator[Array]:
    """The samples as the .tflite file orders their dimensions: converters put channels last.

    Raises:
        UsageError: an input of another shape.
    """
    if len(made.inputs) != len(samples.arrays):
        raise UsageError("The .tflite file has another number of inputs.")
    for tensor, array in zip(made.inputs, samples.arrays, strict=True):
        wanted = tuple(max(size, 1) for size in tensor.shape)
        order = _CHANNELS_LAST.get(len(wanted))
        if array.shape[1:] == wanted:
            yield array
        elif order is not None and tuple(array.shape[1:][axis] for axis in order) == wanted:
            yield np.ascontiguousarray(array.transpose(0, *(axis + 1 for axis in order)))
        else:
            raise UsageError(f"The .tflite file takes {wanted}, the source {array.shape[1:]}.")


def _alike(changed: Sequence[Array], reference: Sequence[Array]) -> list[Array]:
    """Outputs as the source orders them, where they only differ in that."""
    return [_as_other(one, other) for one, other in zip(changed, reference, strict=False)]


def _as_other(one: Array, other: Array) -> Array:
    order = _CHANNELS_LAST.get(one.ndim - 1)
    if one.shape == other.shape or order is None:
        return one
    back = one.transpose(0, *(order.index(axis) + 1 for axis in range(len(order))))
    return back if back.shape == other.shape else one


def _accuracy(outputs: Sequence[Array], samples: Samples) -> MeasuredAccuracy | None:
    return None if samples.labels is None else scored(outputs, samples.labels)


def _arrays(file: Path) -> list[Array]:
    with np.load(file, allow_pickle=False) as loaded:
        return [loaded[f"arr_{at}"] for at in range(len(loaded.files))]


def _bytes_of(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.glob("**/*") if file.is_file())
