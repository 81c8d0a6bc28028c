"""The converters: what each reads, what it consists of, and what room it takes."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from zipfile import ZipFile

from ...hardware_db.errors import ModelFileError, UsageError
from ..core.records import dataclass
from ..model_formats.archive import is_archive, member_content, member_names
from ..model_formats.pt2 import is_program
from ..model_formats.recognised import SAMPLE, looks_like_onnx, not_a_model, shown
from ..model_formats.tflite.document import is_tflite

_SAVED_MODEL = "saved_model.pb"
_HDF5 = b"\x89HDF\r\n\x1a\n"
_KERAS_CONFIG = "config.json"
_LAMBDA = b'"Lambda"'


class Source(StrEnum):
    PT2 = "pt2"
    ONNX = "onnx"
    KERAS = "keras"
    SAVED_MODEL = "saved_model"


@dataclass(frozen=True)
class Converter:
    id: str
    """What --setup names."""
    packages: tuple[str, ...]
    """As pip is asked for them; these very versions converted the networks of docs/formats.md."""
    installed_gb: float
    """Measured in November 2026 on Linux with Python 3.11 and processors alone."""
    sources: frozenset[Source]

    def label(self, source: Source | None = None) -> str:
        """The package that converts, with its version: of Keras and SavedModel TensorFlow itself."""
        own = 1 if source in (Source.KERAS, Source.SAVED_MODEL) else 0
        return self.packages[own].replace("==", " ")


CONVERTERS = (
    Converter(
        "pytorch",
        ("litert-torch==0.10.0", "torch==2.13.0", "torchao==0.18.0", "jax==0.10.2"),
        2.1,
        frozenset({Source.PT2}),
    ),
    Converter(
        "tensorflow",
        ("onnx2tf==1.29.24", "tensorflow==2.19.0", "tf-keras==2.19.0"),
        2.6,
        frozenset({Source.ONNX, Source.KERAS, Source.SAVED_MODEL}),
    ),
)
GPU_GB = 3.0
"""What PyPI's PyTorch for Linux brings beside: CUDA's libraries, which no conversion needs."""


def converter_named(name: str) -> Converter:
    """
    Raises:
        UsageError: no such converter.
    """
    for converter in CONVERTERS:
        if converter.id == name:
            return converter
    known = ", ".join(f"{c.id} ({c.installed_gb:g} GB)" for c in CONVERTERS)
    raise UsageError(f"There is no converter {name!r}.", hint=f"There are {known}.")


def converter_of(source: Source) -> Converter:
    return next(converter for converter in CONVERTERS if source in converter.sources)


def source_of(path: Path) -> Source:
    """What a file or a folder is, by its content. No pickle is opened.

    Raises:
        ModelFileError: what is read by no converter, with what to give in its place.
        UsageError: a .tflite file, or a Keras model with Python code in it.
    """
    if path.is_dir() and (path / _SAVED_MODEL).is_file():
        return Source.SAVED_MODEL
    if not path.is_file():
        raise ModelFileError(f"There is no model file {shown(path)}.")
    with path.open("rb") as file:
        start = file.read(SAMPLE)
        if is_archive(start):
            return _of_archive(path)
    if is_tflite(start):
        raise UsageError(
            f"{shown(path)} is a TFLite model already.",
            hint="Quantise it: edgewright optimize MODEL -t TARGET --apply int8 -o OUT.tflite.",
        )
    if start.startswith(_HDF5):
        _refuse_code(path, path.read_bytes())
        return Source.KERAS
    if looks_like_onnx(start):
        return Source.ONNX
    raise not_a_model(shown(path), start, path.suffix.casefold())


def _of_archive(path: Path) -> Source:
    with path.open("rb") as file:
        names = member_names(file, shown(path), path.suffix.casefold())
        if any(map(is_program, names)):
            return Source.PT2
        if _KERAS_CONFIG not in names or "model.weights.h5" not in names:
            raise not_a_model(shown(path), b"", path.suffix.casefold())
        with ZipFile(file) as archive:
            config = member_content(archive, archive.getinfo(_KERAS_CONFIG), shown(path))
    _refuse_code(path, config)
    return Source.KERAS


def _refuse_code(path: Path, config: bytes) -> None:
    """Keras's safe mode, which the conversion runs in, refuses it too."""
    if _LAMBDA in config:
        raise UsageError(
            f"{shown(path)} has a Lambda layer, which is Python code, and is not run here.",
            hint="Replace it by a layer of Keras, or convert it yourself where you trust it.",
        )
