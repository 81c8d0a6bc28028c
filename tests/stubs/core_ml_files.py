"""Core ML models, written without coremltools: an ML program's messages, field by field, and its weights' file.

`package()` is the network of `pytorch_files`, its norm folded: 221,264 MACs.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

FLOAT32, INT32, BOOL, STRING = 11, 23, 1, 2
Shape = Sequence[int | None]
Given = Mapping[str, "str | Sequence[str]"]


def varint(value: int) -> bytes:
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def whole(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def held(number: int, content: bytes | str) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(data)) + data


def entry(number: int, key: str, value: bytes) -> bytes:
    """Of a map."""
    return held(number, held(1, key) + held(2, value))


def kind(shape: Shape, dtype: int = FLOAT32) -> bytes:
    """A ValueType; None is a dimension that is not known."""
    sizes = b"".join(held(3, held(2, b"") if size is None else held(1, whole(1, size))) for size in shape)
    return held(1, whole(1, dtype) + whole(2, len(shape)) + sizes)


def named(name: str, shape: Shape, dtype: int = FLOAT32) -> bytes:
    return held(1, name) + held(2, kind(shape, dtype))


def weights(name: str, shape: Shape, dtype: int = FLOAT32, offset: int = 64) -> bytes:
    """A constant that lies in the weights' file."""
    value = held(2, kind(shape, dtype)) + held(
        5, held(1, "@model_path/weights/weight.bin") + whole(2, offset)
    )
    return const(name, shape, dtype, value)


def const(name: str, shape: Shape, dtype: int, value: bytes) -> bytes:
    return held(1, "const") + held(3, named(name, shape, dtype)) + entry(5, "val", value)


def integers(name: str, *values: int) -> bytes:
    content = held(1, b"".join(map(varint, values)))
    shape = (len(values),)
    value = held(2, kind(shape, INT32)) + held(3, held(1, held(2, content)))
    return const(name, shape, INT32, value)


def number(name: str, value: float) -> bytes:
    content = held(1, held(1, held(1, struct.pack("<f", value))))
    return const(name, (), FLOAT32, held(2, kind(())) + held(3, content))


def word(name: str, value: str) -> bytes:
    content = held(1, held(4, held(1, value)))
    return const(name, (), STRING, held(2, kind((), STRING)) + held(3, content))


def operation(what: str, given: Given, *outputs: bytes, blocks: Sequence[bytes] = ()) -> bytes:
    arguments = b"".join(
        entry(2, key, b"".join(held(1, held(1, n)) for n in ([names] if isinstance(names, str) else names)))
        for key, names in given.items()
    )
    return held(1, what) + arguments + b"".join(held(3, made) for made in outputs) + b"".join(
        held(4, block) for block in blocks
    )  # fmt: skip


def block(operations: Sequence[bytes], outputs: Sequence[str]) -> bytes:
    return b"".join(held(2, name) for name in outputs) + b"".join(held(3, each) for each in operations)


def model(inputs: Sequence[bytes], operations: Sequence[bytes], outputs: Sequence[str]) -> bytes:
    function = b"".join(held(1, each) for each in inputs) + held(2, "CoreML7")
    function += entry(3, "CoreML7", block(operations, outputs))
    return whole(1, 8) + held(2, b"") + held(502, whole(1, 1) + entry(2, "main", function))


def network() -> bytes:
    operations = [
        weights("w", (8, 3, 3, 3)), weights("b", (8,)), weights("dense", (10, 8)), weights("dense_bias", (10,)),
        word("same", "custom"), integers("pad", 1, 1, 1, 1), integers("ones", 1, 1), integers("axes", 2, 3),
        number("low", 0.0), number("high", 6.0),
        operation("conv", {"x": "x", "weight": "w", "bias": "b", "pad_type": "same", "pad": "pad",
                           "strides": "ones", "dilations": "ones"}, named("conv", (1, 8, 32, 32))),
        operation("clip", {"x": "conv", "alpha": "low", "beta": "high"}, named("relu", (1, 8, 32, 32))),
        operation("reduce_mean", {"x": "relu", "axes": "axes"}, named("pooled", (1, 8))),
        operation("linear", {"x": "pooled", "weight": "dense", "bias": "dense_bias"}, named("y", (1, 10))),
    ]  # fmt: skip
    return model([named("x", (1, 3, 32, 32))], operations, ["y"])


def package(folder: Path, content: bytes | None = None) -> Path:
    """An .mlpackage with 4 KiB of weights."""
    inner = folder / "Data" / "com.apple.CoreML"
    (inner / "weights").mkdir(parents=True)
    (folder / "Manifest.json").write_text("{}")
    (inner / "model.mlmodel").write_bytes(network() if content is None else content)
    (inner / "weights" / "weight.bin").write_bytes(bytes(4096))
    return folder
