"""The one model in a zip archive, read without unpacking: Edge Impulse, MediaPipe tasks."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from ...hardware_db.errors import ModelFileError
from ..core.sanitize import clean_text
from .recognised import recognise, recognise_archive

_SIGNATURE = b"PK\x03\x04"
_END, _END_64 = b"PK\x05\x06", b"PK\x06\x06"
_END_BYTES = 22
_READ = (".tflite", ".onnx")
_LONGEST_COMMENT = 1 << 16
_MOST_MEMBERS = 20_000
_MOST_BYTES = 512 << 20
"""Of a member as it lies unpacked."""
_MOST_TIMES = 200
"""A member may be so many times as large as it lies packed; weights pack hardly at all."""
_LISTED = 5
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = "Unpack it to see what is left of it, or download it again."


def is_archive(data: bytes) -> bool:
    return data[:4] == _SIGNATURE


def model_in(file: BinaryIO, what: str, suffix: str = "") -> tuple[str, bytes]:
    """Name and content of the only .tflite or .onnx file in an archive.

    Raises:
        ModelFileError: a damaged archive, one without a model, with several, or with one beyond all bounds;
            what else it is, where that is known.
    """
    with opened(file, what, suffix) as archive:
        members = archive.infolist()
        models = [member for member in members if member.filename.casefold().endswith(_READ)]
        if len(models) != 1:
            raise _not_one(what, [m.filename for m in members], [m.filename for m in models], suffix)
        return clean_text(models[0].filename.rpartition("/")[2]), member_content(archive, models[0], what)


def member_names(file: BinaryIO, what: str, suffix: str = "") -> list[str]:
    """Raises ModelFileError: a damaged archive, or one of absurdly many members."""
    with opened(file, what, suffix) as archive:
        return archive.namelist()


@contextmanager
def opened(file: BinaryIO, what: str, suffix: str = "") -> Iterator[zipfile.ZipFile]:
    """A zip archive whose members can be listed.

    Raises:
        ModelFileError: a damaged one, or one of absurdly many members.
    """
    try:
        _check_count(file, what)
        with zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, NotImplementedError) as error:
        found = recognise(b"", suffix)
        if found is not None:
            raise ModelFileError(f"{what} is {found.what}, and damaged.", hint=found.instead) from error
        raise ModelFileError(f"{what} is a zip archive that is damaged.", hint=_DAMAGED) from error


def _check_count(file: BinaryIO, what: str) -> None:
    """Every member costs memory before one is looked at."""
    length = file.seek(0, io.SEEK_END)
    file.seek(max(0, length - _LONGEST_COMMENT - _END_BYTES))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or at + _END_BYTES > len(tail):
        raise zipfile.BadZipFile("no end of the central directory")
    count, size = struct.unpack_from("<HI", tail, at + 10)
    is_long = _END_64 in tail[:at]
    if is_long:
        count, size = struct.unpack_from("<QQ", tail, tail.rfind(_END_64, 0, at) + 32)
    if count > _MOST_MEMBERS or size > _MOST_MEMBERS << 10:
        raise ModelFileError(
            f"{what} is a zip archive of more than {_MOST_MEMBERS:,} files.", hint="Unpack the model first."
        )


def member_content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, what: str) -> bytes:
    """A member unpacked into memory, where it says that it is of a size that a model has."""
    if member.flag_bits & 1 or member.compress_type not in _METHODS:
        raise ModelFileError(
            f"The model in {what} is encrypted, or packed in an unusual way.", hint="Unpack it first."
        )
    if member.file_size > _MOST_BYTES or member.file_size > _MOST_TIMES * max(member.compress_size, 1):
        raise ModelFileError(
            f"The model in {what} unpacks to {member.file_size:,} bytes, out of {member.compress_size:,}.",
            hint="Unpack it first, if that is right.",
        )
    with archive.open(member) as packed:
        content = packed.read(member.file_size + 1)
    if len(content) != member.file_size:
        raise zipfile.BadZipFile("a member is not as long as it says")
    return content


def _not_one(what: str, members: Sequence[str], models: Sequence[str], suffix: str) -> ModelFileError:
    if models:
        listed = ", ".join(repr(clean_text(name, 80)) for name in models[:_LISTED])
        return ModelFileError(
            f"{what} is a zip archive with {len(models)} models.",
            hint=f"Unpack it and name one: {listed}.",
        )
    found = recognise_archive(members) or recognise(b"", suffix)
    if found is not None:
        return ModelFileError(f"{what} is {found.what}.", hint=found.instead)
    return ModelFileError(
        f"{what} is a zip archive without a .tflite or .onnx file.", hint="Unpack it to see what it holds."
    )
