"""A model file opened, or one line on why it cannot be."""

from __future__ import annotations

import difflib
import itertools
import mmap
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from ...hardware_db.errors import ModelFileError
from ..core.sanitize import clean_text
from ..graph import ModelGraph
from .origins import read_from
from .tflite.document import is_tflite, parse_tflite

_LISTED = 2000
"""Directory entries looked at for names nearby."""
_KERAS = "tf.lite.TFLiteConverter.from_keras_model(model).convert() turns it into one."
_TORCH = "litert_torch.convert(module, sample_inputs).export('model.tflite') turns it into one."
_SAVED_MODEL = "tf.lite.TFLiteConverter.from_saved_model(folder).convert() turns it into one."
_FORMATS = {
    ".pt": ("a PyTorch model", _TORCH),
    ".pth": ("a PyTorch model", _TORCH),
    ".pt2": ("a PyTorch model", _TORCH),
    ".h5": ("a Keras model", _KERAS),
    ".keras": ("a Keras model", _KERAS),
    ".pb": ("a TensorFlow model", _SAVED_MODEL),
}
_SIGNATURES = {
    b"\x89HDF\r\n\x1a\n": ("an HDF5 file", _KERAS),
    b"PK\x03\x04": ("a zip archive", "Unpack it first."),
    b"\x1f\x8b": ("a gzip archive", "Unpack it first."),
    b"\x7fELF": ("a program", "Name the .tflite file that went into it."),
}
_GENERATION = (
    "`edgewright generation FILE -t TARGET` tells whether it fits and how many tokens a second it writes."
)
_LANGUAGE_MODELS = {
    b"GGUF": "a language model for llama.cpp",
    b"LITERTLM": "a bundle of LiteRT-LM",
}
_LANGUAGE_SUFFIXES = {".safetensors": "weights, most often of a language model"}
_EXPECTED = "This version reads .tflite and .onnx files."
_IR_VERSION = 0x08
"""Tag of the first field of an ONNX ModelProto, which every exporter writes first."""
MODEL_SUFFIXES = frozenset({".tflite", ".onnx", ".gguf", ".safetensors", ".litertlm", *_FORMATS})


def read_model_file(path: Path) -> ModelGraph:
    """Map the file at `path` into memory and parse it; its weights are not copied.

    Raises:
        ModelFileError: the file is missing, unreadable, empty, neither TFLite nor ONNX, or damaged.
    """
    name = clean_text(path.name)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise ModelFileError(f"{shown(path)} is a directory.", hint=_in_directory(path))
        if not stat.S_ISREG(status.st_mode):
            raise ModelFileError(f"{shown(path)} is not a regular file.", hint="Copy the model into one.")
        if status.st_size == 0:
            raise ModelFileError(f"{shown(path)} is empty.", hint="Export or download it again.")
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            if is_tflite(mapped):
                return read_from(parse_tflite(mapped, name), path)
            if path.suffix.casefold() != ".onnx":
                raise not_a_model(shown(path), bytes(mapped[:16]), path.suffix)
            return read_onnx(mapped[:], name)
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(path) from None
    except OSError as error:
        raise ModelFileError(
            f"{shown(path)} cannot be read: {error.strerror or error}.",
            hint="Check the path and its permissions.",
        ) from error


def looks_like_onnx(start: bytes) -> bool:
    """Whether bytes may begin an ONNX model; the format has no signature."""
    return len(start) > 2 and start[0] == _IR_VERSION and 0 < start[1] < 0x80


def read_onnx(
    data: bytes, name: str, shapes: Mapping[str | int, tuple[int, ...]] | None = None
) -> ModelGraph:
    """As `parse_onnx`."""
    from .onnx import parse_onnx

    return parse_onnx(data, name, shapes)


def not_a_model(what: str, start: bytes, suffix: str = "") -> ModelFileError:
    """The error for bytes that begin with `start`, with how to make a .tflite of them where that is known."""
    language = next((kind for magic, kind in _LANGUAGE_MODELS.items() if start.startswith(magic)), None)
    language = language or _LANGUAGE_SUFFIXES.get(suffix.casefold())
    if language is not None:
        return ModelFileError(f"{what} is {language}, no network that runs once.", hint=_GENERATION)
    known = _FORMATS.get(suffix.casefold())
    found = known or next((found for magic, found in _SIGNATURES.items() if start.startswith(magic)), None)
    if found is not None:
        kind, hint = found
        return ModelFileError(
            f"{what} is {kind}, neither a TFLite nor an ONNX model.", hint=f"{_EXPECTED} {hint}"
        )
    if len(start) < 8:
        return ModelFileError(f"{what} is too short for a TFLite model.", hint="Export or download it again.")
    return ModelFileError(
        f"{what} is not a TFLite model: bytes 4 to 8 are {start[4:8]!r}, not b'TFL3'.", hint=_EXPECTED
    )


def shown(path: Path) -> str:
    """A path as it may stand in a message."""
    return repr(clean_text(str(path), 200))


def _missing(path: Path) -> ModelFileError:
    from ..model_zoo.named import architecture_names

    models = {Path(name).stem.casefold(): name for name in _models_in(path.parent)}
    stem = path.stem.casefold()
    close = difflib.get_close_matches(stem, models, n=5, cutoff=0.5) or list(models)[:5]
    hints = []
    if close:
        hints.append(f"Nearby: {', '.join(shown(path.parent / models[match]) for match in close)}.")
    elif not path.parent.is_dir():
        hints.append(f"There is no directory {shown(path.parent)}.")
    names = architecture_names()
    architectures = difflib.get_close_matches(stem, names, n=3, cutoff=0.4) or names[:6]
    hints.append(f"Named architectures need no file, such as {', '.join(architectures)}.")
    return ModelFileError(f"There is no model file {shown(path)}.", hint=" ".join(hints))


def _in_directory(path: Path) -> str:
    models = _models_in(path)
    if not models:
        return "It holds no .tflite or .onnx file."
    more = f" and {len(models) - 5} more" if len(models) > 5 else ""
    return f"Name a file in it: {', '.join(shown(Path(name)) for name in models[:5])}{more}."


def _models_in(directory: Path) -> list[str]:
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in itertools.islice(entries, _LISTED)]
    except OSError:
        return []
    return sorted(name for name in names if name.casefold().endswith((".tflite", ".onnx")))
