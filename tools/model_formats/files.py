"""A model file opened, or one line on why it cannot be."""

from __future__ import annotations

import difflib
import itertools
import mmap
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from ...hardware_db.errors import ModelFileError
from ..core.sanitize import clean_text
from ..graph import ModelGraph
from .archive import is_archive, member_names, model_in
from .coreml import in_package, is_core_ml, parse_core_ml
from .mnn import is_mnn, parse_mnn
from .ncnn import MAGIC, parse_ncnn
from .openvino import is_openvino, parse_openvino
from .origins import read_from
from .pt2 import is_program, parse_pt2
from .pte import is_pte, parse_pte
from .recognised import GENAI, MODEL_SUFFIXES, SAMPLE, recognise, recognise_archive, says_otherwise
from .tflite.document import is_tflite, parse_tflite

Shapes = Mapping[str | int, tuple[int, ...]]
_LISTED = 2000
"""Directory entries looked at for names nearby."""
_EXPECTED = "Read are .tflite, .onnx, .pt2, .pte, .mlpackage, .mnn, OpenVINO's .xml and ncnn's .param."
_IR_VERSION = 0x08
"""Tag of the first field of an ONNX ModelProto, which every exporter writes first."""


def read_model_file(path: Path) -> ModelGraph:
    """Map the file at `path` into memory and parse it; its weights are not copied.

    Raises:
        ModelFileError: the file is missing, unreadable, empty, neither TFLite nor ONNX, or damaged.
    """
    name = clean_text(path.name)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode) and (inner := in_package(path)) is not None:
            return read_from(parse_core_ml(inner.read_bytes(), name, inner.parent / "weights"), path)
        if stat.S_ISDIR(status.st_mode):
            raise ModelFileError(f"{shown(path)} is a directory.", hint=_in_directory(path))
        if not stat.S_ISREG(status.st_mode):
            raise ModelFileError(f"{shown(path)} is not a regular file.", hint="Copy the model into one.")
        if status.st_size == 0:
            raise ModelFileError(f"{shown(path)} is empty.", hint="Export or download it again.")
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            if is_tflite(mapped):
                return read_from(parse_tflite(mapped, name), path)
            return _otherwise(mapped, path, name)
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(path) from None
    except OSError as error:
        raise ModelFileError(
            f"{shown(path)} cannot be read: {error.strerror or error}.",
            hint="Check the path and its permissions.",
        ) from error


def _otherwise(mapped: mmap.mmap, path: Path, name: str) -> ModelGraph:
    """What is no TFLite model by its content: ONNX, one in an archive, or something that is not read."""
    start, suffix = bytes(mapped[:SAMPLE]), path.suffix.casefold()
    if is_archive(start):
        with path.open("rb") as file:
            return archived(file, name, shown(path), suffix)
    if start.startswith(MAGIC):
        return parse_ncnn(mapped[:], name)
    if is_pte(start):
        return parse_pte(mapped, name)
    if is_openvino(start):
        return read_openvino(path, name)
    if is_core_ml(mapped):
        return parse_core_ml(mapped[:], name, path.parent / "weights")
    found = recognise(start)
    if found is None and is_mnn(mapped):
        return parse_mnn(mapped, name)
    if found is None and (suffix == ".onnx" or (looks_like_onnx(start) and suffix not in MODEL_SUFFIXES)):
        return read_onnx(mapped[:], name)
    raise not_a_model(shown(path), start, suffix)


def archived(
    file: BinaryIO, name: str, what: str, suffix: str = "", shapes: Shapes | None = None
) -> ModelGraph:
    """The exported program that a zip archive is, or the only model in it. Raises ModelFileError."""
    if any(map(is_program, member_names(file, what, suffix))):
        return parse_pt2(file, name, shapes)
    inner, content = model_in(file, what, suffix)
    if is_tflite(content):
        return parse_tflite(content, inner)
    if is_core_ml(content):
        return parse_core_ml(content, inner)
    if looks_like_onnx(content[:16]):
        return read_onnx(content, inner)
    raise not_a_model(f"{inner!r} in {what}", content[:SAMPLE], Path(inner).suffix)


def looks_like_onnx(start: bytes) -> bool:
    """Whether bytes may begin an ONNX model; the format has no signature."""
    return len(start) > 2 and start[0] == _IR_VERSION and 0 < start[1] < 0x80


def read_onnx(
    data: bytes,
    name: str,
    shapes: Shapes | None = None,
    sizes: Mapping[str, int] | None = None,
) -> ModelGraph:
    """As `parse_onnx`; `sizes` of open dimensions by their names go before `shapes`."""
    from .onnx import parse_onnx, shapes_of_sizes

    found = shapes_of_sizes(data, name, sizes) if sizes else None
    return parse_onnx(data, name, shapes if found is None else found)


def read_openvino(path: Path, name: str, shapes: Shapes | None = None) -> ModelGraph:
    """An OpenVINO model of an .xml file and the .bin beside it. Raises ModelFileError."""
    data, beside = path.read_bytes(), path.with_suffix(".bin")
    if not beside.is_file():
        raise ModelFileError(
            f"The weights of {shown(path)} are missing.", hint=f"They are read from {shown(beside)}."
        )
    if beside.stat().st_size == 0:
        return parse_openvino(data, b"", name, shapes)
    with beside.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as weights:
        return parse_openvino(data, weights, name, shapes)


def not_a_model(what: str, start: bytes, suffix: str = "") -> ModelFileError:
    """The error for bytes that begin with `start`, with how to make a .tflite of them where that is known."""
    found = recognise(start, suffix)
    if found is not None:
        although = f", although its name ends in {suffix}" if says_otherwise(found, suffix) else ""
        return ModelFileError(f"{what} is {found.what}{although}.", hint=found.instead)
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
