"""Small GGUF and safetensors files as llama.cpp and transformers write them, with zeros for weights."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from edgewright.tools.generation.files.gguf import BLOCKS

TYPES = {name: (number, block, wide) for number, (name, block, wide) in BLOCKS.items()}
_U32, _F32, _BOOL, _TEXT, _ARRAY, _I32 = 4, 6, 7, 8, 9, 5

LLAMA: dict[str, Any] = {
    "general.architecture": "llama", "general.name": "Small", "general.file_type": 15, "llama.block_count": 2,
    "llama.context_length": 2048, "llama.embedding_length": 256, "llama.feed_forward_length": 512,
    "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2, "llama.rope.dimension_count": 64,
    "tokenizer.ggml.tokens": ["a", "b", "c", "d"] * 8, "tokenizer.ggml.scores": [0.0] * 32,
}  # fmt: skip
TENSORS: list[tuple[str, tuple[int, ...], str]] = [
    ("token_embd.weight", (256, 32), "Q4_K"),
    ("output.weight", (256, 32), "Q6_K"),
    ("output_norm.weight", (256,), "F32"),
    *(
        (f"blk.{layer}.{name}.weight", shape, kind)
        for layer in range(2)
        for name, shape, kind in (
            ("attn_q", (256, 256), "Q4_K"), ("attn_k", (256, 128), "Q4_K"), ("attn_v", (256, 128), "Q6_K"),
            ("attn_output", (256, 256), "Q4_K"), ("ffn_gate", (256, 512), "Q4_K"),
            ("ffn_up", (256, 512), "Q4_K"), ("ffn_down", (512, 256), "Q6_K"),
        )
    ),
]  # fmt: skip


def gguf_bytes(
    metadata: dict[str, Any] | None = None, tensors: list[tuple[str, tuple[int, ...], str]] | None = None
) -> bytes:
    """A whole file, data included."""
    metadata, tensors = LLAMA if metadata is None else metadata, TENSORS if tensors is None else tensors
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    head += b"".join(_text(key) + _value(value) for key, value in metadata.items())
    offset, listed = 0, b""
    for name, shape, kind in tensors:
        number, block, wide = TYPES[kind]
        listed += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, number, offset)
        size = wide
        for dimension in shape:
            size *= dimension
        offset += -(-(size // block) // 32) * 32
    head += listed
    return head + b"\0" * (-len(head) % 32) + b"\0" * offset


def tensor_bytes(kinds: str = "") -> int:
    """Of the tensors whose names begin so."""
    total = 0
    for name, shape, kind in TENSORS:
        _, block, wide = TYPES[kind]
        size = wide
        for dimension in shape:
            size *= dimension
        total += size // block if name.startswith(kinds) else 0
    return total


def write_folder(
    folder: Path, config: dict[str, Any], tensors: dict[str, tuple[str, list[int], int]]
) -> Path:
    """config.json and model.safetensors; of each tensor its type, shape and bytes."""
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    at, header = 0, {}
    for name, (dtype, shape, size) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + b"\0" * at)
    return folder


def _text(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: Any) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", _BOOL, value)
        case int():
            return struct.pack("<II", _U32, value)
        case float():
            return struct.pack("<If", _F32, value)
        case str():
            return struct.pack("<I", _TEXT) + _text(value)
        case [str(), *_]:
            return struct.pack("<IIQ", _ARRAY, _TEXT, len(value)) + b"".join(map(_text, value))
        case [float(), *_]:
            return struct.pack(f"<IIQ{len(value)}f", _ARRAY, _F32, len(value), *value)
        case _:
            return struct.pack(f"<IIQ{len(value)}i", _ARRAY, _I32, len(value), *value)
