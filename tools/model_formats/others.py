"""Models in other formats than TFLite: which one bytes are in, and their parsers."""

from __future__ import annotations

import io
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from ...hardware_db.errors import ModelFileError
from ..graph import ModelGraph
from .archive import is_archive, member_names, model_in
from .coreml import is_core_ml, parse_core_ml
from .mnn import is_mnn, parse_mnn
from .ncnn import MAGIC, parse_ncnn
from .onnx import parse_onnx, shapes_of_sizes
from .openvino import is_openvino, parse_openvino
from .pt2 import is_program, parse_pt2
from .pte import is_pte, parse_pte
from .recognised import (
    MODEL_SUFFIXES,
    SAMPLE,
    in_package,
    looks_like_onnx,
    not_a_model,
    recognise,
    shown,
)
from .tflite.document import is_tflite, parse_tflite

Shapes = Mapping[str | int, tuple[int, ...]]


def of_file(path: Path, name: str) -> ModelGraph:
    """What is no TFLite model by its content: ONNX, one in an archive, or something that is not read."""
    if (inner := in_package(path)) is not None:
        return parse_core_ml(inner.read_bytes(), name, inner.parent / "weights")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        return _by_content(mapped, path, name)


def _by_content(mapped: mmap.mmap, path: Path, name: str) -> ModelGraph:
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


def of_bytes(data: bytes | bytearray, name: str) -> ModelGraph:
    """The same of what a file holds."""
    if is_core_ml(data):
        return parse_core_ml(data, name)
    if looks_like_onnx(bytes(data[:16])):
        return read_onnx(bytes(data), name)
    if data.startswith(MAGIC):
        return parse_ncnn(bytes(data), name)
    if is_archive(bytes(data[:4])):
        return archived(io.BytesIO(data), name, "The archive given as bytes")
    if is_openvino(bytes(data[:SAMPLE])):
        raise ModelFileError(
            "An OpenVINO model is two files, and its bytes are one.", hint="Give the path of its .xml file."
        )
    if is_pte(data):
        return parse_pte(data, name)
    if is_mnn(data):
        return parse_mnn(data, name)
    raise not_a_model("The model given as bytes", bytes(data[:SAMPLE]))


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


def read_onnx(
    data: bytes,
    name: str,
    shapes: Shapes | None = None,
    sizes: Mapping[str, int] | None = None,
) -> ModelGraph:
    """As `parse_onnx`; `sizes` of open dimensions by their names go before `shapes`."""
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
