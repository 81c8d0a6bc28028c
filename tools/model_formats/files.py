"""A model file opened, or one line on why it cannot be."""

from __future__ import annotations

import difflib
import itertools
import mmap
import os
import stat
from pathlib import Path

from ...hardware_db.errors import ModelFileError
from ..core.sanitize import clean_text
from ..graph import ModelGraph
from .origins import read_from
from .recognised import GENAI, in_package, recognise_archive, shown
from .tflite.document import is_tflite, parse_tflite

_LISTED = 2000
"""Directory entries looked at for names nearby."""


def read_model_file(path: Path) -> ModelGraph:
    """Map the file at `path` into memory and parse it; its weights are not copied.

    Raises:
        ModelFileError: the file is missing, unreadable, empty, neither TFLite nor ONNX, or damaged.
    """
    name = clean_text(path.name)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode) and in_package(path) is not None:
            return read_from(read_other(path, name), path)
        if stat.S_ISDIR(status.st_mode):
            raise ModelFileError(f"{shown(path)} is a directory.", hint=_in_directory(path))
        if not stat.S_ISREG(status.st_mode):
            raise ModelFileError(f"{shown(path)} is not a regular file.", hint="Copy the model into one.")
        if status.st_size == 0:
            raise ModelFileError(f"{shown(path)} is empty.", hint="Export or download it again.")
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            if is_tflite(mapped):
                return read_from(parse_tflite(mapped, name), path)
        return read_other(path, name)
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(path) from None
    except OSError as error:
        raise ModelFileError(
            f"{shown(path)} cannot be read: {error.strerror or error}.",
            hint="Check the path and its permissions.",
        ) from error


def read_other(source: Path | bytes | bytearray, name: str) -> ModelGraph:
    """A model that is no TFLite file; its parser is loaded only here. Raises ModelFileError."""
    from .others import of_bytes, of_file

    return of_file(source, name) if isinstance(source, Path) else of_bytes(source, name)


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
    known = recognise_archive(_names_in(path))
    if known is not None and (not models or known is GENAI):
        return f"It is {known.what}. {known.instead}"
    if not models:
        return "It holds no .tflite or .onnx file."
    more = f" and {len(models) - 5} more" if len(models) > 5 else ""
    return f"Name a file in it: {', '.join(shown(Path(name)) for name in models[:5])}{more}."


def _models_in(directory: Path) -> list[str]:
    return sorted(name for name in _names_in(directory) if name.casefold().endswith((".tflite", ".onnx")))


def _names_in(directory: Path) -> list[str]:
    try:
        with os.scandir(directory) as entries:
            return [entry.name for entry in itertools.islice(entries, _LISTED)]
    except OSError:
        return []
