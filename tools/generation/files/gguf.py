"""The header of a GGUF file: its metadata and the tensors that it lists.

ggml-org/ggml docs/gguf.md. Whatever a file claims is held against budgets and against the bytes that are left
in it before anything is allocated; a damaged or hostile file is a ModelFileError.
"""

from __future__ import annotations

import mmap
import struct
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

from ....hardware_db.errors import ModelFileError
from ...core.records import dataclass
from ...core.sanitize import clean_text

MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST_KEYS = 65_536
_MOST_TENSORS = 262_144
_LONGEST_NAME = 65_535
_LONGEST_TEXT = 1 << 24
_MOST_ELEMENTS = 1 << 24
_LONGEST_HEADER = 1 << 29
_MOST_DIMENSIONS = 4
_KEPT = 4096
"""Numbers of an array that are kept; of longer ones, and of arrays of text, only the length is."""
_TEXT, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_LENGTH = struct.Struct("<Q")
_AGAIN = "Download or convert it again."

Value: TypeAlias = "int | float | bool | str | Array"

BLOCKS: dict[int, tuple[str, int, int]] = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 40), 10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110), 12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210),
    15: ("Q8_K", 256, 292), 16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74), 18: ("IQ3_XXS", 256, 98),
    19: ("IQ1_S", 256, 50), 20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82),
    23: ("IQ4_XS", 256, 136), 24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8),
    28: ("F64", 1, 8), 29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54),
    35: ("TQ2_0", 256, 66), 39: ("MXFP4", 32, 17), 40: ("NVFP4", 64, 36), 41: ("Q1_0", 128, 18),
}  # fmt: skip
"""Type → its name, the weights of a block and their bytes: GGML_QUANT_SIZES of ggml-org/llama.cpp
gguf-py/gguf/constants.py @0024aa74."""


@dataclass(frozen=True)
class Array:
    """Of a header."""

    length: int
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True)
class Tensor:
    name: str
    type: str
    weights: int
    bytes: int


@dataclass(frozen=True)
class Header:
    metadata: dict[str, Value]
    tensors: tuple[Tensor, ...]


def read_header(path: Path) -> Header:
    """Of one file; of a model in several, each has its own.

    Raises:
        ModelFileError: not GGUF, of a version or with types that are not known, cut short or damaged.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        return _Reader(mapped, clean_text(path.name)).header()


class _Reader:
    def __init__(self, data: mmap.mmap, name: str) -> None:
        self._data, self._size, self._name = data, len(data), name
        self._at = self._elements = 0

    def damaged(self, what: str) -> ModelFileError:
        return ModelFileError(f"{self._name} is no sound GGUF file: {what}.", hint=_AGAIN)

    def header(self) -> Header:
        if self._bytes(4) != MAGIC:
            raise self.damaged("it does not begin with GGUF")
        (version,) = self._unpack("I")
        if version not in _VERSIONS:
            big = int.from_bytes(version.to_bytes(4, "little"), "big") in _VERSIONS
            raise self.damaged("its numbers are big-endian" if big else f"version {version} is not known")
        count, keys = self._unpack("QQ")
        self._bound(keys, _MOST_KEYS, "keys", 13)
        self._bound(count, _MOST_TENSORS, "tensors", 24)
        metadata = dict(self._pair() for _ in range(keys))
        listed = [self._tensor() for _ in range(count)]
        self._hold(metadata, listed)
        return Header(metadata, tuple(tensor for tensor, _ in listed))

    def _pair(self) -> tuple[str, Value]:
        key = self._text(_LONGEST_NAME)
        (kind,) = self._unpack("I")
        return key, self._value(kind)

    def _value(self, kind: int) -> Value:
        if kind == _TEXT:
            return self._text(_LONGEST_TEXT)
        if kind == _ARRAY:
            return self._array()
        value: int | float | bool = self._unpack(self._scalar(kind))[0]
        return value

    def _array(self) -> Array:
        kind, length = self._unpack("IQ")
        if kind == _ARRAY:
            raise self.damaged("it holds an array of arrays")
        self._elements += length
        self._bound(self._elements, _MOST_ELEMENTS, "elements of arrays", 1)
        if kind == _TEXT:
            self._skip_texts(length)
            return Array(length)
        form = self._scalar(kind)
        wide = struct.calcsize(form)
        if length > _KEPT:
            self._skip(length * wide)
            return Array(length)
        return Array(length, struct.unpack(f"<{length}{form}", self._bytes(length * wide)))

    def _skip_texts(self, count: int) -> None:
        """Hundreds of thousands in a vocabulary."""
        data, at, end, length_at = (
            self._data,
            self._at,
            min(self._size, _LONGEST_HEADER) - 8,
            _LENGTH.unpack_from,
        )
        for _ in range(count):
            if at > end:
                raise self.damaged("its header is cut short")
            at += 8 + length_at(data, at)[0]
        self._at = at
        self._skip(0)

    def _tensor(self) -> tuple[Tensor, int]:
        """And its offset in the data."""
        name = self._text(_LONGEST_NAME)
        (dimensions,) = self._unpack("I")
        if not 1 <= dimensions <= _MOST_DIMENSIONS:
            raise self.damaged(f"a tensor has {dimensions} dimensions")
        shape = self._unpack(f"{dimensions}Q")
        kind, offset = self._unpack("IQ")
        if kind not in BLOCKS:
            raise self.damaged(f"a tensor is of type {kind}, which is not known")
        named, block, wide = BLOCKS[kind]
        weights = prod(shape)
        if weights == 0 or shape[0] % block:
            raise self.damaged(f"a tensor of {'×'.join(map(str, shape))} cannot be {named}")
        return Tensor(name, named, weights, weights // block * wide), offset

    def _hold(self, metadata: dict[str, Value], listed: list[tuple[Tensor, int]]) -> None:
        """Against the size of the file."""
        alignment = metadata.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 1 <= alignment <= 1 << 20:
            raise self.damaged("its alignment cannot be")
        start = -(-self._at // alignment) * alignment
        end = max((offset + tensor.bytes for tensor, offset in listed), default=0)
        if start + end > self._size and listed:
            raise ModelFileError(
                f"{self._name} is cut short: it lists {start + end:,} bytes and has {self._size:,}.",
                hint="Download it again.",
            )

    def _text(self, longest: int) -> str:
        (length,) = self._unpack("Q")
        self._bound(length, longest, "bytes of a text", 1)
        return self._bytes(length).decode("utf-8", "replace")

    def _scalar(self, kind: int) -> str:
        if kind not in _SCALARS:
            raise self.damaged(f"a value is of type {kind}, which is not known")
        return _SCALARS[kind]

    def _bound(self, count: int, most: int, what: str, least_bytes: int) -> None:
        """`least_bytes`: that each takes in the file."""
        if count > most or count * least_bytes > self._size:
            raise self.damaged(f"it claims {count:,} {what}")

    def _skip(self, count: int) -> None:
        self._at += count
        if self._at > min(self._size, _LONGEST_HEADER):
            raise self.damaged("its header is cut short")

    def _bytes(self, count: int) -> bytes:
        begin = self._at
        self._skip(count)
        return self._data[begin : self._at]

    def _unpack(self, form: str) -> tuple[Any, ...]:
        form = f"<{form}"
        return struct.unpack(form, self._bytes(struct.calcsize(form)))
