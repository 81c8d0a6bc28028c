"""The types of a tensor's elements."""

from __future__ import annotations

from enum import StrEnum


class DType(StrEnum):
    FLOAT64 = "float64"
    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT8 = "float8"
    FLOAT4 = "float4"
    INT64 = "int64"
    INT32 = "int32"
    INT16 = "int16"
    INT8 = "int8"
    INT4 = "int4"
    INT2 = "int2"
    UINT64 = "uint64"
    UINT32 = "uint32"
    UINT16 = "uint16"
    UINT8 = "uint8"
    UINT4 = "uint4"
    UINT2 = "uint2"
    BOOL = "bool"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"
    STRING = "string"
    RESOURCE = "resource"
    VARIANT = "variant"

    @property
    def bits(self) -> int | None:
        """Bits of one element as stored; None where elements have no fixed size."""
        return _BITS[self]

    @property
    def is_float(self) -> bool:
        return self in _FLOATS

    def storage_bytes(self, elements: int) -> int | None:
        """Bytes of `elements` packed elements: two int4 share a byte."""
        return None if self.bits is None else (elements * self.bits + 7) // 8


_BITS: dict[DType, int | None] = {
    DType.FLOAT64: 64, DType.FLOAT32: 32, DType.FLOAT16: 16, DType.BFLOAT16: 16,
    DType.FLOAT8: 8, DType.FLOAT4: 4,
    DType.INT64: 64, DType.INT32: 32, DType.INT16: 16, DType.INT8: 8, DType.INT4: 4, DType.INT2: 2,
    DType.UINT64: 64, DType.UINT32: 32, DType.UINT16: 16, DType.UINT8: 8, DType.UINT4: 4, DType.UINT2: 2,
    DType.BOOL: 8, DType.COMPLEX64: 64, DType.COMPLEX128: 128,
    DType.STRING: None, DType.RESOURCE: None, DType.VARIANT: None,
}  # fmt: skip
_FLOATS = frozenset({DType.FLOAT64, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.FLOAT8, DType.FLOAT4})
UNSIZED_BY_MICRO = frozenset({DType.STRING, DType.VARIANT, DType.INT2, DType.UINT4})
"""TFLite Micro refuses a model with a tensor of these: TfLiteTypeSizeOf in lite/micro/memory_helpers.cc."""
